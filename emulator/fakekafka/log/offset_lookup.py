"""Looking up offsets by time in a log, as ListOffsets does (Log.fetchOffsetByTimestamp, fetchOffsetsBefore).

Not here: which answers a reader may see (high watermark, isolation), and which releases refuse which requests.
"""

from fakekafka.ids import NO_EPOCH, Offset, TimestampMs
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import FoundOffset, Segment
from fakekafka.releases.behaviours.log import LogBehaviour

LATEST = -1
EARLIEST = -2


def offsets_before(
    log: PartitionLog, rules: LogBehaviour, timestamp: TimestampMs, at_most: int, now: TimestampMs
) -> list[Offset]:
    """The list of version 0: segments that were last written at `timestamp` or before, newest first.

    A segment counts by the time of its file; the log's end, if the last segment holds anything, counts as `now`. -1
    asks for all of them, -2 for the oldest.
    """
    start = log.log_start_offset if rules.log_start_offset else 0
    pairs = [(max(s.base_offset, start), s.last_modified_ms) for s in log.segments]
    if log.segments[-1].size > 0:
        pairs.append((log.log_end_offset, now))
    if timestamp == LATEST:
        first = len(pairs) - 1
    elif timestamp == EARLIEST:
        first = 0
    else:
        first = max((n for n, (_, at) in enumerate(pairs) if at <= timestamp), default=-1)
    oldest = max(first + 1 - at_most, 0)
    return sorted((offset for offset, _ in pairs[oldest : first + 1]), reverse=True)


def offset_for_timestamp(log: PartitionLog, rules: LogBehaviour, timestamp: TimestampMs) -> FoundOffset | None:
    """The first record from the log's start on whose timestamp is `timestamp` or later.

    The search is in the first segment whose largest timestamp, or file time, reaches it, and does not go on to the
    next.
    """
    start = log.log_start_offset if rules.log_start_offset else 0
    segment = next((s for s in log.segments if s.find_largest_timestamp_ms() >= timestamp), None)
    return None if segment is None else segment.first_at_or_after(timestamp, max(start, segment.base_offset))


def noted_max_timestamp(log: PartitionLog) -> FoundOffset:
    """The largest timestamp of all (KIP-734) with the offset that its segment notes for it.

    If no record has a time, or there is no record, that is -1 with the base of the first segment.
    """
    timestamp, offset = _youngest(log).find_max_timestamp()
    return FoundOffset(timestamp, offset, NO_EPOCH if log.epochs is None else log.epochs.latest)


def record_of_max_timestamp(log: PartitionLog) -> FoundOffset | None:
    """The first record that has the largest timestamp of all (KAFKA-16310), even if that is -1; None for an empty
    log.
    """
    return _youngest(log).record_of_max_timestamp()


def _youngest(log: PartitionLog) -> Segment:
    return max(log.segments, key=lambda segment: segment.find_max_timestamp()[0])
