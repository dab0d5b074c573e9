"""The section about waiting: for records, commits, groups, transactions or requests."""

from typing import TYPE_CHECKING, Any, TypeVar

from fakekafka.handle.section import Section
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.watching import TIMEOUT_S

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis
    from fakekafka.watching.all_conditions import Conditions
    from fakekafka.watching.conditions import Condition
    from fakekafka.watching.coroutines import Aio
    from fakekafka.watching.groups import GroupState
    from fakekafka.watching.requests import Requests
    from fakekafka.watching.stored import CommittedOffset, StoredRecord
    from fakekafka.watching.transactions import TransactionState

T = TypeVar("T")


class Waiting(Section):
    """Waits for what clients do. Nothing polls: a wait ends when what it waits for has happened."""

    def wait_for_records(
        self, topic: TopicName, count: int, *, partition: PartitionIndex | None = None, timeout: float = TIMEOUT_S
    ) -> "list[StoredRecord]":
        """Wait until a topic, or one partition of it, holds `count` records or more; returns all, like `records`.

        The topic may be created meanwhile. For all waits: `timeout` is in seconds of real time, even with a
        `ManualClock`; nothing polls; after `boot()`, without sockets, the condition is checked once. Raises
        `TimeoutError`, which says what there is instead, and `UsageError` if the broker is stopped. `aio` has the waits
        as coroutines.
        """
        return self._wait_for(self._conditions.records(topic, count, partition), timeout)

    def wait_for_commit(
        self,
        group: str,
        topic: TopicName,
        partition: PartitionIndex | None = None,
        offset: Offset | None = None,
        *,
        timeout: float = TIMEOUT_S,
    ) -> "CommittedOffset":
        """Wait until a group has committed `offset` or a higher one for a partition; returns what is committed.

        `partition` None: for any partition; `offset` None: any offset. Raises as `wait_for_records`.
        """
        return self._wait_for(self._conditions.commit(group, topic, partition, offset), timeout)

    def wait_for_group(
        self, group: str, state: str | None = None, members: int | None = None, *, timeout: float = TIMEOUT_S
    ) -> "GroupState":
        """Wait until a group of any kind is in `state` ("Stable", "Empty", …) and has exactly this many members.

        A group that does not exist is "Dead". Raises as `wait_for_records`, and `UsageError` for an unknown state.
        """
        return self._wait_for(self._conditions.group(group, state, members), timeout)

    def wait_for_transaction(
        self, transactional_id: str, state: str = "CompleteCommit", *, timeout: float = TIMEOUT_S
    ) -> "TransactionState":
        """Wait until the last transaction of a transactional id is in `state`: "Ongoing", "CompleteAbort", …

        Raises as `wait_for_records`, and `UsageError` for an unknown state.
        """
        return self._wait_for(self._conditions.transaction(transactional_id, state), timeout)

    def wait_for_request(
        self,
        api: "Apis" = None,
        *,
        count: int = 1,
        error: str | None = None,
        answered: bool | None = None,
        timeout: float = TIMEOUT_S,
        **match: Any,
    ) -> "Requests":
        """Wait until `count` matching requests have come, and return them. See `Requests.where`. Requests remembered
        when the wait begins count. `answered=True` waits for their answers, too. Raises as `wait_for_records`, and
        `UsageError` for an unknown API or field, or if requests are not remembered.
        """
        return self._wait_for(self._conditions.requests(api, count, error, answered, match), timeout)

    def _wait_for(self, condition: "Condition[T]", timeout_s: float) -> T:
        from fakekafka.watching.waits import wait_for  # only needed once something waits

        return wait_for(self._runtime, condition, timeout_s)

    @property
    def _conditions(self) -> "Conditions":
        from fakekafka.watching.all_conditions import Conditions

        return Conditions(self._runtime)

    @property
    def aio(self) -> "Aio":
        """The waits as coroutines: `await kafka.aio.wait_for_records("orders", 10)`."""
        from fakekafka.watching.coroutines import Aio  # asyncio is large

        return Aio(self._runtime)
