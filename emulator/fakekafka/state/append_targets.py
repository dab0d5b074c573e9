"""What a topic's configuration asks of the records that are appended to it."""

from typing import Final

from fakekafka.ids import CodecId, Magic
from fakekafka.records.append.prepared import NO_LIMIT, AppendTarget
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.plugged import PLUGGED, PluggedCodecs
from fakekafka.releases.protocol_effects import ZSTD, has
from fakekafka.state.configs import TopicConfig

CODECS: Final[dict[str, CodecId]] = {"uncompressed": 0} | {name: n for n, name in enumerate(CODEC_NAMES) if n}
"""Values of `compression.type` other than "producer"."""


def append_target(
    config: TopicConfig, magic: Magic, name: str, protocol: str, plugged: PluggedCodecs | None = None
) -> AppendTarget:
    """The target of the log `name`, which stores format `magic`, under the inter-broker protocol `protocol`.

    `plugged`: codecs that Kafka does not have, whose names `compression.type` may give.
    """
    kind = config.text("compression.type", "producer")
    is_alias = plugged is not None and kind not in CODECS and kind != "producer"
    level = config.value(f"compression.{kind}.level")
    either = config.int("message.timestamp.difference.max.ms", NO_LIMIT)
    return AppendTarget(
        magic=magic,
        codec=PLUGGED if is_alias else CODECS.get(kind),
        level=level if isinstance(level, int) else None,
        compacted="compact" in config.cleanup_policy,
        append_time=config.text("message.timestamp.type") == "LogAppendTime",
        before_max_ms=_limit(config, "before", either),
        after_max_ms=_limit(config, "after", either),
        max_bytes=config.int("max.message.bytes", NO_LIMIT),
        zstd_allowed=not protocol or has(protocol, ZSTD),
        name=name,
        plugged=plugged,
        alias=kind if is_alias else "",
    )


def min_in_sync(config: TopicConfig, most: int | None) -> int:
    """How many replicas must be in sync for acks -1: `min.insync.replicas`, but not above `most`."""
    wanted = config.int("min.insync.replicas", 1)
    return wanted if most is None else min(wanted, most)


def _limit(config: TopicConfig, side: str, either: int) -> int:
    """KIP-937's limit on one side, if there is one; otherwise the older one, which applies to both sides."""
    limit = config.int(f"message.timestamp.{side}.max.ms", NO_LIMIT)
    return either if limit == NO_LIMIT else limit
