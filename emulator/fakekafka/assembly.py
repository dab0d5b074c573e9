"""How a cluster is put together: from what the user asked for to brokers that run."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from fakekafka.broker.broker import Broker
from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig
from fakekafka.caps import ApiRange, ApiRanges, capped
from fakekafka.clock import Clock
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.log.files import Directory, DiskDirectory, MemoryDirectory
from fakekafka.releases import history
from fakekafka.releases.configs.combinations import first_problem
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.protocol_effects import TRANSACTIONS, has
from fakekafka.releases.release import Mode, Release, check_mode


class Blueprint(NamedTuple):
    """What the user asked for, checked."""

    profile: Profile
    config: dict[str, str | None]
    """Broker properties as given, as texts. None: Kafka's own default is wanted."""
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
        """Raises `UsageError` for what cannot be, `BrokerWillNotStart` for what the real broker refuses."""
        if brokers < 1:
            raise UsageError("brokers: at least 1")
        given = {name: None if value is None else config_text(value) for name, value in config.items()}
        parsed = Release.parse(release)
        found = profile(parsed, check_mode(parsed, _asked_mode(given)))
        values = _broker_config(found, given, brokers)
        if (problem := first_problem(values.value, found.release, found.mode)) is not None:
            raise BrokerWillNotStart(problem)
        old_protocol = not has(values.text("inter.broker.protocol.version"), TRANSACTIONS)
        unstable = values.bool("unstable.api.versions.enable")
        advertised = history.advertised(
            parsed, found.mode, co_resident=True, ibp_below_0_11=old_protocol, unstable=unstable
        )
        return cls(
            found,
            given,
            brokers,
            None if log_dir is None else Path(log_dir),
            caps,
            capped(advertised, caps),
            capped(history.accepted(parsed, found.mode, unstable=unstable), caps),
        )

    @property
    def release(self) -> Release:
        return self.profile.release

    def broker_config(self) -> BrokerConfig:
        """The configuration of a broker; each has its own."""
        return _broker_config(self.profile, self.config, self.brokers)

    def changed(self, release: str | None, config: Mapping[str, object] | None) -> "Blueprint":
        """The same with another release or another configuration."""
        return Blueprint.of(
            str(self.release) if release is None else release,
            self.config if config is None else config,
            self.brokers,
            self.log_dir,
            self.caps,
        )


def _broker_config(profile: Profile, config: Mapping[str, str | None], brokers: int) -> BrokerConfig:
    given = {name: value for name, value in config.items() if value is not None}
    return BrokerConfig(profile, given, brokers, frozenset(config.keys() - given.keys()))


def plan_cluster(blueprint: Blueprint, clock: Clock) -> tuple[Cluster, list[Directory]]:
    """A cluster without brokers, and the directory of each broker to come."""
    directories = [_directory(blueprint, node_id) for node_id in range(blueprint.brokers)]
    return Cluster(clock, formed_with=_formed_with(blueprint)), directories


def _formed_with(blueprint: Blueprint) -> dict[str, str]:
    """Broker configs that a new cluster sets for all brokers."""
    name = "min.insync.replicas"
    if not blueprint.profile.describe_configs.protects_elr:
        return {}
    return {name: str(blueprint.broker_config().int(name))}


def boot(cluster: Cluster, blueprint: Blueprint, directories: list[Directory]) -> None:
    """Start the brokers of `cluster` on their directories. Raises `BrokerWillNotStart`."""
    cluster.brokers.clear()
    cluster.timers.clear()
    for node_id, directory in enumerate(directories):
        config = blueprint.broker_config()
        Broker(cluster, node_id, blueprint.profile, config, directory, blueprint.ranges, blueprint.accepted)
    if not cluster.settings.features:
        cluster.settings.features.update(blueprint.profile.finalized_features)
    if cluster.brokers[cluster.controller_id].has_topic_ids:
        cluster.give_ids()
    for broker in cluster.brokers.values():
        broker.start_up()


def _directory(blueprint: Blueprint, node_id: int) -> Directory:
    if blueprint.log_dir is None:
        return MemoryDirectory()
    return DiskDirectory(blueprint.log_dir if blueprint.brokers == 1 else blueprint.log_dir / f"broker-{node_id}")


def _asked_mode(config: Mapping[str, str | None]) -> Mode | None:
    """KRaft if the properties give the broker a role (KIP-500), ZooKeeper if they name one."""
    if config.get("process.roles") is not None:
        return "kraft"
    return "zk" if config.get("zookeeper.connect") is not None else None


def config_text(value: object) -> str:
    """A config's value as it would stand in server.properties."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)
