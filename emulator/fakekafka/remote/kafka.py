"""`RemoteKafka`: the methods of `FakeKafka` for a cluster in another process."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from fakekafka.clock import A_DAY_MS, run_until
from fakekafka.control import cluster_states, faults, journal, snapshots, upgrades
from fakekafka.control.cluster_states import ClusterState
from fakekafka.emulator import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.ids import DurationMs, TimestampMs
from fakekafka.releases.phases import Phase
from fakekafka.remote.client import Client
from fakekafka.remote.coroutines import RemoteAio
from fakekafka.remote.faults import RemoteFaults
from fakekafka.remote.forwarding import Remote, forwarded
from fakekafka.remote.requests import RemoteRequests
from fakekafka.remote.waiting import RemoteWaits
from fakekafka.server.refused_connection import RefusedConnection
from fakekafka.storage.log_manager import Unsynced
from fakekafka.upgrade.leftovers import Leftover


class RemoteKafka(RemoteWaits):
    """A cluster behind the control API at `url`, "http://127.0.0.1:9099".

    Methods take, return and raise what those of `FakeKafka` do. What this class lacks: `boot` and `connect` (there are
    sockets already), `load` (`restore` does it in place), `tls`, `oauth`, and fault rules that are functions.
    `why_denied` returns sentences, and requests have their fields as attributes of plain objects. As a context
    manager, it leaves the cluster as it is.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        super().__init__(Client(url, token))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The cluster goes on: this process has not started it."""

    def __repr__(self) -> str:
        return f"<RemoteKafka at {self._client.url}>"

    # ---- starting and stopping

    _start = forwarded(cluster_states.start)
    stop = forwarded(cluster_states.stop)
    _restart = forwarded(cluster_states.restart)
    reset = forwarded(FakeKafka.reset)
    _snapshot = forwarded(snapshots.snapshot)
    _restore = forwarded(snapshots.restore)

    def start(self) -> Self:
        """Start the cluster again, after `stop`. Returns itself."""
        self._start()
        return self

    def restart(
        self,
        release: str | None = None,
        config: Mapping[str, object] | None = None,
        crash: bool = False,
        unsynced: Unsynced = "kept",
        empty: bool = False,
    ) -> Self:
        """Stop and start again on the same ports with the same data; see `FakeKafka.restart`."""
        self._restart(release, config, crash, unsynced, empty)
        return self

    def save(self, directory: str | Path) -> None:
        """Copy all files of the cluster into an empty local `directory`. Raises `UsageError` if it is not empty."""
        target = Path(directory)
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise UsageError(f"{directory} is not empty: save into a directory of its own")
        snapshots.unpack(self._snapshot(), target)

    def restore(self, directory: str | Path) -> None:
        """Turn the cluster into the one in a local `directory`; see `FakeKafka.restore`."""
        self._restore(snapshots.packed(Path(directory)))

    # ---- what it is

    _cluster = forwarded(cluster_states.cluster)

    @property
    def _state(self) -> ClusterState:
        return self._cluster()

    @property
    def is_running(self) -> bool:
        """Whether the cluster serves."""
        return self._state.is_running

    @property
    def release(self) -> str:
        """The patch release that is played."""
        return self._state.release

    @property
    def bootstrap_servers(self) -> str:
        """ "host:port" of every broker, separated by commas. Raises `UsageError` while the cluster is not running."""
        state = self._state
        if not state.is_running:
            raise UsageError("not started: start() starts it again")
        return state.bootstrap_servers

    @property
    def host(self) -> str:
        return self.bootstrap_servers.split(",")[0].rpartition(":")[0]

    @property
    def port(self) -> int:
        """The first broker's port."""
        return int(self.bootstrap_servers.split(",")[0].rpartition(":")[2])

    @property
    def phase(self) -> Phase:
        """The phase of an upgrade in which the cluster is."""
        return self._state.phase

    @property
    def versions_used(self) -> dict[str, list[int]]:
        """The versions in which each API was requested since the start or the last reset."""
        return self._state.versions_used

    @property
    def failures(self) -> Sequence[str]:
        """Defects of fakekafka that have shown, as text."""
        return self._state.failures

    client_config = forwarded(FakeKafka.client_config)
    explain = forwarded(FakeKafka.explain)
    summary = forwarded(cluster_states.summary)
    why_denied = forwarded(journal.denials)
    open_listeners = forwarded(FakeKafka.open_listeners)
    still_open = forwarded(FakeKafka.still_open)
    unused_faults = forwarded(faults.unused_faults)
    _refused_connections = forwarded(journal.refused_connections)
    conversions = forwarded(FakeKafka.conversions)
    stored_formats = forwarded(FakeKafka.stored_formats)

    @property
    def refused_connections(self) -> list[RefusedConnection]:
        """The last connections that were turned away, oldest first, each with the reason."""
        return self._refused_connections()

    # ---- brokers

    brokers = forwarded(FakeKafka.brokers)
    stop_broker = forwarded(FakeKafka.stop_broker)
    kill_broker = forwarded(FakeKafka.kill_broker)
    start_broker = forwarded(FakeKafka.start_broker)
    pause_replication = forwarded(FakeKafka.pause_replication)
    resume_replication = forwarded(FakeKafka.resume_replication)
    elect_leader = forwarded(FakeKafka.elect_leader)

    # ---- clients

    set_quotas = forwarded(FakeKafka.set_quotas)
    subscribe_to_metrics = forwarded(FakeKafka.subscribe_to_metrics)
    unsubscribe_from_metrics = forwarded(FakeKafka.unsubscribe_from_metrics)
    pushed_metrics = forwarded(FakeKafka.pushed_metrics)

    # ---- topics and records

    topics = forwarded(FakeKafka.topics)
    describe_topics = forwarded(FakeKafka.describe_topics)
    create_topic = forwarded(FakeKafka.create_topic)
    configure_topic = forwarded(FakeKafka.configure_topic)
    delete_topic = forwarded(FakeKafka.delete_topic)
    compact = forwarded(FakeKafka.compact)
    send = forwarded(FakeKafka.send)
    records = forwarded(FakeKafka.records)
    damage = forwarded(FakeKafka.damage)
    last_records = forwarded(FakeKafka.last_records)

    # ---- groups and transactions

    groups = forwarded(FakeKafka.groups)
    settle = forwarded(FakeKafka.settle)
    evict = forwarded(FakeKafka.evict)
    committed = forwarded(FakeKafka.committed)
    commit_if = forwarded(FakeKafka.commit_if)
    transactions = forwarded(FakeKafka.transactions)

    # ---- requests and faults

    @property
    def requests(self) -> RemoteRequests:
        """The last requests with their answers, oldest first; `where` picks some of them."""
        return RemoteRequests(self._journal, self._journal.picked())

    @property
    def aio(self) -> RemoteAio:
        """The waits as coroutines."""
        return RemoteAio(self)

    @property
    def faults(self) -> RemoteFaults:
        """Rules that make Kafka fail."""
        return RemoteFaults(self._client)

    # ---- time and upgrades

    @property
    def clock(self) -> "RemoteClock":
        """The clock that the brokers run on."""
        return RemoteClock(self._client)

    def upgrade(self, start: str | None = None, to: str | None = None, *, via: Sequence[str] = ()) -> "RemoteUpgrade":
        """The steps of the documented way to release `to`; see `FakeKafka.upgrade`."""
        if to is None:
            raise UsageError("name the release to upgrade to: upgrade(to='2.3')")
        if start is not None and not self.release.startswith(start):
            raise UsageError(f"the cluster is {self.release}, not {start}: leave the start out")
        return RemoteUpgrade(self._client, to, via)


class RemoteClock(Remote):
    """The clock of a cluster in another process. Only a manual one can be moved: `serve --manual-clock`."""

    _clock = forwarded(cluster_states.clock)
    _advance = forwarded(cluster_states.advance_clock)
    _to_next_timer = forwarded(cluster_states.advance_clock_to_timer)
    _set = forwarded(cluster_states.set_clock)

    @property
    def now_ms(self) -> TimestampMs:
        """Wall clock, milliseconds since 1970."""
        return self._clock().now_ms

    @property
    def elapsed_ms(self) -> DurationMs:
        """Milliseconds since some fixed moment."""
        return self._clock().elapsed_ms

    def advance(self, ms: DurationMs) -> None:
        """Let `ms` milliseconds pass; every timer that falls due runs before this returns."""
        self._advance(ms)

    def set(self, now_ms: TimestampMs) -> None:
        """Move to `now_ms`."""
        self._set(now_ms)

    def to_next_timer(self, within_ms: DurationMs) -> None:
        """Let time pass until the next timer falls due, which runs, or `within_ms` if none does before."""
        self._to_next_timer(within_ms)

    def run_until(self, predicate: Callable[[], bool], *, within_ms: DurationMs = A_DAY_MS) -> DurationMs:
        """Let time pass, from one timer to the next, until `predicate()` is true; see `ManualClock.run_until`."""
        return run_until(self, predicate, within_ms)


class RemoteUpgrade(Remote):
    """The steps of an upgrade, in order; they are also found by name."""

    _steps = forwarded(upgrades.upgrade_steps)

    def __init__(self, client: Client, to: str, via: Sequence[str]) -> None:
        super().__init__(client)
        self._to, self._via = to, via
        self.steps = [RemoteStep(client, to, via, step.name) for step in self._steps(to, via)]

    def __iter__(self) -> Any:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, which: int | str) -> "RemoteStep":
        if isinstance(which, int):
            return self.steps[which]
        for step in self.steps:
            if step.name == which:
                return step
        names = "', '".join(step.name for step in self.steps)
        raise UsageError(f"no step {which!r}; there are '{names}'")


class RemoteStep(Remote):
    """One step of an upgrade."""

    _apply = forwarded(upgrades.apply_upgrade_step)
    _rollback = forwarded(upgrades.roll_back_upgrade_step)

    def __init__(self, client: Client, to: str, via: Sequence[str], name: str) -> None:
        super().__init__(client)
        self._to, self._via = to, via
        self.name = name

    def apply(self) -> None:
        """Enter the phase that this step leads to; see `Step.apply`."""
        self._apply(self._to, self.name, self._via)

    def rollback(self) -> list[Leftover]:
        """Roll back, if this step was applied last. Returns what is left behind."""
        return self._rollback()
