"""How brokers up to 0.10.2 make a set of messages ready for a log (ByteBufferMessageSet, LogValidator @ 0.10.2).

Sets are messages of formats 0 and 1, maybe wrappers. Not for format 2, whose batches look like messages with a wrong
checksum here. The one fact to know: these brokers copy messages rather than rebuild them, so whatever a message holds,
a wrong checksum inside a wrapper included, gets into the log with it. For the same reason the append time gets into a
wrapper, but not into its messages.

    what comes                          what is stored
    plain, as it shall be               the same bytes; offsets, and times under LogAppendTime, stamped in place
    plain, of another format            each message converted
    a wrapper of format 1, in order     the same bytes; the wrapper's offset and time stamped in place
    any other wrapper, or new codec     all messages of the set, converted where they must be, in one wrapper or plain
"""

from collections.abc import Iterable, Iterator
from itertools import count

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, CodecId, Offset, TimestampMs
from fakekafka.records import attributes as bits
from fakekafka.records import message, scan, wrapper
from fakekafka.records.append_rules import AppendRules, AppendTarget, Prepared, SetRefused, limits
from fakekafka.records.compression import LZ4, NONE, SNAPPY
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    PayloadEndsEarly,
    UndecodablePayload,
    UnknownCodec,
    UnsupportedLz4,
)
from fakekafka.records.message import Message
from fakekafka.records.message_conversion import KEY_SIZE_AT, Entry, cut_and_paste, in_format, readable, rewritten


def prepare(data: Buffer, target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs) -> Prepared | None:
    """The set in `data` as it will be stored from offset `start` on; None without a whole message in it.

    May write into `data`. Raises `SetRefused`.
    """
    try:
        return _prepare(data, target, rules, start, now)
    except MalformedBytes as wrong:
        raise SetRefused(_error_of(wrong, rules), str(wrong)) from None


def _prepare(
    data: Buffer, target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs
) -> Prepared | None:
    messages = list(_checked_messages(data, target, rules))
    if not messages:
        return None
    data = memoryview(data)[: sum(m.size for m in messages)]
    source = _last_codec(messages, rules)
    codec = source if target.codec is None else target.codec
    rebuilt = True
    if source != NONE or codec != NONE:
        entries = list(_entries(messages, rules))
        in_place = _check_entries(entries, target, rules, now) and source == codec and target.magic > 0
        if in_place:
            rebuilt = False
            prepared = _stamp_first(data, entries, target, rules, start, now)
        else:
            prepared = _rebuild(entries, codec, target, rules, start, now)
    elif rules.conversion != "none" and any(m.magic != target.magic for m in messages):
        prepared = _convert_plain(messages, target, rules, start, now)
    else:
        rebuilt = False
        prepared = _stamp_each(data, messages, target, rules, start, now)
    if rebuilt or rules.size_checked != "before":
        _check_sizes(prepared.batches, target)
    return prepared


def _error_of(wrong: MalformedBytes, rules: AppendRules) -> ErrorCode:
    """What the release answers about bytes that cannot be read."""
    if isinstance(wrong, (UnknownCodec, UnsupportedLz4, FieldPastEnd)):
        return ErrorCode.UNKNOWN_SERVER_ERROR
    if isinstance(wrong, UndecodablePayload):
        return rules.undecodable
    return ErrorCode.CORRUPT_MESSAGE


# ---- the set as it came


def _checked_messages(data: Buffer, target: AppendTarget, rules: AppendRules) -> Iterator[Message]:
    """The units of the set (Log.analyzeAndValidateMessageSet). A cut last one is left out."""
    whole = memoryview(data)
    for unit in scan.units_of_any_magic(data):
        found = Message(whole[unit.position : unit.position + unit.size])
        if rules.size_checked != "after" and unit.size > target.max_bytes:
            raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)
        if not found.crc_ok():
            raise CorruptUnit(f"wrong checksum of the message at {unit.position}")
        if _codec(found, rules) > (LZ4 if rules.codec_bits == 3 else SNAPPY):
            raise UnknownCodec(f"codec {_codec(found, rules)}")
        yield found


def _check_sizes(units: Iterable[object], target: AppendTarget) -> None:
    for unit in units:
        assert isinstance(unit, Message)
        if unit.size > target.max_bytes:
            raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)


def _codec(found: Message, rules: AppendRules) -> CodecId:
    return found.attributes & ((1 << rules.codec_bits) - 1)


def _last_codec(messages: list[Message], rules: AppendRules) -> CodecId:
    """The codec of the last message that has one: it counts for the whole set."""
    return next((codec for m in reversed(messages) if (codec := _codec(m, rules))), NONE)


# ---- opening wrappers


def _entries(messages: Iterable[Message], rules: AppendRules) -> Iterator[Entry]:
    """All messages of the set, those in wrappers taken out."""
    for found in messages:
        if _codec(found, rules) == NONE:
            yield Entry(found.last_offset, found, _timestamp(found, rules), _timestamp_type(found, rules))
        else:
            yield from _entries_inside(found, rules)


def _entries_inside(outer: Message, rules: AppendRules) -> Iterator[Entry]:
    inside = _messages_inside(outer, rules)
    if not inside and rules.empty_wrapper == "error":
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, "a wrapper of nothing")
    if rules.conversion == "none":
        if rules.nested_wrapper == "opened":
            yield from _entries(inside, rules)
        else:
            yield from (Entry(m.last_offset, m, NO_TIMESTAMP, bits.NO_TIMESTAMP_TYPE) for m in inside)
        return
    if any(m.magic != outer.magic for m in inside):
        raise SetRefused(rules.mixed_wrapper, "a message of another format in a wrapper")
    if rules.nested_wrapper == "refused" and any(map(_is_compressed, inside)):
        raise InvalidRecord("a wrapper in a wrapper")
    shift = _shift(outer, inside, rules)
    kind = _timestamp_type(outer, rules)
    append_time = _timestamp(outer, rules) if kind == bits.LOG_APPEND_TIME_TYPE else None
    for m in inside:
        yield Entry(m.last_offset + shift, m, _timestamp(m, rules) if append_time is None else append_time, kind)


def _messages_inside(outer: Message, rules: AppendRules) -> list[Message]:
    stream = readable(outer, rules).value
    if stream is None:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, "a wrapper without value")
    checksum = HeaderChecksum.BROKEN if rules.lz4_header == "broken" else None
    data, failure = wrapper.unwrap(outer.magic, _codec(outer, rules), stream, checksum)
    inside = message.split(data)
    if failure and not (isinstance(failure, PayloadEndsEarly) and rules.cut_wrapper == "ends there"):
        raise failure
    return inside


def _is_compressed(found: Message) -> bool:
    return found.codec != NONE


def _shift(outer: Message, inside: list[Message], rules: AppendRules) -> Offset:
    """What makes the offsets inside absolute."""
    if outer.magic == 0 or not inside:
        return 0
    base = outer.last_offset - inside[-1].last_offset
    return base if rules.inner_offsets == "from the last" or base >= 0 else 0


# ---- checks


def _check_entries(entries: list[Entry], target: AppendTarget, rules: AppendRules, now: TimestampMs) -> bool:
    """Check every message of a set with wrappers. True: none needs another offset or another format."""
    expected = count()
    in_order = True
    for entry in entries:
        _check_key(entry.message, target, rules)
        if entry.message.magic and target.magic:
            _check_time(entry.timestamp, entry.timestamp_type, target, now)
            in_order = entry.offset == next(expected) and in_order
        in_order = in_order and entry.message.magic == target.magic
    return in_order


def _check_key(found: Message, target: AppendTarget, rules: AppendRules, least: int = 0) -> None:
    if target.compacted and rules.keyless_messages != "taken" and _key_size(found, rules) < least:
        raise InvalidRecord("Compacted topic cannot accept message without key.")


def _key_size(found: Message, rules: AppendRules) -> int:
    at = KEY_SIZE_AT[1 if found.magic and rules.conversion != "none" else 0]
    if at + 4 > found.size:
        raise FieldPastEnd("no room for a key")
    return int.from_bytes(found.data[at : at + 4], "big", signed=True)


def _check_time(timestamp: TimestampMs, timestamp_type: int, target: AppendTarget, now: TimestampMs) -> None:
    bounds = limits(target, now)
    if bounds is not None and not bounds[0] <= timestamp <= bounds[1]:
        raise SetRefused(ErrorCode.INVALID_TIMESTAMP, f"Timestamp {timestamp} of message is out of range.")
    if timestamp_type == bits.LOG_APPEND_TIME_TYPE:
        raise SetRefused(ErrorCode.INVALID_TIMESTAMP, "Producer should not set timestamp type to LogAppendTime.")


def _timestamp(found: Message, rules: AppendRules) -> TimestampMs:
    return readable(found, rules).max_timestamp if rules.conversion != "none" else NO_TIMESTAMP


def _timestamp_type(found: Message, rules: AppendRules) -> int:
    return readable(found, rules).timestamp_type if rules.conversion != "none" else bits.NO_TIMESTAMP_TYPE


# ---- stored as it came


def _stamp_each(
    data: memoryview, messages: list[Message], target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs
) -> Prepared:
    """Plain messages in place: the next offsets, and the append time."""
    least = 1 if rules.keyless_messages == "refused, empty keys too" else 0
    largest, at = NO_TIMESTAMP, NO_OFFSET
    for offset, found in enumerate(messages, start):
        _check_key(found, target, rules, least)
        unit = found.data
        assert isinstance(unit, memoryview)
        message.set_offset(unit, offset)
        if found.magic and rules.conversion != "none":
            _check_time(found.max_timestamp, found.timestamp_type, target, now)
            if target.append_time:
                message.set_timestamp(unit, bits.LOG_APPEND_TIME_TYPE, now)
            timestamp = now if target.append_time else found.max_timestamp
            if timestamp > largest:
                largest, at = timestamp, offset
    if target.append_time and rules.conversion == "rewritten":
        largest, at = now, start
    return Prepared(data, start, start + len(messages) - 1, largest, at, [Message(m.data) for m in messages])


def _stamp_first(
    data: memoryview, entries: list[Entry], target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs
) -> Prepared:
    """A wrapper in place. What stands behind it in the set keeps its offset: these brokers stamp the first unit."""
    for entry in entries:
        if rules.inner_crc == "in place" and not entry.message.crc_ok():
            raise CorruptUnit("wrong checksum of a message in a wrapper")
    last = start + len(entries) - 1
    units = [data[u.position : u.position + u.size] for u in scan.units_of_any_magic(data)]
    first = units[0]
    message.set_offset(first, last)
    said, largest = Message(first).max_timestamp, max([NO_TIMESTAMP, *(e.timestamp for e in entries)])
    if target.append_time:
        message.set_timestamp(first, bits.LOG_APPEND_TIME_TYPE, now)
    elif rules.wrapper_time == "largest inside":
        message.set_timestamp(first, bits.CREATE_TIME_TYPE, largest)
    if rules.stamped_crc == "to the end" and (target.append_time or said != largest):
        message.set_crc(data)
    batches = [Message(unit) for unit in units]
    return Prepared(data, start, last, batches[0].max_timestamp, last, batches)


# ---- made anew


def _rebuild(
    entries: list[Entry], codec: CodecId, target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs
) -> Prepared:
    """All messages of a set in one wrapper, or plain."""
    magic = target.magic
    wanted = [in_format(entry, magic, rules) for entry in entries]
    last = start + len(entries) - 1
    append_time = target.append_time and (magic > 0 or rules.conversion == "rewritten")
    times = [entry.timestamp if magic else NO_TIMESTAMP for entry in entries]
    largest = max([NO_TIMESTAMP, *times])
    at = last if codec or largest == NO_TIMESTAMP else start + times.index(largest)
    if append_time:
        largest, at = now, start if codec == NONE and rules.conversion == "cut and paste" else last
    if codec == NONE or not wanted:
        return _of_units(wanted, start, largest, at)
    inside = b"".join(_with_offset(m, i if magic else start + i) for i, m in enumerate(wanted))
    data = wrapper.wrap(magic, codec, inside, offset=last, timestamp=largest, append_time=append_time and magic > 0,
                        level=target.level, snappy_block=rules.snappy_block)  # fmt: skip
    return Prepared(data, start, last, largest, at, [Message(data)])


def _convert_plain(
    messages: list[Message], target: AppendTarget, rules: AppendRules, start: Offset, now: TimestampMs
) -> Prepared:
    """Plain messages, each in the target's format."""
    units = []
    times: list[TimestampMs] = []
    for found in messages:
        _check_key(found, target, rules)
        entry = Entry(found.last_offset, found, _timestamp(found, rules), _timestamp_type(found, rules))
        _check_time(entry.timestamp, entry.timestamp_type, target, now)
        if rules.conversion == "cut and paste":
            time = now if target.append_time else NO_TIMESTAMP
            units.append(cut_and_paste(found, target.magic, target.append_time, time))
            times.append(time if target.magic else NO_TIMESTAMP)
        elif found.magic == target.magic:
            units.append(bytes(found.data))
            times.append(entry.timestamp)
        else:
            time = now if target.append_time else entry.timestamp
            units.append(rewritten(found, target.magic, target.append_time, time, rules))
            times.append(time)
    largest = max([NO_TIMESTAMP, *times])
    at = start + times.index(largest) if largest in times else NO_OFFSET
    if rules.conversion == "rewritten" and (target.append_time or largest == NO_TIMESTAMP):
        largest, at = now if target.append_time else NO_TIMESTAMP, start + len(units) - 1
    return _of_units(units, start, largest, at)


def _of_units(units: list[bytes], start: Offset, largest: TimestampMs, at: Offset) -> Prepared:
    data = b"".join(_with_offset(unit, offset) for offset, unit in enumerate(units, start))
    return Prepared(data, start, start + len(units) - 1, largest, at, list(message.split(data)))


def _with_offset(unit: bytes, offset: Offset) -> bytes:
    return offset.to_bytes(8, "big", signed=True) + unit[8:]
