"""Topics and partitions that a broker knows.

A controller under ZooKeeper tells brokers of a partition when it has a leader: one whose replicas have never run is
unknown to all of them, although it exists. A quorum refuses to create one.
"""

from collections.abc import Mapping
from typing import Protocol

from fakekafka.ids import BrokerId, PartitionIndex, TopicName
from fakekafka.releases.profile import Profile
from fakekafka.state.topics import PartitionState, Topic


class Metadata(Protocol):
    """What brokers know about their cluster."""

    def topics_known_to(self, node_id: BrokerId) -> Mapping[TopicName, Topic]: ...


class Informed(Protocol):
    """The broker that is asked."""

    node_id: BrokerId
    profile: Profile

    @property
    def cluster(self) -> Metadata: ...


def known_topics(broker: Informed) -> Mapping[TopicName, Topic]:
    """All topics that the broker knows, by name."""
    topics = broker.cluster.topics_known_to(broker.node_id)
    if broker.profile.has_quorum or all(map(_has_known_partition, topics.values())):
        return topics
    return {name: topic for name, topic in topics.items() if _has_known_partition(topic)}


def known_topic(broker: Informed, name: TopicName) -> Topic | None:
    """The topic, or None if the broker does not know it."""
    topic = broker.cluster.topics_known_to(broker.node_id).get(name)
    if topic is None or broker.profile.has_quorum or _has_known_partition(topic):
        return topic
    return None


def known_partition(broker: Informed, name: TopicName, index: PartitionIndex) -> PartitionState | None:
    """The partition, or None if the broker does not know it."""
    topic = broker.cluster.topics_known_to(broker.node_id).get(name)
    state = None if topic is None else topic.partition(index)
    return state if state is not None and (broker.profile.has_quorum or _was_led(state)) else None


def known_partitions(broker: Informed, topic: Topic) -> tuple[PartitionState, ...]:
    """Those partitions of a topic that the broker knows."""
    return tuple(topic.partitions if broker.profile.has_quorum else filter(_was_led, topic.partitions))


def _has_known_partition(topic: Topic) -> bool:
    return any(map(_was_led, topic.partitions))


def _was_led(state: PartitionState) -> bool:
    """Whether a partition of a cluster under ZooKeeper has ever had a leader: the last replica in sync stays so."""
    return bool(state.isr)
