"""A broker's configuration: what was given, over what this package sets otherwise, over the release's defaults.

Names and texts are Kafka's own. Topics take from here what they do not set themselves.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fakekafka.log.config import LogConfig
from fakekafka.releases.configs import unknown_config
from fakekafka.releases.configs.definition import ConfigTable, parse_value
from fakekafka.releases.configs.synonyms import BROKER_NAME, topic_default
from fakekafka.releases.configs.values import ConfigValue
from fakekafka.releases.profile import Profile
from fakekafka.releases.release import Release


class OwnDefault(NamedTuple):
    """A default that is not the release's."""

    name: str
    value: str
    why: str


def own_defaults(brokers: int) -> tuple[OwnDefault, ...]:
    """What differs from the defaults of every release, for a cluster of so many brokers."""
    replicas = str(min(3, brokers))
    few = "internal topics must be possible with fewer than three brokers"
    return (
        OwnDefault(
            "group.initial.rebalance.delay.ms", "0", "a test has its consumers ready; 3 s would be waited for nothing"
        ),
        OwnDefault("offsets.topic.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.replication.factor", replicas, few),
        OwnDefault("transaction.state.log.min.isr", str(min(2, brokers)), few),
        OwnDefault("share.coordinator.state.topic.replication.factor", replicas, few),
        OwnDefault("share.coordinator.state.topic.min.isr", str(min(2, brokers)), few),
    )


class BrokerConfig:
    """The configuration of one broker. `given`: the properties of its server.properties.

    Raises `UsageError` for a name that the release does not have, and for a value that it refuses.
    """

    def __init__(self, profile: Profile, given: Mapping[str, str], brokers: int) -> None:
        self.table: ConfigTable = profile.broker_configs
        self.topic_table: ConfigTable = profile.topic_configs
        self.given = dict(given)
        self.own = {d.name: d.value for d in own_defaults(brokers) if d.name in self.table and d.name not in given}
        self._values: dict[str, ConfigValue] = {}
        for name, text in given.items():
            self._check(name, text, profile.release)

    def _check(self, name: str, text: str, release: Release) -> None:
        if name not in self.table:
            raise unknown_config(name, self.table, release)
        self._values[name] = parse_value(self.table[name], text)

    def value(self, name: str) -> ConfigValue:
        """The value in force; None where it is not set, or the release has no such config."""
        if name not in self._values:
            definition = self.table.get(name)
            text = self.own.get(name, definition.default if definition else None)
            self._values[name] = None if definition is None or text is None else parse_value(definition, text)
        return self._values[name]

    def int(self, name: str, absent: int = 0) -> int:
        """A number; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, int) else absent

    def bool(self, name: str, absent: bool = False) -> bool:
        """A switch; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, bool) else absent

    def text(self, name: str, absent: str = "") -> str:
        """A text; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, str) else absent


class TopicConfig:
    """The configuration of one topic: its own overrides over its broker's values."""

    def __init__(self, broker: BrokerConfig, overrides: Mapping[str, str]) -> None:
        self._broker = broker
        self._overrides = overrides

    def value(self, name: str) -> ConfigValue:
        """The value in force; None where the release has no such config."""
        definition = self._broker.topic_table.get(name)
        if definition is not None and name in self._overrides:
            return parse_value(definition, self._overrides[name])
        if name in BROKER_NAME:
            return topic_default(name, self._broker.value)
        return None if definition is None or definition.default is None else parse_value(definition, definition.default)

    def int(self, name: str, absent: int = 0) -> int:
        """A number; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, int) else absent

    def bool(self, name: str, absent: bool = False) -> bool:
        """A switch; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, bool) else absent

    def text(self, name: str, absent: str = "") -> str:
        """A text; `absent` where it is not set or does not exist."""
        value = self.value(name)
        return value if isinstance(value, str) else absent

    @property
    def cleanup_policy(self) -> tuple[str, ...]:
        """ "delete", "compact", or both."""
        value = self.value("cleanup.policy")
        return value if isinstance(value, tuple) else (str(value),)

    def log_config(self) -> LogConfig:
        """What the topic's logs are told."""
        plain = LogConfig()
        return LogConfig(
            segment_bytes=self.int("segment.bytes", plain.segment_bytes),
            segment_ms=self.int("segment.ms", plain.segment_ms),
            segment_jitter_ms=self.int("segment.jitter.ms"),
            segment_index_bytes=self.int("segment.index.bytes", plain.segment_index_bytes),
            index_interval_bytes=self.int("index.interval.bytes", plain.index_interval_bytes),
            preallocate=self.bool("preallocate"),
            flush_messages=self.int("flush.messages", plain.flush_messages),
            file_delete_delay_ms=self.int("file.delete.delay.ms", plain.file_delete_delay_ms),
            delete="delete" in self.cleanup_policy,
            retention_ms=self.int("retention.ms", plain.retention_ms),
            retention_bytes=self.int("retention.bytes", plain.retention_bytes),
        )
