"""How a cluster is put together: from what the user asked for to brokers that run."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from fakekafka.broker.broker import Broker
from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig
from fakekafka.broker.leadership import broker_came, broker_comes
from fakekafka.broker.storage.cluster_file import Author, ClusterFile, Stored, file_bytes, read_cluster_file
from fakekafka.broker.storage.found_topics import adopt_directories
from fakekafka.caps import ApiRange, ApiRanges, capped
from fakekafka.clock import Clock
from fakekafka.errors import BrokerWillNotStart, FakeKafkaError, UsageError
from fakekafka.ids import BrokerId
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.copying import copy_directory
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.releases import history
from fakekafka.releases.configs.combinations import first_problem
from fakekafka.releases.features import METADATA_VERSION, formed_features, refused_level, with_levels
from fakekafka.releases.phases import PROTOCOL
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.protocol_effects import TRANSACTIONS, has
from fakekafka.releases.quirks import AS_SHIPPED, patched
from fakekafka.releases.release import NEWEST, Mode, Release, check_mode


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
    features: Mapping[str, int] | None = None
    """Levels of features of a new cluster (KIP-584); None: as the release forms one."""
    quirks: str = AS_SHIPPED
    """Which historic quirks are switched on or off, see `releases.quirks`."""
    own: Mapping[BrokerId, "Blueprint"] = {}
    """Of brokers that are not as the others."""

    @classmethod
    def of(
        cls,
        release: str,
        config: Mapping[str, object],
        brokers: int,
        log_dir: str | Path | None,
        caps: Mapping[str, ApiRange],
        features: Mapping[str, int] | None = None,
        quirks: str = AS_SHIPPED,
    ) -> Self:
        """Raises `UsageError` for what cannot be, `BrokerWillNotStart` for what the real broker refuses."""
        if brokers < 1:
            raise UsageError("brokers: at least 1")
        given = {name: None if value is None else config_text(value) for name, value in config.items()}
        parsed = Release.parse(release)
        found = patched(profile(parsed, check_mode(parsed, _asked_mode(given))), quirks)
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
            features,
            quirks,
        )

    @property
    def release(self) -> Release:
        return self.profile.release

    def broker_config(self) -> BrokerConfig:
        """The configuration of a broker; each has its own."""
        return _broker_config(self.profile, self.config, self.brokers)

    def of_broker(self, node_id: BrokerId) -> "Blueprint":
        """What is asked of one broker."""
        return self.own.get(node_id, self)

    def with_own(self, node_id: BrokerId, release: str | None, config: Mapping[str, object] | None) -> "Blueprint":
        """The same with another release or another configuration for one broker. Raises as `of` does."""
        if release is None and config is None:
            return self
        changed = self.of_broker(node_id).changed(release, config)
        if changed.profile.mode != self.profile.mode:
            raise UsageError("brokers of one cluster are all under ZooKeeper or all in KRaft mode")
        return self._replace(own={**self.own, node_id: changed})

    def changed(self, release: str | None, config: Mapping[str, object] | None) -> "Blueprint":
        """The same with another release or another configuration, for all brokers. Raises as `of` does."""
        if release is None and config is None:
            return self
        return Blueprint.of(
            str(self.release) if release is None else release,
            self.config if config is None else config,
            self.brokers,
            self.log_dir,
            self.caps,
            self.features,
            self.quirks,
        )


def _broker_config(profile: Profile, config: Mapping[str, str | None], brokers: int) -> BrokerConfig:
    given = {name: value for name, value in config.items() if value is not None}
    return BrokerConfig(profile, given, brokers, frozenset(config.keys() - given.keys()))


class Storage:
    """Where a cluster's files are. `root`: the directory that the user named, on disk or read into memory."""

    def __init__(self, root: Directory, brokers: int) -> None:
        self.root = root
        self._one = brokers == 1
        places = [root] if self._one else [root.directory(broker_folder(n)) for n in range(brokers)]
        self.directories: dict[BrokerId, Directory] = {_node_id(d, n): d for n, d in enumerate(places)}
        self.stored: Stored | None = read_cluster_file(root)
        self.is_new = True
        """Has no broker looked at it yet?"""

    def empty(self, node_id: BrokerId) -> None:
        """Delete the files of a broker that does not run."""
        directory = self.directories[node_id]
        for name in directory.directories():
            directory.delete_directory(name)
        for name in directory.names():
            directory.delete(name)

    def save(self, cluster: Cluster, author: Author, target: Directory, *, stopped: bool) -> None:
        """Copy all files; what is in memory only is written down."""
        for n, node_id in enumerate(sorted(self.directories)):
            place = target if self._one else target.directory(broker_folder(n))
            copy_directory(self.directories[node_id], place)
        target.replace(CLUSTER_FILE, file_bytes(cluster, author, stopped=stopped))


def broker_folder(n: int) -> str:
    """The folder of the n-th of several brokers."""
    return f"broker-{n}"


def _node_id(directory: Directory, otherwise: BrokerId) -> BrokerId:
    """The id that a directory's broker had."""
    known = Checkpoints(directory).meta_properties()
    text = known.get("node.id", known.get("broker.id", ""))
    return int(text) if text.isdigit() else otherwise


class Contents(NamedTuple):
    """What lies in a directory, at a glance."""

    release: str
    brokers: int


def what_lies_in(path: Path) -> Contents:
    """Raises `UsageError` where there is no directory."""
    if not path.is_dir():
        raise UsageError(f"{path} is no directory")
    root = DiskDirectory(path)
    stored = read_cluster_file(root)
    folders = root.directories()
    brokers = next(n for n in range(len(folders) + 1) if broker_folder(n) not in folders)
    return Contents(NEWEST if stored is None else stored.author.release, max(1, brokers))


def plan_cluster(blueprint: Blueprint, clock: Clock, source: Path | None = None) -> tuple[Cluster, Storage]:
    """A cluster without brokers, and the place of their files. `source`: a directory to be read into memory."""
    root: Directory = MemoryDirectory() if blueprint.log_dir is None else DiskDirectory(blueprint.log_dir)
    if source is not None:
        copy_directory(DiskDirectory(source), root)
    storage = Storage(root, blueprint.brokers)
    cluster = Cluster(clock, formed_with=_formed_with(blueprint))
    if storage.stored is not None:
        storage.stored.restore(cluster)
    return cluster, storage


def _formed_with(blueprint: Blueprint) -> dict[str, str]:
    """Broker configs that a new cluster sets for all brokers."""
    name = "min.insync.replicas"
    if not blueprint.profile.describe_configs.protects_elr:
        return {}
    return {name: str(blueprint.broker_config().int(name))}


def boot(cluster: Cluster, blueprint: Blueprint, storage: Storage) -> None:
    """Start the brokers of `cluster` on their directories. Raises `BrokerWillNotStart`."""
    cluster.brokers.clear()
    cluster.timers.clear()
    cluster.timers.elapsed_ms = cluster.clock.elapsed_ms  # nothing ran while there was no broker
    for node_id in storage.directories:
        _new_broker(cluster, blueprint, storage, node_id)
    if storage.is_new:
        _take_over(cluster, storage)
        storage.is_new = False
    _form_features(cluster, blueprint)
    if cluster.brokers[cluster.controller_id].has_topic_ids:
        cluster.give_ids()
    try:
        for broker in cluster.brokers.values():
            broker.start_up()
    except FakeKafkaError:
        for broker in cluster.brokers.values():
            broker.crash()
        raise
    broker_came(cluster)


def _form_features(cluster: Cluster, blueprint: Blueprint) -> None:
    """The levels of a new cluster's features. Raises `BrokerWillNotStart` for levels that the release does not know."""
    features, rules = cluster.settings.features, blueprint.profile
    if rules.mode == "zk":
        features.clear()  # after a way back from KRaft
    elif not features:
        features.update(first_features(blueprint))
    _check_features(cluster, rules.release)


def first_features(blueprint: Blueprint) -> Mapping[str, int]:
    """The levels of features of a new cluster."""
    if blueprint.features is not None:
        return blueprint.features
    return formed_features(blueprint.release, blueprint.profile.mode, blueprint.config.get(PROTOCOL))


def formed_with(blueprint: Blueprint, wanted: Mapping[str, int]) -> Blueprint:
    """The same with other levels of features of a new cluster. Raises `UsageError`."""
    levels = with_levels(blueprint.release, blueprint.profile.mode, first_features(blueprint), wanted)
    return blueprint._replace(features=levels)


def _check_features(cluster: Cluster, release: Release) -> None:
    level = cluster.settings.features.get(METADATA_VERSION)
    if level is not None and (problem := refused_level(release, level)) is not None:
        raise BrokerWillNotStart(problem)


def boot_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> None:
    """Start one more broker of a running cluster. Raises `BrokerWillNotStart`."""
    _check_features(cluster, blueprint.of_broker(node_id).release)
    if cluster.brokers:
        broker_comes(cluster, node_id)
    broker = _new_broker(cluster, blueprint, storage, node_id)
    if cluster.brokers[cluster.controller_id].has_topic_ids:
        cluster.give_ids()
    try:
        broker.start_up()
    except FakeKafkaError:
        broker.crash()
        del cluster.brokers[node_id]
        raise
    broker_came(cluster)


def _new_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> Broker:
    own = blueprint.of_broker(node_id)
    directory = storage.directories[node_id]
    return Broker(cluster, node_id, own.profile, own.broker_config(), directory, own.ranges, own.accepted)


def _take_over(cluster: Cluster, storage: Storage) -> None:
    """Make of a directory's contents what no file of ours tells: a real broker's, or one that was not stopped."""
    if storage.stored is None:
        known = Checkpoints(next(iter(storage.directories.values()))).meta_properties()
        if "cluster.id" in known:
            cluster.adopt_id(known["cluster.id"])
    if storage.stored is None or not storage.stored.stopped:
        adopt_directories(cluster, only_there=storage.stored is not None)


def file_keeper(cluster: Cluster, blueprint: Blueprint, storage: Storage) -> ClusterFile | None:
    """What keeps the cluster's file on disk; None in memory."""
    if blueprint.log_dir is None:
        return None
    return ClusterFile(storage.root, cluster, author(blueprint))


def author(blueprint: Blueprint) -> Author:
    """Who writes the cluster's file."""
    return Author(str(blueprint.release), blueprint.profile.mode)


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
