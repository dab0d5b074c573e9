"""One config over all releases (`Config`), and what it is in one release (`ConfigDef`).

The tables in this folder are lists of `config(...)` lines. A line reads: name, type, default by release, what a value
must satisfy, since when it can be changed while the broker runs. Whatever changed between releases is a dict from
release to value, as everywhere in `releases/`. Defaults are Kafka's own texts, as DescribeConfigs shows them.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.ids import MAX_INT32
from fakekafka.releases.configs.values import ConfigType, ConfigValue, Validator, parse
from fakekafka.releases.dated import at
from fakekafka.releases.release import Release

UpdateMode: TypeAlias = Literal["read-only", "per-broker", "cluster-wide"]
"""How widely the config can be changed while the broker runs (KIP-226, DynamicBrokerConfig)."""

READ_ONLY: Final[UpdateMode] = "read-only"


class Gone(Enum):
    """A config that a release does not have."""

    GONE = 0


GONE: Final = Gone.GONE

BOOLEAN: Final = ConfigType.BOOLEAN
STRING: Final = ConfigType.STRING
INT: Final = ConfigType.INT
SHORT: Final = ConfigType.SHORT
LONG: Final = ConfigType.LONG
DOUBLE: Final = ConfigType.DOUBLE
LIST: Final = ConfigType.LIST
CLASS: Final = ConfigType.CLASS
PASSWORD: Final = ConfigType.PASSWORD

MAX_INT: Final = str(MAX_INT32)
MAX_LONG: Final = str(2**63 - 1)

Default: TypeAlias = str | Gone | None

_LOOKS_DYNAMIC: Final = frozenset(
    {"log.retention.hours", "log.retention.minutes", "log.roll.hours", "log.roll.jitter.hours"}
)
_LOOKING: Final = {"1.1": True, "2.4": False}
"""DescribeConfigs of 1.1 to 2.3 shows these as dynamic, though none can be changed (recorded from 1.1.1 to 2.4.1)."""


class Config(NamedTuple):
    """One config through the releases."""

    name: str
    kinds: Mapping[str, ConfigType]
    defaults: Mapping[str, Default]
    validators: Mapping[str, Validator | None]
    modes: Mapping[str, UpdateMode]
    hidden: Mapping[str, bool]

    def exists(self, release: Release) -> bool:
        return at(self.defaults, release, before=GONE) is not GONE

    def of(self, release: Release) -> "ConfigDef | None":
        """What the config is in `release`; None if the release does not have it."""
        default = at(self.defaults, release, before=GONE)
        if isinstance(default, Gone):
            return None
        kind = at(self.kinds, release, before=None)
        assert kind is not None
        mode = at(self.modes, release, before=READ_ONLY)
        validator = at(self.validators, release, before=None)
        hidden = at(self.hidden, release, before=False)
        looks_dynamic = self.name in _LOOKS_DYNAMIC and at(_LOOKING, release, before=False)
        return ConfigDef(self.name, kind, default, validator, mode, mode == READ_ONLY and not looks_dynamic, hidden)


def config(
    name: str,
    kind: ConfigType | Mapping[str, ConfigType],
    defaults: Mapping[str, Default],
    valid: Validator | Mapping[str, Validator | None] | None = None,
    *,
    cluster_wide: str | None = None,
    per_broker: str | None = None,
    read_only_again: str | None = None,
    hidden: bool | Mapping[str, bool] = False,
    hidden_until: str | None = None,
) -> Config:
    """A line of a table.

    `defaults`: the releases from which it has each default; None is null, `GONE` ends it. `valid`: see `validators`.
    `cluster_wide`, `per_broker`: the release from which it is dynamic, and how widely. `hidden`, `hidden_until`: an
    internal config, which a broker accepts but neither documents nor shows.
    """
    since = next(iter(defaults))
    modes: dict[str, UpdateMode] = {}
    if cluster_wide or per_broker:
        modes[cluster_wide or per_broker or ""] = "cluster-wide" if cluster_wide else "per-broker"
    if read_only_again:
        modes[read_only_again] = READ_ONLY
    kinds = {since: kind} if isinstance(kind, ConfigType) else kind
    validators = valid if isinstance(valid, Mapping) else {since: valid}
    if hidden_until:
        hidden = {since: True, hidden_until: False}
    return Config(name, kinds, defaults, validators, modes, {since: hidden} if isinstance(hidden, bool) else hidden)


class ConfigDef(NamedTuple):
    """One config in one release."""

    name: str
    kind: ConfigType
    default: str | None
    """Kafka's text; None is null."""
    validator: Validator | None
    mode: UpdateMode
    shown_read_only: bool
    """What DescribeConfigs says; not always what `mode` means."""
    hidden: bool
    """Internal: the broker accepts it, but DescribeConfigs does not show it."""

    @property
    def is_dynamic(self) -> bool:
        """Whether a running broker accepts another value (KIP-226)."""
        return self.mode != READ_ONLY

    @property
    def is_per_broker(self) -> bool:
        """Whether each broker must be given its own value."""
        return self.mode == "per-broker"

    @property
    def sensitive(self) -> bool:
        """Whether the value is a secret, shown as null."""
        return self.kind is PASSWORD


def parse_value(definition: ConfigDef, text: str) -> ConfigValue:
    """The value that `text` means. Raises `InvalidConfig`, with the broker's own words."""
    value = parse(definition.name, definition.kind, text)
    if definition.validator is not None:
        definition.validator.check(definition.name, value)
    return value


class ConfigTable(Mapping[str, ConfigDef]):
    """The configs of one release, by name. Each is computed when first asked for."""

    def __init__(self, configs: Iterable[Config], release: Release) -> None:
        self._configs = {config.name: config for config in configs}
        self._release = release
        self._built: dict[str, ConfigDef] = {}
        self._defaults: dict[str, ConfigValue] = {}

    def find(self, name: str) -> ConfigDef | None:
        """The config of that name; None if this release does not have it. `get` is slower, and starts ask often."""
        definition = self._built.get(name)
        if definition is None and (config := self._configs.get(name)) is not None:
            definition = config.of(self._release)
            if definition is not None:
                self._built[name] = definition
        return definition

    def default(self, name: str) -> ConfigValue:
        """The value of a config that nobody has set; None if that is null, or if this release has no such config. It is
        read from its text once, for all brokers.
        """
        if name not in self._defaults:
            definition = self.find(name)
            text = None if definition is None else definition.default
            self._defaults[name] = None if definition is None or text is None else parse_value(definition, text)
        return self._defaults[name]

    def __getitem__(self, name: str) -> ConfigDef:
        """The config of that name. Raises KeyError if this release does not have it."""
        definition = self.find(name)
        if definition is None:
            raise KeyError(name)
        return definition

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name, config in self._configs.items() if config.exists(self._release))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def without_validator(self, name: str) -> "ConfigTable":
        """A table in which a config takes any value of its type."""
        table = ConfigTable(self._configs.values(), self._release)
        if name in table:
            table._built[name] = table[name]._replace(validator=None)
        return table

    def shown(self) -> list[ConfigDef]:
        """What DescribeConfigs lists."""
        return [definition for definition in self.values() if not definition.hidden]

    def lifetime(self, name: str) -> str | None:
        """When a config of that name existed: "came in 2.8, went in 4.0"; None if it never did."""
        config = self._configs.get(name)
        if config is None:
            return None
        spans = [("came in " if default is not GONE else "went in ") + date for date, default in _turns(config)]
        return ", ".join(spans)


def _turns(config: Config) -> Iterator[tuple[str, Default]]:
    """The releases in which the config came or went."""
    before: Default = GONE
    for date, default in config.defaults.items():
        if (default is GONE) != (before is GONE):
            yield date, default
        before = default
