"""The life of a cluster: planned, booted or serving, stopped, and started again.

The state lives in `Cluster` and `Broker` values that one thread owns: the server's while the cluster serves, else the
caller's. `Runtime.call` runs work on that thread; everything here that changes brokers goes through it.
"""

import os
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

from fakekafka import broker_changes
from fakekafka.addresses import Addresses
from fakekafka.admin import direct
from fakekafka.assembly import Storage, boot, file_keeper, formed_with, plan_cluster, save_all
from fakekafka.blueprint import Blueprint, mode_of, warn_of_ignored
from fakekafka.broker_settings import each
from fakekafka.clock import Clock, SystemClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.cluster_file import ClusterFile
from fakekafka.cluster.cluster_of import OffsetsLog
from fakekafka.errors import FakeKafkaError, UsageError
from fakekafka.ids import BrokerId
from fakekafka.options import Options
from fakekafka.releases.release import Release
from fakekafka.security_settings import security_settings
from fakekafka.server.core import Core
from fakekafka.server.memory import MemoryServer
from fakekafka.server.router import Rules
from fakekafka.server.tcp import TcpServer
from fakekafka.storage.log_manager import Unsynced
from fakekafka.unknown_configs import check
from fakekafka.upgrade.phase_keeper import Beginning, begin

if TYPE_CHECKING:
    from fakekafka.tls import Tls

T = TypeVar("T")


class Life(Enum):
    """Where a cluster is in its life."""

    PLANNED = "never started"
    BOOTED = "its brokers run, without sockets"
    SERVING = "its brokers run, and clients may connect"
    STOPPED = "its brokers are stopped; what they stored is kept"


class Runtime:
    """One cluster. Raises `UsageError` for options that cannot be, `BrokerWillNotStart` for refused ones."""

    def __init__(self, options: Options) -> None:
        if options.offsets_log not in get_args(OffsetsLog):
            raise UsageError(f"offsets_log: one of {', '.join(get_args(OffsetsLog))}")
        check(options.unknown_configs)
        self.begins = begin(options.phase, options.release, options.config or {})
        self._options = options
        self.tls = _certificates(options)
        """The certificates of a cluster whose options ask for TLS."""
        self.security = security_settings(
            options.users, options.sasl, options.acls, options.authorizer, encrypted=self.tls is not None
        )
        self.blueprint = _blueprint(options, self.begins, self._secured(self.begins.release, self.begins.config))
        warn_of_ignored(self.blueprint)
        self.clock: Clock = options.clock or SystemClock()
        self.life = Life.PLANNED
        self.addresses = Addresses(options.host, options.port, self.blueprint.brokers, self.tls)
        self.cluster: Cluster | None = None
        """None before the first start."""
        self.storage: Storage | None = None
        self.source: Path | None = None
        """A directory to read into memory at the first start."""
        self._rules: Rules | None = None
        self._file: ClusterFile | None = None
        self._core: Core | None = None
        self._server: TcpServer | MemoryServer | None = None
        self._disk_has_failed = False
        self._process = os.getpid()
        self._starts_as = Life.SERVING  # as it was the last time

    def _secured(self, release: str, config: Mapping[str, object]) -> dict[str, object]:
        """Properties, under which stand those that the options about security come to."""
        parsed = Release.parse(release)
        return {**self.security.properties(parsed, mode_of(parsed, config)), **config}

    # ---- starting and stopping

    def start(self) -> None:
        """Start serving."""
        self._boot(patience=SystemClock())
        server = TcpServer(self.core)
        try:
            for n, (_, broker) in enumerate(sorted(self.core.cluster.brokers.items())):
                self.addresses.listen(server, broker, n)
        except UsageError:
            server.stop()
            self.stop()
            raise
        self._server = server
        self.life = self._starts_as = Life.SERVING
        server.start()

    def boot(self) -> None:
        """Start the brokers without sockets."""
        self._boot(patience=None)
        self._starts_as = Life.BOOTED

    def _boot(self, patience: Clock | None) -> None:
        self._check_process()
        if self.is_running:
            raise UsageError("already started")
        if self.cluster is None or self.storage is None:
            self.cluster, self.storage = plan_cluster(self.blueprint, self.clock, self.source)
            self.blueprint = self.blueprint.numbered(list(self.storage.directories))
            self.cluster.offsets_log = self._options.offsets_log
            self.cluster.partition_limit = self._options.partition_limit
            self.security.apply(self.cluster)
        boot(self.cluster, self.blueprint, self.storage)
        self._file = file_keeper(self.cluster, self.blueprint, self.storage)
        if self._file is not None:
            self._file.keep_up_to_date()
        self._core = Core(self.cluster, self._die, patience)
        self._core.router.rules = self._rules
        self._server = MemoryServer(self._core)
        self.life = Life.BOOTED
        self._core.run(lambda: None)  # followers fetch what they lack
        self.clock.attach(self)
        try:
            for n, (_, broker) in enumerate(sorted(self.core.cluster.brokers.items())):
                self.addresses.tell(broker, n)
            self.security.set_up(self.core.cluster)
            self._create_topics()
        except FakeKafkaError:
            self.stop()
            raise

    def stop(self, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
        """Stop serving and close everything; `crash` and `unsynced` as in `FakeKafka.stop`."""
        if not self.is_running:
            return
        self._check_process()
        self.clock.detach(self)
        server, self._server = self._server, None
        if isinstance(server, TcpServer):
            server.stop()
        cluster, self._core = self.core.cluster, None
        self.life = Life.STOPPED
        for broker in cluster.brokers.values():
            broker.crash(unsynced) if crash else broker.shut_down()
        if self._file is not None:
            with suppress(OSError) if self._disk_has_failed else nullcontext():
                self._file.write(stopped=True)

    def restart(
        self,
        release: str | None = None,
        config: Mapping[str, object] | None = None,
        crash: bool = False,
        unsynced: Unsynced = "kept",
    ) -> None:
        """Stop, if running, and start again as before, with the same data, maybe as another release."""
        if config is not None:
            config = self._secured(str(self.blueprint.release) if release is None else release, config)
        blueprint = self.blueprint.changed(release, config)
        self.stop(crash=crash, unsynced=unsynced)
        self.blueprint = blueprint
        self.start() if self._starts_as is Life.SERVING else self.boot()

    def become(self, release: str, config: Mapping[str, object]) -> None:
        """Become another release or get other properties; several brokers one after the other, while clients run."""
        blueprint = self.blueprint.changed(release, config)
        alone = not self.is_running or self.blueprint.brokers == 1
        if alone or not blueprint.profile.keeps_metadata_as(self.blueprint.profile):
            self.restart(release, config)
            return
        running = self.call(lambda: set(self.core.cluster.brokers))
        for node_id in range(self.blueprint.brokers):
            if node_id in running:
                self.stop_broker(node_id)
            self.start_broker(node_id, release, config)
        self.blueprint = blueprint

    # ---- while it runs

    @property
    def is_running(self) -> bool:
        """Whether its brokers run."""
        return self._core is not None

    @property
    def core(self) -> Core:
        """Raises `UsageError` if the cluster does not run."""
        if self._core is None:
            raise UsageError("not started: use `with FakeKafka(...)`, or start()")
        return self._core

    def call(self, work: Callable[[], T]) -> T:
        """Run `work`, which may change the state, on the thread that owns it."""

        def run() -> T:
            self.core.cluster.timers.wake_up()
            return work()

        return self._run(run)

    def use_rules(self, rules: Rules | None) -> None:
        """Have fault rules asked about every request, also after a restart; None: requests are not looked at."""
        self._rules = rules
        if self._core is not None:
            self._core.router.rules = rules

    def change(self, work: Callable[[], T]) -> T:
        """Run `work` on the thread that owns the state, or here while nobody else can see it."""
        return self.call(work) if self.is_running else work()

    def wake(self, key: Hashable) -> None:
        """Have what waits for `key` go on."""
        if self.is_running:
            self.call(lambda: self.core.cluster.waiters.wake(key))

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until something is so, asked on the thread that owns the state whenever something has happened there.

        Whether it came to that in time. Without sockets nothing happens meanwhile: the answer comes at once.
        """
        if isinstance(self._server, TcpServer):
            return self._server.wait_until(is_so, timeout_s)
        return self.call(is_so)

    def _run(self, work: Callable[[], T]) -> T:
        if self._server is None:
            self.core  # noqa: B018 - raises
        self._check_process()
        assert self._server is not None
        return self._server.call(work)

    def _check_process(self) -> None:
        """A fork copies the object, but neither its thread nor its data: the sockets are still the parent's."""
        if os.getpid() != self._process:
            raise UsageError(
                f"this FakeKafka belongs to process {self._process}, from which this one was forked: start one of your"
                " own here, or connect a client to its bootstrap_servers"
            )

    # ---- Ticking: a manual clock moves

    def next_deadline_ms(self) -> int | None:
        """When something is due next on the broker's clock."""
        return self._run(lambda: self.core.next_deadline_ms())

    def tick(self) -> None:
        """Run what is due."""
        self._run(lambda: self.core.tick())

    # ---- single brokers

    def stop_broker(self, node_id: BrokerId) -> None:
        """Stop one broker cleanly. Raises `UsageError` if it does not run."""
        self.call(lambda: self._leave(node_id, partial(broker_changes.stop_broker, node_id=node_id)))

    def kill_broker(self, node_id: BrokerId, unsynced: Unsynced) -> None:
        """Kill one broker. Raises `UsageError` if it does not run."""
        self.call(lambda: self._kill(node_id, unsynced))

    def start_broker(
        self, node_id: BrokerId, release: str | None = None, config: Mapping[str, object] | None = None
    ) -> None:
        """Start a broker that was stopped or killed. Raises `UsageError` if it runs, and `BrokerWillNotStart`."""
        blueprint = self.blueprint.with_own(node_id, release, config)
        self.call(lambda: self._start_broker(node_id, blueprint))

    def _kill(self, node_id: BrokerId, unsynced: Unsynced) -> None:
        self._leave(node_id, partial(broker_changes.kill_broker, node_id=node_id, unsynced=unsynced))

    def _die(self, node_id: BrokerId, error: OSError) -> None:
        """A broker's disk has failed."""
        self._disk_has_failed = True
        self._kill(node_id, "kept")
        if self._options.on_broker_death is not None:
            self._options.on_broker_death(node_id, error)

    def _leave(self, node_id: BrokerId, change: Callable[[Cluster], None]) -> None:
        core = self.core
        core.cluster.running(node_id)
        core.close_connections_of(node_id)
        if isinstance(self._server, TcpServer):
            self._server.stop_listening(node_id)
        change(core.cluster)

    def _start_broker(self, node_id: BrokerId, blueprint: Blueprint) -> None:
        assert self.storage is not None
        cluster = self.core.cluster
        broker_changes.start_broker(cluster, blueprint, self.storage, node_id)
        self.blueprint = blueprint
        place = sorted(self.storage.directories).index(node_id)
        if isinstance(self._server, TcpServer):
            try:
                self.addresses.listen(self._server, cluster.brokers[node_id], place)
            except UsageError:
                broker_changes.stop_broker(cluster, node_id)
                raise
        else:
            self.addresses.tell(cluster.brokers[node_id], place)

    # ---- what it stores

    def save(self, directory: str | Path) -> None:
        """Copy all files into an empty directory."""
        if self.cluster is None or self.storage is None:
            raise UsageError("there is nothing to save yet: start the broker first")
        copy = partial(save_all, self.cluster, self.blueprint, self.storage, directory, stopped=not self.is_running)
        self.call(copy) if self.is_running else copy()

    def reset(self) -> None:
        """Begin anew, empty, on the same ports: every broker runs again, as at first."""
        self.call(self._reset)

    def _reset(self) -> None:
        cluster = self.core.cluster
        cluster.clear()
        for broker in cluster.brokers.values():
            broker.clear()
        self._restore_brokers()
        self.security.set_up(cluster)
        self._create_topics()
        cluster.waiters.wake_all()
        self.core.router.journal.clear()

    def _restore_brokers(self) -> None:
        assert self.storage is not None
        cluster, now = self.core.cluster, self.blueprint
        first = now._replace(own=now.own_at_first)
        for node_id in tuple(cluster.brokers):
            if now.of_broker(node_id)[:2] != first.of_broker(node_id)[:2]:
                self._leave(node_id, partial(broker_changes.stop_broker, node_id=node_id))
        for node_id in self.storage.directories.keys() - cluster.brokers.keys():
            self.storage.empty(node_id)
            self._start_broker(node_id, first)
        self.blueprint = first

    def _create_topics(self) -> None:
        """The topics of the options, as far as they are not there."""
        cluster = self.core.cluster
        for name, partitions in (self._options.topics or {}).items():
            if name not in cluster.topics:
                self.call(partial(direct.create_topic, cluster, name, partitions, {}))


def _certificates(options: Options) -> "Tls | None":
    if options.tls is True:
        from fakekafka.tls import Tls  # few clusters speak TLS

        return Tls()
    return options.tls or None


def _blueprint(options: Options, begins: Beginning, config: Mapping[str, object]) -> Blueprint:
    settings = each(options.brokers)
    blueprint = Blueprint.of(
        begins.release,
        config,
        len(settings),
        options.log_dir,
        options.api_versions or {},
        begins.features,
        options.quirks,
        options.unknown_configs,
    ).with_each(settings)
    return formed_with(blueprint, options.features) if options.features else blueprint
