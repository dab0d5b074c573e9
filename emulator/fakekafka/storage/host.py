"""What the storage of a broker needs to know about the broker, and about the cluster around it."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fakekafka.clock import Clock
    from fakekafka.errors import ErrorCode
    from fakekafka.ids import BrokerId, TopicName
    from fakekafka.log.config import LogConfig
    from fakekafka.releases.profile import Profile
    from fakekafka.state.configs import BrokerConfig
    from fakekafka.state.topics import Topic
    from fakekafka.storage.hosted_partitions import HostedPartitions, Key
    from fakekafka.storage.log_dirs import LogDir, LogDirs
    from fakekafka.waiting.timers import BrokerTimers


class Surroundings(Protocol):
    """The cluster, as far as a broker's files depend on it."""

    clock: "Clock"
    random: Random
    id: str
    is_migrating: bool
    """Whether ZooKeeper and KRaft both get every change, so that a broker may go back to ZooKeeper (KIP-866)."""

    @property
    def topics(self) -> Mapping["TopicName", "Topic"]:
        """The topics that the controller knows."""

    def new_uuid(self) -> str:
        """A random UUID in its 36-character form."""

    def halt(self, node_id: "BrokerId", error: OSError, *, sends_answers: bool) -> None:
        """Have a broker halt at the end of the current step."""


class Host(Protocol):
    """The broker to which the files belong."""

    node_id: "BrokerId"
    epoch: int
    profile: "Profile"
    config: "BrokerConfig"
    log_dirs: "LogDirs"
    partitions: "HostedPartitions"
    timers: "BrokerTimers"

    @property
    def cluster(self) -> Surroundings:
        """The cluster that it is a part of."""

    @property
    def has_topic_ids(self) -> bool:
        """Whether new topics get ids (KIP-516)."""

    def log_config(self, topic: "Topic", newly_created: bool = False) -> "LogConfig":
        """The configuration of a topic's logs."""

    def lose(self, keys: Iterable["Key"]) -> None:
        """The log directory of these partitions has failed."""


class DiskErrors(Protocol):
    """Handles disk errors."""

    def on_disk_error(self, error: OSError, reading: bool = False, log_dir: "LogDir | None" = None) -> "ErrorCode":
        """A directory has failed; None if it is unknown which. Returns the error that clients get meanwhile."""
