"""The life of a cluster: planned, booted or serving, stopped, and started again.

The state lives in `Cluster` and `Broker` values that one thread owns: the server's while the cluster serves, otherwise
the caller's. `Runtime.call` runs work on that thread; everything here that changes brokers goes through it.

Long, since each way in which a cluster changes is one method here, and they share its state.
"""

import os
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from fakekafka.clock import Clock, SystemClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import FakeKafkaError, UsageError
from fakekafka.ids import BrokerId
from fakekafka.releases.release import NEWEST, Release
from fakekafka.runtime import assembly
from fakekafka.runtime.addresses import Addresses
from fakekafka.runtime.assembly import (
    Storage,
    blueprint_of,
    boot,
    check_source,
    file_keeper,
    plan_cluster,
    save_all,
)
from fakekafka.server.core import Core
from fakekafka.server.journal import Journal
from fakekafka.server.memory import MemoryServer
from fakekafka.server.router import Rules
from fakekafka.server.tcp import TcpServer, Watcher
from fakekafka.settings.blueprint import Beginning, Blueprint, mode_of, warn_of_ignored
from fakekafka.settings.options import Options, check_options
from fakekafka.settings.security import security_settings
from fakekafka.storage.log_manager import Unsynced

if TYPE_CHECKING:
    from fakekafka.cluster.cluster_file import ClusterFile
    from fakekafka.log.faulty_files import DiskFaults
    from fakekafka.settings.tls import Tls

T = TypeVar("T")


class Life(Enum):
    """Where a cluster is in its life."""

    PLANNED = "never started"
    BOOTED = "its brokers run, without sockets"
    SERVING = "its brokers run, and clients may connect"
    STOPPED = "its brokers are stopped; what they stored is kept"


class NotStarted(UsageError):
    """The cluster must run for what was asked."""

    def __init__(self) -> None:
        super().__init__("not started: use `with FakeKafka(...)`, or start()")


class Attached(Protocol):
    """Something that goes on while the cluster runs, and rests while it does not."""

    def started(self) -> None:
        """Begin: the cluster runs now. Called on the thread that owns its state."""

    def stopped(self) -> None:
        """Rest: the cluster no longer runs."""


class Runtime:
    """One cluster. Raises `UsageError` for impossible options, `BrokerWillNotStart` for refused ones."""

    def __init__(self, options: Options) -> None:
        check_options(options)
        self.begins = _beginning(options)
        self._options = options
        self.tls = _tls(options)
        """The certificates of a cluster whose options ask for TLS."""
        self.security = security_settings(
            options.users,
            options.sasl,
            options.acls,
            options.authorizer,
            options.oauth,
            encrypted=self.tls is not None,
        )
        self.blueprint = blueprint_of(options, self.begins, self._secured(self.begins.release, self.begins.config))
        warn_of_ignored(self.blueprint)
        self.clock: Clock = options.clock or SystemClock()
        self.life = Life.PLANNED
        self.addresses = Addresses(options.host, options.port, self.blueprint.brokers, self.tls)
        self.cluster: Cluster | None = None
        """None before the first start."""
        self._storage: Storage | None = None
        self._unfinished: list[Callable[[], None]] = []  # what the last stop has left to be done
        self.source: Path | None = None
        """A directory to read into memory at the first start."""
        self.attached: list[Attached] = []
        self.disks: list[DiskFaults] = []
        """What may go wrong on the disk of each broker, in the order of their ids; empty: nothing can."""
        if options.faulty_disks:
            self.need_faulty_disks()
        self._rules: Rules | None = None
        self._file: ClusterFile | None = None
        self._core: Core | None = None
        self._server: TcpServer | MemoryServer | None = None
        self._disk_has_failed = False
        self._process = os.getpid()
        self._starts_as = Life.SERVING  # what it was the last time

    def _secured(self, release: str, config: Mapping[str, object]) -> Mapping[str, object]:
        """The given properties, which take precedence over those that the options about security imply."""
        if self.security.is_plain:
            return config
        parsed = Release.parse(release)
        return {**self.security.properties(parsed, mode_of(parsed, config)), **config}

    def _following(self, release: str | None, config: Mapping[str, object] | None) -> Mapping[str, object] | None:
        """The properties for another release: the options about security imply other properties there."""
        if release is None and config is None:
            return None
        own, security = self.blueprint, self.security
        implied = security.properties(own.release, own.profile.mode)
        said = own.config if config is None else config
        kept = {name: value for name, value in said.items() if implied.get(name) != value}
        return self._secured(str(own.release) if release is None else release, kept) if implied else config

    # ---- starting and stopping

    def start(self) -> None:
        """Start serving."""
        self._boot(serves=True)
        server = TcpServer(self.core)
        try:
            for n, (_, broker) in enumerate(sorted(self.core.cluster.brokers.items())):
                self.addresses.listen(server, broker, n)
        except FakeKafkaError:
            server.stop()
            self.stop()
            raise
        self._server = server
        self.life = self._starts_as = Life.SERVING
        server.start()
        self._tell_attached()

    def boot(self) -> None:
        """Start the brokers without sockets."""
        self._boot(serves=False)
        self._starts_as = Life.BOOTED
        self._tell_attached()

    def _tell_attached(self) -> None:
        for each in self.attached:
            self.call(each.started)

    def _boot(self, *, serves: bool) -> None:
        """Start the brokers. `serves`: whether they are about to get sockets, and so their addresses."""
        self._check_process()
        if self.is_running:
            raise UsageError("already started")
        is_first = self.cluster is None
        if self.cluster is None or self.storage is None:
            self.cluster, self._storage = plan_cluster(
                self.blueprint, self.clock, self.source, self.disks, self._options.max_memory
            )
            self.blueprint = self.blueprint.numbered(list(self._storage.directories))
            self.cluster.partition_limit = self._options.partition_limit
            self.security.apply(self.cluster)
        if not is_first:
            self._take_time(self.cluster)
            self.cluster.mutations = None
        assert self._storage is not None
        boot(self.cluster, self.blueprint, self._storage)
        self._file = file_keeper(self.cluster, self.blueprint, self._storage)
        if self._file is not None:
            self._file.keep_up_to_date()
        journal = Journal(self._options.journal, self._options.journal_bytes)
        self._core = Core(self.cluster, self._die, SystemClock() if serves else None, journal)
        self._core.router.rules = self._rules
        self._server = MemoryServer(self._core)
        self.life = Life.BOOTED
        self._core.run(lambda: None)  # followers fetch what they lack
        self.clock.attach(self)
        try:
            if not serves:
                for n, (_, broker) in enumerate(sorted(self.core.cluster.brokers.items())):
                    self.addresses.tell(broker, n)
            self.security.set_up(self.core.cluster)
            if self._options.topics:
                self.call(self._create_topics)
        except FakeKafkaError:
            self.stop()
            raise
        if is_first:
            self._take_time(self.cluster)

    def _take_time(self, cluster: Cluster) -> None:
        """Let things take time from now on, if that was asked for: the first start is instant, later ones are not."""
        if self.blueprint.pace == "lifelike":
            from fakekafka.cluster.news import News  # most clusters are instant
            from fakekafka.pace.lifelike import Lifelike

            cluster.pace = Lifelike(cluster.timers, f"{cluster.id} {cluster.broker_epochs_given}")
            cluster.news = News(cluster, cluster.pace)

    def stop(self, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
        """Stop serving and close everything; `crash` and `unsynced` as in `FakeKafka.stop`."""
        if not self.is_running:
            return
        self._check_process()
        for each in self.attached:
            self.call(each.stopped)
        self.clock.detach(self)
        server, self._server = self._server, None
        if isinstance(server, TcpServer):
            server.stop()
        cluster, self._core = self.core.cluster, None
        self.life = Life.STOPPED
        cluster.hurry()
        brokers, now = cluster.brokers.values(), cluster.clock.now_ms
        for broker in brokers:
            self._disk_has_failed |= broker.log_dirs.online != broker.log_dirs.all
            self._unfinished.append(partial(broker.crash, unsynced) if crash else partial(broker.shut_down, now))
        in_memory = self._options.max_memory is None and all(broker.log_dirs.in_memory for broker in brokers)
        if crash or not in_memory:
            self._finish()
        if self._file is not None:
            with suppress(OSError) if self._disk_has_failed else nullcontext():
                self._file.write(stopped=True)

    def _finish(self) -> None:
        """Do what the last stop has left to be done."""
        unfinished, self._unfinished = self._unfinished, []
        for action in unfinished:
            action()

    @property
    def storage(self) -> Storage | None:
        """The brokers' files; None before the first start. In memory a clean stop writes its last files when somebody
        asks for them: most tests stop a cluster and never do.
        """
        self._finish()
        return self._storage

    def restart(
        self,
        release: str | None = None,
        config: Mapping[str, object] | None = None,
        crash: bool = False,
        unsynced: Unsynced = "kept",
        empty: bool = False,
    ) -> None:
        """Stop, if running, and start again as before, with the same data or `empty`, maybe as another release."""
        blueprint = self.blueprint.changed(release, self._following(release, config))
        self.stop(crash=crash, unsynced=unsynced)
        self.blueprint = blueprint
        if empty and self.storage is not None:
            for node_id in self.storage.directories:
                self.storage.empty(node_id)
            self.cluster = self._storage = None
        self.start() if self._starts_as is Life.SERVING else self.boot()

    def become(self, release: str, config: Mapping[str, object]) -> None:
        """Become another release or get other properties; several brokers one after the other, while clients run."""
        blueprint = self.blueprint.changed(release, self._following(release, config))
        alone = not self.is_running or self.blueprint.brokers == 1
        migrates = not blueprint.profile.keeps_metadata_as(self.blueprint.profile)
        if self.cluster is not None:
            self.cluster.is_migrating = self.cluster.is_migrating or migrates
        if alone or migrates:
            self.restart(release, config)
            return
        running = self.call(lambda: set(self.core.cluster.brokers))
        for node_id in range(self.blueprint.brokers):
            if node_id in running:
                self.stop_broker(node_id)
            self.start_broker(node_id, release, config)
        self.blueprint = blueprint

    def need_faulty_disks(self) -> None:
        """Give brokers disks that can fail. Raises `UsageError` if the brokers have others already."""
        if self.disks:
            return
        if self.cluster is not None:
            raise UsageError("the brokers' disks cannot fail: start them with FakeKafka(faulty_disks=True)")
        from fakekafka.log.faulty_files import DiskFaults

        self.disks = [DiskFaults() for _ in range(self.blueprint.brokers)]

    # ---- while it runs

    @property
    def is_running(self) -> bool:
        """Whether the brokers run."""
        return self._core is not None

    @property
    def core(self) -> Core:
        """The running cluster. Raises `UsageError` if the cluster does not run."""
        if self._core is None:
            raise NotStarted
        return self._core

    def call(self, work: Callable[[], T]) -> T:
        """Run `work`, which may change the state, on the thread that owns it."""

        def run() -> T:
            self.core.cluster.timers.wake_up()
            return work()

        return self._run(run)

    def use_rules(self, rules: Rules | None) -> None:
        """Have fault rules asked about every request, also after a restart; None: no rules."""
        self._rules = rules
        if self._core is not None:
            self._core.router.rules = rules

    @property
    def tcp(self) -> TcpServer:
        """The sockets. Raises `UsageError` if there are none."""
        if not isinstance(self._server, TcpServer):
            raise UsageError("this needs sockets: start() the broker instead of boot()")
        return self._server

    def change(self, work: Callable[[], T]) -> T:
        """Run `work` on the thread that owns the state, or here while nobody else can see it."""
        return self.call(work) if self.is_running else work()

    def wake(self, key: Hashable) -> None:
        """Wake what waits for `key`."""
        if self.is_running:
            self.call(lambda: self.core.cluster.waiters.wake(key))

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until a condition is met, checked on the thread that owns the state whenever something has happened
        there. Returns whether it was met in time. Without sockets nothing happens meanwhile: it returns at once.
        """
        if not self.is_running:
            raise NotStarted
        self._check_process()
        if isinstance(self._server, TcpServer):
            return self._server.wait_until(is_so, timeout_s)
        return self.call(is_so)

    def watch_for(self, is_so: Callable[[], bool], tell: Callable[[], None]) -> Watcher:
        """Have `tell` called as soon as a condition is met, on the thread that owns the state; see `wait_until`."""
        self._check_process()
        if isinstance(self._server, TcpServer):
            return self._server.watch_for(is_so, tell)
        watcher = Watcher(is_so, tell)
        self.call(watcher.ask)
        tell()
        return watcher

    @property
    def clock_is_manual(self) -> bool:
        """Whether time stands until the test moves it."""
        return not isinstance(self.clock, SystemClock)

    def _run(self, work: Callable[[], T]) -> T:
        if self._server is None:
            raise NotStarted
        self._check_process()
        return self._server.call(work)

    def _check_process(self) -> None:
        """Refuse to work in a fork, which copies the object, but not its thread: the sockets are still the parent's."""
        if os.getpid() != self._process:
            raise UsageError(
                f"this FakeKafka belongs to process {self._process}, from which this one was forked: start one of your"
                " own here, or connect a client to its bootstrap_servers"
            )

    # ---- Ticking: a manual clock moves

    def next_deadline_ms(self) -> int | None:
        """The next deadline on the broker's clock."""
        return self._run(lambda: self.core.next_deadline_ms())

    def tick(self) -> None:
        """Run the timers that are due."""
        self._run(lambda: self.core.tick())

    # ---- single brokers

    def stop_broker(self, node_id: BrokerId) -> None:
        """Stop one broker cleanly. Raises `UsageError` if it does not run."""
        self.call(lambda: self._leave(node_id, partial(assembly.stop_broker, node_id=node_id)))

    def kill_broker(self, node_id: BrokerId, unsynced: Unsynced) -> None:
        """Kill one broker. Raises `UsageError` if it does not run."""
        self.call(lambda: self._kill(node_id, unsynced))

    def start_broker(
        self, node_id: BrokerId, release: str | None = None, config: Mapping[str, object] | None = None
    ) -> None:
        """Start a broker that was stopped or killed. Raises `UsageError` if it runs, and `BrokerWillNotStart`."""
        blueprint = self.blueprint.with_own(node_id, release, self._following(release, config))
        self.call(lambda: self._start_broker(node_id, blueprint))

    def take_down(self, node_id: BrokerId, *, clean: bool, unsynced: Unsynced) -> None:
        """Stop or kill a broker, on the thread that owns the state."""
        if clean:
            self._leave(node_id, partial(assembly.stop_broker, node_id=node_id))
        else:
            self._kill(node_id, unsynced)

    def bring_back(self, node_id: BrokerId) -> None:
        """Start a broker again as it was, unless it runs, on the thread that owns the state."""
        if node_id not in self.core.cluster.brokers:
            self._start_broker(node_id, self.blueprint)

    def _kill(self, node_id: BrokerId, unsynced: Unsynced) -> None:
        self._leave(node_id, partial(assembly.kill_broker, node_id=node_id, unsynced=unsynced))

    def _die(self, node_id: BrokerId, error: OSError) -> None:
        """Kill a broker whose disk has failed."""
        self._disk_has_failed = True
        self._kill(node_id, "kept")
        if self._options.on_broker_death is not None:
            self._options.on_broker_death(node_id, error)

    def _leave(self, node_id: BrokerId, change: Callable[[Cluster], None]) -> None:
        core = self.core
        core.cluster.running(node_id).is_leaving = True
        core.close_connections_of(node_id)
        if isinstance(self._server, TcpServer):
            self._server.stop_listening(node_id)
        change(core.cluster)

    def _start_broker(self, node_id: BrokerId, blueprint: Blueprint) -> None:
        assert self._storage is not None
        cluster = self.core.cluster
        assembly.start_broker(cluster, blueprint, self._storage, node_id)
        self.blueprint = blueprint
        place = sorted(self._storage.directories).index(node_id)
        if isinstance(self._server, TcpServer):
            try:
                self.addresses.listen(self._server, cluster.brokers[node_id], place)
            except UsageError:
                assembly.stop_broker(cluster, node_id)
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

    def restore(self, directory: Path) -> None:
        """Become the cluster in a directory, in memory. Raises `UsageError` if that is impossible."""
        check_source(self.blueprint, directory)
        self.stop()
        self._unfinished.clear()
        self.cluster, self._storage, self.source = None, None, directory
        self.start() if self._starts_as is Life.SERVING else self.boot()

    def reset(self) -> None:
        """Start over, empty, on the same ports: every broker runs again, as at the first start."""
        self.call(self._reset)

    def _reset(self) -> None:
        cluster = self.core.cluster
        cluster.clear()
        for broker in cluster.brokers.values():
            broker.clear()
        self._restore_brokers()
        self.security.set_up(cluster)
        if self._options.topics:
            self._create_topics()
        cluster.waiters.wake_all()
        self.core.router.journal.clear()

    def _restore_brokers(self) -> None:
        assert self._storage is not None
        cluster, now = self.core.cluster, self.blueprint
        first = now._replace(own=now.own_at_first)
        for node_id in tuple(cluster.brokers):
            if now.of_broker(node_id)[:2] != first.of_broker(node_id)[:2]:
                self._leave(node_id, partial(assembly.stop_broker, node_id=node_id))
        for node_id in self._storage.directories.keys() - cluster.brokers.keys():
            self._storage.empty(node_id)
            self._start_broker(node_id, first)
        cluster.has_registrations = True  # those that ran all the time, too
        self.blueprint = first

    def _create_topics(self) -> None:
        """Create the topics in the options that do not exist yet."""
        from fakekafka.admin import direct  # only needed if topics are created

        cluster = self.core.cluster
        for name, partitions in (self._options.topics or {}).items():
            if name not in cluster.topics:
                direct.create_topic(cluster, name, partitions, {})


def _beginning(options: Options) -> Beginning:
    if options.phase is None:
        return Beginning(NEWEST if options.release is None else options.release, options.config or {})
    from fakekafka.upgrade.phase_keeper import begin  # only needed if a phase is named

    return begin(options.phase, options.release, options.config or {})


def _tls(options: Options) -> "Tls | None":
    if options.tls is not True:
        return options.tls or None
    from fakekafka.settings.tls import Tls  # only needed if certificates are asked for

    return Tls()
