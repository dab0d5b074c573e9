"""Validation of the configs of a topic (LogConfig.validate)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.log.config import NO_LIMIT
from fakekafka.releases.configs.definition import parse_value
from fakekafka.releases.configs.values import InvalidConfig
from fakekafka.state.configs import TopicConfig

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

REMOTE_STORAGE = "remote.storage.enable"
SHORTEST_LAG = "min.compaction.lag.ms"
LONGEST_LAG = "max.compaction.lag.ms"
SEGMENT, DEFAULT_SEGMENT = "segment.bytes", 1 << 30
RETENTION = "retention.bytes"


def null_config_refused(broker: "Broker", new: NewTopic) -> ApiError:
    """The error for a new topic with null for the value of a config."""
    code = broker.profile.topics.null_config
    if code is ErrorCode.UNKNOWN_SERVER_ERROR:
        return ApiError(code)
    return ApiError(code, broker.profile.words.null_topic_config.format(names=",".join(new.null_configs)))


def check_topic_configs(broker: "Broker", overrides: Mapping[str, str], invalid: ErrorCode, prefix: str = "") -> None:
    """Raises `ApiError`: 40 for an unknown name and for configs that contradict each other, `invalid` for wrong values.

    `prefix` goes before the message about a value. All names are checked before any value: names in the order of
    Properties, values in the order in which LogConfig defines them (recorded from 2.3.1 to 4.3.1: odd_configs).
    """
    table = broker.profile.topic_configs
    for name in overrides:
        if name not in table:
            names = texts_in_order(overrides, MapKind.JAVA_CONCURRENT)
            unknown = next(name for name in names if name not in table)
            words = broker.profile.config_words.unknown_topic_config.format(name=unknown)
            raise ApiError(ErrorCode.INVALID_CONFIG, words)
    for name in overrides if len(overrides) < 2 else [name for name in table if name in overrides]:
        try:
            parse_value(table[name], overrides[name])
        except InvalidConfig as wrong:
            raise ApiError(invalid, prefix + str(wrong)) from wrong
    if broker.profile.topics.retention_spans_segment:
        _check_retention(overrides)
    config = broker.config.of_topic(overrides)
    _check_lags(config)
    if broker.profile.topics.remote_storage_checked and config.bool(REMOTE_STORAGE):
        _check_remote_storage(broker, invalid, prefix)


def _check_retention(overrides: Mapping[str, str]) -> None:
    """Refuse a topic that keeps less than a segment. What it does not set counts as Kafka's default, whatever the
    broker's is.
    """
    segment, retention = int(overrides.get(SEGMENT, DEFAULT_SEGMENT)), int(overrides.get(RETENTION, NO_LIMIT))
    if retention != NO_LIMIT and segment > retention:
        words = f"{SEGMENT} {segment} is not less than or equal to {RETENTION} {retention}"
        raise ApiError(ErrorCode.INVALID_CONFIG, words)


def _check_lags(config: TopicConfig) -> None:
    shortest, longest = config.int(SHORTEST_LAG), config.value(LONGEST_LAG)
    if isinstance(longest, int) and shortest > longest:
        words = f"conflict topic config setting {SHORTEST_LAG} ({shortest}) > {LONGEST_LAG} ({longest})"
        raise ApiError(ErrorCode.INVALID_CONFIG, words)


def _check_remote_storage(broker: "Broker", invalid: ErrorCode, prefix: str) -> None:
    """Refuse tiered storage (KIP-405) if it is off in the broker."""
    if not broker.config.bool("remote.log.storage.system.enable"):
        words = "Tiered Storage functionality is disabled in the broker. "
        raise ApiError(invalid, prefix + words + "Topic cannot be configured with remote log storage.")
