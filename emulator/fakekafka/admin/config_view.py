"""Configs as DescribeConfigs shows them: value, where it comes from, and all the names and values behind it.

The rules are those of AdminManager and ConfigHelper. The values behind a config are listed from the most specific name
on, but not before the config's own name. So a topic's `retention.ms` that comes from the broker's
`log.retention.hours` has no synonyms at all, and its source is the default.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from fakekafka.admin.static_settings import static_settings
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.chains import Chain, texts_through
from fakekafka.releases.behaviours.describe_configs import DescribeConfigsBehaviour
from fakekafka.releases.configs import client_metrics_configs, group_configs
from fakekafka.releases.configs.definition import ConfigDef, parse_value
from fakekafka.releases.configs.plugins import is_secret
from fakekafka.releases.configs.synonyms import BROKER_NAME, FORMAT, broker_synonyms, of_all_listeners
from fakekafka.releases.configs.values import render
from fakekafka.releases.profile import Profile
from fakekafka.state.configs import Source, TopicConfig

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


WITHIN_RELEASE: Final = "-IV"
"""What versions of the inter-broker protocol have in their names since 0.10.0."""


class Synonym(NamedTuple):
    """A value behind a config."""

    name: str
    value: str | None
    source: Source


class ConfigEntry(NamedTuple):
    """One config as it is shown."""

    name: str
    value: str | None
    read_only: bool
    sensitive: bool
    kind: int
    """Number of its type; 0 if the release does not know it."""
    source: Source
    synonyms: list[Synonym]


def topic_entries(broker: "Broker", overrides: Mapping[str, str], *, hidden: bool = False) -> list[ConfigEntry]:
    """Every config of a topic with these configs of its own. `hidden`: include those that are not shown unless set."""
    config = TopicConfig(broker.config, overrides, is_shown=True)
    entries = []
    for definition in broker.profile.topic_configs.values():
        if definition.hidden and not hidden and definition.name not in overrides:
            continue
        name, value = definition.name, render(config.value(definition.name))
        behind = _behind(broker, BROKER_NAME[name]) if name in BROKER_NAME else []
        if name == FORMAT and name not in overrides:
            value = _format_of_broker(broker, str(value))
        if name in overrides:
            behind = [Synonym(name, value, Source.TOPIC), *behind]
        entries.append(_entry(definition, value, behind, read_only=False))
    return entries + ([] if broker.profile.topics.configs_checked else _unchecked(broker, overrides))


def _format_of_broker(broker: "Broker", value: str) -> str:
    """How a topic shows the version that stands for its broker's message format."""
    is_old = WITHIN_RELEASE not in value
    return f"{value}.X" if is_old and broker.profile.describe_configs.old_formats_end_in_x else value


def _unchecked(broker: "Broker", overrides: Mapping[str, str]) -> list[ConfigEntry]:
    """A topic's configs that the release does not know, and accepted."""
    unknown = [name for name in overrides if name not in broker.profile.topic_configs]
    return [_unknown(name, [Synonym(name, None, Source.TOPIC)])._replace(read_only=False) for name in unknown]


def broker_entries(broker: "Broker") -> list[ConfigEntry]:
    """Every config of a broker, and what else was given to it."""
    table, config = broker.profile.broker_configs, broker.config
    static = static_settings(broker)
    shown = [definition.name for definition in table.shown()]
    others = [name for name in {**static, **config.dynamic, **config.dynamic_defaults} if name not in shown]
    entries = []
    for name in (*shown, *others):
        behind, definition = _behind(broker, name), table.get(name)
        if definition is None:
            given = {**config.static, **config.dynamic_defaults, **config.dynamic}.get(name)
            entries.append(_of_listener(broker, name, given, behind) or _unknown(name, behind))
            continue
        text = static.get(name) if name not in config.static else None
        value = config.shown(name) if text is None else render(parse_value(definition, text))
        entries.append(_entry(definition, value, behind, definition.shown_read_only))
    return entries


def cluster_entries(broker: "Broker") -> list[ConfigEntry]:
    """What was set for all brokers while they ran."""
    entries = []
    for name, text in broker.cluster.settings.all_brokers.items():
        definition = broker.profile.broker_configs.get(name)
        behind = [s for s in _behind(broker, name) if s.source is Source.DYNAMIC_DEFAULT]
        if definition is None:
            entries.append(_of_listener(broker, name, text, behind) or _unknown(name, behind))
        else:
            entries.append(_entry(definition, text, behind, definition.shown_read_only))
    return entries


def group_entries(broker: "Broker", overrides: Mapping[str, str]) -> list[ConfigEntry]:
    """Every config of a group with these configs of its own."""
    entries = []
    for definition in group_configs(broker.profile.release).shown():
        name = definition.name
        behind = _behind_group(broker, definition)
        value = overrides.get(name, behind[0].value)
        if name in overrides:
            others = behind if broker.profile.describe_configs.group_synonyms else []
            behind = [Synonym(name, value, Source.GROUP), *others]
        entries.append(_entry(definition, value, behind, read_only=False))
    return entries


def client_metrics_entries(broker: "Broker", overrides: Mapping[str, str]) -> list[ConfigEntry]:
    """What a client metrics resource holds. Raises `ApiError` if the release does not serve them."""
    match broker.profile.describe_configs.client_metrics:
        case "own":
            return [_bare(name, value) for name, value in overrides.items()]
        case "with defaults":
            return _all_client_metrics(broker, overrides)
        case "unknown" | "refused":
            words = "Config type client-metrics is only supported on KRaft clusters"
            raise ApiError(ErrorCode.INVALID_REQUEST, words)
        case rule:
            assert_never(rule)


def _all_client_metrics(broker: "Broker", overrides: Mapping[str, str]) -> list[ConfigEntry]:
    entries = []
    for definition in client_metrics_configs(broker.profile.release).values():
        name = definition.name
        value = overrides.get(name, definition.default)
        behind = [Synonym(name, value, Source.CLIENT_METRICS)] if name in overrides else []
        entries.append(_entry(definition, value, behind, read_only=False))
    return entries


def _bare(name: str, value: str) -> ConfigEntry:
    """A config of client metrics with nothing but name and value."""
    return ConfigEntry(name, value, False, False, 0, Source.CLIENT_METRICS, [])


def chosen(entries: Iterable[ConfigEntry], names: list[str] | None, profile: Profile) -> list[ConfigEntry]:
    """Those of `entries` that are asked for, in the order of the broker's maps; None asks for all."""
    rules, maps = profile.describe_configs, profile.admin_orders.configs
    everything = in_map_order(entries, maps)
    some = everything if names is None else [entry for entry in everything if _is_asked_for(entry.name, names, rules)]
    return in_map_order(some, maps) if rules.order == "of their map" else some


def _is_asked_for(config: str, names: list[str], rules: DescribeConfigsBehaviour) -> bool:
    return config in names if rules.names == "of configs" else all(config in name for name in names)


def in_map_order(entries: Iterable[ConfigEntry], maps: Chain) -> list[ConfigEntry]:
    """The entries in the order of these maps."""
    by_name = {entry.name: entry for entry in entries}
    return [by_name[name] for name in texts_through(maps, by_name)]


# ---- what is behind


def _behind(broker: "Broker", name: str) -> list[Synonym]:
    """Every value of a broker config and of its coarser synonyms: the strongest first, the default last."""
    static, config = static_settings(broker), broker.config
    values: list[Synonym] = []
    for source, given in (
        (Source.DYNAMIC_BROKER, config.dynamic),
        (Source.DYNAMIC_DEFAULT, config.dynamic_defaults),
        (Source.STATIC, static),
        (Source.DEFAULT, None),
    ):
        for synonym in broker_synonyms(name):
            definition = config.table.get(synonym)
            default = definition.default if definition is not None else None
            text = default if given is None else given.get(synonym)
            if text is not None:
                values.append(Synonym(synonym, None if is_secret(synonym, config.table) else text, source))
    while values and values[0].name != name:
        del values[0]
    return values


def _behind_group(broker: "Broker", definition: ConfigDef) -> list[Synonym]:
    """The broker's value for all groups, or the default where no such value can be set. A release without synonyms
    shows both as defaults.
    """
    is_apart = definition.name.startswith("streams.") and not broker.profile.streams_groups.configured_groups_inherit
    behind = [] if is_apart else _behind(broker, f"group.{definition.name}")
    if behind and broker.profile.describe_configs.group_synonyms:
        return behind
    value = behind[0].value if behind else definition.default
    return [Synonym(definition.name, value, Source.DEFAULT)]


def _entry(definition: ConfigDef, value: str | None, behind: list[Synonym], read_only: bool) -> ConfigEntry:
    return ConfigEntry(
        definition.name,
        None if definition.sensitive else value,
        read_only,
        definition.sensitive,
        int(definition.kind),
        behind[0].source if behind else Source.DEFAULT,
        behind,
    )


def _of_listener(broker: "Broker", name: str, text: str | None, behind: list[Synonym]) -> ConfigEntry | None:
    """A config of a single listener (KIP-103), which falls back to the same config of all listeners."""
    definition = broker.profile.broker_configs.get(of_all_listeners(name) or "")
    if definition is None or text is None:
        return None
    read_only = definition.shown_read_only or not broker.profile.describe_configs.listener_configs_dynamic
    return _entry(definition._replace(name=name), text, behind, read_only)


def _unknown(name: str, behind: list[Synonym]) -> ConfigEntry:
    """A config that the release does not know: treated as a secret, to be safe."""
    return ConfigEntry(name, None, True, True, 0, behind[0].source if behind else Source.DEFAULT, behind)
