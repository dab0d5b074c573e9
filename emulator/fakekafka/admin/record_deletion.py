"""Deleting the first records of partitions (KIP-107): the log start moves, files go with the next pass of retention."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple, assert_never

from fakekafka.cluster.known_topics import known_partition
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

HIGH_WATERMARK = -1
"""The offset that stands for everything that consumers can see."""


class Deletion(NamedTuple):
    """What was deleted from a partition that is led here: everything before `offset`."""

    partition: Partition
    offset: Offset

    def low_watermark(self, broker: "Broker") -> Offset:
        """The lowest log start of the replicas whose brokers run (Partition.lowWatermarkIfLeader)."""
        key = self.partition.topic.name, self.partition.index
        replicas = (each.partitions.get(key) for each in broker.cluster.brokers.values())
        return min(replica.log_start_offset for replica in replicas if replica is not None)

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """What is woken when a replica has followed."""
        return tuple(map(self.partition.key_at, self.partition.state.replicas))


def delete_records(broker: "Broker", topic: TopicName, index: PartitionIndex, offset: Offset) -> Deletion:
    """Delete what is before `offset`. Raises `ApiError`, among them 44 for a topic that is only compacted and 1 for an
    offset outside the log. All replicas follow at once, unless their brokers' replication is paused.
    """
    if known_partition(broker, topic, index) is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if topic in broker.profile.metadata.internal_topics:
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    partition = broker.partition(topic, index)
    if partition is None and (topic, index) in broker.offline:
        raise ApiError(ErrorCode.KAFKA_STORAGE_ERROR)
    if partition is None:
        is_hosted = (topic, index) in broker.partitions
        raise ApiError(ErrorCode.NOT_LEADER_OR_FOLLOWER if is_hosted else broker.profile.fetch.not_hosted)
    refused = None if partition.log.config.delete else ApiError(ErrorCode.POLICY_VIOLATION)
    wanted = partition.high_watermark if offset == HIGH_WATERMARK else offset
    out_of_range = ApiError(ErrorCode.OFFSET_OUT_OF_RANGE) if wanted < 0 else None
    match broker.profile.topics.record_deletion_policy:
        case "first":
            problem = refused or out_of_range
        case "after negative offsets":
            problem = out_of_range or refused
        case "too late":
            problem = out_of_range
        case policy:
            assert_never(policy)
    if problem is not None:
        raise problem
    if wanted > partition.high_watermark:
        raise ApiError(ErrorCode.OFFSET_OUT_OF_RANGE)
    _advance(broker, partition, wanted)
    if refused is not None:
        raise refused
    return Deletion(partition, wanted)


def _advance(broker: "Broker", partition: Partition, offset: Offset) -> None:
    """Move the log start of every replica that follows."""
    for each in broker.cluster.brokers.values():
        if each is not broker and not each.copies:
            continue
        if (replica := each.partitions.get((partition.topic.name, partition.index))) is not None:
            replica.log.advance_log_start(offset)
    broker.waiters.wake(partition.key)
