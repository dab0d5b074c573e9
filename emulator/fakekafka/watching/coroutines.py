"""Waiting in an event loop: `FakeKafka.aio`."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.watching import TIMEOUT_S
from fakekafka.watching.all_conditions import Conditions
from fakekafka.watching.conditions import Condition
from fakekafka.watching.groups import GroupState
from fakekafka.watching.requests import Requests
from fakekafka.watching.stored import CommittedOffset, StoredRecord
from fakekafka.watching.transactions import TransactionState
from fakekafka.watching.waits import Awaited, Loop, what_there_is

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis

T = TypeVar("T")


class Aio:
    """The waits of `FakeKafka` as coroutines; each does what the method of the same name does there."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._conditions = Conditions(loop)

    async def wait_for_records(
        self, topic: TopicName, count: int, *, partition: PartitionIndex | None = None, timeout: float = TIMEOUT_S
    ) -> list[StoredRecord]:
        """See `FakeKafka.wait_for_records`."""
        return await self._until(self._conditions.records(topic, count, partition), timeout)

    async def wait_for_commit(
        self,
        group: str,
        topic: TopicName,
        partition: PartitionIndex | None = None,
        offset: Offset | None = None,
        *,
        timeout: float = TIMEOUT_S,
    ) -> CommittedOffset:
        """See `FakeKafka.wait_for_commit`."""
        return await self._until(self._conditions.commit(group, topic, partition, offset), timeout)

    async def wait_for_group(
        self, group: str, state: str | None = None, members: int | None = None, *, timeout: float = TIMEOUT_S
    ) -> GroupState:
        """See `FakeKafka.wait_for_group`."""
        return await self._until(self._conditions.group(group, state, members), timeout)

    async def wait_for_transaction(
        self, transactional_id: str, state: str = "CompleteCommit", *, timeout: float = TIMEOUT_S
    ) -> TransactionState:
        """See `FakeKafka.wait_for_transaction`."""
        return await self._until(self._conditions.transaction(transactional_id, state), timeout)

    async def wait_for_request(
        self,
        api: "Apis" = None,
        *,
        count: int = 1,
        error: str | None = None,
        answered: bool | None = None,
        timeout: float = TIMEOUT_S,
        **match: Any,
    ) -> Requests:
        """See `FakeKafka.wait_for_request`."""
        return await self._until(self._conditions.requests(api, count, error, answered, match), timeout)

    async def _until(self, condition: Condition[T], timeout_s: float) -> T:
        awaited, came = Awaited(condition), asyncio.Event()
        running = asyncio.get_running_loop()

        def tell() -> None:
            with suppress(RuntimeError):  # the event loop may be closed by now
                running.call_soon_threadsafe(came.set)

        watcher = self._loop.watch_for(awaited.is_there, tell)
        try:
            async with asyncio.timeout(timeout_s):
                await came.wait()
        except TimeoutError:
            raise TimeoutError(what_there_is(self._loop, condition, timeout_s)) from None
        finally:
            watcher.cancel()
        if watcher.error is not None:
            raise watcher.error
        if awaited.value is None:
            raise TimeoutError(what_there_is(self._loop, condition, timeout_s))
        return awaited.value
