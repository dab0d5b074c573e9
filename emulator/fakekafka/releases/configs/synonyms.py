"""Where a topic config comes from when the topic does not set it: its broker config, or the same setting in a coarser
unit.

`retention.ms` of a topic is `log.retention.ms` of the broker; where that is not set, `log.retention.minutes`, then
`log.retention.hours` (KafkaConfig.scala; ServerTopicConfigSynonyms.java). What DescribeConfigs calls synonyms follows
the same table: all names of the chain that have a value; but none at all if the broker config itself has no value.
"""

from collections.abc import Callable, Mapping
from typing import Final

from fakekafka.releases.configs.plugins import of_listener
from fakekafka.releases.configs.values import ConfigValue
from fakekafka.releases.message_formats import FORMAT_2_ONLY_FROM, format_is_fixed, full_name

BROKER_NAME: Final[Mapping[str, str]] = {
    "cleanup.policy": "log.cleanup.policy",
    "compression.gzip.level": "compression.gzip.level",
    "compression.lz4.level": "compression.lz4.level",
    "compression.type": "compression.type",
    "compression.zstd.level": "compression.zstd.level",
    "delete.retention.ms": "log.cleaner.delete.retention.ms",
    "file.delete.delay.ms": "log.segment.delete.delay.ms",
    "flush.messages": "log.flush.interval.messages",
    "flush.ms": "log.flush.interval.ms",
    "index.interval.bytes": "log.index.interval.bytes",
    "local.retention.bytes": "log.local.retention.bytes",
    "local.retention.ms": "log.local.retention.ms",
    "max.compaction.lag.ms": "log.cleaner.max.compaction.lag.ms",
    "max.message.bytes": "message.max.bytes",
    "message.downconversion.enable": "log.message.downconversion.enable",
    "message.format.version": "log.message.format.version",
    "message.timestamp.after.max.ms": "log.message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms": "log.message.timestamp.before.max.ms",
    "message.timestamp.difference.max.ms": "log.message.timestamp.difference.max.ms",
    "message.timestamp.type": "log.message.timestamp.type",
    "min.cleanable.dirty.ratio": "log.cleaner.min.cleanable.ratio",
    "min.compaction.lag.ms": "log.cleaner.min.compaction.lag.ms",
    "min.insync.replicas": "min.insync.replicas",
    "preallocate": "log.preallocate",
    "retention.bytes": "log.retention.bytes",
    "retention.ms": "log.retention.ms",
    "segment.bytes": "log.segment.bytes",
    "segment.index.bytes": "log.index.size.max.bytes",
    "segment.jitter.ms": "log.roll.jitter.ms",
    "segment.ms": "log.roll.ms",
    "unclean.leader.election.enable": "unclean.leader.election.enable",
}
"""The broker config that each topic config falls back on. Not here: configs that only a topic can have (throttles,
tiered storage)."""

FORMAT: Final = "message.format.version"
"""Topics see the broker's value by its full name (LogConfig.extractLogConfigMap; recorded from 3.9.1: admin); under a
protocol that fixes the format they see the last one that could be chosen (recorded from 3.6.2: topic_defaults)."""

PROTOCOL: Final = "inter.broker.protocol.version"
DIFFERENCE: Final = "message.timestamp.difference.max.ms"
EITHER_SIDE: Final = ("message.timestamp.before.max.ms", "message.timestamp.after.max.ms")
"""The limits for which that older one stands in as long as they are not set (KIP-937, KafkaConfig.scala)."""

NO_LIMIT: Final = 2**63 - 1

_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS

FALLBACKS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    "log.retention.ms": (("log.retention.minutes", _MINUTE_MS), ("log.retention.hours", _HOUR_MS)),
    "log.roll.ms": (("log.roll.hours", _HOUR_MS),),
    "log.roll.jitter.ms": (("log.roll.jitter.hours", _HOUR_MS),),
    "log.flush.interval.ms": (("log.flush.scheduler.interval.ms", 1),),
}
"""What stands in for a broker config that is not set, and its unit in milliseconds."""


OF_A_MECHANISM: Final = (
    "connections.max.reauth.ms",
    "sasl.jaas.config",
    "sasl.login.callback.handler.class",
    "sasl.login.class",
    "sasl.server.callback.handler.class",
)
"""Configs that a mechanism of a listener may have: `listener.name.internal.plain.sasl.jaas.config`."""


def of_all_listeners(name: str) -> str | None:
    """The config of all listeners that the config of one listener overrides; None for other names."""
    own = of_listener(name)
    return next((each for each in OF_A_MECHANISM if own is not None and own.endswith(each)), own)


def broker_synonyms(name: str) -> tuple[str, ...]:
    """All names under which a broker config can be given, the finest first (DynamicBrokerConfig)."""
    behind = of_all_listeners(name)
    if behind is not None:
        return (name, behind)
    for first, coarser in FALLBACKS.items():
        names = (first, *(other for other, _ in coarser))
        if name in names and (name == first or first != "log.flush.interval.ms"):
            return names
    return (name,)


def topic_default(name: str, broker: Callable[[str], ConfigValue]) -> ConfigValue:
    """The value of a topic config that follows from the broker's own values; None if no broker config corresponds to
    it.

    `broker` looks up an effective broker config; None means not set.
    """
    behind = BROKER_NAME.get(name)
    if behind is None:
        return None
    value = broker(behind)
    for other, unit_ms in FALLBACKS.get(behind, ()):
        if value is None:
            coarse = broker(other)
            value = coarse * unit_ms if isinstance(coarse, int) else None
    if name == FORMAT and isinstance(value, str):
        return FORMAT_2_ONLY_FROM if format_is_fixed(str(broker(PROTOCOL))) else full_name(value)
    is_endless = behind == "log.retention.ms" and isinstance(value, int) and value < 0
    return -1 if is_endless else value


def limit_by_difference(name: str, broker: Callable[[str], ConfigValue]) -> ConfigValue:
    """The broker's limit for the times of records that stands in for an unset one on either side (KIP-937); None for
    other configs, and where there is no such limit.
    """
    is_open = name in EITHER_SIDE and broker(BROKER_NAME[name]) == NO_LIMIT
    return broker(BROKER_NAME[DIFFERENCE]) if is_open else None
