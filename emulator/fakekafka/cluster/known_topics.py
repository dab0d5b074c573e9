"""Topics and partitions that a broker knows.

A controller under ZooKeeper tells brokers of a partition when it has a leader: one whose replicas have never run is
unknown to all of them, although it exists. A quorum refuses to create one. The order in which brokers list partitions
follows from what the controller has announced together: `Tellings`, `ToldAtStart`.
"""

from collections.abc import Iterable, Mapping
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


# ---- what the controller announces, as far as the order follows from it in which brokers list partitions
# (ControllerBrokerRequestBatch, UpdateMetadataRequest; see `handlers.orders.metadata`)


class Tellings:
    """How often the controller has announced partitions to brokers, and how many new ones at once."""

    def __init__(self) -> None:
        self.times = 0
        self.most_new = 0
        """The most new partitions in one telling. The map that has them does not shrink (PartitionStateMachine)."""

    def tell(self, new: int = 0) -> tuple[int, int]:
        """Announce some partitions, among them new ones. Returns the most new ones in one telling so far, and the
        number of this telling.
        """
        self.times += 1
        self.most_new = max(self.most_new, new)
        return self.most_new, self.times

    def begin(self) -> None:
        """Another broker is the controller, or the only broker has started: the maps are new."""
        self.times += 1
        self.most_new = 0


class ToldAtStart:
    """The partitions that a broker heard about when it started, all at once."""

    def __init__(self, topics: Iterable[Topic], times_told: int) -> None:
        self.times = times_told
        self.partitions = {topic: tuple(state.index for state in topic.partitions) for topic in topics}
