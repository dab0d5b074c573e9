"""What part of a log is dirty, and how far it may be cleaned (LogToClean, LogCleanerManager.cleanableOffsets).

    0 ........ start ............ end ........ the log's end
      clean          to clean          stays

`start` comes from the checkpoint of the last pass. `end` is the base of a segment, which stays whole.
"""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from fakekafka.ids import Offset, TimestampMs
from fakekafka.log.checkpoints import Partition
from fakekafka.log.config import LogConfig
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import Segment
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Cleanable(NamedTuple):
    """The part of a log that a pass would clean."""

    start: Offset
    """The first dirty offset: everything before it has been cleaned."""
    end: Offset
    """Base of the first segment that stays."""
    clean_bytes: int
    dirty_bytes: int
    """Bytes of whole segments, so that a segment which is half clean counts on both sides."""
    is_overdue: bool
    """Whether something has waited for longer than `max.compaction.lag.ms` (KIP-354)."""
    corrected: bool
    """Whether `start` differs from what the checkpoint says."""
    is_fatal: bool
    """Whether the cleaner dies as soon as it looks at this log."""

    @property
    def ratio(self) -> float:
        """How dirty the log is, from 0 to 1; 0 for a log without bytes."""
        total = self.clean_bytes + self.dirty_bytes
        return self.dirty_bytes / total if total else 0.0

    def is_due(self, config: LogConfig) -> bool:
        """Whether the log is worth a pass."""
        return self.ratio > config.min_cleanable_ratio or (self.is_overdue and self.dirty_bytes > 0)


class Candidate(NamedTuple):
    """A log that is worth a pass."""

    key: Partition
    log: PartitionLog
    part: Cleanable


def cleanable(
    log: PartitionLog, checkpoint: Offset | None, high_watermark: Offset, rules: CleanerBehaviour, now: TimestampMs
) -> Cleanable:
    """What can be cleaned of `log`. `checkpoint`: where the last pass ended, None before the first."""
    start = _start(log, checkpoint, rules)
    active = log.segments[-1]
    dirty = between(log.segments, start, active.base_offset)
    bound = max(start, min(_bounds(log, dirty, high_watermark, rules, now)))
    held = between(log.segments, bound, active.base_offset)
    end = held[0].base_offset if held else active.base_offset
    return Cleanable(
        start,
        end,
        sum(segment.size for segment in log.segments if segment.base_offset < start),
        sum(segment.size for segment in between(log.segments, *_counted(start, end, rules))),
        _is_overdue(dirty, log.config, now),
        checkpoint is not None and checkpoint != start,
        rules.dies_in_active and start > active.base_offset,
    )


def _counted(start: Offset, end: Offset, rules: CleanerBehaviour) -> tuple[Offset, Offset]:
    """The range whose segments count as dirty. It may hold the active segment where `start` is inside of that."""
    match rules.dirty_in_active:
        case "endless":
            return start, max(start, end)
        case "nothing" | "stops the cleaner":
            return min(start, end), end
        case rule:
            assert_never(rule)


def between(segments: Sequence[Segment], start: Offset, end: Offset) -> list[Segment]:
    """The segments from the one that holds `start` on, as far as their bases are below `end`."""
    first = max((s.base_offset for s in segments if s.base_offset <= start), default=start)
    return [segment for segment in segments if first <= segment.base_offset < end]


def _start(log: PartitionLog, checkpoint: Offset | None, rules: CleanerBehaviour) -> Offset:
    first = log.segments[0].base_offset
    match rules.dirty_offset_check:
        case "none":
            return first if checkpoint is None else checkpoint
        case "log start":
            return first if checkpoint is None else max(checkpoint, first)
        case "log start and end":
            is_valid = checkpoint is not None and log.log_start_offset <= checkpoint <= log.log_end_offset
            return checkpoint if is_valid and checkpoint is not None else log.log_start_offset
        case check:
            assert_never(check)


def _bounds(
    log: PartitionLog, dirty: Sequence[Segment], high_watermark: Offset, rules: CleanerBehaviour, now: TimestampMs
) -> list[Offset]:
    """Offsets beyond which a pass does not go."""
    bounds = [log.segments[-1].base_offset]
    match rules.bound:
        case "active segment":
            pass
        case "open transactions":
            if (unstable := log.first_unstable_offset) is not None:
                bounds.append(unstable)
        case "stable offset":
            bounds.append(log.last_stable_offset(high_watermark))
        case bound:
            assert_never(bound)
    lag_ms = log.config.min_compaction_lag_ms
    if lag_ms > 0:
        bounds += [segment.base_offset for segment in dirty if segment.find_largest_timestamp_ms() > now - lag_ms][:1]
    return bounds


def _is_overdue(dirty: Sequence[Segment], config: LogConfig, now: TimestampMs) -> bool:
    limit_ms = now - config.max_compaction_lag_ms
    return limit_ms > 0 and any(0 < segment.find_first_timestamp() < limit_ms for segment in dirty)
