"""Committed offsets, packed: a million of them must fit into a test's process.

    {group: bytearray}        rows in ascending order, found by bisection
    at    size
    0     4      number of the topic in this store
    4     4      partition, unsigned, 32 bits
    8     8      offset
    16    4      leader epoch, -1: unknown
    20    8      commit timestamp, ms

What only a few entries have is kept separately: metadata that is not empty, and a separate expiry. A row costs 28 bytes
and its share of what Python adds to each group, whatever the group's topics are: 30 to 55 bytes where the group has ten
or more rows.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple, TypeAlias, TypeVar

from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName, TopicPartition

PLACE: Final = Struct(">II")
ROW: Final = Struct(">IIqiq")
VALUES: Final = Struct(">8xqiq")
UNSIGNED: Final = 0xFFFFFFFF
SIGN: Final = 0x80000000
FEW: Final = 8
"""Up to this many partitions of a topic are looked up one by one."""

T = TypeVar("T")
_Side: TypeAlias = dict[str, dict[TopicPartition, T]]


class Committed(NamedTuple):
    """One committed offset (OffsetAndMetadata)."""

    offset: Offset
    leader_epoch: LeaderEpoch
    """-1: unknown."""
    metadata: str
    commit_timestamp: TimestampMs
    expire_timestamp: TimestampMs | None = None
    """When it expires, if that does not follow from the broker's retention."""


Entry: TypeAlias = tuple[TopicName, PartitionIndex, Committed]


class OffsetStore:
    """The offsets of all groups that a broker coordinates."""

    def __init__(self) -> None:
        self._rows: dict[str, bytearray] = {}
        self._numbers: dict[TopicName, int] = {}
        self._topics: list[TopicName] = []
        """Keyed by number."""
        self._metadata: _Side[str] = {}
        self._expiry: _Side[TimestampMs] = {}

    def groups(self) -> Iterable[str]:
        """The groups that have offsets."""
        return self._rows.keys()

    def __len__(self) -> int:
        """How many offsets are committed."""
        return sum(map(len, self._rows.values())) // ROW.size

    def __contains__(self, group: str) -> bool:
        return group in self._rows

    def get(self, group: str, topic: TopicName, partition: PartitionIndex) -> Committed | None:
        """What is committed for a partition."""
        rows, number = self._rows.get(group), self._numbers.get(topic)
        if rows is None or number is None:
            return None
        place = PLACE.pack(number, partition & UNSIGNED)
        at = _position(rows, place)
        if rows[at : at + PLACE.size] != place:
            return None
        return self._whole(group, topic, partition, *VALUES.unpack_from(rows, at))

    def of_topic(self, group: str, topic: TopicName, partitions: Iterable[PartitionIndex]) -> "list[Committed | None]":
        """`get` for many partitions of one topic."""
        asked = list(partitions)
        if len(asked) <= FEW:
            return [self.get(group, topic, partition) for partition in asked]
        if group in self._metadata or group in self._expiry:
            by_partition = {partition: c for name, partition, c in self.of_group(group) if name == topic}
            return [by_partition.get(partition) for partition in asked]
        new = tuple.__new__
        plain = {row[1]: new(Committed, (row[2], row[3], "", row[4], None)) for row in self._rows_of(group, topic)}
        return [plain.get(partition & UNSIGNED) for partition in asked]

    def of_group(self, group: str) -> Iterator[Entry]:
        """Everything that a group has committed, topic by topic."""
        for number, unsigned, offset, epoch, timestamp in ROW.iter_unpack(bytes(self._rows.get(group, b""))):
            topic, partition = self._topics[number], _signed(unsigned)
            yield topic, partition, self._whole(group, topic, partition, offset, epoch, timestamp)

    def partitions(self, group: str, topic: TopicName) -> list[PartitionIndex]:
        """The partitions of one topic that a group has committed."""
        return [_signed(row[1]) for row in self._rows_of(group, topic)]

    def _rows_of(self, group: str, topic: TopicName) -> Iterator[tuple[int, int, Offset, LeaderEpoch, TimestampMs]]:
        rows, number = self._rows.get(group), self._numbers.get(topic)
        if rows is None or number is None:
            return iter(())
        start, end = _position(rows, PLACE.pack(number, 0)), _position(rows, PLACE.pack(number + 1, 0))
        return ROW.iter_unpack(bytes(rows[start:end]))

    def put(self, group: str, topic: TopicName, partition: PartitionIndex, committed: Committed) -> None:
        """Commit one offset."""
        number = self._numbers.get(topic)
        if number is None:
            number = self._numbers[topic] = len(self._topics)
            self._topics.append(topic)
        rows = self._rows.get(group)
        if rows is None:
            rows = self._rows[group] = bytearray()
        row = ROW.pack(
            number, partition & UNSIGNED, committed.offset, committed.leader_epoch, committed.commit_timestamp
        )
        place = row[: PLACE.size]
        at = _position(rows, place)
        is_there = rows[at : at + PLACE.size] == place
        rows[at : at + (ROW.size if is_there else 0)] = row
        _note(self._metadata, group, topic, partition, committed.metadata or None)
        _note(self._expiry, group, topic, partition, committed.expire_timestamp)

    def remove(self, group: str, partitions: Iterable[TopicPartition]) -> list[Entry]:
        """Forget some offsets, and return them. A group left without any is forgotten."""
        removed: list[Entry] = []
        for topic, partition in partitions:
            commit = self.get(group, topic, partition)
            if commit is None:
                continue
            removed.append((topic, partition, commit))
            rows = self._rows[group]
            at = _position(rows, PLACE.pack(self._numbers[topic], partition & UNSIGNED))
            del rows[at : at + ROW.size]
            _forget(self._metadata, group, topic, partition)
            _forget(self._expiry, group, topic, partition)
            if not rows:
                del self._rows[group]
        return removed

    def remove_group(self, group: str) -> None:
        """Forget all offsets of a group."""
        for side in (self._rows, self._metadata, self._expiry):
            side.pop(group, None)

    def absorb(self, other: "OffsetStore", groups: Iterable[str]) -> None:
        """Take over groups of another store, which are not in this one; `groups` says in which order."""
        for group in groups:
            for topic, partition, committed in other.of_group(group):
                self.put(group, topic, partition, committed)

    def clear(self) -> None:
        """Forget everything."""
        for side in (self._rows, self._numbers, self._metadata, self._expiry):
            side.clear()
        self._topics.clear()

    def _whole(
        self, group: str, topic: TopicName, at: PartitionIndex, offset: Offset, epoch: LeaderEpoch, time: TimestampMs
    ) -> Committed:
        metadata, expiry = self._metadata.get(group), self._expiry.get(group)
        return Committed(
            offset,
            epoch,
            metadata.get((topic, at), "") if metadata else "",
            time,
            expiry.get((topic, at)) if expiry else None,
        )


def _position(rows: bytearray, place: bytes) -> int:
    """Where the row of a place begins, or would."""
    size = ROW.size
    low, high = 0, len(rows) // size
    if rows[-size : PLACE.size - size] < place:  # as most commits do at first
        return len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle * size : middle * size + PLACE.size] < place:
            low = middle + 1
        else:
            high = middle
    return low * size


def _signed(partition: int) -> PartitionIndex:
    return partition - 2 * SIGN if partition & SIGN else partition


def _note(side: _Side[T], group: str, topic: TopicName, partition: PartitionIndex, value: T | None) -> None:
    """Remember, or forget, what only a few entries have."""
    if value is not None:
        side.setdefault(group, {})[topic, partition] = value
    else:
        _forget(side, group, topic, partition)


def _forget(side: _Side[T], group: str, topic: TopicName, partition: PartitionIndex) -> None:
    entries = side.get(group)
    if entries is not None:
        entries.pop((topic, partition), None)
        if not entries:
            del side[group]
