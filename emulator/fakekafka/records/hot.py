"""The loops over records: read, check and write, one record after the other.

Everything else in this package costs per batch; these cost per record, and gain most where the core is compiled
(mypyc). So this module is written for speed at the expense of looks: varints of one and two bytes are read in place
instead of by a call, and a function is as long as the record it reads. The functions take `bytes`, because only those
are fast to index. In a zigzag varint bit 0 is the sign, so a length is null (negative) when it is odd, and half of it
when it is even. The file is long because calls within a compiled module cost least.

A format 2 record (all varints zigzag):

    length        varint    bytes that follow
    attributes    int8      written 0, never checked
    timestamp     varlong   minus the batch's base timestamp
    offset        varint    minus the batch's base offset
    key           varint length (negative: null), bytes
    value         varint length (negative: null), bytes
    headers       varint count; each: varint length, key; varint length (negative: null), value

The messages of formats 0 and 1 are in `v0.py` and `v1.py`.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from struct import Struct, error
from typing import Final, NamedTuple

from fakekafka.binary import crc32, crc32_function, read_uvarint, read_uvarlong, varint, varlong
from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Magic, Offset, Position, TimestampMs
from fakekafka.records.alike import FEWEST, following
from fakekafka.records.attributes import CODEC, CREATE_TIME_TYPE, LOG_APPEND_TIME, LOG_APPEND_TIME_TYPE
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    LengthPastEnd,
    NegativeLength,
    OverlongLength,
    RecordsEndEarly,
)
from fakekafka.records.record import Header, Record, header_key, header_key_bytes, sequence_after
from fakekafka.records.writing import BytesWriter, i64, write_i64_be

MAX_INT32: Final = 0x7FFFFFFF
MAX_INT64: Final = 0x7FFFFFFFFFFFFFFF
MIN_INT64: Final = -0x8000000000000000
NULL: Final = b"\xff\xff\xff\xff"
MESSAGE_HEAD: Final = Struct(">qiI")  # offset, size, crc
V0_TAIL: Final = Struct(">bBi")  # magic, attributes, key size
V1_TAIL: Final = Struct(">bBqi")  # magic, attributes, timestamp, key size
V0_PREFIX: Final = Struct(">qi5xBi")
V1_PREFIX: Final = Struct(">qi5xBqi")
SMALL: Final = 2048
"""Varints below this are looked up when writing."""
RUN: Final = 4096
"""Records that are written before their pieces are put together."""
LONGEST_PAUSE: Final = 1024
"""How many records are checked before looking again for a run of records that are alike."""
FAR: Final = MAX_INT64 >> 1  # more than this twice does not fit into 64 bits
NO_HEADERS: Final[tuple[Header, ...]] = ()


class Outline(NamedTuple):
    """What a check says about one record of format 2."""

    offset_delta: int
    timestamp_delta: int
    key_size: int
    """Negative for a null key; `value_size` likewise."""
    value_size: int


class Summary(NamedTuple):
    """What a check says about all records of a batch of format 2."""

    sequential: bool
    """Whether the offset deltas are 0, 1, 2 and so on."""
    keyless: int
    """How many records have a null key."""
    min_timestamp_delta: int
    max_timestamp_delta: int
    max_timestamp_index: int
    """The index of the first record with the largest timestamp."""


class Messages(NamedTuple):
    """Records of format 2, written as messages of an older format, and what a conversion has to know about them."""

    data: bytes
    """The messages. Not all of them are there if the offsets do not ascend."""
    number: int
    last_offset: Offset
    ascending: bool
    """Whether each offset is larger than the one before."""
    with_headers: bool
    """Whether a record has headers, which the older formats cannot hold."""
    min_timestamp: TimestampMs
    max_timestamp: TimestampMs
    """-1 if no record has one; `min_timestamp` likewise."""


# ---- format 2


def read_records(
    data: bytes,
    count: int,
    base_offset: Offset,
    base_timestamp: TimestampMs,
    base_sequence: int,
    append_time: TimestampMs | None,
) -> Iterator[Record]:
    """The records of a batch; `append_time`, if given, is every record's timestamp (LogAppendTime).

    Raises `InvalidRecord`, by the rules of the reader that reads everything (DefaultRecord.readFrom and the
    iterators of DefaultRecordBatch).
    """
    new = tuple.__new__
    timestamp_type = CREATE_TIME_TYPE if append_time is None else LOG_APPEND_TIME_TYPE
    size = len(data)
    at = done = 0
    far = max(abs(base_timestamp), abs(base_offset)) > MAX_INT64 >> 1  # then sums may not fit into 64 bits
    try:
        while done < count:
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _length(data, at - 2)
            end = at + (b >> 1)
            if b & 1 or end > size:
                raise _bad_length(b, size - at, done + 1 == count)
            b = data[at + 1]
            at += 2
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarlong(data, at - 2)
                    far = far or b > MAX_INT64
            if append_time is None:
                timestamp = base_timestamp + (b >> 1 ^ -(b & 1))
                if far:
                    timestamp = int64(timestamp)
            else:
                timestamp = append_time
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarint(data, at - 2)
            offset = base_offset + (b >> 1 ^ -(b & 1))
            if far:
                offset = int64(offset)
            b = data[at]
            at += 1
            if b > 127:
                b, at = _uvarint(data, at - 1)
            key = None
            if not b & 1:
                key = data[at : at + (b >> 1)]
                at += b >> 1
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarint(data, at - 2)
            value = None
            if not b & 1:
                value = data[at : at + (b >> 1)]
                at += b >> 1
            headers = NO_HEADERS
            at += 1
            if data[at - 1]:
                headers, at = _read_headers(data, at - 1, end)
            if at != end:
                raise InvalidRecord(f"record {done} says it ends at {end}, its fields end at {at}")
            done += 1
            if done == count and at != size:
                raise _left_over(size - at, count)
            sequence = sequence_after(base_sequence, offset - base_offset) if base_sequence >= 0 else -1
            yield new(Record, (offset, timestamp, timestamp_type, key, value, headers, sequence))
    except IndexError:
        raise RecordsEndEarly(f"the bytes end in record {done} of {count}") from None


def check_records(
    data: bytes,
    count: int,
    lengths: bool,
    outlines: list[Outline] | None = None,
    *,
    first: int = 0,
    more: bool = False,
) -> tuple[Summary, int, Position]:
    """Check the structure of a batch's records, skipping keys and values.

    `lengths`: whether a record's length must be that of its fields. If it is False, only the fields count, so a length
    that runs past the stream goes unnoticed (PartialDefaultRecord from 3.6 on). `outlines` collects one entry per
    record. `first`: the number of the record, of `count`, with which `data` begins. `more`: whether what follows `data`
    is missing, so that the records need not end with it.
    Returns what was found, the number of the record that comes next, and where it begins. Raises `InvalidRecord`.
    """
    size = len(data)
    at = start = keyless = index = 0
    done = first
    lowest, highest = MAX_INT64, MIN_INT64
    sequential = True
    # `search_at`: the record after which to look for a run of similar ones
    search_at, pause = (first + 1, 1) if outlines is None else (-1, 0)
    try:
        while done < count:
            start = at
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _length(data, at - 2)
            end = at + (b >> 1)
            if lengths and (b & 1 or end > size):
                if more and not b & 1:
                    raise IndexError
                raise _bad_length(b, size - at, done + 1 == count)
            b = data[at + 1]
            at += 2
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarlong(data, at - 2)
            timestamp = b >> 1 ^ -(b & 1)
            if timestamp > highest:
                highest = timestamp
                index = done
            if timestamp < lowest:
                lowest = timestamp
            delta = data[at]
            at += 1
            if delta > 127:
                delta += data[at] - 1 << 7
                at += 1
                if delta > 16383:
                    delta, at = _uvarint(data, at - 2)
            if delta != done << 1:
                sequential = False
            key = data[at]
            at += 1
            if key > 127:
                key, at = _uvarint(data, at - 1)
            if not key & 1:
                at += key >> 1
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarint(data, at - 2)
            if not b & 1:
                at += b >> 1
            if data[at]:
                at = _skip_headers(data, at)
            else:
                at += 1
            if at != end and lengths:
                raise InvalidRecord(f"record {done} is {end - start} bytes by its length, {at - start} by its fields")
            if outlines is not None:
                sizes = key >> 1 ^ -(key & 1), b >> 1 ^ -(b & 1)
                outlines.append(Outline(delta >> 1 ^ -(delta & 1), timestamp, *sizes))
            done += 1
            keyless += key & 1
            if done == search_at and count - done >= FEWEST:
                run = following(data, start, at, done, count)
                if run is None:
                    pause = min(2 * pause, LONGEST_PAUSE)
                    search_at += pause
                    continue
                if run.max_timestamp_delta > highest:
                    highest = run.max_timestamp_delta
                    index = done + run.max_timestamp_index
                lowest = min(lowest, run.min_timestamp_delta)
                keyless += run.length if key & 1 else 0
                done += run.length
                at += run.length * (at - start)
                search_at, pause = done + 1, 1
        if at > size:
            raise IndexError  # in the value of the last header, which is skipped unread
    except IndexError:
        if not more:
            raise RecordsEndEarly(f"the bytes end in record {done} of {count}") from None
        at = start
    if at < size and not more:
        raise _left_over(size - at, count)
    return Summary(sequential, keyless, lowest, highest, index), done, at


def messages_of(
    data: bytes,
    count: int,
    base_offset: Offset,
    base_timestamp: TimestampMs,
    append_time: TimestampMs | None,
    magic: Magic,
    relative: bool,
    from_offset: Offset,
) -> Messages:
    """The records of a batch as messages of format 0 or 1: what `read_records` reads and `write_messages` writes.

    `relative`: offsets are written minus the first one. `from_offset`: if the first record comes before it, all records
    before it are left out. Raises as `read_records`.
    """
    out, crc_of = BytesWriter(), crc32_function()
    sizes, single = _size_fields()
    size: i64 = len(data)
    at: i64 = 0
    number = left_out = shift = at
    last: i64 = MAX_INT64  # so that the first offset is not above it
    highest: i64 = NO_TIMESTAMP
    lowest = highest
    skips, with_headers, ascending = False, False, True
    uncommon = append_time is not None or max(abs(base_timestamp), abs(base_offset)) > FAR
    start = head = bytes((magic, 0 if append_time is None or magic == 0 else LOG_APPEND_TIME))
    quarter: i64 = MAX_INT64  # of a second, or 256 ms: the timestamp without its last byte, which `head` ends with
    tick = b""  # the last byte
    try:
        for number in range(count):
            b: i64 = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _length(data, at - 2)
            end = at + (b >> 1)
            if b & 1 or end > size:
                raise _bad_length(b, size - at, number + 1 == count)
            b = data[at + 1]
            at += 2
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
            late = b >> 1 ^ -(b & 1)
            if b > 16383:
                late, at = _varlong(data, at - 2)
                uncommon = uncommon or abs(int(late)) > FAR
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarint(data, at - 2)
            delta = b >> 1 ^ -(b & 1)
            timestamp = base_timestamp + late
            offset = base_offset + delta
            if uncommon:  # the sums may not fit into 64 bits
                timestamp = int64(base_timestamp + int(late)) if append_time is None else append_time
                offset = int64(base_offset + int(delta))
            key = NULL
            b = data[at]
            at += 1
            if b != 1:  # the usual null
                if b > 127:
                    b, at = _uvarint(data, at - 1)
                if not b & 1:
                    b >>= 1
                    key = (sizes[b] if b < SMALL else int(b).to_bytes(4, "big")) + data[at : at + b]
                    at += b
            b = data[at]
            at += 1
            if b > 127:
                b += data[at] - 1 << 7
                at += 1
                if b > 16383:
                    b, at = _uvarint(data, at - 2)
            if b & 1:
                value_size, value = NULL, b""
            else:
                b >>= 1
                value_size = sizes[b] if b < SMALL else int(b).to_bytes(4, "big")
                value = data[at : at + b]
                at += b
            headed: i64 = data[at]
            at += 1
            if headed:
                _, at = _read_headers(data, at - 1, end)
            if at != end:
                raise InvalidRecord(f"record {number} says it ends at {end}, its fields end at {at}")
            if offset <= last:
                skips = skips or (number == 0 and offset < from_offset)
                if skips and offset < from_offset:
                    left_out += 1
                    continue
                if number == left_out:
                    shift = offset if relative else 0
                    lowest = highest = timestamp
                else:
                    ascending = False
            last = offset
            if headed:
                with_headers = True
            if timestamp > highest:
                highest = timestamp
            elif timestamp < lowest:
                lowest = timestamp
            if magic:
                tick = single[timestamp & 255]
                if timestamp >> 8 != quarter:
                    quarter = timestamp >> 8
                    head = start + int(quarter).to_bytes(7, "big", signed=True)
            if ascending:  # otherwise nobody wants the messages
                body = b"%b%b%b%b%b" % (head, tick, key, value_size, value)
                write_i64_be(out, offset - shift)
                write_i64_be(out, len(body) + 4 << 32 | crc_of(body))
                out.write(body)
        if count > 0 and at != size:
            raise _left_over(size - at, count)
    except IndexError:
        raise RecordsEndEarly(f"the bytes end in record {number} of {count}") from None
    kept = max(count, 0) - left_out
    end = last if kept else NO_OFFSET
    return Messages(out.getvalue(), kept, end, ascending, with_headers, lowest, max(highest, NO_TIMESTAMP))


def write_records(
    records: Sequence[Record], base_offset: Offset, base_timestamp: TimestampMs
) -> tuple[bytes, TimestampMs]:
    """The bytes of a batch's records, and their largest timestamp (-1 if no record has one).

    Raises `UsageError` for an offset more than 2147483647 above the base, or below it.
    """
    runs = [_run(records[n : n + RUN], base_offset, base_timestamp) for n in range(0, len(records), RUN)]
    return b"".join([data for data, _ in runs]), max([-1, *(highest for _, highest in runs)])


def _run(records: Sequence[Record], base_offset: Offset, base_timestamp: TimestampMs) -> tuple[bytes, TimestampMs]:
    """The bytes of one run of records, and its largest timestamp. A run is short: each record takes several small
    pieces of bytes while it is written.
    """
    small = _small_varints()
    out: list[bytes] = []
    highest = -1
    for offset, timestamp, _, key, value, headers, _ in records:
        if timestamp > highest:
            highest = timestamp
        delta = offset - base_offset
        if not 0 <= delta <= MAX_INT32:
            raise UsageError(f"offset {offset} does not fit into a batch that starts at {base_offset}")
        late = timestamp - base_timestamp
        times = small[late] if 0 <= late < SMALL else varlong(int64(late))
        place = small[delta] if delta < SMALL else varint(delta)
        if key is None:
            head = b"\0" + times + place + b"\1"
        else:
            size = len(key)
            head = b"\0" + times + place + (small[size] if size < SMALL else varint(size)) + key
        tail = _headers(headers) if headers else b"\0"
        if value is None:
            size = len(head) + len(tail) + 1
            out += (small[size] if size < SMALL else varint(size), head, b"\1", tail)
        else:
            size = len(value)
            mark = small[size] if size < SMALL else varint(size)
            size += len(head) + len(mark) + len(tail)
            out += (small[size] if size < SMALL else varint(size), head, mark, value, tail)
    return b"".join(out), highest


# ---- formats 0 and 1


def message_positions(data: bytes) -> "array[Position]":
    """Where the messages of a set start. One that is cut ends the walk silently (DataLogInputStream).

    They come in an array of 8 bytes each: a small wrapper may hold millions. Raises `CorruptUnit` for a size below that
    of an empty message.
    """
    out = array("q")
    at = 0
    while (body := at + 12) <= len(data):
        size = int.from_bytes(data[at + 8 : body], "big", signed=True)
        if size < 14:
            raise CorruptUnit(f"a message of size {size} at {at}")
        if body + size > len(data):
            break
        out.append(at)
        at = body + size
    return out


def read_messages(
    data: bytes,
    positions: Sequence[Position],
    shift: Offset,
    timestamp_type: int | None,
    append_time: TimestampMs | None,
) -> Iterator[Record]:
    """The messages at `positions` as records; `shift` is added to every offset.

    Inside a wrapper the wrapper's `timestamp_type` applies, and its `append_time` if it has one; None: the message's
    own. Raises `FieldPastEnd`, and `InvalidRecord` for a compressed message (wrappers are opened one level deep).
    """
    new = tuple.__new__
    for at in positions:
        magic = data[at + 16]
        try:
            if magic == 1:
                offset, size, attributes, timestamp, key_size = V1_PREFIX.unpack_from(data, at)
                kind = timestamp_type
                if kind is None:
                    kind = attributes >> 3 & 1
                if append_time is not None:
                    timestamp = append_time
                start = at + 30
            elif magic == 0:
                offset, size, attributes, key_size = V0_PREFIX.unpack_from(data, at)
                timestamp = kind = -1
                start = at + 22
            else:
                raise InvalidRecord(f"magic {magic} in a message set")
        except error:
            raise FieldPastEnd(f"the message at {at} is too short") from None
        if attributes & CODEC:
            raise InvalidRecord("a compressed message among plain ones")
        offset += shift
        if offset > MAX_INT64:
            offset = int64(offset)
        key = None
        if key_size >= 0:
            key = data[start : start + key_size]
            start += key_size
        end = at + 12 + size
        value_start = start + 4
        value = None
        value_size = int.from_bytes(data[start:value_start], "big", signed=True)
        if value_size >= 0:
            value = data[value_start : value_start + value_size]
            value_start += value_size
        if value_start > end:
            raise FieldPastEnd(f"key and value of the message at {at} end {value_start - end} bytes after it")
        yield new(Record, (offset, timestamp, kind, key, value, NO_HEADERS, -1))


def write_messages(
    records: Sequence[Record], magic: Magic, base_offset: Offset, append_time: TimestampMs | None
) -> bytes:
    """Plain messages of format 0 or 1, offsets relative to `base_offset`.

    `append_time`, if given, is every message's timestamp, with the LogAppendTime bit. Raises `UsageError` for a
    record with headers.
    """
    return b"".join(
        [_messages(records[n : n + RUN], magic, base_offset, append_time) for n in range(0, len(records), RUN)]
    )


def _messages(records: Sequence[Record], magic: Magic, base_offset: Offset, append_time: TimestampMs | None) -> bytes:
    """The bytes of one run of messages."""
    out, crc_of = list[bytes](), crc32_function()
    attributes = 0 if append_time is None else LOG_APPEND_TIME
    for offset, timestamp, _, key, value, headers, _ in records:
        if headers:
            raise UsageError(f"format {magic} has no headers: take them off record {offset} first")
        key_size = -1 if key is None else len(key)
        if magic == 1:
            body = V1_TAIL.pack(1, attributes, timestamp if append_time is None else append_time, key_size)
        else:
            body = V0_TAIL.pack(0, 0, key_size)
        if key is not None:
            body += key
        body += NULL if value is None else len(value).to_bytes(4, "big") + value
        out.append(MESSAGE_HEAD.pack(offset - base_offset, len(body) + 4, crc_of(body)))
        out.append(body)
    return b"".join(out)


def message(
    magic: Magic, offset: Offset, timestamp: TimestampMs, attributes: int, key: bytes | None, value: bytes | None
) -> bytes:
    """One message of format 0 or 1 with whatever attributes."""
    key_size = -1 if key is None else len(key)
    if magic == 1:
        body = V1_TAIL.pack(1, attributes, timestamp, key_size)
    else:
        body = V0_TAIL.pack(0, attributes, key_size)
    body += (key or b"") + (NULL if value is None else len(value).to_bytes(4, "big") + value)
    return MESSAGE_HEAD.pack(offset, len(body) + 4, crc32(body)) + body


# ---- pieces of format 2


def _read_headers(data: bytes, at: Position, end: Position) -> tuple[tuple[Header, ...], Position]:
    """The headers that start with their count at `at`, in a record that ends at `end`."""
    count, at = _varint(data, at)
    if not 0 <= count <= end - at:
        raise InvalidRecord(f"{count} headers in {end - at} bytes")
    headers: list[Header] = []
    while len(headers) < count:
        size, at = _varint(data, at)
        if size < 0:
            raise InvalidRecord("a header without key")
        key = header_key(data[at : at + size])
        size, at = _varint(data, at + size)
        headers.append((key, None if size < 0 else data[at : at + size]))
        at += max(size, 0)
    return tuple(headers), at


def _skip_headers(data: bytes, at: Position) -> Position:
    """The position after the headers that start with their count at `at`."""
    count, at = _varint(data, at)
    if count < 0:
        raise InvalidRecord(f"{count} headers")
    while count:
        size, at = _varint(data, at)
        if size < 0:
            raise InvalidRecord("a header without key")
        size, at = _varint(data, at + size)
        at += max(size, 0)
        count -= 1
    return at


@cache
def _size_fields() -> tuple[list[bytes], list[bytes]]:
    return [n.to_bytes(4, "big") for n in range(SMALL)], [bytes([n]) for n in range(256)]


@cache
def _small_varints() -> tuple[bytes, ...]:
    return tuple(map(varint, range(SMALL)))


def _headers(headers: tuple[Header, ...]) -> bytes:
    out = varint(len(headers))
    for name, value in headers:
        key = header_key_bytes(name)
        out += varint(len(key)) + key
        out += b"\1" if value is None else varint(len(value)) + value
    return out


def _length(data: bytes, at: Position) -> tuple[int, Position]:
    try:
        return read_uvarint(data, at)
    except MalformedBytes as e:
        raise OverlongLength(f"length of a record: {e}") from None


def _uvarint(data: bytes, at: Position) -> tuple[int, Position]:
    try:
        return read_uvarint(data, at)
    except MalformedBytes as e:
        raise InvalidRecord(str(e)) from None


def _varint(data: bytes, at: Position) -> tuple[int, Position]:
    value, at = _uvarint(data, at)
    return value >> 1 ^ -(value & 1), at


def _varlong(data: bytes, at: Position) -> tuple[int, Position]:
    value, at = _uvarlong(data, at)
    return value >> 1 ^ -(value & 1), at


def _uvarlong(data: bytes, at: Position) -> tuple[int, Position]:
    try:
        return read_uvarlong(data, at)
    except MalformedBytes as e:
        raise InvalidRecord(str(e)) from None


def _bad_length(zigzag: int, left: int, is_last: bool) -> InvalidRecord:
    """The exception for a record that is longer than what is `left`, or of negative length."""
    if zigzag & 1:
        return NegativeLength(f"a record of {zigzag >> 1 ^ -1} bytes")
    kind = RecordsEndEarly if is_last and left else LengthPastEnd
    return kind(f"a record of {zigzag >> 1} bytes where {left} are left")


def _left_over(left: int, count: int) -> InvalidRecord:
    return InvalidRecord(f"{left} bytes after the last of {count} records")


def int64(value: int) -> int:
    """What Java's arithmetic makes of a sum that does not fit into 64 bits."""
    return (value - MIN_INT64) % (1 << 64) + MIN_INT64
