"""Records that nobody waits for, held back for a moment so that what is written next joins their batch
(group.coordinator.append.linger.ms; CoordinatorRuntime of 3.8 and later).

In the real coordinator every write lingers, and who waits for one waits as long. Here a write that is waited for goes
into the log at once, with what lingers before it: the bytes are the same, the answers come sooner.
"""

from collections.abc import Callable
from typing import TypeAlias

from fakekafka.ids import DurationMs, PartitionIndex
from fakekafka.waiting.timers import BrokerTimers, Timer

KeyValue: TypeAlias = tuple[bytes, bytes | None]


class Lingering:
    """The open batch of each partition."""

    def __init__(self, timers: BrokerTimers, linger_ms: DurationMs, flush: Callable[[PartitionIndex], None]) -> None:
        self.linger_ms = linger_ms
        """Nothing lingers if this is 0 or below: below is the "as long as there is more to do" of 4.2 and later."""
        self._timers = timers
        self._flush = flush
        """Writes a partition's batch, by `take`."""
        self._open: dict[PartitionIndex, tuple[list[KeyValue], Timer]] = {}

    def add(self, index: PartitionIndex, records: list[KeyValue]) -> None:
        """Hold records back. The first ones of a batch say when it is over."""
        if index in self._open:
            self._open[index][0].extend(records)
        else:
            self._open[index] = list(records), self._timers.after(self.linger_ms, lambda: self._flush(index))

    def take(self, index: PartitionIndex) -> list[KeyValue]:
        """The open batch of a partition, which is none any more."""
        records, timer = self._open.pop(index, ([], None))
        if timer is not None:
            timer.cancel()
        return records

    def count(self, index: PartitionIndex) -> int:
        """How many records linger."""
        return len(self._open[index][0]) if index in self._open else 0

    def drop(self, index: PartitionIndex) -> None:
        """Another broker leads the partition: what was not written is lost."""
        self.take(index)

    def clear(self) -> None:
        """The same for all partitions."""
        for index in tuple(self._open):
            self.drop(index)
