"""What is stored, as values for tests: records and committed offsets; and a way to append a record without a client."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import partition_for
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode, MalformedBytes, UsageError
from fakekafka.ids import (
    NO_EPOCH,
    NO_TIMESTAMP,
    BrokerId,
    LeaderEpoch,
    Magic,
    Offset,
    PartitionIndex,
    TimestampMs,
    TopicName,
    TopicPartition,
)
from fakekafka.jvm.hashes import murmur2
from fakekafka.records import v0, v1, v2
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.batch import Batch
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.state.topics import CONSUMER_OFFSETS, Topic
from fakekafka.storage.partition import Partition

CODEC_NAMES = ("none", "gzip", "snappy", "lz4", "zstd")
LARGE_SEGMENT = 1 << 22
"""The size above which a segment is not read for a report."""
TIMESTAMP_TYPES = {-1: None, 0: "CreateTime", 1: "LogAppendTime"}


class StoredRecord(NamedTuple):
    """One record as the broker stores it."""

    topic: TopicName
    """The topic's name."""
    partition: PartitionIndex
    """The partition's number, from 0."""
    offset: Offset
    """The record's place in the partition, from 0."""
    timestamp: TimestampMs
    """Milliseconds since 1970; -1 if there is none."""
    timestamp_type: str | None
    """ "CreateTime" or "LogAppendTime"; None in message format 0."""
    key: bytes | None
    """None if it has no key."""
    value: bytes | None
    """None in a tombstone."""
    headers: tuple[tuple[str, bytes | None], ...]
    """Names and values, in order; empty in message formats 0 and 1."""
    magic: Magic
    """The message format in which it is stored: 0, 1 or 2."""
    codec: str
    """ "none", "gzip", "snappy", "lz4" or "zstd"; the alias of a plug-in (KIP-984)."""


class CommittedOffset(NamedTuple):
    """An offset that a group committed."""

    offset: Offset
    """The offset from which the group goes on reading."""
    metadata: str
    """The text that the client has sent with the offset."""
    leader_epoch: LeaderEpoch
    """The epoch of the leader from which the last record was read; -1 if the client has not sent it."""
    commit_timestamp: TimestampMs
    """When the offset was committed, in milliseconds since 1970, on the broker's clock."""


def found_topic(cluster: Cluster, name: TopicName, index: PartitionIndex | None = None) -> Topic:
    """The topic called `name`. Raises `UsageError` if there is none, or if it has no partition `index`."""
    topic = cluster.topics.get(name)
    if topic is None:
        raise UsageError(f"no topic {name!r}; there are: {', '.join(sorted(cluster.topics)) or 'none'}")
    if index is not None and not (isinstance(index, int) and topic.partition(index)):
        raise UsageError(f"{name} has no partition {index!r}: it has {len(topic.partitions)}")
    return topic


def stored_records(
    cluster: Cluster, topic: Topic, index: PartitionIndex | None, node_id: BrokerId | None = None
) -> list[StoredRecord]:
    """The records of a topic or of one partition. Transaction markers are left out; aborted records are not.

    `node_id`: as that broker has them, whichever broker leads; partitions that it does not have are left out.
    """
    indexes = range(len(topic.partitions)) if index is None else [index]
    if node_id is None:
        leaders = [_leader(cluster, topic, i) for i in indexes]
    else:
        hosted = cluster.running(node_id).partitions
        leaders = [hosted[topic.name, i] for i in indexes if (topic.name, i) in hosted]
    return [record for partition in leaders for record in _records_of(partition)]


def last_records(cluster: Cluster, topic: Topic, most: int) -> list[StoredRecord]:
    """The last records of each partition that has a leader, up to `most` of each; none from large segments.

    Raises `UsageError` for a negative number.
    """
    if most < 0:
        raise UsageError(f"most={most}: it must not be negative")
    records = []
    for state in topic.partitions:
        leader = cluster.brokers.get(state.leader)
        partition = None if leader is None else leader.partition(topic.name, state.index)
        if partition is not None and partition.log.segments[-1].size <= LARGE_SEGMENT:
            batches = deque(partition.log.segments[-1].batches(), maxlen=most)
            records += [record for batch in batches for record in _records_in(partition, batch)][-most:]
    return records


def _records_of(partition: Partition) -> list[StoredRecord]:
    try:
        return [
            record
            for segment in partition.log.segments
            for batch in segment.batches()
            for record in _records_in(partition, batch)
        ]
    except MalformedBytes as wrong:
        where = f"{partition.topic.name}-{partition.index}"
        words = f"{where} cannot be read: {wrong}. `fakekafka check` says what is wrong with a directory"
        raise UsageError(words) from wrong


def _records_in(partition: Partition, batch: Batch) -> Iterator[StoredRecord]:
    """The records of a batch that are not deleted; none if it is a transaction's marker."""
    codec = CODEC_NAMES[batch.codec] if batch.codec < len(CODEC_NAMES) else _plugin_of(batch)
    for r in () if batch.is_control else batch.records():
        if r.offset >= partition.log_start_offset:
            yield StoredRecord(
                partition.topic.name,
                partition.index,
                r.offset,
                r.timestamp,
                TIMESTAMP_TYPES[r.timestamp_type],
                r.key,
                r.value,
                r.headers,
                batch.magic,
                codec,
            )


def _plugin_of(batch: Batch) -> str:
    """The alias of the plug-in that has compressed a batch. Raises `MalformedBytes` if the plug-in is missing."""
    if not isinstance(batch, RecordBatch) or batch.plugged is None:
        raise UnknownCodec(f"codec {batch.codec}")
    return batch.plugged.of_batch(batch.attributes).alias


def append_record(
    cluster: Cluster,
    topic: Topic,
    key: bytes | None,
    value: bytes | None,
    headers: Sequence[tuple[str, bytes | None]],
    timestamp: TimestampMs | None,
    index: PartitionIndex | None,
) -> Offset:
    """Append one record in the topic's format; returns its offset. Raises `UsageError` when the broker refuses it."""
    for what, content in ("value", value), ("key", key), *headers:
        _check_bytes(what, content)
    if index is None:
        index = 0 if key is None else partition_of(key, len(topic.partitions))
    now = cluster.clock.now_ms
    partition = _leader(cluster, topic, index)
    record = Record(0, now if timestamp is None else timestamp, CREATE_TIME_TYPE, key, value, tuple(headers))
    done = partition.append(_one(record, partition.log.config.message_format), now)
    if done.error is not ErrorCode.NONE:
        raise UsageError(f"the broker refuses the record: {done.error.name}")
    cluster.waiters.wake(partition.key)
    return done.base_offset


def _check_bytes(what: str, content: object) -> None:
    """Raise `UsageError` for what a record cannot hold, such as text. `what`: "value", "key", or a header's name."""
    if content is not None and not isinstance(content, (bytes, bytearray, memoryview)):
        raise UsageError(f"{what}={content!r}: this must be bytes or None; text has to be encoded")


def partition_of(key: bytes, partitions: int) -> PartitionIndex:
    """The partition that Java producers send `key` to (BuiltInPartitioner, DefaultPartitioner)."""
    return (murmur2(key) & 0x7FFFFFFF) % partitions


def _one(record: Record, magic: Magic) -> bytearray:
    """A set of one record."""
    return bytearray((v0.build, v1.build, v2.build)[magic]([record]))


def committed_offsets(cluster: Cluster, group: str) -> dict[TopicPartition, CommittedOffset]:
    """What `group` has committed in the coordinator's log; ZooKeeper's offsets if only those exist."""
    kept = cluster.zookeeper_offsets.of_group(group)
    offsets = {place: CommittedOffset(offset, "", NO_EPOCH, NO_TIMESTAMP) for place, offset in kept.items()}
    topic = cluster.topics.get(CONSUMER_OFFSETS)
    if topic is not None:
        state = topic.partitions[partition_for(group, len(topic.partitions))]
        leader = cluster.brokers.get(state.leader)
        for name, partition, c in [] if leader is None else coordinators_of(leader).groups.offsets.of_group(group):
            offsets[name, partition] = CommittedOffset(c.offset, c.metadata, c.leader_epoch, c.commit_timestamp)
    return offsets


def hosted_partition(
    cluster: Cluster, topic: TopicName, index: PartitionIndex, node_id: BrokerId | None = None
) -> Partition:
    """A partition as a broker has it; None: as its leader has it. Raises `UsageError` if there is none."""
    known_topic = found_topic(cluster, topic, index)
    if node_id is None:
        return _leader(cluster, known_topic, index)
    hosted = cluster.running(node_id).partitions
    if (topic, index) not in hosted:
        raise UsageError(f"broker {node_id} has no replica of {topic}-{index}")
    return hosted[topic, index]


def _leader(cluster: Cluster, topic: Topic, index: PartitionIndex) -> Partition:
    state = topic.partition(index) if isinstance(index, int) else None
    if state is None:
        raise UsageError(f"{topic.name} has no partition {index!r}: it has {len(topic.partitions)}")
    leader = cluster.brokers.get(state.leader)
    partition = None if leader is None else leader.partition(topic.name, index)
    if partition is None:
        raise UsageError(f"no broker leads {topic.name}-{index}: its replicas are on brokers {state.replicas}")
    return partition
