"""FakeKafka: a Kafka cluster of any release, in this process.

The object is a handle; the cluster's life is `runtime.py`, and what the constructor takes `options.py`. The state lives
in `Cluster` and `Broker` values that one thread owns; every method here runs its work on that thread and waits for it.

This is the whole list of what a test can do, each method a docstring and a call. What they do is in `broker_changes`,
`stored`, `summary`, `explanation` and `upgrade/`.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self, TypeVar, Unpack

from fakekafka import broker_changes
from fakekafka.admin import direct
from fakekafka.assembly import what_lies_in
from fakekafka.blueprint import keeper
from fakekafka.client_configs import Client, ClientConfig, Login, client_config, login_of
from fakekafka.clock import Clock
from fakekafka.cluster.cluster import compact_topic
from fakekafka.errors import UsageError
from fakekafka.explanation import Difference, differences
from fakekafka.ids import BrokerId, LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.oauth import TokenIssuer
from fakekafka.options import Given, Options
from fakekafka.releases.phases import Phase
from fakekafka.releases.release import Release
from fakekafka.runtime import Life, Runtime
from fakekafka.server.core import Core
from fakekafka.server.journal import Entry
from fakekafka.server.memory import MemoryClient
from fakekafka.state.security_config import asks_nobody
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
from fakekafka.upgrade.phase_keeper import PhaseKeeper
from fakekafka.upgrade.scan import Held, scan
from fakekafka.upgrade.steps import Upgrade, upgrade

if TYPE_CHECKING:
    from fakekafka.faults.faults import Faults
    from fakekafka.security.authorizer import Denial
    from fakekafka.server.refused_connection import RefusedConnection

T = TypeVar("T")


class FakeKafka:
    """A cluster of one release, or of the `BrokerSettings` that each broker is to have.

    `release`: "0.8.0" … "4.3", or a patch release such as "0.10.2.2". `options`: see `Options`; the ones most used are
    `topics={"orders": 3}`, `config` with broker properties under Kafka's own names, `brokers=3`, and `log_dir`, without
    which everything is kept in memory.

    Raises `UsageError` for what cannot be, `BrokerWillNotStart` where the real broker would refuse to start.
    """

    def __init__(self, release: str | None = None, **options: Unpack[Given]) -> None:
        self._runtime = Runtime(Options(release=release, **options))
        self._phases = PhaseKeeper(self._runtime, self._runtime.begins)
        self._faults: Faults | None = None
        if (plan := options.get("faults")) is not None:
            self.faults.load(plan)

    # ---- starting and stopping

    def start(self) -> Self:
        """Start serving. Returns itself."""
        self._runtime.start()
        return self

    def boot(self) -> Self:
        """The brokers without sockets: reachable through `connect` only. Returns itself."""
        self._runtime.boot()
        return self

    def stop(self, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
        """Stop serving and close everything; `crash`: as a killed broker. Stopping twice does nothing.

        `unsynced`: what becomes, in a crash, of bytes that were never flushed: "kept" as when only the broker dies,
        "lost", or "some" of them, by chance.
        """
        self._runtime.stop(crash=crash, unsynced=unsynced)

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
        self._runtime.restart(release, config, crash, unsynced)
        return self

    # ---- single brokers

    def stop_broker(self, node_id: BrokerId) -> None:
        """Stop one broker cleanly; the others go on, and lead what it led. Its port refuses connections.

        The stop of a whole cluster is `stop`. Raises `UsageError` if the broker does not run.
        """
        self._runtime.stop_broker(node_id)

    def kill_broker(self, node_id: BrokerId, *, unsynced: Unsynced = "kept") -> None:
        """Kill one broker; the others notice at once. `unsynced`: as in `stop`. Raises `UsageError` if it does not
        run.
        """
        self._runtime.kill_broker(node_id, unsynced)

    def start_broker(
        self, node_id: BrokerId, release: str | None = None, config: Mapping[str, object] | None = None
    ) -> None:
        """Start a broker that was stopped or killed, on its port and its files, maybe as another release.

        `config` replaces the properties of this broker; None keeps them. Raises `BrokerWillNotStart` where a broker of
        that release would not start on these files, and `UsageError` if it runs.
        """
        self._runtime.start_broker(node_id, release, config)

    def brokers(self) -> dict[BrokerId, str]:
        """The brokers that run, with the release of each."""
        running = self._on_loop(lambda: sorted(self._running.cluster.brokers))
        return {node_id: str(self._runtime.blueprint.of_broker(node_id).release) for node_id in running}

    def pause_replication(self, node_id: BrokerId) -> None:
        """Have a broker fetch nothing from others, until `resume_replication`: it lags, and is out of sync in time."""
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(True))

    def resume_replication(self, node_id: BrokerId) -> None:
        """Have it fetch again."""
        self._on_loop(lambda: self._running.cluster.running(node_id).follower.pause(False))

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
        kafka._runtime.source = Path(directory)
        return kafka

    def save(self, directory: str | Path) -> None:
        """Copy all files into an empty `directory`: what `log_dir` would hold now.

        Of a running broker that is what a kill would leave, and the next start recovers; stop it first for the files of
        a clean stop.
        """
        self._runtime.save(directory)

    def reset(self) -> None:
        """An empty broker on the same port: no topics, no groups. Clients may stay connected.

        Of several brokers, all run again, each as the constructor was told, or `restart` after it.
        """
        self._runtime.reset()

    def __enter__(self) -> Self:
        return self if self._runtime.is_running else self.start()

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
        return self._runtime.life is Life.SERVING

    def __reduce__(self) -> NoReturn:
        raise TypeError("a FakeKafka belongs to one process: give others its bootstrap_servers")

    def __repr__(self) -> str:
        address = f" at {self.bootstrap_servers}" if self.is_running else ""
        return f"<FakeKafka {self.release}{address}>"

    @property
    def release(self) -> str:
        """The patch release that is played: "2.3.1" for "2.3"."""
        return str(self._runtime.blueprint.release)

    @property
    def bootstrap_servers(self) -> str:
        """ "host:port" of every broker, separated by commas. IPv4 literals: nothing is resolved."""
        if not self.is_running:
            raise UsageError("not started: use `with FakeKafka(...)`, or start()")
        return self._runtime.addresses.servers()

    @property
    def host(self) -> str:
        return self._runtime.addresses.host

    @property
    def port(self) -> int:
        """The first broker's port."""
        return self._runtime.addresses.ports[0]

    def client_config(
        self, client: Client, user: str | None = None, *, mechanism: str | None = None, listener: str | None = None
    ) -> ClientConfig:
        """Ready settings for a client library: keyword arguments or properties, as the library takes them.

        `user`: one of `users`, who logs in by `mechanism`; None: the first that the listener has and passwords are for.
        `listener`: the name of the one to connect to; None: the first where that user can log in.
        """
        login = self._login(user, mechanism, listener)
        servers = self.bootstrap_servers if login is None else self._runtime.addresses.servers(login.listener)
        return client_config(client, servers, self._runtime.blueprint.release, login)

    def _login(self, user: str | None, mechanism: str | None, listener: str | None) -> Login | None:
        """How a client connects where that is not plain."""
        broker = min(self._running.cluster.brokers.items())[1]
        ca_file = None if self._runtime.tls is None else str(self._runtime.tls.ca_file)
        issuer, security = self._runtime.security.issuer, self._runtime.security
        issue = None if issuer is None else lambda: (issuer.token(user or ""), issuer.lifetime_s)
        return login_of(broker.listeners, security.users, user, mechanism, listener, ca_file, issue)

    @property
    def tls(self) -> Tls:
        """The certificates of a broker with `tls=True`. Raises `UsageError` if it has none."""
        if self._runtime.tls is None:
            raise UsageError("this broker has no certificates: say FakeKafka(tls=True)")
        return self._runtime.tls

    @property
    def oauth(self) -> TokenIssuer:
        """Who signs the tokens of a broker with `oauth=True`. Raises `UsageError` if it takes no signed ones."""
        issuer = self._runtime.security.issuer
        if issuer is None:
            raise UsageError("this broker takes no signed tokens: say FakeKafka(oauth=True)")
        return issuer

    def why_denied(self) -> "list[Denial]":
        """The last refusals for want of a right, oldest first: with the rule that caused each, and the smallest rule
        that would have allowed it. `str` of one is a sentence.
        """
        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        return [denial for broker in brokers if broker.authorizer is not None for denial in broker.authorizer.denials]

    def explain(self) -> list[Difference]:
        """Everything by which this broker differs from a real one of its release, and why."""
        return differences(self._runtime.blueprint)

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
        if self.is_running:
            raise UsageError("connect() is for boot(): clients of a started broker use bootstrap_servers")
        cluster = self._running.cluster
        broker = cluster.running(min(cluster.brokers) if node_id is None else node_id)
        return MemoryClient(self._running, broker.node_id, listener, host)

    @property
    def requests(self) -> list[Entry]:
        """The last requests with their answers, oldest first."""
        return self._on_loop(lambda: list(self._running.router.journal.entries))

    def open_listeners(self) -> list[str]:
        """The names of the listeners on which clients need neither log in nor have a certificate."""
        brokers = self._on_loop(lambda: list(self._running.cluster.brokers.values()))
        places = [(broker.config, listener) for broker in brokers for listener in broker.listeners]
        return list(dict.fromkeys(listener.name for config, listener in places if asks_nobody(config, listener)))

    @property
    def refused_connections(self) -> "list[RefusedConnection]":
        """The last connections that were turned away, oldest first, each with the reason in words: a TLS handshake or a
        login that failed, a login that took too long, too many connections. `str` of one is a sentence.
        """
        return self._on_loop(lambda: list(self._running.router.journal.refused))

    @property
    def faults(self) -> "Faults":
        """Rules that make Kafka fail: refuse, lose, delay, hold or change requests and answers; see `Faults`."""
        if self._faults is None:
            from fakekafka.faults.book import Book
            from fakekafka.faults.faults import Faults

            runtime = self._runtime
            self._faults = Faults(Book(lambda: self.clock.elapsed_ms, runtime.use_rules), runtime)
        return self._faults

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
        return () if self._runtime.cluster is None else tuple(self._runtime.cluster.failures)

    @property
    def clock(self) -> Clock:
        """The clock that the brokers run on."""
        return self._runtime.clock

    # ---- inside

    @property
    def _running(self) -> Core:
        return self._runtime.core

    def _on_loop(self, work: Callable[[], T]) -> T:
        """Run `work`, which may change the state, on the thread that owns it."""
        return self._runtime.call(work)

    def _topic(self, name: TopicName) -> Topic:
        return found_topic(self._running.cluster, name)
