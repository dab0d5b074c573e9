"""Upgrades as the documentation of each release describes them: a chain of phases from one release to another.

A phase is the state of the cluster while an operator waits before the next step: the code that runs, where the metadata
is kept, the inter-broker protocol, the message format, the levels of features. `recipe` gives the chain; entering a
phase is done elsewhere (`fakekafka.upgrade`). The code comes first, with everything else unchanged, because that can be
taken back; the format, or metadata.version, comes last, because it cannot.

    0.8, 0.9        code, then inter.broker.protocol.version (which 0.9 is the first to have)
    0.10.0 - 2.8    code, protocol, clients, log.message.format.version (KIP-31, KIP-98)
    3.0 - 3.9       code, clients, protocol: from 3.0 on it decides the format, too (KIP-724)
    KRaft, 4.x      code, then the levels of features, metadata.version among them (KIP-584, KIP-778)
    on the way to 4.x under ZooKeeper: a stop at 3.9, where the metadata moves to KRaft (KIP-866)

Source: upgrade.html of each release; the states are those of the recordings `phases`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from fakekafka.errors import UsageError
from fakekafka.ids import Magic
from fakekafka.releases.features import METADATA_VERSION, finalized_features, metadata_level, supported_features
from fakekafka.releases.message_formats import FIRST_OF_FORMAT, format_is_fixed, format_of, order_of, written_format
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Mode, Release, check_mode, starting

PROTOCOL: Final = "inter.broker.protocol.version"
FORMAT: Final = "log.message.format.version"
BRIDGE: Final = "3.9"
"""The last line with ZooKeeper, and the one from which clusters go to 4.x (KIP-866)."""
FIRST_MIGRATING: Final = "3.4"
NO_WAY_BACK: Final = "ZooKeeper has been left for good: no step goes back there"

Kind: TypeAlias = Literal["start", "code", "protocol", "clients", "format", "migration", "features"]


class Phase(NamedTuple):
    """A state of the cluster during an upgrade. `settings` and `features` say how it is configured."""

    name: str
    """What operators would call it: "new code, old format"."""
    kind: Kind
    """What has changed since the previous phase."""
    release: Release
    """The code that runs."""
    mode: Mode
    """What keeps the metadata: "zk" or "kraft"."""
    protocol: str | None = None
    """`inter.broker.protocol.version`, if it is set."""
    format: str | None = None
    """`log.message.format.version`, if it is set."""
    features: Mapping[str, int] = {}
    """Finalized levels, under KRaft."""
    awaited: Magic | None = None
    """While clients are upgraded: the format that all of them must read."""
    final: bool = False
    """Whether no step leads back from here."""

    def is_like(self, other: "Phase") -> bool:
        """Whether the cluster is the same in both phases, whatever they are called."""
        same = (self.release, self.mode, self.settings, self.features)
        return same == (other.release, other.mode, other.settings, other.features)

    @property
    def has_quorum(self) -> bool:
        """Whether its brokers keep their metadata in a quorum of their own (KRaft)."""
        return self.mode == "kraft"

    @property
    def settings(self) -> dict[str, str]:
        """The broker properties that configure the phase."""
        given = {PROTOCOL: self.protocol, FORMAT: self.format}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def properties(self) -> str:
        """The properties in words for people: "protocol 0.10.2, format 0.10.2", or "KRaft, metadata.version 21"."""
        words = [f"{name} {value}" for name, value in (("protocol", self.protocol), ("format", self.format)) if value]
        words += ["KRaft"] if self.has_quorum else []
        level = self.features.get(METADATA_VERSION)
        return ", ".join(words if level is None else [*words, f"{METADATA_VERSION} {level}"])

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(filter(None, (str(self.release), self.properties)))})"

    @property
    def magic(self) -> Magic:
        """The format of records written to topics that do not configure one."""
        return written_format(
            profile(self.release, self.mode).log.message_format, self._protocol, self.format or self.release.line
        )

    @property
    def _protocol(self) -> str:
        return self.protocol or self.release.line


_Setting: TypeAlias = Literal["protocol", "format"]
_SETTINGS: Final[Mapping[str, _Setting]] = {"protocol": "protocol", "format": "format"}


class _Stop(NamedTuple):
    """A setting at which to stop during the upgrade."""

    what: _Setting
    version: str


class _Hop(NamedTuple):
    """The part of the path that leads to one release."""

    release: Release
    stops: list[_Stop]
    to_kraft: bool


def recipe(start: Phase, to: str, via: Sequence[str] = ()) -> list[Phase]:
    """The phases from `start`, which is the first of them, to release `to` in its default configuration.

    `via`: where to stop on the way, in order: a release ("3.9"), a protocol ("protocol 3.0"), a format ("format
    0.10.2"), "KRaft". A stop at a setting runs the code of the release named before it, or of the first one.
    Releases that the path needs are added. Raises `UsageError` if there is no such upgrade path.
    """
    hops = _hops(start, Release.parse(to), via)
    phases = [start]
    for hop in hops:
        prefix = f"{hop.release.line}: " if len(hops) > 1 else ""
        for phase in _phases_of(phases[-1], hop):
            phases.append(phase._replace(name=prefix + phase.name))
    if len(phases) == 1:
        raise UsageError(f"the cluster is Kafka {start.release} already: there is nothing to upgrade")
    return phases


def before_upgrade(
    release: Release,
    mode: Mode | None = None,
    protocol: str | None = None,
    format: str | None = None,
    features: Mapping[str, int] | None = None,
) -> Phase:
    """The state before the upgrade, as a phase. `protocol`, `format`: if set. `features`: None: as delivered."""
    mode = check_mode(release, mode)
    levels = finalized_features(release, mode) if features is None else features
    return Phase("old code", "start", release, mode, protocol, format, levels)


def find_phase(text: str) -> Phase:
    """The phase called "0.10.2 -> 2.3: new code, old format": the releases of the path, then a name from the recipe.

    The path begins in the first release's own default mode. Raises `UsageError` with the known names.
    """
    way, colon, name = text.partition(": ")
    releases = way.split(" -> ")
    if not colon or len(releases) < 2:
        raise UsageError(f"phase {text!r}: write it as '0.10.2 -> 2.3: new code, old format'")
    first, *via, to = releases
    phases = recipe(before_upgrade(Release.parse(first)), to, via)
    for phase in phases:
        if phase.name == name:
            return phase
    names = "', '".join(phase.name for phase in phases)
    raise UsageError(f"no phase {name!r} from {first} to {to}: there are '{names}'")


# ---- the releases on the path


def _hops(start: Phase, to: Release, via: Sequence[str]) -> list[_Hop]:
    hops: list[_Hop] = []
    early: list[_Stop] = []  # named before any release
    kraft_early = False
    for text in via:
        stop = _stop(text)
        if stop is not None:
            (hops[-1].stops if hops else early).append(stop)
        elif text.lower() == "kraft" and hops:
            hops[-1] = hops[-1]._replace(to_kraft=True)
        elif text.lower() == "kraft":
            kraft_early = True
        else:
            hops.append(_Hop(Release.parse(text), [], False))
    if not hops or hops[-1].release != to:
        hops.append(_Hop(to, [], False))
    hops[0] = hops[0]._replace(stops=early + hops[0].stops, to_kraft=hops[0].to_kraft or kraft_early)
    return list(_checked(start, _with_bridge(start, hops)))


def _stop(text: str) -> _Stop | None:
    word, _, version = text.partition(" ")
    what = _SETTINGS.get(word)
    if what is None:
        return None
    if order_of(version) is None:
        raise UsageError(f"via: {text!r} names no version of a {what}: write '{what} 2.3'")
    return _Stop(what, version)


def _with_bridge(start: Phase, hops: list[_Hop]) -> list[_Hop]:
    """The hops, with the release added in which the metadata moves to KRaft, or metadata.version becomes high enough
    for 4.x.
    """
    at = next((n for n, hop in enumerate(hops) if _needs(hop.release)), None)
    if at is None or any(hop.to_kraft for hop in hops[:at]):
        return hops
    moves = start.mode == "zk"
    level = start.features.get(METADATA_VERSION, 0)
    if not moves and (at or level >= _needs(hops[at].release)):
        return hops
    if at and hops[at - 1].release >= starting(FIRST_MIGRATING):
        hops[at - 1] = hops[at - 1]._replace(to_kraft=moves)
    else:
        bridge = start.release if start.features else Release.parse(BRIDGE)
        hops.insert(at, _Hop(bridge, [], to_kraft=moves))
    return hops


def _needs(release: Release) -> int:
    """The lowest metadata.version of a release that no longer knows ZooKeeper; 0 for the others."""
    if "zk" in release.modes:
        return 0
    return supported_features(release, "kraft")[METADATA_VERSION].low


def _checked(start: Phase, hops: Iterable[_Hop]) -> Iterator[_Hop]:
    """The hops. Raises `UsageError` if there is no such upgrade path."""
    if start.mode == "kraft" and start.release < starting("3.0"):
        raise UsageError(f"KRaft of Kafka {start.release} was a preview: it cannot be upgraded")
    release, mode = start.release, start.mode
    for hop in hops:
        if hop.release < release:
            words = f"from {release} to {hop.release} is not an upgrade"
            raise UsageError(f"{words}: step.rollback() and restart(release=...) go back")
        if hop.to_kraft and (mode == "kraft" or not starting(FIRST_MIGRATING) <= hop.release < starting("4.0")):
            raise UsageError(
                f"via: a cluster moves to KRaft under 3.4 to 3.9 in zk mode, not in {mode} mode under {hop.release}"
            )
        release, mode = hop.release, "kraft" if hop.to_kraft else mode
        yield hop


# ---- the phases of one release


def _phases_of(before: Phase, hop: _Hop) -> Iterator[Phase]:
    phase = before
    if hop.release != before.release:
        phase = _new_code(before, hop.release)
        yield phase
    for setting in _settings_to_come(phase, hop.stops):
        changed = _with_setting(phase, setting)
        if changed.magic > phase.magic:
            yield phase._replace(name=f"clients read format {changed.magic}", kind="clients", awaited=changed.magic)
        phase = changed
        yield phase
    if hop.to_kraft:
        yield from _migrations(phase)
    elif phase.features != (levels := {**phase.features, **finalized_features(hop.release, phase.mode)}):
        yield phase._replace(name="new features", kind="features", features=levels)


def _new_code(before: Phase, release: Release) -> Phase:
    """The new code, with everything else unchanged."""
    mode = before.mode
    features = dict(before.features)
    if mode == "kraft" and not features and finalized_features(release, mode):  # 3.0 to 3.2 had no features yet
        features = {METADATA_VERSION: metadata_level(before.protocol or before.release.line)}
    protocol, form = _kept_protocol(before, release, mode), _kept_format(before, release, mode)
    phase = Phase("new code", "code", release, mode, protocol, form, features)
    if form is not None:
        return phase._replace(name="new code, old format")
    if protocol is not None:
        return phase._replace(name="new code, old protocol")
    newer = features != {**features, **finalized_features(release, mode)}
    return phase._replace(name="new code, old features") if newer else phase


def _kept_protocol(before: Phase, release: Release, mode: Mode) -> str | None:
    if PROTOCOL not in profile(release, mode).broker_configs or (mode == "kraft" and release >= starting("3.3")):
        return None
    if before.release.line == release.line:
        return before.protocol
    return before.protocol or before.release.line


def _kept_format(before: Phase, release: Release, mode: Mode) -> str | None:
    """The old format, where the release would otherwise write a newer one, or not start with the old protocol."""
    told = profile(release, mode)
    if FORMAT not in told.broker_configs or told.log.always_newest:
        return None
    if before.release.line == release.line:
        return before.format
    old = before.format or before.release.line
    if format_of(old) == max(FIRST_OF_FORMAT) and release >= starting("1.0"):
        return None
    return old


def _settings_to_come(code: Phase, stops: list[_Stop]) -> Iterator[_Stop]:
    """The stops, then the line's own protocol and format, except settings that are unset or already have the value."""
    line = code.release.line
    protocol, form = code.protocol, code.format
    for stop in [*stops, _Stop("protocol", line), _Stop("format", line)]:
        if stop.what == "format" and protocol is not None and _is_newer(stop.version, protocol):
            protocol = line  # brokers do not start with a format that is newer than their protocol
            yield _Stop("protocol", line)
        match stop.what:
            case "protocol":
                if protocol not in (None, stop.version):
                    protocol = stop.version
                    yield stop
            case "format":
                if form not in (None, stop.version) and not format_is_fixed(protocol or line):
                    form = stop.version
                    yield stop
            case _:
                assert_never(stop.what)


def _is_newer(version: str, other: str) -> bool:
    one, two = order_of(version), order_of(other)
    return one is not None and two is not None and one > two


def _with_setting(phase: Phase, stop: _Stop) -> Phase:
    """The phase with another protocol or format."""
    new = f"new {stop.what}" if stop.version == phase.release.line else f"{stop.what} {stop.version}"
    match stop.what:
        case "format":
            return phase._replace(name=new, kind="format", format=stop.version)
        case "protocol":
            changed = phase._replace(kind="protocol", protocol=stop.version)
            old_format = phase.format is not None and not format_is_fixed(stop.version)
            return changed._replace(name=f"{new}, old format" if old_format else new)
        case _:
            assert_never(stop.what)


def _migrations(phase: Phase) -> Iterator[Phase]:
    """From ZooKeeper to KRaft (KIP-866): first both are written, and the cluster can go back to ZooKeeper."""
    levels = {METADATA_VERSION: metadata_level(phase.release.line)}
    moved = Phase("KRaft, ZooKeeper kept", "migration", phase.release, "kraft", features=levels)
    yield moved
    yield moved._replace(name="KRaft alone", final=True)
