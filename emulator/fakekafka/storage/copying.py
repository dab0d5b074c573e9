"""Appending to a follower's log what its leader gave: the bytes stay as they came, offsets and all.

Only checksums and the order of offsets are validated. The header of a wrapper of format 0 or 1 has only the last
offset, and a follower does not look inside (Log.appendAsFollower).
"""

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, Offset, TimestampMs
from fakekafka.log.append_info import AppendInfo, Origin
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.batch import Batch
from fakekafka.records.scan import batches


def append_copy(log: PartitionLog, data: Buffer, now: TimestampMs, *, may_begin_earlier: bool = True) -> bool:
    """Append the whole units at the front of `data`. False if there is none, or something is wrong with one.

    `may_begin_earlier`: see `LogBehaviour.copied_batch`.
    """
    try:
        units = list(batches(data, dialect=log.config.dialect))
    except MalformedBytes:
        return False
    if not units or not _continue(log, units, may_begin_earlier) or not all(unit.crc_ok() for unit in units):
        return False
    first = _first_offset(units[0])
    if first < log.log_end_offset:
        log.truncate_fully_and_start_at(first, now)
    size = sum(unit.size for unit in units)
    return log.append(memoryview(data)[:size], _info(units), now).error is ErrorCode.NONE


def has_units(log: PartitionLog, data: Buffer) -> bool:
    """Whether `data` begins with a whole unit, or with bytes that are not a unit."""
    try:
        return any(True for _ in batches(data, dialect=log.config.dialect))
    except MalformedBytes:
        return True


def _continue(log: PartitionLog, units: list[Batch], may_begin_earlier: bool) -> bool:
    """Whether the offsets of the units follow those of the log, and each other. The first one may begin earlier than an
    empty log, which then begins there, too (Partition.appendRecordsToFollowerOrFutureReplica).
    """
    end = log.log_end_offset
    is_empty = log.log_start_offset == end
    if _first_offset(units[0]) < end and not (may_begin_earlier and is_empty):
        return False
    for unit in units:
        if unit.last_offset < end:
            return False
        end = unit.last_offset + 1
    return True


def _info(units: list[Batch]) -> AppendInfo:
    """The units as a follower's log sees them: the largest timestamp counts with its unit's last offset."""
    max_timestamp, at = NO_TIMESTAMP, NO_OFFSET
    for unit in units:
        if unit.max_timestamp > max_timestamp:
            max_timestamp, at = unit.max_timestamp, unit.last_offset
    return AppendInfo(_first_offset(units[0]), units[-1].last_offset, max_timestamp, at, units, Origin.REPLICATION)


def _first_offset(unit: Batch) -> Offset:
    return unit.base_offset if unit.magic >= 2 else unit.last_offset
