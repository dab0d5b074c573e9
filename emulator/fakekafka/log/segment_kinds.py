"""Which kind of segment a log has: the shipped one, or that of a draft."""

from typing import assert_never

from fakekafka.ids import DurationMs, Offset, TimestampMs
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.segment import Segment
from fakekafka.releases.behaviours.log import LogBehaviour


def segment_of(
    directory: Directory,
    base_offset: Offset,
    rules: LogBehaviour,
    config: LogConfig,
    now: TimestampMs,
    roll_jitter_ms: DurationMs = 0,
    suffix: str = "",
) -> Segment:
    """A segment of the kind that the log's configuration asks for."""
    return _kind(config)(directory, base_offset, rules, config, now, roll_jitter_ms, suffix)


def _kind(config: LogConfig) -> type[Segment]:
    match config.times_by:
        case None:
            return Segment
        case "16-byte entries":
            from fakekafka.log.drafts.wide_segment import WideSegment  # only a draft needs it

            return WideSegment
        case "minutes of append time" | "minutes of create time":
            from fakekafka.log.drafts.minute_segment import MinuteSegment  # only a draft needs it

            return MinuteSegment
        case kind:
            assert_never(kind)
