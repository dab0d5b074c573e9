"""One broker: its profile and config, the partitions it hosts, its coordinators. The root of what a node knows."""

from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig
from fakekafka.broker.partition import Partition
from fakekafka.broker.topics import PartitionState, Topic
from fakekafka.broker.waiters import Waiters
from fakekafka.ids import ApiKey, BrokerId, PartitionIndex, TopicName
from fakekafka.log.files import Directory
from fakekafka.releases.profile import Profile


class Broker:
    """A node of `cluster`. `directory` is its log directory, on disk or in memory."""

    def __init__(
        self,
        cluster: Cluster,
        node_id: BrokerId,
        profile: Profile,
        config: BrokerConfig,
        directory: Directory,
        api_versions: dict[ApiKey, tuple[int, int]],
    ) -> None:
        self.cluster = cluster
        self.node_id = node_id
        self.profile = profile
        self.config = config
        self.directory = directory
        self.api_versions = api_versions
        """What is advertised and accepted: the release's ranges, within the caps of the test."""
        self.host = ""
        self.port = 0
        self.rack: str | None = None
        self.partitions: dict[tuple[TopicName, PartitionIndex], Partition] = {}
        cluster.brokers[node_id] = self

    @property
    def waiters(self) -> Waiters:
        return self.cluster.waiters

    def partition(self, topic: TopicName, index: PartitionIndex) -> Partition | None:
        """The partition, if this broker leads it."""
        found = self.partitions.get((topic, index))
        return found if found is not None and found.state.leader == self.node_id else None
