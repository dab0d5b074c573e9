"""What brokers from 0.11 on check in a set of batches before they store it (Log.append, LogValidator).

Three kinds of fault are answered differently: bytes that cannot be read (`MalformedBytes`), batches whose header
contradicts itself, and records that the topic does not take. Only the last has details per record (KIP-467).

A format 2 batch is checked by one pass over its bytes that creates no objects (`RecordBatch.check`). Each record is
examined only if that finds a reason.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, assert_never

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import NO_PRODUCER_ID, Buffer, CodecId, Magic, Offset, TimestampMs
from fakekafka.records import scan
from fakekafka.records.append.prepared import AppendTarget, RecordError, SetRefused, limits
from fakekafka.records.append.record_checks import ReadRecord, record_error, refusal
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE
from fakekafka.records.batch import Batch
from fakekafka.records.compression import NONE
from fakekafka.records.hot import Outline, Summary
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    LengthPastEnd,
    NegativeLength,
    OverlongLength,
    PayloadEndsEarly,
    UndecodablePayload,
)
from fakekafka.records.message import Message
from fakekafka.records.plugged import PLUGGED
from fakekafka.records.v2 import RecordBatch
from fakekafka.releases.behaviours.append import AppendBehaviour


def error_of(wrong: MalformedBytes, compressed_batch: bool, skipping: bool, rules: AppendBehaviour) -> ErrorCode:
    """What the release answers about bytes that cannot be read. `skipping`: whether the reader skips keys and values.
    `compressed_batch`: whether it is a compressed batch of format 2. Asked of 11 releases from 0.11.0.3 to 4.3.1,
    see `malformed`.
    """
    newest = rules.ignores_lengths
    if isinstance(wrong, CorruptUnit):
        return ErrorCode.CORRUPT_MESSAGE
    if isinstance(wrong, PayloadEndsEarly):
        return rules.invalid_record if compressed_batch and not newest else ErrorCode.UNKNOWN_SERVER_ERROR
    if isinstance(wrong, LengthPastEnd) and not compressed_batch and rules.length_past_end == "fails":
        return ErrorCode.UNKNOWN_SERVER_ERROR
    if isinstance(wrong, (UndecodablePayload, FieldPastEnd)):
        return ErrorCode.UNKNOWN_SERVER_ERROR
    if isinstance(wrong, OverlongLength):
        return rules.invalid_record if compressed_batch and newest else ErrorCode.UNKNOWN_SERVER_ERROR
    if isinstance(wrong, NegativeLength) and compressed_batch and not skipping:
        return ErrorCode.UNKNOWN_SERVER_ERROR
    return rules.invalid_record


# ---- a set as it came


def checked_batches(data: Buffer, target: AppendTarget, rules: AppendBehaviour, from_client: bool) -> list[Batch]:
    """The units of a set; an incomplete last one is left out. Raises `CorruptUnit`, `SetRefused`."""
    whole = memoryview(data)
    batches: list[Batch] = []
    for position, offset, size, magic in scan.units(data):
        unit = whole[position : position + size]
        batch: Batch = RecordBatch(unit) if magic == 2 else Message(unit)
        if from_client and magic == 2 and offset != 0:
            raise SetRefused(rules.invalid_record)
        if size > target.max_bytes:
            raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)
        if not batch.crc_ok():
            raise CorruptUnit(f"wrong checksum of the unit at {position}")
        if batch.codec > rules.newest_codec:
            _plug_in(batch, target)
        batches.append(batch)
    return batches


def _plug_in(batch: Batch, target: AppendTarget) -> None:
    """Have a plug-in read a batch whose codec the release does not have. Raises `SetRefused` without one."""
    if target.plugged is None or not isinstance(batch, RecordBatch) or batch.codec != PLUGGED:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR)
    batch.plugged = target.plugged


def gaps(offsets: list[Offset]) -> list[int]:
    """The records of a set whose offsets are not 0, 1, 2 and so on."""
    return [n for n, offset in enumerate(offsets) if offset != n]


def check_sizes(batches: Iterable[Batch], target: AppendTarget) -> None:
    """Refuse a set that has become too large by being rebuilt."""
    if any(batch.size > target.max_bytes for batch in batches):
        raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)


def last_codec(batches: list[Batch]) -> CodecId:
    """The codec of the last unit that has one: it applies to the whole set."""
    for batch in reversed(batches):
        if codec := batch.codec:
            return codec
    return NONE


def check_company(batches: list[Batch], source: CodecId, rules: AppendBehaviour) -> None:
    """Refuse units that may not be together in one set."""
    if rules.several_batches == "refused" and len(batches) > 1:
        first = batches[0].magic
        if first >= 2 or source != NONE or any(batch.magic != first for batch in batches):
            raise SetRefused(rules.invalid_record)


def check_header(batch: Batch, magic: Magic, rules: AppendBehaviour, from_client: bool) -> None:
    """Refuse a batch that contradicts itself or cannot be stored in format `magic` (LogValidator.validateBatch)."""
    if isinstance(batch, RecordBatch):
        if from_client and not _is_consistent(batch, rules):
            raise SetRefused(rules.invalid_record)
        has_producer = batch.producer_id > NO_PRODUCER_ID and rules.producer_in_old_format == "refused"
        if magic < 2 and (batch.is_transactional or has_producer):
            raise SetRefused(ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT)


def _is_consistent(batch: RecordBatch, rules: AppendBehaviour) -> bool:
    match rules.batch_counts:
        case "any":
            counted = True
        case "not zero":
            counted = batch.count != 0
        case "consistent":
            counted = 0 < batch.count == batch.last_offset_delta + 1
        case _:
            assert_never(rules.batch_counts)
    return counted and not batch.is_control and (batch.producer_id <= NO_PRODUCER_ID or batch.base_sequence >= 0)


# ---- records of format 2

NO_RECORDS: Final = Summary(
    sequential=True, keyless=0, min_timestamp_delta=0, max_timestamp_delta=0, max_timestamp_index=0
)
"""What is known about a batch whose header counts no records."""


def check_records(
    batch: RecordBatch, target: AppendTarget, rules: AppendBehaviour, now: TimestampMs, skipping: bool
) -> Summary:
    """Check the records of a batch without creating objects. Raises `SetRefused`. `skipping`: as the reader that skips
    keys and values of compressed batches does.
    """
    if batch.count == 0:  # its reader stops before the first byte, whatever is there
        return NO_RECORDS
    try:
        summary = batch.check(lengths=_lengths_count(skipping, rules))
    except MalformedBytes as wrong:
        if not rules.reports_all_records:  # a bad record before the broken bytes comes first
            _refuse(_errors_before(batch, skipping, target, rules, now), rules)
        raise SetRefused(error_of(wrong, batch.codec != NONE, skipping, rules)) from None
    if _is_suspicious(batch, summary, target, rules, now):
        _refuse(_errors_before(batch, skipping, target, rules, now), rules)
    return summary


def _is_suspicious(
    batch: RecordBatch, summary: Summary, target: AppendTarget, rules: AppendBehaviour, now: TimestampMs
) -> bool:
    if (target.compacted and summary.keyless) or batch.timestamp_type == LOG_APPEND_TIME_TYPE:
        return True
    bounds = limits(target, now)
    if bounds is None:
        return False
    earliest = batch.base_timestamp + summary.min_timestamp_delta
    latest = batch.base_timestamp + summary.max_timestamp_delta
    return earliest < bounds[0] or latest > bounds[1]


def reads_whole(rules: AppendBehaviour) -> bool:
    """Whether keys and values are read, too, where a compressed batch is checked that may stay as it is."""
    match rules.compressed_reader:
        case "whole":
            return True
        case "skipping" | "skipping, lengths ignored":
            return False
        case reader:
            assert_never(reader)


def _lengths_count(skipping: bool, rules: AppendBehaviour) -> bool:
    return not (skipping and rules.ignores_lengths)


def _errors_before(
    batch: RecordBatch, skipping: bool, target: AppendTarget, rules: AppendBehaviour, now: TimestampMs
) -> list[RecordError]:
    """What is wrong with the records of a batch, up to the first that cannot be read."""
    outlines: list[Outline] = []
    with suppress(MalformedBytes):
        batch.check(lengths=_lengths_count(skipping, rules), outlines=outlines)
    append_time = batch.max_timestamp if batch.timestamp_type == LOG_APPEND_TIME_TYPE else None
    errors = []
    skipped = skipping and batch.codec != NONE
    for index, seen in enumerate(outlines):
        timestamp = batch.timestamp(seen.timestamp_delta) if append_time is None else append_time
        record = ReadRecord(batch.base_offset + seen.offset_delta, timestamp, seen.key_size, seen.value_size, skipped)
        error = record_error(index, record, append_time is not None, target, rules, now)
        if error is not None:
            errors.append(error)
    return errors


def _refuse(errors: list[RecordError], rules: AppendBehaviour) -> None:
    if errors:
        raise refusal(errors, rules)
