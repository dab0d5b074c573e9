"""One broker: its profile and config, the partitions it hosts, its coordinators. The root of what a node knows."""

from collections.abc import Mapping

from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig, TopicConfig
from fakekafka.broker.partition import Partition
from fakekafka.broker.topics import PartitionState, Topic
from fakekafka.broker.waiters import Waiters
from fakekafka.ids import ApiKey, BrokerId, PartitionIndex, TopicName
from fakekafka.log.files import Directory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.releases.profile import Profile

ApiRanges = Mapping[ApiKey, tuple[int, int]]


class Broker:
    """A node of `cluster`. `directory` is its log directory, on disk or in memory."""

    def __init__(
        self,
        cluster: Cluster,
        node_id: BrokerId,
        profile: Profile,
        config: BrokerConfig,
        directory: Directory,
        advertised: ApiRanges,
        accepted: ApiRanges,
    ) -> None:
        self.cluster = cluster
        self.node_id = node_id
        self.profile = profile
        self.config = config
        self.directory = directory
        self.advertised = advertised
        self.accepted = accepted
        self.host = ""
        self.port = 0
        self.rack: str | None = None
        self.partitions: dict[tuple[TopicName, PartitionIndex], Partition] = {}
        cluster.brokers[node_id] = self

    @property
    def waiters(self) -> Waiters:
        return self.cluster.waiters

    # ---- life

    def start_up(self) -> None:
        """Open the logs of all partitions that this broker hosts. Raises `BrokerWillNotStart`."""
        for topic in self.cluster.topics.values():
            for state in topic.partitions:
                if self.node_id in state.replicas:
                    self.become(topic, state)

    def shut_down(self) -> None:
        """A clean stop: every log is closed."""
        for partition in self.partitions.values():
            partition.log.close(self.cluster.clock.now_ms)
        self.partitions.clear()

    def crash(self) -> None:
        """A kill: the files stay as they are."""
        for partition in self.partitions.values():
            partition.log.crash()
        self.partitions.clear()

    def clear(self) -> None:
        """Forget everything, files included."""
        self.partitions.clear()
        for name in self.directory.directories():
            self.directory.delete_directory(name)

    # ---- partitions

    def partition(self, topic: TopicName, index: PartitionIndex) -> Partition | None:
        """The partition, if this broker leads it."""
        found = self.partitions.get((topic, index))
        return found if found is not None and found.state.leader == self.node_id else None

    def topic_config(self, topic: Topic) -> TopicConfig:
        """The configuration in force for a topic."""
        return TopicConfig(self.config, topic.overrides)

    def become(self, topic: Topic, state: PartitionState) -> None:
        """Host a partition (if not yet), and lead it if the cluster says so."""
        key = (topic.name, state.index)
        if key not in self.partitions:
            self.partitions[key] = Partition(topic, state, self._open_log(topic, state))
        if state.leader == self.node_id:
            self.partitions[key].log.become_leader(state.leader_epoch)
        self.waiters.wake(self.partitions[key].key)

    def _open_log(self, topic: Topic, state: PartitionState) -> PartitionLog:
        return PartitionLog.open(
            self.directory.directory(f"{topic.name}-{state.index}"),
            self.profile.log,
            self.topic_config(topic).log_config(),
            self.cluster.clock.now_ms,
            choose=self.cluster.random.randrange,
        )

    def drop_topic(self, topic: Topic) -> None:
        """The topic is deleted."""
        for state in topic.partitions:
            partition = self.partitions.pop((topic.name, state.index), None)
            if partition is not None:
                self.directory.delete_directory(f"{topic.name}-{state.index}")
                self.waiters.wake(partition.key)

    def reconfigure(self, topic: Topic) -> None:
        """The topic's configuration has changed."""
        config = self.topic_config(topic).log_config()
        for state in topic.partitions:
            if (partition := self.partitions.get((topic.name, state.index))) is not None:
                partition.log.configure(config)
