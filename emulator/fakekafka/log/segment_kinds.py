"""Which kind of segment a log has: the shipped one, or that of a draft."""

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
    """A segment as the log's configuration wants it."""
    if config.minute_index is None:
        return Segment(directory, base_offset, rules, config, now, roll_jitter_ms, suffix)
    from fakekafka.log.drafts.minute_segment import MinuteSegment  # only a draft needs it

    return MinuteSegment(directory, base_offset, rules, config, now, roll_jitter_ms, suffix)
