"""An upgrade as an object: the steps between phases, each of which can be made and taken back.

    for step in kafka.upgrade(to="2.3"):
        step.apply()

A step does what an operator does: it stops the cluster and starts it as the next phase says, on the same files and the
same port, or raises levels of features while the cluster runs. A step between clients does nothing here: it waits for
clients, and `old_clients` says for whom. Steps may be left out; real clusters of one broker can do that, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.administration.feature_updates import FeatureUpdate, UpgradeType, check_update, finalize
from fakekafka.broker.cluster import Cluster
from fakekafka.broker.conversion_bill import Conversion
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey
from fakekafka.releases.message_formats import FIRST_FETCH_OF_FORMAT
from fakekafka.releases.phases import NO_WAY_BACK, Phase
from fakekafka.upgrade.leftovers import Leftover, leftovers

T = TypeVar("T")


class Upgradable(Protocol):
    """The cluster that is upgraded."""

    def current_phase(self) -> Phase:
        """What it is now."""

    def enter(self, phase: Phase) -> None:
        """Start it anew as `phase` says. Raises `BrokerWillNotStart`."""

    def stay(self, phase: Phase) -> None:
        """It is in `phase` already, without a restart."""

    def on_cluster(self, work: Callable[[Cluster], T]) -> T:
        """Run `work` on the thread that owns the state."""

    def conversions(self) -> list[Conversion]: ...


class OldClient(NamedTuple):
    """Somebody who reads with versions that cannot carry a format."""

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
        """Enter the phase `after`, whatever the cluster is now.

        Raises `BrokerWillNotStart`; the cluster is stopped then, and another step may start it again. Raises
        `UsageError` with the controller's words where it refuses new levels of features.
        """
        if self.after.kind == "features" and _runs_alike(self._cluster.current_phase(), self.after):
            self._change_features(self.after.features, UpgradeType.UPGRADE)
        elif _is_alike(self._cluster.current_phase(), self.after):
            self._cluster.stay(self.after)
        else:
            self._cluster.enter(self.after)

    def rollback(self) -> list[Leftover]:
        """Go back to the phase `before`, as far as an operator can; what stays behind all the same.

        Raises `UsageError` where there is no way back, or the step is not the one that was made last;
        `BrokerWillNotStart` where the old release does not start on what the new one has written.
        """
        if self._cluster.current_phase() != self.after:
            raise UsageError(f"{self.name!r} is not where the cluster is: only the last step can be taken back")
        if self.after.final:
            raise UsageError(NO_WAY_BACK)
        left = self.left_behind()
        if self.after.kind == "features":
            self._change_features(self.before.features, UpgradeType.SAFE_DOWNGRADE)
            self._cluster.stay(self.before)
        elif _is_alike(self.before, self.after):
            self._cluster.stay(self.before)
        else:
            self._cluster.enter(self.before)
        return left

    def left_behind(self) -> list[Leftover]:
        """What a rollback would leave behind now: data that the phase `before` cannot read, or gives to who cannot."""
        return self._cluster.on_cluster(lambda cluster: leftovers(cluster, self.before))

    def old_clients(self) -> list[OldClient]:
        """Who has read in this phase, since its start, and would have to be converted for, or fail, after the step.

        An operator waits until there is nobody before the format is raised.
        """
        newest = FIRST_FETCH_OF_FORMAT.get(_format_to_come(self.after), 0)
        found = [c for c in self._cluster.conversions() if c.api == "Fetch" and c.version < newest]
        return sorted({OldClient(c.client_id, c.version) for c in found})

    def _change_features(self, levels: Mapping[str, int], kind: UpgradeType) -> None:
        self._cluster.on_cluster(lambda cluster: _change_features(cluster, levels, kind))
        self._cluster.stay(self.after)


class Upgrade:
    """The steps of an upgrade, in order; also by name."""

    def __init__(self, cluster: Upgradable, phases: Sequence[Phase]) -> None:
        self.phases = list(phases)
        self._steps = [Step(cluster, before, after) for before, after in zip(phases, phases[1:])]

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, which: int | str) -> Step:
        """A step by its number, from 0, or its name."""
        if isinstance(which, int):
            return self._steps[which]
        for step in self._steps:
            if step.name == which:
                return step
        raise UsageError(f"no step {which!r}; there are '{"', '".join(step.name for step in self)}'")
