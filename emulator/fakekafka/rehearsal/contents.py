"""What a cluster holds, by content, and what is missing in a later check.

A record is its key, value, headers and timestamp; formats and codecs may change. What retention or DeleteRecords has
removed at a log's start, and what compaction has replaced, is not lost. What transactions have decided is compared in
`decisions.py`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

from fakekafka.emulator import FakeKafka
from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition
from fakekafka.watching.decided import Decided
from fakekafka.watching.stored import StoredRecord

POLICY: Final = "cleanup.policy"
DIGEST_BYTES: Final = 12


class Fingerprint(NamedTuple):
    """One record, as far as it is compared."""

    content: bytes
    key: bytes | None
    is_tombstone: bool


class PartitionContents(NamedTuple):
    """The records of a partition by offset, including aborted ones."""

    records: Mapping[Offset, Fingerprint]
    start_offset: Offset
    compacted: bool
    decided: Decided | None = None
    """None if no broker leads the partition."""


class Contents(NamedTuple):
    """All records, and all offsets that groups have committed with a coordinator."""

    partitions: Mapping[TopicPartition, PartitionContents]
    commits: Mapping[tuple[str, TopicName, PartitionIndex], Offset]

    @property
    def how_many(self) -> int:
        """The number of records."""
        return sum(len(partition.records) for partition in self.partitions.values())

    @property
    def control_batches(self) -> int:
        """The number of control batches."""
        return sum(len(one.decided.control_batches) for one in self.partitions.values() if one.decided is not None)


class Lost(NamedTuple):
    """Records of a partition, or a commit, that are no longer what they were. Prints as one line."""

    what: str
    where: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def contents_of(kafka: FakeKafka) -> Contents:
    """What the leaders hold. Reads every record of topics that are not internal."""
    partitions: dict[TopicPartition, PartitionContents] = {}
    for topic in kafka.describe_topics().values():
        if topic.internal:
            continue
        compacted = "compact" in topic.config.get(POLICY, "")
        for one in topic.partitions:
            where = topic.name, one.partition
            if one.leader < 0:
                partitions[where] = PartitionContents({}, one.start_offset, compacted)
                continue
            fingerprints = {record.offset: _fingerprint(record) for record in kafka.records(*where)}
            partitions[where] = PartitionContents(fingerprints, one.start_offset, compacted, kafka.decided(*where))
    groups = kafka.groups().values()
    commits = {(group.id, one.topic, one.partition): one.offset for group in groups for one in group.offsets}
    return Contents(partitions, commits)


def lost(before: Contents, after: Contents, *, idle: bool) -> list[Lost]:
    """What was there before, and is gone or has changed. `idle`: no client ran in between, so commits are where
    they were.
    """
    losses = [one for tp, was in before.partitions.items() for one in _lost_of(tp, was, after)]
    for (group, topic, index), offset in before.commits.items():
        now = after.commits.get((group, topic, index))
        if now is None:
            losses.append(Lost(f"the commit of {offset} is gone", f"group {group}, {topic}-{index}"))
        elif idle and now != offset:
            losses.append(Lost(f"the commit went from {offset} to {now}", f"group {group}, {topic}-{index}"))
    return losses


def removed_at_the_start(before: Contents, after: Contents) -> int:
    """How many records have gone because a log begins later than it did."""
    pairs = [(was, after.partitions[tp]) for tp, was in before.partitions.items() if tp in after.partitions]
    return sum(sum(offset < now.start_offset for offset in was.records) for was, now in pairs)


def _lost_of(tp: TopicPartition, was: PartitionContents, after: Contents) -> Iterator[Lost]:
    where = f"{tp[0]}-{tp[1]}"
    now = after.partitions.get(tp)
    if now is None:
        yield Lost(f"the partition is gone, with {len(was.records)} records", where)
        return
    last = _last_of_keys(was, now) if was.compacted or now.compacted else {}
    missing, changed = [], []
    for offset, record in was.records.items():
        other = now.records.get(offset)
        if other is not None and other.content != record.content:
            changed.append(offset)
        elif other is None and offset >= now.start_offset and not _replaced(offset, record, last):
            missing.append(offset)
    for offsets, how in ((missing, "gone"), (changed, "not what they were")):
        if offsets:
            yield Lost(f"{_records(offsets)} from offset {offsets[0]} on {how}", where)


def _records(offsets: list[Offset]) -> str:
    return "1 record" if len(offsets) == 1 else f"{len(offsets)} records"


def _last_of_keys(was: PartitionContents, now: PartitionContents) -> Mapping[bytes, Offset]:
    """The last offset of each key."""
    last: defaultdict[bytes, Offset] = defaultdict(int)
    for partition in (was, now):
        for offset, record in partition.records.items():
            if record.key is not None:
                last[record.key] = max(last[record.key], offset)
    return last


def _replaced(offset: Offset, record: Fingerprint, last: Mapping[bytes, Offset]) -> bool:
    """Whether the cleaner may have removed a record: for a later one of its key, or because it deletes its key."""
    if record.key is None or record.key not in last:
        return False
    return record.is_tombstone or last[record.key] > offset


def _fingerprint(record: StoredRecord) -> Fingerprint:
    whole = repr((record.key, record.value, record.headers, record.timestamp)).encode()
    key = None if record.key is None else _digest(record.key)
    return Fingerprint(_digest(whole), key, record.value is None)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST_BYTES).digest()
