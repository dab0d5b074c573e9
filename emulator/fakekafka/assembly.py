"""How a cluster is put together: from what the user asked for to brokers that run."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from fakekafka.broker.broker import Broker
from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig
from fakekafka.caps import ApiRange, ApiRanges, capped
from fakekafka.clock import Clock
from fakekafka.errors import UsageError
from fakekafka.log.files import Directory, DiskDirectory, MemoryDirectory
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Mode, Release, check_mode


class Blueprint(NamedTuple):
    """What the user asked for, checked."""

    profile: Profile
    config: dict[str, str]
    """Broker properties as given, as texts."""
    brokers: int
    log_dir: Path | None
    caps: Mapping[str, ApiRange]
    ranges: ApiRanges
    """What is advertised: the release's versions within the caps."""
    accepted: ApiRanges
    """What is taken: also what a release takes without advertising it, and not what it advertises and refuses."""

    @classmethod
    def of(
        cls,
        release: str,
        config: Mapping[str, object],
        brokers: int,
        log_dir: str | Path | None,
        caps: Mapping[str, ApiRange],
    ) -> Self:
        """Raises `UsageError` for what cannot be."""
        if brokers < 1:
            raise UsageError("brokers: at least 1")
        given = {name: _text(value) for name, value in config.items() if value is not None}
        parsed = Release.parse(release)
        found = profile(parsed, check_mode(parsed, _asked_mode(given)))
        return cls(
            found,
            given,
            brokers,
            None if log_dir is None else Path(log_dir),
            caps,
            capped(found.advertised, caps),
            capped(found.accepted, caps),
        )

    @property
    def release(self) -> Release:
        return self.profile.release

    def changed(self, release: str | None, config: Mapping[str, object] | None) -> "Blueprint":
        """The same with another release or another configuration."""
        return Blueprint.of(
            str(self.release) if release is None else release,
            self.config if config is None else config,
            self.brokers,
            self.log_dir,
            self.caps,
        )


def plan_cluster(blueprint: Blueprint, clock: Clock) -> tuple[Cluster, list[Directory]]:
    """A cluster without brokers, and the directory of each broker to come."""
    return Cluster(clock), [_directory(blueprint, node_id) for node_id in range(blueprint.brokers)]


def boot(cluster: Cluster, blueprint: Blueprint, directories: list[Directory]) -> None:
    """Start the brokers of `cluster` on their directories. Raises `BrokerWillNotStart`."""
    cluster.brokers.clear()
    cluster.timers.clear()
    for node_id, directory in enumerate(directories):
        config = BrokerConfig(blueprint.profile, blueprint.config, blueprint.brokers)
        Broker(cluster, node_id, blueprint.profile, config, directory, blueprint.ranges, blueprint.accepted)
    for broker in cluster.brokers.values():
        broker.start_up()


def _directory(blueprint: Blueprint, node_id: int) -> Directory:
    if blueprint.log_dir is None:
        return MemoryDirectory()
    return DiskDirectory(blueprint.log_dir if blueprint.brokers == 1 else blueprint.log_dir / f"broker-{node_id}")


def _asked_mode(config: Mapping[str, str]) -> Mode | None:
    """KRaft if the properties give the broker a role (KIP-500), ZooKeeper if they name one."""
    if "process.roles" in config:
        return "kraft"
    return "zk" if "zookeeper.connect" in config else None


def _text(value: object) -> str:
    """A property as it would stand in server.properties."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)
