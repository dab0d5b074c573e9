"""The waits of `RemoteKafka` as coroutines. Each holds a thread and a connection while it waits."""

from asyncio import to_thread
from typing import TYPE_CHECKING, Any

from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.watching import TIMEOUT_S

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis
    from fakekafka.remote.requests import RemoteRequests
    from fakekafka.remote.waiting import RemoteWaits
    from fakekafka.watching.groups import GroupState
    from fakekafka.watching.stored import CommittedOffset, StoredRecord
    from fakekafka.watching.transactions import TransactionState


class RemoteAio:
    """Each method does what the method of the same name does in `FakeKafka`."""

    def __init__(self, waits: "RemoteWaits") -> None:
        self._waits = waits

    async def wait_for_records(
        self, topic: TopicName, count: int, *, partition: PartitionIndex | None = None, timeout: float = TIMEOUT_S
    ) -> "list[StoredRecord]":
        """See `FakeKafka.wait_for_records`."""
        return await to_thread(self._waits.wait_for_records, topic, count, partition=partition, timeout=timeout)

    async def wait_for_commit(
        self,
        group: str,
        topic: TopicName,
        partition: PartitionIndex | None = None,
        offset: Offset | None = None,
        *,
        timeout: float = TIMEOUT_S,
    ) -> "CommittedOffset":
        """See `FakeKafka.wait_for_commit`."""
        return await to_thread(self._waits.wait_for_commit, group, topic, partition, offset, timeout=timeout)

    async def wait_for_group(
        self, group: str, state: str | None = None, members: int | None = None, *, timeout: float = TIMEOUT_S
    ) -> "GroupState":
        """See `FakeKafka.wait_for_group`."""
        return await to_thread(self._waits.wait_for_group, group, state, members, timeout=timeout)

    async def wait_for_transaction(
        self, transactional_id: str, state: str = "CompleteCommit", *, timeout: float = TIMEOUT_S
    ) -> "TransactionState":
        """See `FakeKafka.wait_for_transaction`."""
        return await to_thread(self._waits.wait_for_transaction, transactional_id, state, timeout=timeout)

    async def wait_for_request(
        self,
        api: "Apis" = None,
        *,
        count: int = 1,
        error: str | None = None,
        answered: bool | None = None,
        timeout: float = TIMEOUT_S,
        **match: Any,
    ) -> "RemoteRequests":
        """See `FakeKafka.wait_for_request`."""
        wanted = {"count": count, "error": error, "answered": answered, "timeout": timeout, **match}
        return await to_thread(lambda: self._waits.wait_for_request(api, **wanted))
