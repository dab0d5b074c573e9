"""Deleting the first records of partitions (KIP-107): the log start moves, files go with the next pass of retention."""

from typing import TYPE_CHECKING

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.partition import Partition
from fakekafka.errors import ErrorCode
from fakekafka.ids import Offset, PartitionIndex, TopicName

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker

HIGH_WATERMARK = -1
"""An offset that means: everything that consumers can see."""


def delete_records(broker: "Broker", topic: TopicName, index: PartitionIndex, offset: Offset) -> Offset:
    """Delete what is before `offset`; returns the new log start offset. Raises `ApiError`.

    All replicas follow at once, so nobody waits for them.
    """
    found = broker.cluster.topics.get(topic)
    if found is None or found.partition(index) is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if topic in broker.profile.metadata.internal_topics:
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    partition = broker.partition(topic, index)
    if partition is None:
        raise ApiError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    wanted = _checked(broker, partition, offset)
    for each in broker.cluster.brokers.values():
        if (replica := each.partitions.get((topic, index))) is not None:
            replica.log.advance_log_start(wanted)
    broker.waiters.wake(partition.key)
    return partition.log_start_offset


def _checked(broker: "Broker", partition: Partition, offset: Offset) -> Offset:
    """Where the log is to start. Raises `ApiError` 44 for what is only compacted, 1 for what is not in the log."""
    wanted = partition.high_watermark if offset == HIGH_WATERMARK else offset
    policy_first = broker.profile.topics.record_deletion_policy_first
    if wanted < 0 and not policy_first:
        raise ApiError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if not partition.log.config.delete:
        raise ApiError(ErrorCode.POLICY_VIOLATION)
    if not 0 <= wanted <= partition.high_watermark:
        raise ApiError(ErrorCode.OFFSET_OUT_OF_RANGE)
    return wanted
