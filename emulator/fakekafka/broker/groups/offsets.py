"""Committed offsets, packed: a million of them must fit into a test's process.

    {group: {topic: bytearray}}        partition n at byte 20 n
    at    size
    0     8      offset
    8     4      leader epoch, -1: unknown
    12    8      commit timestamp, ms; the lowest number: nothing is committed for this partition

What few entries have lies beside it: metadata that is not empty, an expiry of their own, and whole entries that would
leave a hole before them (partitions come in any order, and some releases take any number). Names are shared, so an
entry costs 22 to 55 bytes where a group has ten or more of a topic.
"""

import sys
from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, NamedTuple, TypeAlias, TypeVar

from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName

RECORD: Final = Struct(">qiq")
NOTHING: Final = -(2**63)
ABSENT: Final = RECORD.pack(0, 0, NOTHING)
SMALL: Final = 64
"""Partition numbers below this are packed in any case …"""
HOLE: Final = 8
"""… and larger ones that leave fewer places than this empty before them."""
FAR: Final = 8
"""When so many entries lie apart, or twice as many, and so on, those that fit by now are packed."""


T = TypeVar("T")
_Side: TypeAlias = dict[str, dict[tuple[TopicName, PartitionIndex], T]]


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
        self._packed: dict[str, dict[TopicName, bytearray]] = {}
        self._metadata: _Side[str] = {}
        self._expiry: _Side[TimestampMs] = {}
        self._far: _Side[Committed] = {}

    def groups(self) -> Iterable[str]:
        """The groups that have offsets."""
        return self._packed.keys()

    def __len__(self) -> int:
        """How many offsets are committed."""
        return sum(1 for group in self._packed for _ in self.of_group(group))

    def __contains__(self, group: str) -> bool:
        return group in self._packed

    def get(self, group: str, topic: TopicName, partition: PartitionIndex) -> Committed | None:
        """What is committed there."""
        packed = self._packed.get(group, {}).get(topic)
        if packed is not None and 0 <= partition < len(packed) // RECORD.size:
            offset, epoch, timestamp = RECORD.unpack_from(packed, partition * RECORD.size)
            if timestamp != NOTHING:
                return self._whole(group, topic, partition, offset, epoch, timestamp)
        far = self._far.get(group)
        return far.get((topic, partition)) if far else None

    def of_topic(self, group: str, topic: TopicName, partitions: Iterable[PartitionIndex]) -> "list[Committed | None]":
        """`get` for many partitions of one topic."""
        packed = self._packed.get(group, {}).get(topic)
        if packed is None or any(group in side for side in (self._metadata, self._expiry, self._far)):
            return [self.get(group, topic, partition) for partition in partitions]
        size, unpack, count, new = RECORD.size, RECORD.unpack_from, len(packed) // RECORD.size, tuple.__new__
        found: list[Committed | None] = []
        for partition in partitions:
            if 0 <= partition < count:
                offset, epoch, timestamp = unpack(packed, partition * size)
                if timestamp != NOTHING:
                    found.append(new(Committed, (offset, epoch, "", timestamp, None)))
                    continue
            found.append(None)
        return found

    def of_group(self, group: str) -> Iterator[Entry]:
        """Everything that a group has committed, topic by topic."""
        for topic, packed in self._packed.get(group, {}).items():
            for partition, (offset, epoch, timestamp) in enumerate(RECORD.iter_unpack(packed)):
                if timestamp != NOTHING:
                    yield topic, partition, self._whole(group, topic, partition, offset, epoch, timestamp)
        for (topic, partition), committed in self._far.get(group, {}).items():
            yield topic, partition, committed

    def partitions(self, group: str, topic: TopicName) -> list[PartitionIndex]:
        """The partitions of one topic that a group has committed."""
        times = RECORD.iter_unpack(self._packed.get(group, {}).get(topic, b""))
        near = [partition for partition, (_, _, timestamp) in enumerate(times) if timestamp != NOTHING]
        return near + [partition for name, partition in self._far.get(group, ()) if name == topic]

    def put(self, group: str, topic: TopicName, partition: PartitionIndex, committed: Committed) -> None:
        """Commit one offset."""
        topics = self._packed.get(group)
        if topics is None:
            topics = self._packed[group] = {}
        packed = topics.get(topic)
        if packed is None:
            packed = topics[sys.intern(topic)] = bytearray()
        size = len(packed) // RECORD.size
        if not 0 <= partition < max(SMALL, size + HOLE) or committed.commit_timestamp == NOTHING:
            if 0 <= partition < size:
                packed[partition * RECORD.size : (partition + 1) * RECORD.size] = ABSENT
            _forget(self._metadata, group, topic, partition)
            _forget(self._expiry, group, topic, partition)
            far = self._far.setdefault(group, {})
            far[topic, partition] = committed
            if len(far) >= FAR and not len(far) & len(far) - 1:
                self._gather(group)
            return
        if partition >= size:
            packed += ABSENT * (partition + 1 - size)
        RECORD.pack_into(
            packed, partition * RECORD.size, committed.offset, committed.leader_epoch, committed.commit_timestamp
        )
        _forget(self._far, group, topic, partition)
        _note(self._metadata, group, topic, partition, committed.metadata or None)
        _note(self._expiry, group, topic, partition, committed.expire_timestamp)

    def _gather(self, group: str) -> None:
        """Pack what lies apart and would not leave a hole any more."""
        far = self._far[group]
        for (topic, partition), committed in sorted(far.items()):
            packed = self._packed[group].get(topic)
            size = 0 if packed is None else len(packed) // RECORD.size
            if 0 <= partition < max(SMALL, size + HOLE) and committed.commit_timestamp != NOTHING:
                self.put(group, topic, partition, committed)

    def remove(self, group: str, partitions: Iterable[tuple[TopicName, PartitionIndex]]) -> list[Entry]:
        """Forget some offsets; what they were. A group without any is forgotten."""
        removed: list[Entry] = []
        for topic, partition in partitions:
            found = self.get(group, topic, partition)
            if found is None:
                continue
            removed.append((topic, partition, found))
            packed = self._packed[group].get(topic)
            if packed is not None and 0 <= partition < len(packed) // RECORD.size:
                RECORD.pack_into(packed, partition * RECORD.size, 0, 0, NOTHING)
            _forget(self._metadata, group, topic, partition)
            _forget(self._expiry, group, topic, partition)
            _forget(self._far, group, topic, partition)
        if removed:
            self._prune(group, {topic for topic, _, _ in removed})
        return removed

    def _prune(self, group: str, topics: Iterable[TopicName]) -> None:
        kept = self._packed[group]
        for topic in topics:
            if topic in kept and not any(time != NOTHING for _, _, time in RECORD.iter_unpack(kept[topic])):
                del kept[topic]
        if not kept and group not in self._far:
            del self._packed[group]

    def remove_group(self, group: str) -> None:
        """Forget all offsets of a group."""
        for side in (self._packed, self._metadata, self._expiry, self._far):
            side.pop(group, None)

    def absorb(self, other: "OffsetStore", groups: Iterable[str]) -> None:
        """Take over the groups of another store, which has none of these; `groups` says in which order."""
        self._packed.update((group, other._packed[group]) for group in groups if group in other)
        self._metadata.update(other._metadata)
        self._expiry.update(other._expiry)
        self._far.update(other._far)
        for group in list(other._far):
            self._gather(group)

    def clear(self) -> None:
        """Forget everything."""
        for side in (self._packed, self._metadata, self._expiry, self._far):
            side.clear()

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


def _note(side: _Side[T], group: str, topic: TopicName, partition: PartitionIndex, value: T | None) -> None:
    """Remember, or forget, what few entries have."""
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
