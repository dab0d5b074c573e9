"""The phase that a cluster is in, and how it enters another: what the steps of an upgrade need from a `FakeKafka`. A
phase owns some broker properties (`Phase.settings`) and says who keeps the metadata; all other properties are the
user's and stay. Properties that a release does not have are left out under it, as a real broker ignores them with a
warning, and come back with a release that has them.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias, TypeVar

from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import UsageError
from fakekafka.releases.phases import FORMAT, PROTOCOL, Phase, before_upgrade, find_phase
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.settings.blueprint import KEEPERS, Beginning, Blueprint, config_text, keeper
from fakekafka.storage.conversion_bill import Conversion, total

T = TypeVar("T")
Config: TypeAlias = Mapping[str, object]

OWNED: Final = (PROTOCOL, FORMAT)


class Playing(Protocol):
    """The cluster whose phase is kept."""

    @property
    def blueprint(self) -> Blueprint: ...
    @property
    def cluster(self) -> Cluster | None:
        """The running cluster; None before its first start."""

    def become(self, release: str, config: Config) -> None:
        """Restart as a release with these properties."""

    def call(self, work: Callable[[], T]) -> T:
        """Run `work` on the thread that owns the state."""


class PhaseKeeper:
    """The phase of one `FakeKafka`. `begins`: how the cluster begins."""

    def __init__(self, playing: Playing, begins: Beginning) -> None:
        self._playing = playing
        self._entered = begins.phase
        self._left_out: dict[str, object] = {}

    @property
    def current_phase(self) -> Phase:
        """The phase that was entered last, unless the cluster has changed since."""
        blueprint, cluster = self._playing.blueprint, self._playing.cluster
        features = blueprint.first_features if cluster is None else dict(cluster.settings.features)
        given = {name: blueprint.config.get(name) for name in OWNED}
        now = before_upgrade(blueprint.release, blueprint.profile.mode, given[PROTOCOL], given[FORMAT], features)
        return self._entered if self._entered is not None and self._entered.is_like(now) else now

    def enter(self, phase: Phase) -> None:
        """Restart the brokers as `phase` says. Raises `BrokerWillNotStart`."""
        wanted = {**self._left_out, **self._playing.blueprint.config}
        config = config_in(phase, wanted)
        self._left_out = {n: v for n, v in wanted.items() if n not in config and n not in _owned()}
        self._playing.become(str(phase.release), config)
        self._entered = phase

    def stay(self, phase: Phase) -> None:
        """Record, without a restart, that the cluster is in `phase`."""
        self._entered = phase

    def on_cluster(self, work: Callable[[Cluster], T]) -> T:
        """Run `work` on the thread that owns the state."""

        def run() -> T:
            cluster = self._playing.cluster
            assert cluster is not None
            return work(cluster)

        return self._playing.call(run)

    def conversions(self) -> list[Conversion]:
        """What conversions have cost since the brokers were started."""
        return self.on_cluster(lambda cluster: total([broker.bill for broker in cluster.brokers.values()]))


def config_in(phase: Phase, config: Config) -> dict[str, object]:
    """The broker properties of a cluster in `phase`; `config` holds the user's."""
    known = profile(phase.release, phase.mode).broker_configs
    kept = {name: value for name, value in config.items() if name in known and name not in _owned()}
    return {**kept, **phase.settings, **keeper(phase.release, phase.mode)}


def begin(phase: str, release: str | None, config: Config) -> Beginning:
    """How a cluster begins in the phase that the user names. Raises `UsageError` if the arguments disagree."""
    planned = find_phase(phase)
    if release is not None and Release.parse(release) != planned.release:
        raise UsageError(f"phase {phase!r} has release {planned.release}, not {release}: leave the release out")
    return Beginning(str(planned.release), starting_config(planned, config), planned.features, planned)


def starting_config(phase: Phase, config: Config) -> dict[str, object]:
    """The properties of a cluster in `phase`, with the user's. Raises `UsageError` if they disagree."""
    both = {**phase.settings, **keeper(phase.release, phase.mode)}
    for name, value in config.items():
        if name in _owned() and both.get(name) != config_text(value):
            said = f"{name}={both[name]}" if name in both else f"no {name}"
            raise UsageError(f"phase {phase.name!r} has {said}: leave {name} out of the config")
    return {**config, **both}


def _owned() -> frozenset[str]:
    return frozenset((*OWNED, *(name for name, _ in KEEPERS.values())))
