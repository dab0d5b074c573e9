"""Which segments of a log must go: too old, too many bytes, or below the log's start.

Pure questions about a list of segments; `PartitionLog.delete_old_segments` asks them in the release's order and acts on
the answers. The answer is always a number of segments counted from the oldest: the walk ends at the first one that
stays, so a recent segment protects the old ones after it (Log.deletableSegments, CleanupManager up to 0.10.0).
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from fakekafka.ids import DurationMs, Offset, TimestampMs
from fakekafka.log.segment import Segment
from fakekafka.releases.behaviours.log import LogBehaviour


def too_old(
    segments: Sequence[Segment],
    bound: Offset | None,
    log_end: Offset,
    rules: LogBehaviour,
    limit_ms: DurationMs,
    now: TimestampMs,
) -> int:
    """How many of the first segments are older than `limit_ms` (-1: no limit). `bound`: the high watermark, if it
    matters.
    """
    if limit_ms < 0:
        return 0
    return _count(segments, bound, log_end, lambda at: now - _time_of(segments[at], rules) > limit_ms)


def _time_of(segment: Segment, rules: LogBehaviour) -> TimestampMs:
    match rules.retention_clock:
        case "file time":
            return segment.last_modified_ms
        case "largest timestamp":
            return segment.find_largest_timestamp_ms()
        case "last timestamp":
            return segment.find_last_timestamp_ms()
        case clock:
            assert_never(clock)


def too_large(segments: Sequence[Segment], bound: Offset | None, log_end: Offset, limit: int) -> int:
    """How many of the first segments can go while `limit` bytes (-1: no limit) or more remain."""
    if limit < 0:
        return 0
    spare = sum(segment.size for segment in segments) - limit

    def fits(at: int) -> bool:
        nonlocal spare
        spare -= segments[at].size
        return spare >= 0

    return _count(segments, bound, log_end, fits)


def below_start(segments: Sequence[Segment], bound: Offset | None, log_end: Offset, log_start: Offset) -> int:
    """How many of the first segments end at or below the log's start."""
    bases = [segment.base_offset for segment in segments]
    return _count(segments, bound, log_end, lambda at: at + 1 < len(bases) and bases[at + 1] <= log_start)


def _count(segments: Sequence[Segment], bound: Offset | None, log_end: Offset, goes: Callable[[int], bool]) -> int:
    """Count the segments up to the first that stays. An empty last segment stays, and so do those that the high
    watermark has not passed.
    """
    for at, segment in enumerate(segments):
        is_last = at + 1 == len(segments)
        end = log_end if is_last else segments[at + 1].base_offset
        if (bound is not None and bound < end) or not goes(at) or (is_last and segment.size == 0):
            return at
    return len(segments)
