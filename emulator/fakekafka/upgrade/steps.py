"""An upgrade as an object: the steps between phases, each of which can be applied and rolled back.

    for step in kafka.upgrade(to="2.3"):
        step.apply()

A step does what an operator does: it stops each broker and starts it as the next phase says, on the same files and the
same port, one after the other, or raises levels of features while the cluster runs. A step in which clients are
upgraded does nothing here; `old_clients` says which clients it waits for. Steps may be skipped, as the operator of a
single broker may skip them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from fakekafka.admin.feature_updates import FeatureUpdate, UpgradeType, check_updates, finalize
from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import UsageError
from fakekafka.releases.features import KRAFT_VERSION
from fakekafka.releases.message_formats import FIRST_FETCH_OF_FORMAT
from fakekafka.releases.phases import NO_WAY_BACK, Phase, recipe
from fakekafka.releases.release import Release
from fakekafka.storage.conversion_bill import Conversion
from fakekafka.upgrade.leftovers import Leftover, leftovers

T = TypeVar("T")


class Upgradable(Protocol):
    """The cluster that is upgraded."""

    @property
    def current_phase(self) -> Phase:
        """The phase that the cluster is in."""

    def enter(self, phase: Phase) -> None:
        """Restart the cluster as `phase` says. Raises `BrokerWillNotStart`."""

    def stay(self, phase: Phase) -> None:
        """Record, without a restart, that the cluster is in `phase`."""

    def on_cluster(self, work: Callable[[Cluster], T]) -> T:
        """Run `work` on the thread that owns the state."""

    def conversions(self) -> list[Conversion]: ...


class OldClient(NamedTuple):
    """A client that reads with a version that cannot carry a format."""

    client_id: str
    fetch_version: int


class Step:
    """One step of an upgrade, from the phase `before` to the phase `after`."""

    def __init__(self, cluster: Upgradable, before: Phase, after: Phase) -> None:
        self._cluster = cluster
        self.before = before
        self.after = after

    @property
    def name(self) -> str:
        """The name of the phase that it leads to."""
        return self.after.name

    def __repr__(self) -> str:
        return f"<Step {self.before.release} -> {self.after.release}: {self.name}>"

    def apply(self) -> None:
        """Enter the phase `after`, whatever phase the cluster is in.

        Raises `BrokerWillNotStart`; the cluster is then stopped, and another step may start it again. Raises
        `UsageError` with the controller's words if it refuses new levels of features.
        """
        self._go(self.after, UpgradeType.UPGRADE)

    def rollback(self) -> list[Leftover]:
        """Go back to the phase `before`, as far as an operator can. Returns what is left behind all the same.

        Raises `UsageError` if there is no way back, or another step was applied last; `BrokerWillNotStart` if the old
        release does not start on what the new one has written.
        """
        if self._cluster.current_phase != self.after:
            raise UsageError(f"the cluster is not in {self.name!r}: only the last step can be rolled back")
        if self.after.final:
            raise UsageError(NO_WAY_BACK)
        left = self.left_behind()
        self._go(self.before, UpgradeType.SAFE_DOWNGRADE)
        return left

    def left_behind(self) -> list[Leftover]:
        """What a rollback would leave behind now: data that the phase `before`, or its clients, cannot read."""
        return self._cluster.on_cluster(lambda cluster: leftovers(cluster, self.before))

    def old_clients(self) -> list[OldClient]:
        """The clients that have read, since the cluster's last start, with versions that cannot carry the format after
        this step.

        An operator raises the format when no such client is left.
        """
        newest = self.after.magic if self.after.awaited is None else self.after.awaited
        first = FIRST_FETCH_OF_FORMAT[newest]
        fetches = [c for c in self._cluster.conversions() if c.api == "Fetch"]
        return sorted({OldClient(c.client_id, c.version) for c in fetches if c.version < first})

    def _go(self, phase: Phase, kind: UpgradeType) -> None:
        now = self._cluster.current_phase
        if now._replace(features={}).is_like(phase._replace(features={})):
            self._cluster.on_cluster(lambda cluster: _change_features(cluster, phase.features, kind))
            self._cluster.stay(phase)
        else:
            self._cluster.enter(phase)


class Upgrade:
    """The steps of an upgrade, in order and by name."""

    def __init__(self, cluster: Upgradable, phases: Sequence[Phase]) -> None:
        self.phases = list(phases)
        """The phases: before the first step, and after each."""
        self._steps = [Step(cluster, before, after) for before, after in pairwise(phases)]

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, which: int | str) -> Step:
        """A step by its number, from 0, or its name. Raises `UsageError`, with all names, if there is no such step."""
        if isinstance(which, int):
            return self._steps[which]
        for step in self._steps:
            if step.name == which:
                return step
        names = "', '".join(step.name for step in self)
        raise UsageError(f"no step {which!r}; there are '{names}'")


def upgrade(cluster: Upgradable, start: str | None, to: str | None, via: Sequence[str]) -> Upgrade:
    """The steps from the current phase of `cluster` to release `to`. Raises `UsageError`."""
    if to is None:
        raise UsageError("name the release to upgrade to: upgrade(to='2.3')")
    now = cluster.current_phase
    if start is not None and Release.parse(start) != now.release:
        raise UsageError(
            f"the cluster is {now.release}, not {start}: leave the start out, or restart the cluster as {start} first"
        )
    return Upgrade(cluster, recipe(now, to, via))


def upgrade_along(cluster: Upgradable, phases: Sequence[Phase], now: Phase) -> Upgrade:
    """The steps between `phases`, for a cluster that is in `now`. Raises `UsageError` if it is not."""
    if not cluster.current_phase.is_like(now):
        raise UsageError(f"the cluster is {cluster.current_phase}, not in {now.name!r}")
    cluster.stay(now)
    return Upgrade(cluster, phases)


def _change_features(cluster: Cluster, levels: Mapping[str, int], kind: UpgradeType) -> None:
    """Have the controller set levels, all or none; features that are not named are removed."""
    now = cluster.settings.features
    if levels == now:
        return
    controller = cluster.brokers[cluster.controller_id]
    wanted = {**dict.fromkeys(now.keys() - {KRAFT_VERSION}, 0), **levels}  # a quorum does not go back
    updates = [FeatureUpdate(name, level, kind) for name, level in wanted.items() if level != now.get(name, 0)]
    for refused in filter(None, check_updates(controller, updates)):
        raise UsageError(f"the controller refuses: {refused}") from refused
    for update in updates:
        finalize(controller, update)
