"""Why a topic refuses single records, and how brokers from 0.11 on report it (LogValidator, KIP-467)."""

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_TIMESTAMP, Offset, TimestampMs
from fakekafka.records.append.prepared import AppendTarget, RecordError, SetRefused, limits
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE
from fakekafka.records.hot import int64
from fakekafka.records.malformed import CorruptUnit, FieldPastEnd
from fakekafka.records.message import MAGIC_AT, Message
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.append import AppendBehaviour

SHOWN_ERRORS: Final = 3
"""How many of the bad records the error message names."""


class ReadRecord(NamedTuple):
    """A record, as far as it was read. Prints as in the broker's messages."""

    offset: Offset
    timestamp: TimestampMs
    key_size: int
    """Negative for a null key; `value_size` likewise."""
    value_size: int
    skipped: bool = False
    """Whether key and value were skipped, so that only their sizes are known (PartialDefaultRecord)."""

    def __str__(self) -> str:
        name = "PartialDefaultRecord" if self.skipped else "DefaultRecord"
        key, value = (n if self.skipped else max(0, n) for n in (self.key_size, self.value_size))
        return f"{name}(offset={self.offset}, timestamp={self.timestamp}, key={key} bytes, value={value} bytes)"


def as_read(record: Record) -> ReadRecord:
    """A record that was read as a whole."""
    key, value = record.key, record.value
    return ReadRecord(
        record.offset, record.timestamp, -1 if key is None else len(key), -1 if value is None else len(value)
    )


def record_error(
    index: int, record: ReadRecord, flagged: bool, target: AppendTarget, rules: AppendBehaviour, now: TimestampMs
) -> RecordError | None:
    """Why the topic refuses a record. `flagged`: its batch says LogAppendTime (LogValidator.validateRecord)."""
    if target.compacted and record.key_size < 0:
        text = rules.keyless_text.format(partition=target.name)
        return RecordError(index, rules.invalid_record, text)
    timestamp = record.timestamp
    has_time = timestamp != NO_TIMESTAMP or not rules.missing_timestamp_passes
    bounds = limits(target, now)
    if bounds is not None and has_time and not bounds[0] <= timestamp <= bounds[1]:
        text = (
            f"Timestamp {timestamp} of message with offset {record.offset} is out of range. "
            f"The timestamp should be within [{int64(bounds[0])}, {int64(bounds[1])}]"
        )
        return RecordError(index, ErrorCode.INVALID_TIMESTAMP, text)
    passes = rules.flagged_append_time == "passes with a good time" and has_time and not target.append_time
    if flagged and not passes:
        text = f"Invalid timestamp type in message {record}. Producer should not set timestamp type to LogAppendTime."
        return RecordError(index, ErrorCode.INVALID_TIMESTAMP, text)
    return None


def message_error(
    index: int,
    inner: Message,
    outer: Message,
    record: Record,
    target: AppendTarget,
    rules: AppendBehaviour,
    now: TimestampMs,
) -> RecordError | None:
    """What is wrong with a message of format 0 or 1; `outer` is its wrapper, or itself. Raises `CorruptUnit`."""
    if inner.magic != outer.magic:
        text = f"Record's magic does not match outer magic {outer.magic} in topic partition {target.name}"
        return RecordError(index, rules.invalid_record, text)
    if inner is not outer and not inner.crc_ok():
        raise CorruptUnit("wrong checksum of a message in a wrapper")
    flagged = outer.timestamp_type == LOG_APPEND_TIME_TYPE
    return record_error(index, as_read(record), flagged, target, rules, now)


def check_magics(inside: Iterable[Message], rules: AppendBehaviour) -> None:
    """Refuse a wrapper with a message whose format is neither 0 nor 1; such messages are read as format 1.

    Releases that explain single records fail where such a message has no room for the fields that they want to show.
    """
    for inner in inside:
        if inner.magic not in (0, 1):
            explained = rules.reports_records
            raise SetRefused(
                ErrorCode.UNKNOWN_SERVER_ERROR if explained and _has_no_room(inner) else rules.invalid_record
            )


def _has_no_room(inner: Message) -> bool:
    """Whether key and value, read in the layout of format 1, end after the message."""
    data = bytearray(inner.data)
    data[MAGIC_AT] = 1
    try:
        Message(data).value  # noqa: B018 - whether it can be read is what matters
    except FieldPastEnd:
        return True
    return False


def refusal(errors: list[RecordError], rules: AppendBehaviour) -> SetRefused:
    """The answer to a set with these bad records (LogValidator.processRecordErrors)."""
    first = errors[0]
    match rules.record_errors:
        case "none":
            return SetRefused(first.error)
        case "first without text":
            return SetRefused(first.error, first.text, [first._replace(text=None)])
        case "all":
            return _refusal_with_all(errors, rules)
        case details:
            assert_never(details)


def _refusal_with_all(errors: list[RecordError], rules: AppendBehaviour) -> SetRefused:
    if any(error.error == ErrorCode.INVALID_TIMESTAMP for error in errors):
        text = "One or more records have been rejected due to invalid timestamp"
        return SetRefused(ErrorCode.INVALID_TIMESTAMP, text, errors)
    text = "One or more records have been rejected"
    if rules.rejection_text == "with the first errors":
        shown = ", ".join(f"RecordError(batchIndex={e.number}, message='{e.text}')" for e in errors[:SHOWN_ERRORS])
        text += (
            f" due to {len(errors)} record errors in total, and only showing the first three errors at most: [{shown}]"
        )
    return SetRefused(rules.invalid_record, text, errors)
