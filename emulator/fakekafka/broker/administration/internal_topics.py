"""How the broker creates its own topics: partitions, replicas and configs come from its configuration.

`ensure_internal_topic` is for coordinators; Metadata uses the rest.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.administration.creation import create_planned, plan_topic
from fakekafka.broker.administration.new_topics import NewTopic
from fakekafka.broker.topics import CONSUMER_OFFSETS, SHARE_GROUP_STATE, TRANSACTION_STATE, Topic
from fakekafka.errors import ErrorCode
from fakekafka.ids import TopicName

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker

CONFIG_PREFIX: Final = {
    CONSUMER_OFFSETS: "offsets.topic.",
    TRANSACTION_STATE: "transaction.state.log.",
    SHARE_GROUP_STATE: "share.coordinator.state.topic.",
}


def ensure_internal_topic(broker: "Broker", name: TopicName) -> Topic:
    """The internal topic, created if it is not there. Raises `ApiError`: too few brokers for its replicas."""
    topic = broker.cluster.topics.get(name)
    if topic is not None:
        return topic
    return create_planned(broker, name, plan_topic(broker, new_internal_topic(broker, name)))


def new_internal_topic(broker: "Broker", name: TopicName) -> NewTopic:
    """What the broker asks for when it creates one of its own topics. Raises `ApiError` 38: too few brokers."""
    prefix, config, brokers = CONFIG_PREFIX[name], broker.config, len(broker.cluster.brokers)
    factor = config.int(prefix + "replication.factor", 3)
    if factor > brokers:
        if broker.profile.metadata.few_brokers_for_internal == "refused":
            raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR)
        factor = brokers
    partitions = config.int(prefix + "num.partitions", 50)
    return NewTopic(name, partitions, factor, configs=tuple(_configs(broker, name, prefix).items()))


def _configs(broker: "Broker", name: TopicName, prefix: str) -> dict[str, str]:
    """The topic's own configs (GroupCoordinator, TransactionStateManager, ShareCoordinatorService)."""
    segment_bytes = {"segment.bytes": str(broker.config.int(prefix + "segment.bytes", 104857600))}
    if name == CONSUMER_OFFSETS:
        compression = broker.profile.metadata.offsets_topic_compression
        own = {} if compression is None else {"compression.type": compression}
        return {"cleanup.policy": "compact", **own, **segment_bytes}
    if name == TRANSACTION_STATE:
        return {
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "unclean.leader.election.enable": "false",
            "min.insync.replicas": str(broker.config.int(prefix + "min.isr", 2)),
            **segment_bytes,
        }
    return {"cleanup.policy": "delete", "compression.type": "producer", "retention.ms": "-1", **segment_bytes}
