"""FakeKafka: a Kafka cluster of any release, in this process.

The object is a handle. The state lives in `Cluster` and `Broker` values that one thread owns; every method here runs
its work on that thread and waits for it.

The file is long because it is the whole list of what a test can do, each method a docstring and a call: what they do is
in `assembly`, `broker_changes`, `stored`, `summary`, `explanation` and `upgrade/`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar, get_args

from fakekafka import broker_changes
from fakekafka.admin import direct
from fakekafka.assembly import (
    Storage,
    boot,
    file_keeper,
    formed_with,
    plan_cluster,
    save_all,
    what_lies_in,
)
from fakekafka.blueprint import Blueprint, LogDirsGiven, keeper, mode_of, warn_of_ignored
from fakekafka.broker_settings import Brokers, each
from fakekafka.caps import ApiRange
from fakekafka.client_configs import Client, ClientConfig, Login, client_config, login_of
from fakekafka.clock import Clock, SystemClock
from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster, compact_topic
from fakekafka.cluster.cluster_file import ClusterFile
from fakekafka.cluster.cluster_of import OffsetsLog
from fakekafka.errors import FakeKafkaError, UsageError
from fakekafka.explanation import Difference, differences
from fakekafka.ids import BrokerId, LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.releases.phases import Phase
from fakekafka.releases.quirks import AS_SHIPPED
from fakekafka.releases.release import Release
from fakekafka.security_settings import security_settings
from fakekafka.server.core import Core
from fakekafka.server.journal import Entry
from fakekafka.server.memory import MemoryClient, MemoryServer
from fakekafka.server.tcp import TcpServer
from fakekafka.state.cluster_security import Decision
from fakekafka.state.topics import Topic
from fakekafka.storage.cleaning import Compaction
from fakekafka.storage.conversion_bill import Conversion
from fakekafka.storage.log_manager import Unsynced
from fakekafka.stored import (
    CommittedOffset,
    StoredRecord,
    append_record,
    committed_offsets,
    found_topic,
    stored_records,
)
from fakekafka.summary import api_name, summary
from fakekafka.tls import Tls
from fakekafka.unknown_configs import UnknownConfigs, check
from fakekafka.upgrade.phase_keeper import PhaseKeeper, begin
from fakekafka.upgrade.scan import Held, scan
from fakekafka.upgrade.steps import Upgrade, upgrade

if TYPE_CHECKING:
    from fakekafka.security.authorizer import Denial
    from fakekafka.security.listener import Listener
    from fakekafka.security.tls import Encryption

T = TypeVar("T")


class FakeKafka:
    """A cluster of `brokers` brokers of one release, or of the `BrokerSettings` that each is to have.

    `release`: "0.8.0" … "4.3", or a patch release such as "0.10.2.2". `config`: broker properties under Kafka's own
    names. `topics`: topics to create, with their number of partitions. `log_dir`: where to keep files, maybe in several
    directories; None keeps everything in memory. `clock`: a `ManualClock` gives the time to the test. `api_versions`:
    caps on what is advertised and accepted, `{"Produce": 2, "Fetch": (0, 3)}`. `port` 0 takes a free one; with several
    brokers it is the first's, and the others take free ones. `phase`: begin within an upgrade, "0.10.2 -> 2.3: new
    code, old format"; then `release` may be left out. `quirks`: historic defects on or off, "repaired" or
    "-KAFKA-6739", see `fakekafka quirks`. `features`: levels of a new KRaft cluster, `{"metadata.version": 14}`.
    `offsets_log`: "atomic" keeps committed offsets as the first design had it, each commit whole or not at all, see
    `coordinators.groups.atomic`. Properties that only other releases have are ignored, as real brokers do, with a
    warning. One that no release has is a `UsageError`, as it may be a slip; `unknown_configs="ignored"` has it ignored,
    too.

    `users`: names and passwords; clients log in, by SASL PLAIN or by the mechanisms that `sasl` names. `tls`: clients
    connect by TLS, with certificates that `tls` of this object gives (needs the extra "tls"). `acls`: rules such as
    "User:alice allow Read,Write topic orders", which all clients need from then on. `authorizer`: a function of
    (principal, operation, resource, host) that decides in place of rules. Listeners that `config` names go before.

    Raises `UsageError` for what cannot be, `BrokerWillNotStart` where the real broker would refuse to start.
    """

    def __init__(
        self,
        release: str | None = None,
        *,
        config: Mapping[str, object] | None = None,
        topics: Mapping[TopicName, int] | None = None,
        brokers: Brokers = 1,
        log_dir: LogDirsGiven = None,
        clock: Clock | None = None,
        api_versions: Mapping[str, ApiRange] | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        phase: str | None = None,
        quirks: str = AS_SHIPPED,
        features: Mapping[str, int] | None = None,
        offsets_log: OffsetsLog = "kafka",
        unknown_configs: UnknownConfigs = "refused",
        users: Mapping[str, str] | None = None,
        tls: bool | Tls = False,
        acls: Sequence[str] | None = None,
        sasl: Sequence[str] | None = None,
        authorizer: Decision | None = None,
    ) -> None:
        if offsets_log not in get_args(OffsetsLog):
            raise UsageError(f"offsets_log: one of {', '.join(get_args(OffsetsLog))}")
        check(unknown_configs)
        begins = begin(phase, release, config or {})
        settings = each(brokers)
        self._tls = Tls() if tls is True else tls or None
        self._security = security_settings(users, sasl, acls, authorizer, encrypted=self._tls is not None)
        self._blueprint = Blueprint.of(
            begins.release,
            self._secured(begins.release, begins.config),
            len(settings),
            log_dir,
            api_versions or {},
            begins.features,
            quirks,
            unknown_configs,
        ).with_each(settings)
        warn_of_ignored(self._blueprint)
        if features:
            self._blueprint = formed_with(self._blueprint, features)
        self._phases = PhaseKeeper(lambda: self._blueprint, self._become, lambda: self._cluster, self._on_loop, begins)
        self.clock: Clock = clock or SystemClock()
        self._topics = dict(topics or {})
        self._offsets_log: OffsetsLog = offsets_log
        self._host = host
        self._ports = [port] + [0] * (len(settings) - 1)
        self._bound: dict[tuple[BrokerId, str], int] = {}  # ports by listener
        self._cluster: Cluster | None = None
        self._source: Path | None = None  # a directory to read into memory at the first start
        self._storage: Storage | None = None
        self._file: ClusterFile | None = None
        self._core: Core | None = None
        self._server: TcpServer | None = None
        self._serves = True  # started, not only booted, the last time

    def _secured(self, release: str | None, config: Mapping[str, object]) -> dict[str, object]:
        """Properties, under which stand those that say what was said about security."""
        parsed = self._blueprint.release if release is None else Release.parse(release)
        return {**self._security.properties(parsed, mode_of(parsed, config)), **config}

    # ---- starting and stopping

    def start(self) -> Self:
        """Start serving. Returns itself."""
        if self._server is not None:
            raise UsageError("already started")
        self._boot(patience=SystemClock())
        self._serves = True
        server = TcpServer(self._running)
        try:
            for n, (_, broker) in enumerate(sorted(self._running.cluster.brokers.items())):
                self._listen(server, broker, n)
        except UsageError:
            server.stop()
            self.stop()
            raise
        self._server = server
        server.start()
        return self

    def boot(self) -> Self:
        """The brokers without sockets: reachable through `connect` only. Returns itself."""
        self._boot(patience=None)
        self._serves = False
        return self

    def _boot(self, patience: Clock | None) -> None:
        if self._core is not None:
            raise UsageError("already running")
        if self._cluster is None or self._storage is None:
            self._cluster, self._storage = plan_cluster(self._blueprint, self.clock, self._source)
            self._blueprint = self._blueprint.numbered(list(self._storage.directories))
            self._cluster.offsets_log = self._offsets_log
            self._security.apply(self._cluster)
        boot(self._cluster, self._blueprint, self._storage)
        self._file = file_keeper(self._cluster, self._blueprint, self._storage)
        if self._file is not None:
            self._file.keep_up_to_date()
        self._core = Core(self._cluster, self._kill, patience)
        self._core.run(lambda: None)  # followers fetch what they lack
        self.clock.attach(self)
        try:
            self._set_addresses()
            self._security.set_up(self._running.cluster)
            self._create_topics()
        except FakeKafkaError:
            self.stop()
            raise

    def stop(self, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
        """Stop serving and close everything; `crash`: as a killed broker. Stopping twice does nothing.

        `unsynced`: what becomes, in a crash, of bytes that were never flushed: "kept" as when only the broker dies,
        "lost", or "some" of them, by chance.
        """
        if self._core is None:
            return
        self.clock.detach(self)
        server, self._server = self._server, None
        if server is not None:
            server.stop()
        cluster, self._core = self._core.cluster, None
        for broker in cluster.brokers.values():
            broker.crash(unsynced) if crash else broker.shut_down()
        if self._file is not None:
            self._file.write(stopped=True)

    def restart(
        self,
        release: str | None = None,
        config: Mapping[str, object] | None = None,
        crash: bool = False,
        unsynced: Unsynced = "kept",
    ) -> Self:
        """Stop (if running) and start again on the same port with the same data, maybe as another release.

        `config` replaces the broker properties; None keeps them. Either one is for all brokers, whatever they were
        before. `crash` and `unsynced`: as in `stop`. Raises `BrokerWillNotStart` where a broker of that release would
        not start on these files.
        """
        if config is not None:
            config = self._secured(release, config)
        blueprint = self._blueprint.changed(release, config)
        self.stop(crash=crash, unsynced=unsynced)
        self._blueprint = blueprint
        return self.start() if self._serves else self.boot()

    def _become(self, release: str, config: Mapping[str, object]) -> None:
        """Become another release or get other properties; several brokers one after the other, while clients run."""
        blueprint = self._blueprint.changed(release, config)
        alone = self._core is None or self._blueprint.brokers == 1
        if alone or not blueprint.profile.keeps_metadata_as(self._blueprint.profile):
            self.restart(release, config)
            return
        running = self.brokers()
        for node_id in range(self._blueprint.brokers):
            if node_id in running:
                self.stop_broker(node_id)
            self.start_broker(node_id, release, config)
        self._blueprint = blueprint

    # ---- single brokers

    def stop_broker(self, node_id: BrokerId) -> None:
        """Stop one broker cleanly; the others go on, and lead what it led. Its port refuses connections.

        The stop of a whole cluster is `stop`. Raises `UsageError` if the broker does not run.
        """
        self._on_loop(lambda: self._leave(node_id, partial(broker_changes.stop_broker, node_id=node_id)))

    def kill_broker(self, node_id: BrokerId, *, unsynced: Unsynced = "kept") -> None:
        """Kill one broker; the others notice at once. `unsynced`: as in `stop`. Raises `UsageError` if it does not
        run.
        """
        self._on_loop(lambda: self._kill(node_id, unsynced))

    def _kill(self, node_id: BrokerId, unsynced: Unsynced = "kept") -> None:
        self._leave(node_id, partial(broker_changes.kill_broker, node_id=node_id, unsynced=unsynced))

    def start_broker(
        self, node_id: BrokerId, release: str | None = None, config: Mapping[str, object] | None = None
    ) -> None:
        """Start a broker that was stopped or killed, on its port and its files, maybe as another release.

        `config` replaces the properties of this broker; None keeps them. Raises `BrokerWillNotStart` where a broker of
        that release would not start on these files, and `UsageError` if it runs.
        """
        blueprint = self._blueprint.with_own(node_id, release, config)
        self._on_loop(lambda: self._start_broker(node_id, blueprint))

    def brokers(self) -> dict[BrokerId, str]:
        """The brokers that run, with the release of each."""
        running = self._on_loop(lambda: sorted(self._running.cluster.brokers))
        return {node_id: str(self._blueprint.of_broker(node_id).release) for node_id in running}

    def pause_replication(self, node_id: BrokerId) -> None:
        """Have a broker fetch nothing from others, until `resume_replication`: it lags, and is out of sync in time."""
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(True))

    def resume_replication(self, node_id: BrokerId) -> None:
        """Have it fetch again."""
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(False))

    def _leave(self, node_id: BrokerId, change: Callable[[Cluster], None]) -> None:
        core = self._running
        core.cluster.running(node_id)
        core.close_connections_of(node_id)
        if self._server is not None:
            self._server.stop_listening(node_id)
        change(core.cluster)

    def _start_broker(self, node_id: BrokerId, blueprint: Blueprint) -> None:
        assert self._storage is not None
        cluster = self._running.cluster
        broker_changes.start_broker(cluster, blueprint, self._storage, node_id)
        self._blueprint = blueprint
        place = sorted(self._storage.directories).index(node_id)
        if self._server is not None:
            try:
                self._listen(self._server, cluster.brokers[node_id], place)
            except UsageError:
                broker_changes.stop_broker(cluster, node_id)
                raise
        else:
            cluster.brokers[node_id].listen_on(self._host, self._ports[place])

    @classmethod
    def load(
        cls,
        directory: str | Path,
        release: str | None = None,
        *,
        config: Mapping[str, object] | None = None,
        clock: Clock | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> Self:
        """A broker on a copy, in memory, of what `directory` holds: of `save`, of a `log_dir`, or of a real broker.

        The directory stays as it is. `release` None: the one that wrote it, if fakekafka did, else the newest. It runs
        under ZooKeeper or in KRaft mode as the writer did, if it can. The broker is not started yet.
        """
        found = what_lies_in(Path(directory))
        release = release or found.release
        config = {**keeper(Release.parse(release), found.mode, config), **(config or {})}
        kafka = cls(release, config=config, brokers=found.brokers, clock=clock, host=host, port=port)
        kafka._source = Path(directory)
        return kafka

    def save(self, directory: str | Path) -> None:
        """Copy all files into an empty `directory`: what `log_dir` would hold now.

        Of a running broker that is what a kill would leave, and the next start recovers; stop it first for the files of
        a clean stop.
        """
        if self._cluster is None or self._storage is None:
            raise UsageError("there is nothing to save yet: start the broker first")
        stopped = self._core is None
        copy = partial(save_all, self._cluster, self._blueprint, self._storage, directory, stopped=stopped)
        copy() if stopped else self._on_loop(copy)

    def reset(self) -> None:
        """An empty broker on the same port: no topics, no groups. Clients may stay connected.

        Of several brokers, all run again, each as the constructor was told, or `restart` after it.
        """
        self._on_loop(self._reset)

    def _reset(self) -> None:
        cluster = self._running.cluster
        cluster.clear()
        for broker in cluster.brokers.values():
            broker.clear()
        self._restore_brokers()
        self._security.set_up(cluster)
        self._create_topics()
        cluster.waiters.wake_all()
        self._running.router.journal.clear()

    def _restore_brokers(self) -> None:
        """Every broker runs again, as it did at first."""
        assert self._storage is not None
        cluster, now = self._running.cluster, self._blueprint
        first = now._replace(own=now.own_at_first)
        for node_id in tuple(cluster.brokers):
            if now.of_broker(node_id)[:2] != first.of_broker(node_id)[:2]:
                self._leave(node_id, partial(broker_changes.stop_broker, node_id=node_id))
        for node_id in self._storage.directories.keys() - cluster.brokers.keys():
            self._storage.empty(node_id)
            self._start_broker(node_id, first)
        self._blueprint = first

    def _create_topics(self) -> None:
        """The topics that the constructor names, as far as they are not there."""
        for name, partitions in self._topics.items():
            if name not in self._running.cluster.topics:
                self.create_topic(name, partitions)

    def __enter__(self) -> Self:
        return self.start() if self._core is None else self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()

    # ---- what it is

    @property
    def is_running(self) -> bool:
        """Whether it serves: between start and stop."""
        return self._server is not None

    def __repr__(self) -> str:
        address = f" at {self.bootstrap_servers}" if self.is_running else ""
        return f"<FakeKafka {self.release}{address}>"

    @property
    def release(self) -> str:
        """The patch release that is played: "2.3.1" for "2.3"."""
        return str(self._blueprint.release)

    @property
    def bootstrap_servers(self) -> str:
        """ "host:port" of every broker, separated by commas. IPv4 literals: nothing is resolved."""
        if self._server is None:
            raise UsageError("not started: use `with FakeKafka(...)`, or start()")
        host = f"[{self._host}]" if ":" in self._host else self._host
        return ",".join(f"{host}:{port}" for port in self._ports)

    @property
    def host(self) -> str:
        return self._host

    @property
    def port(self) -> int:
        """The first broker's port."""
        return self._ports[0]

    def client_config(
        self, client: Client, user: str | None = None, *, mechanism: str | None = None, listener: str | None = None
    ) -> ClientConfig:
        """Ready settings for a client library: keyword arguments or properties, as the library takes them.

        `user`: one of `users`, who logs in by `mechanism`; None: the first that the listener has and passwords are for.
        `listener`: the name of the one to connect to; None: the first where that user can log in.
        """
        login = self._login(user, mechanism, listener)
        servers = self.bootstrap_servers if login is None else self._servers_of(login.listener)
        return client_config(client, servers, self._blueprint.release, login)

    def _login(self, user: str | None, mechanism: str | None, listener: str | None) -> Login | None:
        """How a client connects where that is not plain."""
        broker = min(self._running.cluster.brokers.items())[1]
        ca_file = None if self._tls is None else str(self._tls.ca_file)
        return login_of(broker.listeners, self._security.users, user, mechanism, listener, ca_file)

    def _servers_of(self, listener: str) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return ",".join(f"{host}:{port}" for (_, name), port in sorted(self._bound.items()) if name == listener)

    @property
    def tls(self) -> Tls:
        """The certificates of a broker with `tls=True`. Raises `UsageError` if it has none."""
        if self._tls is None:
            raise UsageError("this broker has no certificates: say FakeKafka(tls=True)")
        return self._tls

    def why_denied(self) -> "list[Denial]":
        """The last refusals for want of a right, oldest first: with the rule that caused each, and the smallest rule
        that would have allowed it. `str` of one is a sentence.
        """
        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        return [denial for broker in brokers if broker.authorizer is not None for denial in broker.authorizer.denials]

    def explain(self) -> list[Difference]:
        """Everything by which this broker differs from a real one of its release, and why."""
        return differences(self._blueprint)

    @property
    def phase(self) -> Phase:
        """What it is on the way of an upgrade: release, inter-broker protocol, message format, levels of features."""
        return self._phases.current_phase

    def upgrade(self, start: str | None = None, to: str | None = None, *, via: Sequence[str] = ()) -> Upgrade:
        """The steps of the documented way to release `to`, in order; each can be applied and rolled back.

        `start`: the release that the cluster is now, for who likes to say so. `via`: where to stop on the way, see
        `releases.phases.recipe`. Nothing is done yet. Raises `UsageError` for a way that is none.
        """
        return upgrade(self._phases, start, to, via)

    def stored_formats(self) -> list[Held]:
        """What the topics hold, by message format. Reads every record."""
        return self._phases.on_cluster(scan)

    def conversions(self) -> list[Conversion]:
        """What was stored and sent since the brokers' start: as it came, or converted, and at which cost.

        By topic, client id, API and version; see `Conversion`.
        """
        return self._phases.conversions()

    # ---- topics

    def create_topic(self, name: TopicName, partitions: int = 1, config: Mapping[str, object] | None = None) -> None:
        """Create a topic. Raises `UsageError` with the broker's reason when it refuses."""
        overrides = {key: str(value) for key, value in (config or {}).items()}
        self._on_loop(lambda: direct.create_topic(self._running.cluster, name, partitions, overrides))

    def configure_topic(self, name: TopicName, config: Mapping[str, object | None]) -> None:
        """Set configs of a topic, now; None removes one. Raises `UsageError` with the broker's reason."""
        changes = {key: None if value is None else str(value) for key, value in config.items()}
        self._on_loop(lambda: direct.configure_topic(self._running.cluster, self._topic(name), changes))

    def delete_topic(self, name: TopicName) -> None:
        """Delete a topic and its records."""
        self._on_loop(lambda: self._running.cluster.remove_topic(self._topic(name)))

    def compact(self, topic: TopicName, *, roll: bool = False) -> list[Compaction]:
        """Run one pass of the cleaner over a topic, however little of it is dirty; what it did, by partition.

        As always, the active segment stays as it is, and what `min.compaction.lag.ms` or an open transaction holds.
        `roll`: end the active segments first, so that every record so far can be compacted. Without this method, the
        cleaner follows the clock. Raises `UsageError` for a topic whose `cleanup.policy` does not say "compact".
        """
        return self._on_loop(lambda: compact_topic(self._running.cluster, self._topic(topic), roll))

    def topics(self) -> dict[TopicName, int]:
        """The topics and their number of partitions, internal ones left out."""
        topics = self._on_loop(lambda: list(self._running.cluster.topics.values()))
        return {topic.name: len(topic.partitions) for topic in topics if not topic.is_internal}

    def elect_leader(self, topic: TopicName, partition: PartitionIndex, broker: BrokerId | None = None) -> LeaderEpoch:
        """Have the partition's leader elected anew; returns the new leader epoch.

        `broker`: the one that leads from now on, one in sync. None: the one that leads already.
        """

        def elect() -> LeaderEpoch:
            cluster, found = self._running.cluster, found_topic(self._running.cluster, topic, partition)
            if broker is None:
                return cluster.elect(found, partition)
            return broker_changes.move_leader(cluster, found, partition, broker)

        return self._on_loop(elect)

    # ---- records

    def send(
        self,
        topic: TopicName,
        value: bytes | None,
        key: bytes | None = None,
        headers: Sequence[tuple[str, bytes | None]] = (),
        timestamp: TimestampMs | None = None,
        partition: PartitionIndex | None = None,
    ) -> Offset:
        """Append a record without a client, in the topic's own format; returns its offset.

        Without `partition`, the key decides as in the Java client, and records without a key go to partition 0.
        Raises `UsageError` with the broker's reason when it refuses the record.
        """
        return self._on_loop(
            lambda: append_record(self._running.cluster, self._topic(topic), key, value, headers, timestamp, partition)
        )

    def records(
        self, topic: TopicName, partition: PartitionIndex | None = None, *, broker: BrokerId | None = None
    ) -> list[StoredRecord]:
        """Every record of a topic, or of one partition, as stored: by partition, then by offset.

        `broker`: as that one has stored them, whether it leads or follows; None: as the leaders have.
        """
        return self._on_loop(lambda: stored_records(self._running.cluster, self._topic(topic), partition, broker))

    def committed(self, group: str) -> dict[tuple[TopicName, PartitionIndex], CommittedOffset]:
        """The offsets that a group has committed, by topic and partition."""
        return self._on_loop(lambda: committed_offsets(self._running.cluster, group))

    def commit_if(
        self, group: str, topic: TopicName, partition: PartitionIndex, offset: Offset, expected: Offset | None
    ) -> bool:
        """Commit `offset` for a group, if `expected` is what is committed now (None: nothing). Was it?

        No request of Kafka's can do this. Raises `UsageError` while nobody coordinates the group.
        """
        from fakekafka.coordinators.groups.atomic.conditional import commit_if  # groups are loaded when first asked for

        return self._on_loop(lambda: commit_if(self._running.cluster, group, (topic, partition), offset, expected))

    # ---- looking inside

    def connect(
        self, node_id: BrokerId | None = None, *, listener: str | None = None, host: str = "127.0.0.1"
    ) -> MemoryClient:
        """A connection without a socket, in the caller's thread: only for a broker that was booted, not started.

        `node_id` None: the first broker. `listener`: the name of one of its listeners; None: the first. `host`: the
        client's address.
        """
        if self._server is not None:
            raise UsageError("connect() is for boot(): clients of a started broker use bootstrap_servers")
        cluster = self._running.cluster
        broker = cluster.running(min(cluster.brokers) if node_id is None else node_id)
        return MemoryClient(self._running, broker.node_id, listener, host)

    @property
    def requests(self) -> list[Entry]:
        """The last requests with their answers, oldest first."""
        return self._on_loop(lambda: list(self._running.router.journal.entries))

    @property
    def versions_used(self) -> dict[str, list[int]]:
        """The versions in which each API was requested since the start or the last reset: `{"Produce": [7], …}`."""
        found = self._on_loop(lambda: sorted(self._running.router.journal.versions_used))
        return {api_name(key): [v for other, v in found if other is key] for key, _ in found}

    def summary(self) -> str:
        """For a person: the topics with their end offsets, and the last requests with their errors."""
        return self._on_loop(lambda: summary(self._running.cluster, tuple(self._running.router.journal.entries)))

    @property
    def failures(self) -> Sequence[BaseException]:
        """Exceptions that escaped inside the broker: each is a defect of fakekafka."""
        return () if self._cluster is None else tuple(self._cluster.failures)

    # ---- Ticking: a manual clock moves

    def next_deadline_ms(self) -> int | None:
        """When something is due next on the broker's clock."""
        return self._run(self._running.next_deadline_ms)

    def tick(self) -> None:
        """Run what is due."""
        self._run(self._running.tick)

    # ---- inside

    @property
    def _running(self) -> Core:
        if self._core is None:
            raise UsageError("not started: use `with FakeKafka(...)`, or start()")
        return self._core

    def _on_loop(self, work: Callable[[], T]) -> T:
        """Run `work`, which may change the state, on the thread that owns it."""

        def run() -> T:
            self._running.cluster.timers.wake_up()
            return work()

        return self._run(run)

    def _run(self, work: Callable[[], T]) -> T:
        return (self._server or MemoryServer(self._running)).call(work)

    def _topic(self, name: TopicName) -> Topic:
        return found_topic(self._running.cluster, name)

    def _listen(self, server: TcpServer, broker: Broker, place: int) -> None:
        """Bind every listener of a broker: on the ports of its properties, if these name several listeners."""
        several, bound = len(broker.listeners) > 1, {}
        for n, listener in enumerate(broker.listeners):
            host = (several and listener.host) or self._host
            known = self._bound.get((broker.node_id, listener.name), self._ports[place] if not n else 0)
            tls = self._encryption(broker, listener) if listener.is_encrypted else None
            port = server.listen(broker.node_id, host, known or (listener.port if several else 0), listener.name, tls)
            self._bound[broker.node_id, listener.name] = port
            bound[listener.name] = host, port
        self._ports[place] = self._bound[broker.node_id, broker.listeners[0].name]
        if several:
            broker.listen_on_several(bound)
        else:
            broker.listen_on(self._host, self._ports[place])

    def _encryption(self, broker: Broker, listener: "Listener") -> "Encryption":
        """How a listener speaks TLS: with the certificates of its properties, or with our own."""
        from fakekafka.security.tls import encryption

        own = None if self._tls is None else self._tls.server_context
        return encryption(broker.config.shown, broker.config.static.get, listener.name, own)

    def _set_addresses(self) -> None:
        for port, (_, broker) in zip(self._ports, sorted(self._running.cluster.brokers.items()), strict=True):
            broker.listen_on(self._host, port)
