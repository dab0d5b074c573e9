"""A broker, as its cluster and the others in it see it."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from fakekafka.ids import BrokerId, LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.releases.profile import Profile
from fakekafka.state.configs import BrokerConfig, TopicConfig
from fakekafka.state.topics import PartitionState, Topic
from fakekafka.storage.hosted_partitions import HostedPartitions, Key
from fakekafka.storage.log_manager import LogManager
from fakekafka.storage.partition import Partition
from fakekafka.waiting.timers import BrokerTimers


class LastSeen(NamedTuple):
    """What the leader of a quorum remembers of a node that has left."""

    metadata_offset: Offset
    at_ms: TimestampMs
    quorum_epoch: LeaderEpoch
    """A leader that is elected later remembers nothing."""


class Node(Protocol):
    """A broker, as its cluster and the others in it see it."""

    node_id: BrokerId
    epoch: int
    profile: Profile
    config: BrokerConfig
    partitions: HostedPartitions
    offline: set[Key]
    timers: BrokerTimers
    logs: LogManager

    def partition(self, topic: TopicName, index: PartitionIndex) -> Partition | None:
        """The partition, if this broker leads it."""

    def topic_config(self, topic: Topic) -> TopicConfig:
        """The configuration in force for a topic."""

    def become(self, topic: Topic, state: PartitionState) -> None:
        """Host a partition, unless it is hosted already, and lead it if the cluster says so."""

    def become_alone(self, topic: Topic, states: Sequence[PartitionState]) -> None:
        """Lead new partitions that live nowhere else."""

    def drop_topic(self, topic: Topic) -> None:
        """The topic is deleted."""

    def drop_partition(self, topic: Topic, index: PartitionIndex) -> None:
        """Stop hosting a partition."""


AnyNode = TypeVar("AnyNode", bound=Node)
