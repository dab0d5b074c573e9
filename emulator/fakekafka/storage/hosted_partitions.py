"""The partitions that one broker hosts.

A new partition that lives nowhere else, in memory, is only promised. It is created when first asked for, in the state
that it would have had if it had been created at once: thousands of partitions that no test looks at cost next to
nothing. Iterating over all partitions creates all of them; counting or naming them creates none.
"""

from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from fakekafka.ids import Offset, TimestampMs, TopicPartition
from fakekafka.log.config import LogConfig
from fakekafka.state.topics import PartitionState, Topic
from fakekafka.storage.partition import Partition

Key: TypeAlias = TopicPartition


class Birth(NamedTuple):
    """When a log was created, and with which configuration."""

    at_ms: TimestampMs
    config: LogConfig


class HostedPartitions:
    """Partitions by topic and index, in the order in which they came. `make` creates one that was promised."""

    __slots__ = ("_hosted", "_make", "_promised", "most")

    def __init__(self, make: Callable[[Topic, PartitionState, Birth], Partition]) -> None:
        self._make = make
        self._hosted: dict[Key, Partition | None] = {}  # None: only promised
        self._promised: dict[Key, tuple[Topic, PartitionState, Birth]] = {}
        self.most = 0
        """How many there have been at once since the start. A broker's table of logs does not shrink."""

    def promise(self, topic: Topic, states: Iterable[PartitionState], birth: Birth) -> None:
        """Add new partitions, each of which is created when it is first asked for."""
        promised = {(topic.name, state.index): (topic, state, birth) for state in states}
        self._promised.update(promised)
        self._hosted.update(dict.fromkeys(promised))
        self.most = max(self.most, len(self._hosted))

    @property
    def promised(self) -> Collection[Key]:
        """The partitions that are only promised."""
        return self._promised.keys()

    def keep_promises(self) -> None:
        """Create the partitions that are only promised."""
        for key in tuple(self._promised):
            self._keep(key)

    def get(self, key: Key) -> Partition | None:
        """A partition, or None."""
        hosted = self._hosted.get(key)
        return self._keep(key) if hosted is None and key in self._promised else hosted

    def __getitem__(self, key: Key) -> Partition:
        hosted = self._hosted[key]
        return self._keep(key) if hosted is None else hosted

    def __setitem__(self, key: Key, partition: Partition) -> None:
        self._hosted[key] = partition
        self.most = max(self.most, len(self._hosted))

    def __contains__(self, key: Key) -> bool:
        return key in self._hosted

    def __iter__(self) -> Iterator[Key]:
        return iter(self._hosted)

    def __len__(self) -> int:
        return len(self._hosted)

    def items(self) -> ItemsView[Key, Partition]:
        """All partitions."""
        self.keep_promises()
        return {key: self[key] for key in self._hosted}.items()

    def high_watermarks(self) -> dict[Key, Offset]:
        """The high watermarks of all partitions. Promised ones are empty."""
        return {key: 0 if partition is None else partition.high_watermark for key, partition in self._hosted.items()}

    def pop(self, key: Key) -> Partition | None:
        """Stop hosting a partition, and return it; None if it was not hosted."""
        partition = self.get(key)
        self._hosted.pop(key, None)
        return partition

    def clear(self) -> None:
        """Host nothing, and forget promises."""
        self._hosted.clear()
        self._promised.clear()

    def _keep(self, key: Key) -> Partition:
        self._hosted[key] = made = self._make(*self._promised.pop(key))
        return made
