"""FakeKafka: a Kafka cluster of any release, in this process.

The object is a handle; the cluster's life is `runtime/`, and what the constructor takes is `settings/options.py`. The
state lives in `Cluster` and `Broker` values that one thread owns; every method runs its work on that thread and waits.

This class has the life of the cluster and its properties. What a test can do with a running one is in `handle/`, in
sections by subject. They are the base classes, so that `help(FakeKafka)` shows them all.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self, Unpack

from fakekafka.clock import Clock
from fakekafka.handle.brokers import Brokers
from fakekafka.handle.client_metrics import ClientMetrics
from fakekafka.handle.clients import Clients
from fakekafka.handle.groups import Groups
from fakekafka.handle.observation import Observation
from fakekafka.handle.records import Records
from fakekafka.handle.topics import Topics
from fakekafka.handle.waiting import Waiting
from fakekafka.releases.release import Release
from fakekafka.runtime.assembly import what_lies_in
from fakekafka.runtime.runtime import Life, Runtime
from fakekafka.settings.blueprint import keeper
from fakekafka.settings.options import KeywordOptions, Options
from fakekafka.storage.log_manager import Unsynced

if TYPE_CHECKING:
    from fakekafka.drafts.kip_984.handle import Plugins
    from fakekafka.faults.faults import Faults
    from fakekafka.releases.phases import Phase
    from fakekafka.texts.explanation import Difference
    from fakekafka.upgrade.phase_keeper import PhaseKeeper
    from fakekafka.upgrade.steps import Upgrade


class FakeKafka(Clients, Brokers, Topics, Records, Groups, Observation, ClientMetrics, Waiting):
    """A cluster of one release, or with `BrokerSettings` for each broker.

    `release`: "0.8.0" … "4.3", or a patch release such as "0.10.2.2". `options`: see `Options`; the most used are
    `topics={"orders": 3}`, `config` with broker properties under Kafka's own names, `brokers=3`, and `log_dir`, without
    which everything is kept in memory.

    Raises `UsageError` for impossible options, `BrokerWillNotStart` if the real broker would refuse to start.
    """

    def __init__(self, release: str | None = None, **options: Unpack[KeywordOptions]) -> None:
        self._runtime = Runtime(Options(release=release, **options))
        self._faults: Faults | None = None
        if (plan := options.get("faults")) is not None:
            self.faults.load(plan)

    # ---- starting and stopping

    def start(self) -> Self:
        """Start serving. Returns itself. Raises `UsageError` if the cluster runs already, `BrokerWillNotStart` as the
        class does.
        """
        self._runtime.start()
        return self

    def boot(self) -> Self:
        """Start the brokers without sockets: reachable through `connect` only. Returns itself."""
        self._runtime.boot()
        return self

    def stop(self, *, crash: bool = False, unsynced: Unsynced = "kept") -> None:
        """Stop serving and close everything. `crash`: whether to stop as if killed. Stopping again does nothing.
        `unsynced`: what happens in a crash to bytes that were never flushed: "kept" as when only the broker dies,
        "lost", or "some" of them, at random.
        """
        self._runtime.stop(crash=crash, unsynced=unsynced)

    def restart(
        self,
        release: str | None = None,
        config: Mapping[str, object] | None = None,
        crash: bool = False,
        unsynced: Unsynced = "kept",
        empty: bool = False,
    ) -> Self:
        """Stop (if running) and start again on the same port, unless properties in `config` name another, with the same
        data, possibly as another release.

        `config` replaces the broker properties; None keeps them. Both apply to all brokers, whatever they were before.
        `crash` and `unsynced`: as in `stop`. `empty`: delete all data first, as for a new cluster. Raises
        `BrokerWillNotStart` where a broker of that release would not start on these files, and `UsageError` for an
        impossible release or property.
        """
        self._runtime.restart(release, config, crash, unsynced, empty)
        return self

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
        drafts: Sequence[str] | None = None,
        max_memory: int | None = None,
    ) -> Self:
        """A broker on a copy, in memory, of what `directory` holds: files of `save`, of a `log_dir`, or of a real
        broker.

        The directory stays as it is. `release` None: the one that wrote it, if fakekafka did, otherwise the newest. The
        broker runs under ZooKeeper or in KRaft mode as the writer did, if it can. `drafts` None: the writer's.
        `max_memory`: as for the constructor. The broker is not started yet.
        """
        contents = what_lies_in(Path(directory))
        release = release or contents.release
        config = {**keeper(Release.parse(release), contents.mode, config), **(config or {})}
        drafts = contents.drafts if drafts is None else drafts
        kafka = cls(
            release,
            config=config,
            brokers=contents.brokers,
            clock=clock,
            host=host,
            port=port,
            drafts=drafts,
            max_memory=max_memory,
        )
        kafka._runtime.source = Path(directory)
        return kafka

    def save(self, directory: str | Path) -> None:
        """Copy all files into an empty `directory`: what `log_dir` would hold now. Raises `UsageError` if it is not
        empty.

        While the broker runs, the files are those that a kill would leave, which the next start recovers; stop it
        first for the files of a clean stop.
        """
        self._runtime.save(directory)

    def restore(self, directory: str | Path) -> None:
        """Become what `directory` holds, in place: on the same ports, with the release and the brokers that wrote it.

        `directory`: as for `load`; it stays as it is. For clusters in memory. Raises `UsageError` for one with a
        `log_dir`, and for a directory with another number of brokers or of another mode; in that case, the cluster
        stays as it was.
        """
        self._runtime.restore(Path(directory))

    def reset(self) -> None:
        """Empty the broker, on the same port: no topics, no groups. Clients may stay connected. All brokers of a
        cluster run again, with the options of the constructor, or of a later `restart`.
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
        """Whether the cluster serves: between start and stop."""
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

    def explain(self) -> "list[Difference]":
        """All ways in which this broker differs from a real one of its release, and why."""
        from fakekafka.texts.explanation import differences  # only needed once asked for, like those below

        return differences(self._runtime.blueprint)

    @cached_property
    def _phases(self) -> "PhaseKeeper":
        from fakekafka.upgrade.phase_keeper import PhaseKeeper

        return PhaseKeeper(self._runtime, self._runtime.begins)

    @property
    def phase(self) -> "Phase":
        """The phase of an upgrade: release, inter-broker protocol, message format, feature levels."""
        return self._phases.current_phase

    def upgrade(self, start: str | None = None, to: str | None = None, *, via: Sequence[str] = ()) -> "Upgrade":
        """The steps of the documented way to release `to`, in order; each can be applied and rolled back.

        `start`: the cluster's present release; optional, checked if given. `via`: where to stop on the way, see
        `releases.phases.recipe`. Nothing is done yet. Raises `UsageError` if there is no such upgrade path.
        """
        from fakekafka.upgrade.steps import upgrade

        return upgrade(self._phases, start, to, via)

    def upgrade_along(self, phases: "Sequence[Phase]", now: "Phase") -> "Upgrade":
        """The steps of an upgrade that was begun earlier, between known phases. `now`: the cluster's present phase.

        Nothing is done yet. Raises `UsageError` if the cluster does not match that phase.
        """
        from fakekafka.upgrade.steps import upgrade_along

        return upgrade_along(self._phases, phases, now)

    # ---- looking inside

    @property
    def plugins(self) -> "Plugins":
        """The compression plug-ins of the draft KIP-984; see `Plugins`. Raises `UsageError` without that draft."""
        from fakekafka.drafts.kip_984.handle import Plugins, installation_of

        return Plugins(installation_of(self._running.cluster), self._on_loop)

    @property
    def faults(self) -> "Faults":
        """Rules that make Kafka fail: refuse, lose, delay, hold or change requests and answers; see `Faults`."""
        if self._faults is None:
            from fakekafka.runtime.event_stage import faults_of

            self._faults = faults_of(self._runtime)
        return self._faults

    @property
    def clock(self) -> Clock:
        """The clock that the brokers run on."""
        return self._runtime.clock
