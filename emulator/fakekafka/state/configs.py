"""A broker's configuration: what was given, over what this package sets otherwise, over the release's defaults.

Names and texts are Kafka's own. Topics take from here what they do not set themselves. What was set
while the broker ran (KIP-226) wins over its properties, the broker's own over the whole cluster's, and lives in the
cluster, so it outlives the broker.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import DurationMs
from fakekafka.log.config import LogConfig
from fakekafka.releases.configs import unknown_config
from fakekafka.releases.configs.definition import ConfigTable, parse_value
from fakekafka.releases.configs.plugins import plugin_property
from fakekafka.releases.configs.synonyms import BROKER_NAME, FALLBACKS, limit_by_difference, topic_default
from fakekafka.releases.configs.values import ConfigValue, InvalidConfig, render
from fakekafka.releases.profile import Profile

MOST_BEGUN: Final = 8
"""How many combinations of dynamic configs one configuration remembers."""


class OwnDefault(NamedTuple):
    """A default that is not the release's."""

    name: str
    value: str
    why: str


@cache
def own_defaults(brokers: int) -> tuple[OwnDefault, ...]:
    """What differs from the defaults of every release, for a cluster with this many brokers."""
    replicas, in_sync = str(min(3, brokers)), str(min(2, brokers))
    few = "internal topics must be possible with fewer than three brokers"
    return (
        OwnDefault(
            ("group.initial.rebalance.delay.ms"),
            "0",
            "a test has its consumers ready, so there is no one to wait 3 s for",
        ),
        OwnDefault("offsets.topic.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.min.isr", in_sync, few),
        OwnDefault("share.coordinator.state.topic.replication.factor", replicas, few),
        OwnDefault("share.coordinator.state.topic.min.isr", in_sync, few),
    )


class Source(IntEnum):
    """Where a value comes from, with DescribeConfigs' numbers (ConfigSource)."""

    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT = 3
    STATIC = 4
    DEFAULT = 5
    CLIENT_METRICS = 7
    GROUP = 8


class TypedValues(ABC):
    """The values in force, each worked out when first asked for, as the types that their users want."""

    _values: dict[str, ConfigValue]

    def value(self, name: str) -> ConfigValue:
        """The value in force; None where it is not set, or where the release has no such config."""
        if name not in self._values:
            self._values[name] = self._read(name)
        return self._values[name]

    @abstractmethod
    def _read(self, name: str) -> ConfigValue: ...

    def int(self, name: str, absent: int = 0) -> int:
        """A number; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, int) else absent

    def float(self, name: str, absent: float = 0.0) -> float:
        """A number that may have a fraction; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return float(value) if isinstance(value, float) else absent

    def bool(self, name: str, absent: bool = False) -> bool:
        """A switch; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, bool) else absent

    def text(self, name: str, absent: str = "") -> str:
        """A text; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, str) else absent


OF_LOGS: Final = frozenset(BROKER_NAME.values())
"""Broker configs that topics inherit."""


class BrokerConfig(TypedValues):
    """The configuration of one broker. `given`: the properties of its server.properties.

    `kafkas_own`: names for which Kafka's default is wanted where this package has its own. Raises `UsageError` for a
    name that the release does not have, and `BrokerWillNotStart` with the broker's words for a value that it refuses.
    """

    def __init__(
        self, profile: Profile, given: Mapping[str, str], brokers: int, kafkas_own: frozenset[str] = frozenset()
    ) -> None:
        self.table: ConfigTable = profile.broker_configs
        self.topic_table: ConfigTable = profile.topic_configs
        for name in (*given, *kafkas_own):
            if name not in self.table and plugin_property(name, profile.release) is None:
                raise unknown_config(name, self.table, profile.release)
        own = {d.name: d.value for d in own_defaults(brokers) if d.name in self.table and d.name not in kafkas_own}
        self.static: dict[str, str] = own | dict(given)
        """What the broker's properties say, or would say if this package's own defaults were written there."""
        self.ignored: Mapping[str, str] = {}
        """Properties that the release does not have: DescribeConfigs shows them, and nothing else knows them."""
        self.dynamic: Mapping[str, str] = {}
        """Set for this broker while it ran."""
        self.dynamic_defaults: Mapping[str, str] = {}
        """Set for all brokers while they ran."""
        self.changes = 0
        """How often dynamic configs have changed."""
        self.has_bare_limits = False
        """Whether logs know limits of times as they are set, and no longer the one that stands in for them."""
        self._known: tuple[Mapping[str, str], Mapping[str, str]] = {}, {}  # the dynamic ones, at the last change
        self._values = {}
        self._shares_values = False
        self._topics: dict[frozenset[tuple[str, str]], TopicConfig] = {}
        self._begun: dict[tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]], BrokerConfig] = {}
        self._limits_become_bare = profile.alter_configs.bare_limits_after_change
        self._sticks = profile.alter_configs.deleted_default_sticks
        self._stuck: dict[str, ConfigValue] = {}
        self._kept: dict[str, ConfigValue] = {}  # what logs still have of configs that were deleted
        self.heard: frozenset[str] = frozenset()
        """The configs of which the broker's parts heard at the last change: of deleted ones not in all releases."""
        for name, text in given.items():
            self._check(name, text)

    def beside(self, ignored: Mapping[str, str]) -> "BrokerConfig":
        """This configuration in a file that also has properties that the release does not know."""
        other = self.imagined(self.dynamic, self.dynamic_defaults)
        other.ignored, other._begun = dict(ignored), {}
        return other

    def _check(self, name: str, text: str) -> None:
        if name not in self.table:
            return  # only the plug-in that reads it knows what it means
        try:
            parse_value(self.table[name], text)
        except InvalidConfig as wrong:
            raise BrokerWillNotStart(str(wrong)) from wrong

    def of_broker(self, dynamic: Mapping[str, str], dynamic_defaults: Mapping[str, str]) -> "BrokerConfig":
        """A copy for a broker, which takes into account what was, or will be, set while it runs.

        Until that changes, it shares the values that were worked out for other brokers which began with the same.
        """
        begun = self._begun_with(dynamic, dynamic_defaults)
        other = object.__new__(BrokerConfig)  # a tenth of what `copy` takes: every start needs one
        other.__dict__.update(begun.__dict__)
        other.dynamic, other.dynamic_defaults = dynamic, dynamic_defaults
        other._topics, other._shares_values = {frozenset(): begun.of_topic({})}, True
        return other

    def _begun_with(self, dynamic: Mapping[str, str], dynamic_defaults: Mapping[str, str]) -> "BrokerConfig":
        key = frozenset(dynamic.items()), frozenset(dynamic_defaults.items())
        begun = self._begun.get(key)
        if begun is None:
            if len(self._begun) == MOST_BEGUN:
                self._begun.clear()
            self._begun[key] = begun = self.imagined(dict(dynamic), dict(dynamic_defaults))
            begun.changed()
        return begun

    def imagined(self, dynamic: Mapping[str, str], dynamic_defaults: Mapping[str, str]) -> "BrokerConfig":
        """What this would be with other dynamic configs."""
        other = copy(self)
        other._values, other._topics, other._shares_values = {}, {}, False
        other.dynamic, other.dynamic_defaults = dynamic, dynamic_defaults
        return other

    def _changed_names(self) -> set[str]:
        """The dynamic configs that differ from what was known at the last call of `changed`."""
        layers = zip(self._known, (self.dynamic, self.dynamic_defaults), strict=True)
        return {name for before, now in layers for name in {**before, **now} if before.get(name) != now.get(name)}

    def changed(self) -> None:
        """A dynamic config has changed."""
        self.changes += 1
        changed = self._changed_names()
        self.heard = frozenset(name for name in changed if not self._sticks or self._is_set(name))
        if not self.heard.isdisjoint(OF_LOGS):
            self.has_bare_limits |= self._limits_become_bare
            self._kept = {}
        elif self._sticks:
            before = self.imagined(*self._known)
            self._kept = self._kept | {name: before.value(name) for name in changed & OF_LOGS}
        self._known = dict(self.dynamic), dict(self.dynamic_defaults)
        self._values, self._topics, self._shares_values = {}, {}, False
        if self._sticks:
            stuck = {name: value for name in FALLBACKS if (value := self.value(name)) is not None}
            self._stuck = {**self._stuck, **stuck}

    def forgotten(self) -> None:
        """All dynamic configs were removed: most clusters never had one of their own, and nothing has changed."""
        if self._known != (self.dynamic, self.dynamic_defaults):
            self.changed()

    def of_topic(self, overrides: Mapping[str, str]) -> "TopicConfig":
        """The configuration of a topic with these configs of its own: the same value as long as nothing changes."""
        own = frozenset(overrides.items())
        config = self._topics.get(own)
        if config is None:
            self._topics[own] = config = TopicConfig(self, dict(overrides))
        return config

    def sources(self, name: str) -> list[tuple[Source, str]]:
        """Every value that `name` has, as text, the one in force first."""
        definition = self.table.find(name)
        texts = []
        if (self.dynamic or self.dynamic_defaults) and (definition is None or definition.is_dynamic):
            texts += [(Source.DYNAMIC_BROKER, self.dynamic.get(name))]
            texts += [(Source.DYNAMIC_DEFAULT, self.dynamic_defaults.get(name))]
        texts += [(Source.STATIC, self.static.get(name))]
        texts += [(Source.DEFAULT, None if definition is None else definition.default)]
        return [(source, text) for source, text in texts if text is not None]

    def _is_set(self, name: str) -> bool:
        return name in self.static or name in self.dynamic or name in self.dynamic_defaults

    def value_for_logs(self, name: str) -> ConfigValue:
        """What the logs of topics have: in some releases, a value that is no longer set still counts."""
        return self._kept[name] if name in self._kept else self.value_for_topics(name)

    def value_for_topics(self, name: str) -> ConfigValue:
        """What DescribeConfigs shows: there, too, a value counts for which there is no other."""
        value = self.value(name)
        return self._stuck.get(name) if value is None else value

    def _read(self, name: str) -> ConfigValue:
        if self._shares_values and self._known != (self.dynamic, self.dynamic_defaults):
            self._values, self._shares_values = dict(self._values), False  # `changed` is about to be called
        if not self._is_set(name):
            return self.table.default(name)
        definition = self.table.find(name)
        if definition is None:
            return None
        for _, text in self.sources(name):
            try:
                return parse_value(definition, text)
            except InvalidConfig:
                continue  # set under another release: this one does not know it, and falls back to the next level
        return None

    def shown(self, name: str) -> str | None:
        """The value in force as text."""
        return render(self.value(name))


class TopicConfig(TypedValues):
    """The configuration of one topic: its own overrides over its broker's values, as they are when first asked for."""

    def __init__(self, broker: BrokerConfig, overrides: Mapping[str, str], *, is_shown: bool = False) -> None:
        """`is_shown`: as DescribeConfigs shows it, whatever the logs know."""
        self._broker = broker
        self._substitutes = is_shown or not broker.has_bare_limits
        self._inherited = broker.value_for_topics if is_shown else broker.value_for_logs
        self._overrides = overrides
        self._values = {}
        self._log_config: LogConfig | None = None

    def _read(self, name: str) -> ConfigValue:
        definition = self._broker.topic_table.find(name)
        if definition is None:
            return None
        if name in self._overrides:
            return parse_value(definition, self._overrides[name])
        if self._substitutes and (limit := limit_by_difference(name, self._inherited)) is not None:
            return limit
        inherited = topic_default(name, self._inherited)
        if inherited is not None:
            return inherited
        return self._broker.topic_table.default(name)

    @property
    def cleanup_policy(self) -> tuple[str, ...]:
        """ "delete", "compact", or both."""
        value = self.value("cleanup.policy")
        return value if isinstance(value, tuple) else (str(value),)

    @property
    def _segment_ms(self) -> DurationMs:
        """A compacted topic closes its segments early enough to be cleaned in time (KIP-354)."""
        segment_ms, lag_ms = self.int("segment.ms", LogConfig().segment_ms), self.int("max.compaction.lag.ms")
        return min(segment_ms, lag_ms) if lag_ms > 0 and "compact" in self.cleanup_policy else segment_ms

    def log_config(self) -> LogConfig:
        """The configuration of the topic's logs, except the message format, which also depends on the inter-broker
        protocol.
        """
        if self._log_config is None:
            self._log_config = self._for_logs()
        return self._log_config

    def _for_logs(self) -> LogConfig:
        plain, broker = LogConfig(), self._broker
        expiration_ms = broker.int("transactional.id.expiration.ms", plain.producer_expiration_ms)
        return LogConfig(
            segment_bytes=self.int("internal.segment.bytes") or self.int("segment.bytes", plain.segment_bytes),
            segment_ms=self._segment_ms,
            segment_jitter_ms=self.int("segment.jitter.ms"),
            segment_index_bytes=self.int("segment.index.bytes", plain.segment_index_bytes),
            index_interval_bytes=self.int("index.interval.bytes", plain.index_interval_bytes),
            preallocate=self.bool("preallocate"),
            flush_messages=self.int("flush.messages", plain.flush_messages),
            flush_ms=self.int("flush.ms", plain.flush_ms),
            file_delete_delay_ms=self.int("file.delete.delay.ms", plain.file_delete_delay_ms),
            delete="delete" in self.cleanup_policy,
            compact="compact" in self.cleanup_policy,
            min_cleanable_ratio=self.float("min.cleanable.dirty.ratio", plain.min_cleanable_ratio),
            min_compaction_lag_ms=self.int("min.compaction.lag.ms"),
            max_compaction_lag_ms=self.int("max.compaction.lag.ms", plain.max_compaction_lag_ms),
            delete_retention_ms=self.int("delete.retention.ms", plain.delete_retention_ms),
            max_message_bytes=self.int("max.message.bytes", plain.max_message_bytes),
            retention_ms=self.int("retention.ms", plain.retention_ms),
            retention_bytes=self.int("retention.bytes", plain.retention_bytes),
            producer_expiration_ms=broker.int("producer.id.expiration.ms", expiration_ms),
            compression_type=self.text("compression.type", plain.compression_type),
            message_downconversion_enable=self.bool("message.downconversion.enable", True),
        )
