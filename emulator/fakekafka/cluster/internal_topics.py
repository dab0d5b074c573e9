"""The topics that the broker keeps for itself: how they are created, which key belongs to which partition, and how a
coordinator writes into them.

They are topics like others: partitions with segments, found by Metadata, read by Fetch.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    CodecId,
    PartitionIndex,
    ProducerEpoch,
    ProducerId,
    TimestampMs,
    TopicName,
)
from fakekafka.jvm.hashes import java_hash
from fakekafka.log.append_info import Origin
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.state.topics import CONSUMER_OFFSETS, SHARE_GROUP_STATE, TRANSACTION_STATE, Topic
from fakekafka.storage.partition import AppendResult, Partition
from fakekafka.waiting.waiters import Waiters

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

PREFIX: Final = {
    CONSUMER_OFFSETS: "offsets.topic",
    TRANSACTION_STATE: "transaction.state.log",
    SHARE_GROUP_STATE: "share.coordinator.state.topic",
}
"""The prefix of the broker configs of an internal topic."""


class Producer(NamedTuple):
    """What is written into the header of a coordinator's batch."""

    id: ProducerId = NO_PRODUCER_ID
    """The producer in whose transaction the records are, if any."""
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    sequence: int = NO_SEQUENCE


NOBODY: Final = Producer()


def ensure(broker: "Broker", name: TopicName, *, at_once: bool = True) -> Topic | None:
    """Create the internal topic `name` if it does not exist. None if there are too few brokers for its replicas, if it
    would have more partitions than one request may create, or if the controller has failed.

    `at_once`: in any pace, see `ClusterOf.new_topic`.
    """
    cluster = broker.cluster
    topic = cluster.topics.get(name)
    if topic is not None:
        return topic
    if cluster.controller_has_failed:
        return None
    factor = broker.config.int(f"{PREFIX[name]}.replication.factor", 1)
    there = len(cluster.assignable) if cluster.registered else 0
    if factor > there:
        if not there or not _makes_do(broker):
            return None
        factor = there
    from fakekafka.cluster.topic_creation.new_topics import NewTopic  # most clusters create none
    from fakekafka.cluster.topic_creation.request_bounds import allows

    count, configs = partition_count(broker, name), own_configs(broker, name)
    if not allows(broker, NewTopic(name, count, configs=tuple(configs.items()))):
        return None
    replicas = cluster.assign(count, factor)
    return cluster.new_topic(name, dict(enumerate(replicas)), configs, broker.has_topic_ids, at_once=at_once)


def _makes_do(broker: "Broker") -> bool:
    """Whether a topic gets fewer replicas than asked for. 0.8 knows no brokers before there is a topic."""
    if not broker.cluster.topics and not broker.profile.metadata.brokers_without_topics:
        return False
    return broker.profile.offsets.too_few_brokers == "fewer replicas"


def own_configs(broker: "Broker", name: TopicName) -> dict[str, str]:
    """The topic's own configs (GroupCoordinator.offsetsTopicConfigs, TransactionStateManager, ShareCoordinatorService).

    A broker that knows the topic of share groups, but has no coordinator for them, gives it none (asked of 3.9.1).
    """
    if name == SHARE_GROUP_STATE and not broker.profile.groups.share_coordinator:
        return {}
    segment_bytes = str(broker.config.int(f"{PREFIX[name]}.segment.bytes"))
    least = str(broker.config.int(f"{PREFIX[name]}.min.isr"))
    if name == SHARE_GROUP_STATE:
        kept = {"cleanup.policy": "delete", "compression.type": "producer", "retention.ms": "-1"}
        return kept | {"segment.bytes": segment_bytes, "min.insync.replicas": least}
    configs = {"cleanup.policy": "compact", "segment.bytes": segment_bytes}
    if name == TRANSACTION_STATE:
        return configs | {
            "unclean.leader.election.enable": "false",
            "compression.type": "uncompressed",
            "min.insync.replicas": least,
        }
    match broker.profile.offsets.topic_compression:
        case "unset":
            return configs
        case "uncompressed" | "producer" as compression:
            return configs | {"compression.type": compression}
        case rule:
            assert_never(rule)


def partition_count(broker: "Broker", name: TopicName) -> int:
    """How many partitions an internal topic has, or will have."""
    topic = broker.cluster.topics.get(name)
    return broker.config.int(f"{PREFIX[name]}.num.partitions", 50) if topic is None else len(topic.partitions)


def partition_for(key: str, count: int) -> PartitionIndex:
    """The partition of a group or of a transactional id."""
    value = java_hash(key)
    return (0 if value == -(2**31) else abs(value)) % count


def append(
    waiters: Waiters,
    partition: Partition,
    records: Sequence[tuple[bytes, bytes | None]],
    now: TimestampMs,
    codec: CodecId = 0,
    producer: Producer = NOBODY,
) -> AppendResult:
    """Append keys and values (None: a tombstone) as one set, in the topic's format, and wake those waiting for more."""
    rows = [Record(n, now, 0, key, value) for n, (key, value) in enumerate(records)]
    magic = partition.log.config.message_format
    if magic < 2:
        data = (v1.build if magic else v0.build)(rows, codec=codec)
    else:
        data = v2.build(
            rows,
            codec=codec,
            producer_id=producer.id,
            producer_epoch=producer.epoch,
            base_sequence=producer.sequence,
            transactional=producer.id != NO_PRODUCER_ID,
        )
    done = partition.append_from(Origin.COORDINATOR, bytearray(data), now)
    waiters.wake(partition.key)
    return done
