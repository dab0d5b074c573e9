"""How a cluster is put together from what the user asked for, and how single brokers of it stop, die and start.

What then happens at once here takes some time in a real cluster, and in a lifelike one: the controller hears of a
clean stop, or misses a killed broker after its session (zookeeper.session.timeout.ms, broker.session.timeout.ms).

Long, since planning, booting, stopping and restarting share `Storage`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.clock import Clock
from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.cluster_of import ClusterOf
from fakekafka.cluster.leadership import balance_later, broker_came, broker_comes, broker_left, broker_returns_uncleanly
from fakekafka.coordinators.hosted import HostedCoordinators, with_own_coordinator
from fakekafka.errors import BrokerWillNotStart, FakeKafkaError, UsageError
from fakekafka.ids import BrokerId, LeaderEpoch, PartitionIndex
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.names import CLUSTER_FILE, METADATA_DIRECTORY
from fakekafka.releases.features import KRAFT_VERSION, METADATA_VERSION, refused_level, with_levels
from fakekafka.releases.profile import Profile
from fakekafka.releases.protocol_effects import FEATURES, NEWER_FEATURE_NODE, has
from fakekafka.releases.release import NEWEST, Mode, Release, mode_called
from fakekafka.settings.blueprint import Beginning, Blueprint
from fakekafka.settings.options import Options
from fakekafka.state.cluster_settings import ELIGIBLE_LEADERS, FeatureNode
from fakekafka.state.topics import Topic
from fakekafka.storage.log_manager import Unsynced
from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.cluster.cluster_file import Author, ClusterFile, ReadClusterFile  # loaded where there are files
    from fakekafka.log.faulty_files import DiskFaults

MEMORY = "/memory"
"""The name of a log directory that has no other name."""


class Storage:
    """Where a cluster's files are. `roots`: the directories that the user named, by path, on disk or in memory.

    `elsewhere`: the directories of brokers that keep them in other places, by the broker's number. `disks`: what may
    go wrong on the disk of each broker. `ids`: the ids of brokers whose properties have one, by the broker's number;
    the others have the id in their files, otherwise their number. Raises `UsageError` if two have the same id, and
    `BrokerWillNotStart` if files belong to another broker.
    """

    def __init__(
        self,
        roots: Mapping[str, Directory],
        brokers: int,
        elsewhere: Mapping[int, dict[str, Directory]] = {},
        ids: Mapping[int, BrokerId] = {},
        disks: "Sequence[DiskFaults]" = (),
    ) -> None:
        self.root = next(iter(roots.values()))
        """The directory with the cluster's own file."""
        self._one = brokers == 1
        directories = [elsewhere.get(n) or self._of_broker(roots, n) for n in range(brokers)]
        if disks:
            directories = [_failing(own, disk) for own, disk in zip(directories, disks)]
        self.directories: dict[BrokerId, dict[str, Directory]] = {
            _node_id(own, ids.get(n), n): own for n, own in enumerate(directories)
        }
        """The log directories of each broker, by path."""
        if len(self.directories) < brokers:
            raise UsageError(
                "brokers of one cluster need different ids: set broker.id or node.id for each, or for none"
            )
        self.cluster_file = _stored(self.root)
        self.is_new = True
        """Whether no broker has used the files yet."""

    def _of_broker(self, roots: Mapping[str, Directory], n: int) -> dict[str, Directory]:
        folder = broker_folder(n)
        if self._one:
            return {f"{path}/{folder}" if path == MEMORY else path: root for path, root in roots.items()}
        return {f"{path}/{folder}": root.directory(folder) for path, root in roots.items()}

    def empty(self, node_id: BrokerId) -> None:
        """Delete the files of a broker that is not running."""
        for directory in self.directories[node_id].values():
            for name in directory.directories():
                directory.delete_directory(name)
            for name in directory.names():
                directory.delete(name)

    def save(self, cluster: Cluster, author: "Author", target: Directory, *, stopped: bool) -> None:
        """Copy all files, including what is only in memory."""
        from fakekafka.cluster.cluster_file import file_bytes
        from fakekafka.log.copying import copy_directory

        for n, node_id in enumerate(sorted(self.directories)):
            place = target if self._one else target.directory(broker_folder(n))
            directories = list(self.directories[node_id].values())
            for m, directory in enumerate(directories):
                copy_directory(directory, place if len(directories) == 1 else place.directory(log_folder(m)))
        target.replace(CLUSTER_FILE, file_bytes(cluster, author, stopped=stopped), private=True)


def _failing(places: Mapping[str, Directory], disk: "DiskFaults") -> dict[str, Directory]:
    """The directories of a broker, on a disk that can fail."""
    from fakekafka.log.faulty_files import FaultyDirectory  # only for tests that ask for it

    return {path: FaultyDirectory(directory, disk) for path, directory in places.items()}


def log_folder(m: int) -> str:
    """The folder of the m-th of several log directories, when all are copied into one directory."""
    return f"log-dir-{m}"


def broker_folder(n: int) -> str:
    """The folder of the n-th of several brokers."""
    return f"broker-{n}"


def _node_id(places: Mapping[str, Directory], given: BrokerId | None, otherwise: BrokerId) -> BrokerId:
    """The id of the broker of these directories. Raises `BrokerWillNotStart` if it had another one (KAFKA-1070)."""
    known = Checkpoints(next(iter(places.values()))).meta_properties()
    text = known.get("node.id", known.get("broker.id", ""))
    had = int(text) if text.isdigit() else None
    if given is not None and had is not None and given != had:
        raise BrokerWillNotStart(
            f"Configured broker.id {given} doesn't match stored broker.id {had} in meta.properties"
        )
    return next(id for id in (had, given, otherwise) if id is not None)


class Contents(NamedTuple):
    """The contents of a directory, at a glance."""

    release: str
    brokers: int
    mode: Mode | None
    """The keeper of the metadata; None: no file says."""
    drafts: tuple[str, ...] = ()
    """Designs that Kafka never shipped and that the writer played."""


def save_all(cluster: Cluster, blueprint: Blueprint, storage: Storage, directory: str | Path, *, stopped: bool) -> None:
    """Copy all files into a directory. Raises `UsageError` if it is not empty."""
    target = DiskDirectory(directory)
    if target.names() or target.directories():
        raise UsageError(f"{directory} is not empty: save into a directory of its own")
    for broker in () if stopped else cluster.brokers.values():
        broker.logs.write_indexes()
    storage.save(cluster, author(blueprint), target, stopped=stopped)


def _stored(root: Directory) -> "ReadClusterFile | None":
    """What the cluster's file says; None if there is none."""
    if not root.exists(CLUSTER_FILE):
        return None
    from fakekafka.cluster.cluster_file import read_cluster_file

    return read_cluster_file(root)


def what_lies_in(path: Path) -> Contents:
    """The contents of a directory. Raises `UsageError` if there is none."""
    if not path.is_dir():
        raise UsageError(f"{path} is not a directory")
    root = DiskDirectory(path)
    cluster_file = _stored(root)
    folders = root.directories()
    brokers = next(n for n in range(len(folders) + 1) if broker_folder(n) not in folders)
    if cluster_file is not None:
        release, mode, drafts = cluster_file.author
        return Contents(release, max(1, brokers), mode_called(mode), drafts)
    return Contents(NEWEST, max(1, brokers), _mode_of(root.directory(broker_folder(0)) if brokers else root))


def check_source(blueprint: Blueprint, path: Path) -> None:
    """Raises `UsageError` if a cluster of this blueprint cannot become, in memory, the one stored in a directory."""
    if blueprint.log_dirs:
        raise UsageError("a cluster with a log_dir cannot become another: start one on a copy with FakeKafka.load")
    source = what_lies_in(path)
    if source.brokers != blueprint.brokers:
        raise UsageError(f"{source.brokers} brokers wrote that, and here are {blueprint.brokers}")
    modes = [word for word in (source.mode, blueprint.profile.mode) if word is not None]
    if len(set(modes)) > 1:
        raise UsageError(f"{modes[0]} kept that metadata, and here {modes[1]} does")


def _mode_of(directory: Directory) -> Mode | None:
    """The mode of the real broker that wrote a directory: KRaft has files of version 1 and a metadata log (KIP-631)."""
    if METADATA_DIRECTORY in directory.directories():
        return "kraft"
    modes: dict[str, Mode] = {"0": "zk", "1": "kraft"}
    return modes.get(Checkpoints(directory).meta_properties().get("version", ""))


def blueprint_of(options: Options, begins: Beginning, config: Mapping[str, object]) -> Blueprint:
    """What the user asked for, checked. Raises `UsageError`, and `BrokerWillNotStart`."""
    settings = options.each_broker
    blueprint = Blueprint.of(
        begins.release,
        config,
        len(settings),
        options.log_dir,
        options.api_versions or {},
        begins.features,
        options.quirks,
        options.unknown_configs,
        options.drafts,
        options.telemetry,
    )
    blueprint = blueprint._replace(pace=options.pace).with_each(settings)
    return formed_with(blueprint, options.features) if options.features else blueprint


def plan_cluster(
    blueprint: Blueprint,
    clock: Clock,
    source: Path | None = None,
    disks: "Sequence[DiskFaults]" = (),
    max_memory: int | None = None,
) -> tuple[Cluster, Storage]:
    """A cluster without brokers, and the place for their files. `source`: a directory to be read into memory. `disks`:
    what may go wrong on the disk of each broker. `max_memory`: how many bytes of logs stay in memory.
    """
    elsewhere = {n: _on_disk(own.log_dirs) for n, own in blueprint.own.items() if own.log_dirs != blueprint.log_dirs}
    ids = {n: id for n in range(blueprint.brokers) if (id := _given_id(blueprint.of_broker(n))) is not None}
    storage = Storage(_roots(blueprint, source, max_memory), blueprint.brokers, elsewhere, ids, disks)
    cluster: Cluster = ClusterOf(clock, _exchange, formed_with=_formed_with(blueprint))
    if blueprint.drafts:
        from fakekafka.drafts.known import play

        play(cluster, blueprint.drafts)
    if storage.cluster_file is not None:
        storage.cluster_file.restore(cluster)
    return cluster, storage


def _exchange(broker: Broker, request: Request, version: int, client_id: str) -> Response | None:
    """What `broker` answers to another one. A cluster of one broker loads nothing for it."""
    from fakekafka.server.exchange import exchange

    return exchange(broker, request, version, client_id)


def _given_id(blueprint: Blueprint) -> BrokerId | None:
    """The id in the properties; None if they leave it open, as -1 does."""
    names = [name for name in ("node.id", "broker.id") if name in blueprint.config]
    if not names:
        return None
    config = blueprint.broker_config()
    return next((id for name in names if (id := config.int(name, -1)) >= 0), None)


def _roots(blueprint: Blueprint, source: Path | None, max_memory: int | None) -> dict[str, Directory]:
    """The log directories by path. In memory they have the names in `log.dirs`."""
    if blueprint.log_dirs:
        return _on_disk(blueprint.log_dirs)
    paths = _named(blueprint.config)
    roots: dict[str, Directory] = {path: MemoryDirectory() for path in paths}
    if max_memory is not None:
        from fakekafka.log.bounded_memory import BoundedDirectory, Overflow  # most clusters have no bound

        overflow = Overflow(max_memory)
        roots = {path: BoundedDirectory(overflow) for path in paths}
    if source is not None:
        from fakekafka.log.copying import copy_directory

        for m, root in enumerate(roots.values()):
            copy_directory(DiskDirectory.for_reading(source if len(roots) == 1 else source / log_folder(m)), root)
    return roots


def _on_disk(paths: Sequence[Path]) -> dict[str, Directory]:
    """The directories on disk. Raises `BrokerWillNotStart` if one is a file. From 1.0 on a real broker would go on with
    the others.
    """
    for path in paths:
        if path.exists() and not path.is_dir():
            raise BrokerWillNotStart(f"{path} is not a readable log directory.")
    return {str(path): DiskDirectory(path) for path in paths}


def _named(config: Mapping[str, str | None]) -> list[str]:
    text = config.get("log.dirs") or config.get("log.dir") or MEMORY
    return list(dict.fromkeys(path.strip() for path in text.split(",") if path.strip())) or [MEMORY]


def _formed_with(blueprint: Blueprint) -> dict[str, str]:
    """Broker configs that a new cluster sets for all brokers."""
    name = "min.insync.replicas"
    protected = blueprint.profile.describe_configs.protects_elr and blueprint.first_features.get(ELIGIBLE_LEADERS)
    if not protected:
        return {}
    if name not in blueprint.config:
        return {name: str(blueprint.profile.broker_configs.default(name))}
    return {name: str(blueprint.broker_config().int(name))}


def boot(cluster: Cluster, blueprint: Blueprint, storage: Storage) -> None:
    """Start the brokers of `cluster` on their directories. Raises `BrokerWillNotStart`."""
    cluster.brokers.clear()
    cluster.timers.clear()
    cluster.timers.elapsed_ms = cluster.clock.elapsed_ms  # no timer ran while there was no broker
    for node_id in storage.directories:
        _new_broker(cluster, blueprint, storage, node_id)
    if storage.is_new:
        _take_over(cluster, storage)
        storage.is_new = False
    else:
        cluster.elect_again()
    _form_features(cluster, blueprint)
    _take_office(cluster)
    try:
        for broker in cluster.brokers.values():
            _start_up(broker)
    except FakeKafkaError:
        for broker in cluster.brokers.values():
            broker.crash()
        raise
    broker_came(cluster)


def _form_features(cluster: Cluster, blueprint: Blueprint) -> None:
    """The feature levels of a new cluster. Raises `BrokerWillNotStart` for levels that the release does not know."""
    features, rules = cluster.settings.features, blueprint.profile
    if not rules.has_quorum:
        features.clear()  # after a rollback from KRaft
    elif not features:
        features.update(blueprint.first_features)
        cluster.settings.quorum_level = features.get(KRAFT_VERSION, 0)
    for node_id in cluster.brokers:
        _check_features(cluster, blueprint.of_broker(node_id).release)


def _take_office(cluster: Cluster) -> None:
    """Do what the controller does at once: it looks after topic ids, and under ZooKeeper the list of features."""
    broker, settings = cluster.brokers[cluster.controller_id], cluster.settings
    if broker.has_topic_ids:
        cluster.give_ids()
    else:
        cluster.withhold_ids()
    if broker.profile.features_epoch == "changes":
        protocol = broker.config.text("inter.broker.protocol.version")
        form = has(protocol, FEATURES), has(protocol, NEWER_FEATURE_NODE)
        settings.feature_node = (settings.feature_node or FeatureNode(*form, version=0)).rewritten(*form)


def formed_with(blueprint: Blueprint, wanted: Mapping[str, int]) -> Blueprint:
    """The blueprint with other feature levels for a new cluster. Raises `UsageError`."""
    levels = with_levels(blueprint.release, blueprint.profile.mode, blueprint.first_features, wanted)
    return blueprint._replace(features=levels)


def _check_features(cluster: Cluster, release: Release) -> None:
    level = cluster.settings.features.get(METADATA_VERSION)
    if level is not None and (problem := refused_level(release, level)) is not None:
        raise BrokerWillNotStart(problem)


def boot_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> None:
    """Start one more broker of a running cluster. Raises `BrokerWillNotStart`."""
    _check_features(cluster, blueprint.of_broker(node_id).release)
    if cluster.news is not None:
        cluster.news.returns(node_id)
    is_first = not cluster.brokers
    if not is_first:
        broker_comes(cluster, node_id)
    broker = _new_broker(cluster, blueprint, storage, node_id)
    if is_first:
        cluster.elect_again()
    _take_office(cluster)
    try:
        _start_up(broker)
    except FakeKafkaError:
        broker.crash()
        del cluster.brokers[node_id]
        raise
    broker_came(cluster)


def _start_up(broker: Broker) -> None:
    if not broker.logs.stopped_cleanly:
        broker_returns_uncleanly(broker.cluster, broker.node_id)
    broker.start_up()


def _new_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> Broker:
    own = blueprint.of_broker(node_id)
    places = storage.directories[node_id]
    config = own.broker_config()
    rules = with_own_coordinator(own.profile, config)
    _check_registrations(cluster, rules)
    return Broker(cluster, node_id, rules, config, places, own.ranges, own.accepted, HostedCoordinators)


def _check_registrations(cluster: Cluster, rules: Profile) -> None:
    """Raises `BrokerWillNotStart` if a broker has registered, and this one cannot read that in the metadata log."""
    if cluster.has_registrations and not rules.log_directory.registrations_readable:
        raise BrokerWillNotStart("Tried to allocate a collection of size 1, but there are only 0 bytes remaining.")


def _take_over(cluster: Cluster, storage: Storage) -> None:
    """Infer from a directory's contents what no file of ours says: for the directory of a real broker, or of a cluster
    that was not stopped.
    """
    if storage.cluster_file is None:
        known = Checkpoints(next(iter(next(iter(storage.directories.values())).values()))).meta_properties()
        if "cluster.id" in known:
            cluster.adopt_id(known["cluster.id"])
    places = [directory for own in storage.directories.values() for directory in own.values()]
    if storage.cluster_file is None and not any(place.directories() for place in places):
        return
    if storage.cluster_file is None or not storage.cluster_file.stopped:
        from fakekafka.cluster.found_topics import adopt_directories  # few clusters begin with others' files

        adopt_directories(cluster, only_there=storage.cluster_file is not None)


def file_keeper(cluster: Cluster, blueprint: Blueprint, storage: Storage) -> "ClusterFile | None":
    """What keeps the cluster's file on disk; None in memory."""
    if not blueprint.log_dirs:
        return None
    from fakekafka.cluster.cluster_file import ClusterFile

    return ClusterFile(storage.root, cluster, author(blueprint))


def author(blueprint: Blueprint) -> "Author":
    """The author of the cluster's file."""
    from fakekafka.cluster.cluster_file import Author

    return Author(str(blueprint.release), blueprint.profile.mode, blueprint.drafts)


def stop_broker(cluster: Cluster, node_id: BrokerId) -> None:
    """A clean stop of one broker; the others take over. Raises `UsageError` if it does not run."""
    broker = cluster.running(node_id)
    broker.shut_down(cluster.clock.now_ms, others_stay=len(cluster.brokers) > 1)
    _pass_on(cluster, node_id, controlled=broker.config.bool("controlled.shutdown.enable", absent=True))


def kill_broker(cluster: Cluster, node_id: BrokerId, unsynced: Unsynced) -> None:
    """One broker dies; the others take over. Raises `UsageError` if it does not run."""
    broker = cluster.running(node_id)
    broker.crash(unsynced)
    if cluster.news is None or len(cluster.brokers) == 1:
        _pass_on(cluster, node_id, controlled=False)
    else:
        del cluster.brokers[node_id]
        cluster.news.died(broker, lambda: broker_left(cluster, node_id, controlled=False))


def _pass_on(cluster: Cluster, node_id: BrokerId, *, controlled: bool) -> None:
    del cluster.brokers[node_id]
    if cluster.brokers:
        broker_left(cluster, node_id, controlled=controlled)
    elif cluster.news is not None:
        cluster.news.all_left()


def start_broker(cluster: Cluster, blueprint: Blueprint, storage: Storage, node_id: BrokerId) -> None:
    """Start one broker. Raises `UsageError` if it runs or does not exist, and `BrokerWillNotStart`."""
    if node_id in cluster.brokers:
        raise UsageError(f"broker {node_id} runs already")
    if node_id not in storage.directories:
        raise UsageError(f"there is no broker {node_id}; there are {sorted(storage.directories)}")
    boot_broker(cluster, blueprint, storage, node_id)


def move_leader(cluster: Cluster, topic: Topic, index: PartitionIndex, node_id: BrokerId) -> LeaderEpoch:
    """Have a replica lead in a new epoch. Raises `UsageError` if it would lack acknowledged records."""
    state = topic.partition(index)
    assert state is not None
    if node_id not in state.isr or node_id not in cluster.brokers:
        there = [node for node in state.isr if node in cluster.brokers]
        raise UsageError(f"broker {node_id} cannot lead {topic.name}-{index}: in sync are {there}")
    epoch = cluster.elect(topic, index, node_id)
    balance_later(cluster)
    return epoch
