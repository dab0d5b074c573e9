"""A cluster: its brokers, its topics, its time. It is its own controller; there is no consensus.

What ZooKeeper or the KRaft quorum keeps in a real cluster is kept here, so it outlives a restart of the brokers.
"""

import base64
import random
from typing import TYPE_CHECKING

from fakekafka.broker.timers import Timers
from fakekafka.broker.topics import PartitionState, Topic, assign_replicas
from fakekafka.broker.waiters import Waiters
from fakekafka.clock import Clock
from fakekafka.ids import ZERO_UUID, BrokerId, LeaderEpoch, PartitionIndex, TopicName, Uuid

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker


class Cluster:
    """Everything that the brokers of one cluster share."""

    def __init__(self, clock: Clock, seed: int = 0) -> None:
        self.clock = clock
        self.random = random.Random(seed)
        """Every choice that a real broker makes by chance (ids, jitter) comes from here, so that runs repeat."""
        self.id = base64.urlsafe_b64encode(self.random.randbytes(16)).decode().rstrip("=")
        self.timers = Timers(clock.elapsed_ms)
        self.waiters = Waiters()
        self.brokers: dict[BrokerId, Broker] = {}
        self.topics: dict[TopicName, Topic] = {}
        self.topics_by_id: dict[Uuid, Topic] = {}
        self.dynamic_defaults: dict[str, str] = {}
        """Dynamic broker configs for the whole cluster."""
        self.dynamic_configs: dict[BrokerId, dict[str, str]] = {}
        """Dynamic configs of single brokers."""
        self._next_producer_id = 0

    @property
    def controller_id(self) -> BrokerId:
        return min(self.brokers)

    # ---- topics

    def new_topic(
        self, name: TopicName, replicas: list[list[BrokerId]], overrides: dict[str, str], with_id: bool
    ) -> Topic:
        """Create a topic whose partition n lives on the brokers `replicas[n]`."""
        topic = Topic(name, self.random.randbytes(16) if with_id else ZERO_UUID, overrides)
        self.topics[name] = topic
        if with_id:
            self.topics_by_id[topic.id] = topic
        self.add_partitions(topic, replicas)
        return topic

    def add_partitions(self, topic: Topic, replicas: list[list[BrokerId]]) -> None:
        """Append partitions that live on the brokers `replicas`."""
        for nodes in replicas:
            state = PartitionState(len(topic.partitions), nodes)
            topic.partitions.append(state)
            self._lead(topic, state)

    def remove_topic(self, topic: Topic) -> None:
        """Forget a topic; every broker drops its partitions."""
        del self.topics[topic.name]
        self.topics_by_id.pop(topic.id, None)
        for broker in self.brokers.values():
            broker.drop_topic(topic)

    def assign(self, partitions: int, replication_factor: int, start: int = 0) -> list[list[BrokerId]]:
        """Replicas for new partitions, spread over the brokers."""
        return assign_replicas(sorted(self.brokers), partitions, replication_factor, start)

    def elect(self, topic: Topic, index: PartitionIndex, leader: BrokerId | None = None) -> LeaderEpoch:
        """A new leader epoch for a partition, led by `leader` (default: as before)."""
        state = topic.partitions[index]
        if leader is not None:
            state.leader = leader
        state.leader_epoch += 1
        self._lead(topic, state)
        return state.leader_epoch

    def _lead(self, topic: Topic, state: PartitionState) -> None:
        for node_id in state.replicas:
            if node_id in self.brokers:
                self.brokers[node_id].become(topic, state)

    def clear(self) -> None:
        """Forget every topic and every dynamic config."""
        self.topics.clear()
        self.topics_by_id.clear()
        self.dynamic_defaults.clear()
        self.dynamic_configs.clear()

    # ---- ids

    def next_producer_id(self) -> int:
        """A producer id that nobody had. KRaft and ZooKeeper brokers hand them out from 0."""
        self._next_producer_id += 1
        return self._next_producer_id - 1

    def new_uuid(self) -> str:
        """A random UUID in its 36-character form, as brokers put into member ids."""
        text = self.random.randbytes(16).hex()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
