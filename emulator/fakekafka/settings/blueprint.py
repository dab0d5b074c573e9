"""What the user asked for, checked by the rules of each broker's release, before anything is created."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeAlias
from warnings import warn

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.ids import ApiKey, BrokerId
from fakekafka.releases import history
from fakekafka.releases.configs.effects import unplayed, unplayed_classes
from fakekafka.releases.features import formed_features
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.protocol_effects import TRANSACTIONS, has
from fakekafka.releases.release import Mode, Release, check_mode
from fakekafka.settings.options import ApiRange, ApiRanges, BrokerSettings, Pace, capped
from fakekafka.settings.unknown_configs import UnknownConfigs, heeded, ignored, warn_of
from fakekafka.state.configs import BrokerConfig
from fakekafka.state.security_config import AUTHORIZER

if TYPE_CHECKING:
    from fakekafka.releases.configs.combinations import Lookup
    from fakekafka.releases.history.step import Versions
    from fakekafka.releases.phases import Phase

LogDirsGiven: TypeAlias = str | Path | Sequence[str | Path] | None
"""Where the user wants files: in a directory, in several, or in memory."""
PROTOCOL: Final = "inter.broker.protocol.version"
KINDS: Final = ("ssl.", "sasl.", "listener", "security.", "password.encoder.", "principal.", "control.plane.", "early.")
"""The beginnings of the names of properties about security."""
WITH_KAFKAS_DEFAULTS: Final = frozenset({"group.initial.rebalance.delay.ms"})
"""Configs with a default of ours, so that tests need not wait. A lifelike cluster has Kafka's default."""
MOST_KEPT: Final = 16
"""How many configurations of brokers are kept for clusters with the same."""
KEEPERS: Final[Mapping[Mode, tuple[str, str]]] = {
    "zk": ("zookeeper.connect", "localhost:2181"),
    "kraft": ("process.roles", "broker,controller"),
}
"""The property that says what keeps a broker's metadata, by mode."""


class Beginning(NamedTuple):
    """How a cluster begins."""

    release: str
    config: Mapping[str, object]
    features: Mapping[str, int] | None = None
    phase: "Phase | None" = None
    """The phase of an upgrade in which the cluster begins, if the user named one."""

    def __repr__(self) -> str:
        return f"<Beginning as {self.release} with the properties {sorted(self.config)}>"  # values may be secrets


def paths_of(given: LogDirsGiven) -> tuple[Path, ...]:
    """The directories, as a tuple of paths."""
    if given is None:
        return ()
    return (Path(given),) if isinstance(given, (str, Path)) else tuple(map(Path, given))


class Blueprint(NamedTuple):
    """What the user asked for, checked."""

    profile: Profile
    config: dict[str, str | None]
    """Broker properties as given, as text. None asks for Kafka's own default."""
    brokers: int
    log_dirs: tuple[Path, ...]
    """Where the files are; empty: in memory."""
    caps: Mapping[str, ApiRange]
    ranges: ApiRanges
    """What is advertised: the release's versions within the caps."""
    accepted: ApiRanges
    """What is accepted: it includes versions that a release accepts without advertising them, and lacks those that it
    advertises and refuses.
    """
    features: Mapping[str, int] | None = None
    """Feature levels of a new cluster (KIP-584); None: the release's own."""
    quirks: str = ""
    """Which historic quirks are switched on or off, see `releases.quirks`."""
    unknown_configs: UnknownConfigs = "refused"
    """What becomes of properties that no release has."""
    drafts: tuple[str, ...] = ()
    """Designs that Kafka never shipped, as the user named them."""
    telemetry: bool = False
    """Whether brokers receive the metrics of clients."""
    pace: Pace = "instant"
    own: Mapping[BrokerId, "Blueprint"] = {}
    """Settings of brokers that differ from the others."""
    own_at_first: Mapping[BrokerId, "Blueprint"] = {}
    """Settings of brokers that were changed after the start."""

    def __repr__(self) -> str:
        return f"<Blueprint of {self.brokers} x {self.release} with the properties {sorted(self.config)}>"

    @classmethod
    def of(
        cls,
        release: str,
        config: Mapping[str, object],
        brokers: int,
        log_dir: LogDirsGiven,
        caps: Mapping[str, ApiRange],
        features: Mapping[str, int] | None = None,
        quirks: str = "",
        unknown_configs: UnknownConfigs = "refused",
        drafts: Sequence[str] = (),
        telemetry: bool = False,
    ) -> Self:
        """Raises `UsageError` for impossible options, `BrokerWillNotStart` for what the real broker refuses."""
        given = {name: None if value is None else config_text(value) for name, value in config.items()}
        log_dirs = paths_of(log_dir)
        if log_dirs and given.keys() & {"log.dir", "log.dirs"}:
            raise UsageError("log_dir says where files are: leave log.dir and log.dirs out of the configuration")
        named = drafts if isinstance(drafts, str) else tuple(drafts)  # a text is refused
        rules, advertised, accepted = _played(
            release, tuple(given.items()), brokers, quirks, unknown_configs, named, telemetry
        )
        return cls(
            rules,
            given,
            brokers,
            log_dirs,
            caps,
            capped(advertised, caps),
            capped(accepted, caps),
            features,
            quirks,
            unknown_configs,
            tuple(drafts),
            telemetry,
        )

    @property
    def release(self) -> Release:
        return self.profile.release

    def broker_config(self) -> BrokerConfig:
        """The configuration of a broker before it runs; not to be changed, see `BrokerConfig.of_broker`."""
        given = heeded(self.config, self.release, self.unknown_configs)
        config = _broker_config(self.profile, given, self.brokers, self.pace, is_own=bool(self.quirks or self.drafts))
        others = {name: text for name, text in self.config.items() if name not in given and text is not None}
        return config.beside(others) if others else config

    def unplayed_of_security(self, name: str) -> str | None:
        """Why a given property has no further effect; None: it has an effect, or is the release's default anyway."""
        definition = self.profile.broker_configs.get(name)
        if name in self.ignored or (definition is not None and definition.default == self.config[name]):
            return None
        if name == AUTHORIZER:
            from fakekafka.releases.authorizers import why_not_played

            return why_not_played(self.config[name])
        if not name.startswith(KINDS):
            return None  # most properties are of other kinds, and nothing is loaded for them
        from fakekafka.releases.configs.unplayed_security import unplayed

        return unplayed(name)

    @property
    def unplayed(self) -> dict[str, str]:
        """Properties that differ from their default and are not played, each with what a client would notice."""
        table = self.profile.broker_configs
        given = {name: text for name, text in self.config.items() if name in table and text != table[name].default}
        found = {name: unplayed(name) or unplayed_classes(name, text) for name, text in given.items()}
        return {name: what for name, what in found.items() if what is not None}

    @property
    def ignored(self) -> dict[str, str]:
        """Properties that the release does not have, and what is known about them."""
        return ignored(self.config, self.release, self.unknown_configs)

    @property
    def first_features(self) -> Mapping[str, int]:
        """The feature levels of a new cluster."""
        if self.features is not None:
            return self.features
        return formed_features(self.release, self.profile.mode, self.config.get(PROTOCOL))

    def of_broker(self, node_id: BrokerId) -> "Blueprint":
        """The blueprint of one broker."""
        return self.own.get(node_id, self)

    def with_each(self, settings: Sequence[BrokerSettings]) -> "Blueprint":
        """The blueprint with brokers that differ from the others. Raises as `of` does."""
        blueprint = self
        for n, (release, config, log_dir) in enumerate(settings):
            config = None if config is None else {**self.config, **config}
            blueprint = blueprint.with_own(n, release, config, paths_of(log_dir))
        return blueprint._replace(own_at_first=blueprint.own)

    def numbered(self, node_ids: Sequence[BrokerId]) -> "Blueprint":
        """The blueprint with the id of each broker."""
        own = {node_ids[n]: blueprint for n, blueprint in self.own.items()}
        return self._replace(own=own, own_at_first=own)

    def with_own(
        self,
        node_id: BrokerId,
        release: str | None,
        config: Mapping[str, object] | None,
        log_dirs: tuple[Path, ...] = (),
    ) -> "Blueprint":
        """The blueprint with another release, another configuration or separate directories for one broker. Raises as
        `of` does.
        """
        if release is None and config is None and not log_dirs:
            return self
        changed = self.of_broker(node_id).changed(release, config)
        if log_dirs:
            changed = changed._replace(log_dirs=log_dirs)
        if not changed.profile.keeps_metadata_as(self.profile):
            raise UsageError("brokers of one cluster are all under ZooKeeper or all in KRaft mode")
        return self._replace(own={**self.own, node_id: changed})

    def changed(self, release: str | None, config: Mapping[str, object] | None) -> "Blueprint":
        """The blueprint with another release or another configuration, for all brokers. Raises as `of` does."""
        if release is None and config is None:
            return self
        return Blueprint.of(
            str(self.release) if release is None else release,
            self.config if config is None else config,
            self.brokers,
            self.log_dirs,
            self.caps,
            self.features,
            self.quirks,
            self.unknown_configs,
            self.drafts,
            self.telemetry,
        )._replace(pace=self.pace)


class Played(NamedTuple):
    """What a broker of certain properties does."""

    profile: Profile
    advertised: "Mapping[ApiKey, Versions]"
    accepted: "Mapping[ApiKey, Versions]"


@lru_cache(MOST_KEPT)
def _played(
    release: str,
    given: tuple[tuple[str, str | None], ...],
    brokers: int,
    quirks: str,
    unknown_configs: UnknownConfigs,
    drafts: Sequence[str],
    telemetry: bool,
) -> Played:
    """The properties, checked. The last results are kept: most tests of a program start the same brokers. Raises as
    `Blueprint.of` does.
    """
    parsed = Release.parse(release)
    known = heeded(dict(given), parsed, unknown_configs)
    rules = _with_quirks(profile(parsed, check_mode(parsed, _asked_mode(known))), quirks)
    rules = _with_drafts(rules, drafts) if drafts else rules
    values = _broker_config(rules, known, brokers, is_own=bool(quirks or drafts))
    if known:  # defaults alone never clash
        _check_combinations(values, rules)
    old = not has(values.text(PROTOCOL), TRANSACTIONS)
    unstable = values.bool("unstable.api.versions.enable")
    advertised, accepted = _versions(parsed, rules.mode, old, unstable, telemetry)
    if quirks:
        advertised, accepted = _versions_with_quirks(advertised, rules), _versions_with_quirks(accepted, rules)
    return Played(rules, advertised, accepted)


def _with_quirks(played: Profile, quirks: str) -> Profile:
    if not quirks:
        return played
    from fakekafka.releases.quirks import patched  # only needed if quirks are asked for

    return patched(played, quirks)


def _versions_with_quirks(versions: "Mapping[ApiKey, Versions]", rules: Profile) -> "dict[ApiKey, Versions]":
    from fakekafka.releases.quirks import with_oldest

    return with_oldest(versions, rules)


def _with_drafts(played: Profile, drafts: Sequence[str]) -> Profile:
    from fakekafka.drafts.known import parse_drafts, with_drafts  # only needed if drafts are asked for

    return with_drafts(played, parse_drafts(drafts, played))


@cache
def _versions(
    release: Release, mode: Mode, ibp_below_0_11: bool, unstable: bool, telemetry: bool
) -> "tuple[Mapping[ApiKey, Versions], Mapping[ApiKey, Versions]]":
    """What brokers of a release advertise, and what they accept. The result is cached: few properties change it."""
    advertised = history.advertised(
        release, mode, co_resident=True, ibp_below_0_11=ibp_below_0_11, telemetry=telemetry, unstable=unstable
    )
    if telemetry and ApiKey.PUSH_TELEMETRY not in advertised:
        raise UsageError(
            f"telemetry: releases receive metrics from 3.7 on in KRaft mode, not {release} in mode {mode!r}"
        )
    return advertised, history.accepted(release, mode, unstable=unstable)


def _check_combinations(values: BrokerConfig, played: Profile) -> None:
    """Raises `BrokerWillNotStart` for properties that contradict each other."""
    from fakekafka.releases.configs.combinations import first_problem

    problem = first_problem(_judged(values, played), played.release, played.mode, played.log.formats_compared)
    if problem is not None:
        raise BrokerWillNotStart(problem)


def _judged(values: BrokerConfig, rules: Profile) -> "Lookup":
    """Values as the rules between them see them: a release that takes any compression type does not judge it."""
    if not rules.any_compression_type:
        return values.value
    return lambda name: "producer" if name == "compression.type" else values.value(name)


def _broker_config(
    rules: Profile, config: Mapping[str, str | None], brokers: int, pace: Pace = "instant", *, is_own: bool
) -> BrokerConfig:
    """What the properties mean: not to be changed, as others may ask for the same. `is_own`: whether the profile has
    quirks or drafts.
    """
    given = {name: value for name, value in config.items() if value is not None}
    kafkas_own = config.keys() - given.keys()
    if pace == "lifelike":
        kafkas_own |= {name for name in WITH_KAFKAS_DEFAULTS if name in rules.broker_configs} - given.keys()
    if is_own:
        return BrokerConfig(rules, given, brokers, frozenset(kafkas_own))
    return _config_of_release(rules.release, rules.mode, tuple(given.items()), brokers, frozenset(kafkas_own))


@lru_cache(MOST_KEPT)
def _config_of_release(
    release: Release, mode: Mode, given: tuple[tuple[str, str], ...], brokers: int, kafkas_own: frozenset[str]
) -> BrokerConfig:
    """What the properties mean to brokers without quirks and drafts. The last results are kept."""
    return BrokerConfig(profile(release, mode), dict(given), brokers, kafkas_own)


def _asked_mode(config: Mapping[str, str | None]) -> Mode | None:
    """KRaft if the properties give the broker a role (KIP-500), ZooKeeper if they name one."""
    if config.get("process.roles") is not None:
        return "kraft"
    return "zk" if config.get("zookeeper.connect") is not None else None


def mode_of(release: Release, config: Mapping[str, object]) -> Mode:
    """The mode in which a broker with these properties runs. Raises `UsageError` if the release lacks it."""
    given = {name: None if value is None else config_text(value) for name, value in config.items()}
    return check_mode(release, _asked_mode(heeded(given, release, "ignored")))


def keeper(release: Release, mode: Mode | None, config: Mapping[str, object] | None = None) -> dict[str, str]:
    """The property by which a release runs in that mode; none if it cannot, does so by default, or `config` decides."""
    said = _asked_mode({name: config_text(value) for name, value in (config or {}).items()})
    others = set(release.modes) - {release.default_mode}
    return {} if mode is None or said is not None or mode not in others else dict([KEEPERS[mode]])


def config_text(value: object) -> str:
    """A config's value as it would be written in server.properties."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def warn_of_ignored(blueprint: Blueprint) -> None:
    """Warn about properties of a new cluster that have no effect."""
    for one in (blueprint, *blueprint.own.values()):
        if not one.config:
            continue
        warn_of(one.ignored, one.unplayed, one.release)
        for name in one.config:
            if (why := one.unplayed_of_security(name)) is not None:
                warn(f"the config {name!r} has no further effect here: {why}", stacklevel=4)
