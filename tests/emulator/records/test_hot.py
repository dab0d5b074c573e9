"""The loops over records: they read what they write, and refuse what is broken."""

import pytest
from fakekafka.binary import varint, varlong
from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.records import hot
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    LengthPastEnd,
    NegativeLength,
    OverlongLength,
    RecordsEndEarly,
)
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.records.strategies import records

KV = Record(0, 1000, 0, b"k", b"v")


def read(data: bytes, count: int = 1, base_offset: int = 0, base_timestamp: int = 1000) -> list[Record]:
    return list(hot.read_records(data, count, base_offset, base_timestamp, -1, None))


def body(
    timestamp: bytes = b"\0", offset: bytes = b"\0", key: bytes = b"\2k", value: bytes = b"\2v", headers: bytes = b"\0"
) -> bytes:
    return b"\0" + timestamp + offset + key + value + headers


def framed(inside: bytes, length: int | None = None) -> bytes:
    return varint(len(inside) if length is None else length) + inside


def size(data: bytes | None) -> int:
    return -1 if data is None else len(data)


GOOD = framed(body())


@given(records(2), st.integers(-1, 2**31 - 1))
def test_records_are_read_as_they_were_written(rows: list[Record], base_sequence: int) -> None:
    data, highest = hot.write_records(rows, rows[0].offset, rows[0].timestamp)
    found = hot.read_records(data, len(rows), rows[0].offset, rows[0].timestamp, base_sequence, None)
    expected = [
        r._replace(sequence=-1 if base_sequence < 0 else (base_sequence + r.offset - rows[0].offset) % 2**31)
        for r in rows
    ]
    assert list(found) == expected
    assert highest == max(r.timestamp for r in rows)


@given(
    records(2), st.sampled_from([0, 1]), st.booleans(), st.none() | st.integers(-(2**63), 2**63 - 1), st.integers(0, 3)
)
def test_records_become_the_messages_that_would_be_written_of_them(
    rows: list[Record], magic: int, relative: bool, append_time: int | None, left_out: int
) -> None:
    data, _ = hot.write_records(rows, rows[0].offset, rows[0].timestamp)
    from_offset = rows[min(left_out, len(rows) - 1)].offset
    base, times = rows[0].offset, rows[0].timestamp
    made = hot.messages_of(data, len(rows), base, times, append_time, magic, relative, from_offset)
    found = list(hot.read_records(data, len(rows), base, times, -1, append_time))
    kept = [record for record in found if record.offset >= from_offset]
    plain = [record._replace(headers=()) for record in kept]
    assert made.data == hot.write_messages(plain, magic, kept[0].offset if relative else 0, append_time)
    assert made[1:] == (
        len(kept),
        kept[-1].offset,
        True,
        any(record.headers for record in kept),
        min(record.timestamp for record in kept),
        max(-1, *(record.timestamp for record in kept)),
    )


def test_messages_of_offsets_that_do_not_ascend_are_not_made() -> None:
    data = framed(body()) + framed(body(offset=b"\2")) + framed(body(offset=b"\2"))
    made = hot.messages_of(data, 3, 0, 1000, None, 1, False, 0)
    assert not made.ascending
    assert made.number == 3


def test_records_before_the_first_one_wanted_are_kept_if_the_first_is_wanted() -> None:
    data = framed(body(offset=b"\12")) + framed(body(offset=b"\2"))
    assert hot.messages_of(data, 2, 0, 1000, None, 1, False, 5).number == 2
    assert hot.messages_of(data, 2, 0, 1000, None, 1, False, 6).number == 0


def test_records_before_the_first_one_wanted_are_left_out_wherever_they_are() -> None:
    data = b"".join(framed(body(offset=varint(offset))) for offset in (1, 7, 3, 9))
    made = hot.messages_of(data, 4, 0, 1000, None, 1, False, 5)
    found = list(hot.read_records(data, 4, 0, 1000, -1, None))
    assert made == (hot.write_messages([found[1], found[3]], 1, 0, None), 2, 9, True, False, 1000, 1000)


@pytest.mark.parametrize("data", [b"", framed(body())], ids=["an empty batch", "a record that is left out"])
def test_without_a_record_there_is_no_message(data: bytes) -> None:
    assert hot.messages_of(data, len(data) // 8, 0, 1000, None, 1, False, 5) == (b"", 0, -1, True, False, -1, -1)


@pytest.mark.parametrize(("timestamp", "base"), [(2**63 - 1, 1000), (-(2**63), -1), (-2, -(2**63)), (2**62, 2**62)])
def test_timestamps_and_offsets_of_messages_wrap_as_those_of_records(timestamp: int, base: int) -> None:
    data = framed(body(timestamp=varlong(timestamp), offset=varint(5))) + framed(body(offset=varint(6)))
    for base_offset in (0, 2**63 - 2):
        found = list(hot.read_records(data, 2, base_offset, base, -1, None))
        made = hot.messages_of(data, 2, base_offset, base, None, 1, False, found[0].offset)
        assert made.data == hot.write_messages(found, 1, 0, None)
        assert made.min_timestamp == min(record.timestamp for record in found)
        assert made.max_timestamp == max(-1, *(record.timestamp for record in found))


@pytest.mark.parametrize("magic", [0, 1])
def test_timestamps_of_messages_may_go_up_and_down_by_any_step(magic: int) -> None:
    steps = (0, 1, 255, 256, 257, 65_536, 3, -1, -256, 511, 1 << 40)
    rows = [Record(n, step, 0, None, bytes(n)) for n, step in enumerate(steps)]
    data, _ = hot.write_records(rows, 0, 0)
    made = hot.messages_of(data, len(rows), 0, 0, None, magic, False, 0)
    assert made.data == hot.write_messages(rows, magic, 0, None)
    assert (made.min_timestamp, made.max_timestamp) == (-256, 1 << 40)


@given(records(2))
def test_a_check_sees_what_reading_sees(rows: list[Record]) -> None:
    data, _ = hot.write_records(rows, rows[0].offset, 0)
    outlines: list[hot.Outline] = []
    summary, _, _ = hot.check_records(data, len(rows), True, outlines)
    deltas = [r.offset - rows[0].offset for r in rows]
    assert outlines == [hot.Outline(d, r.timestamp, size(r.key), size(r.value)) for d, r in zip(deltas, rows)]
    assert summary.sequential == (deltas == list(range(len(rows))))
    assert summary.keyless == sum(r.key is None for r in rows)
    timestamps = [r.timestamp for r in rows]
    assert (summary.min_timestamp_delta, summary.max_timestamp_delta) == (min(timestamps), max(timestamps))
    assert summary.max_timestamp_index == timestamps.index(max(timestamps))
    assert hot.check_records(data, len(rows), False)[0] == summary


@pytest.mark.parametrize("size", [0, 1, 63, 64, 8191, 8192, 1 << 20])
def test_lengths_of_all_varint_sizes(size: int) -> None:
    rows = [Record(i, 1000 - i * 5000, 0, bytes(size), bytes(size), (("h", bytes(size)),)) for i in range(3)]
    data, _ = hot.write_records(rows, 0, 1000)
    assert read(data, 3) == rows
    assert hot.check_records(data, 3, True)[0].sequential


def test_an_append_time_holds_for_every_record() -> None:
    data, _ = hot.write_records([KV, KV._replace(offset=1, timestamp=5)], 0, 1000)
    assert [(r.timestamp, r.timestamp_type) for r in hot.read_records(data, 2, 0, 1000, -1, 777)] == [(777, 1)] * 2


def test_an_append_time_is_written_into_messages_of_format_1() -> None:
    data = hot.write_messages([KV], 1, 0, 777)
    assert data == hot.message(1, 0, 777, 8, b"k", b"v")
    assert next(hot.read_messages(data, [0], 0, None, None)).timestamp_type == 1
    assert hot.write_messages([KV], 0, 0, 777) == hot.message(0, 0, -1, 0, b"k", b"v")


def test_negative_key_and_value_lengths_are_null() -> None:
    for size in (-1, -2, -(2**31)):
        (record,) = read(framed(body(key=varint(size), value=varint(size))))
        assert (record.key, record.value) == (None, None)
    (record,) = read(framed(body(headers=b"\2\2h" + varint(-2))))
    assert record.headers == (("h", None),)


def test_the_record_attributes_are_ignored() -> None:
    assert read(GOOD[:1] + b"\xff" + GOOD[2:]) == [KV]


def test_timestamps_and_offsets_wrap_as_in_java() -> None:
    (record,) = read(framed(body(timestamp=varlong(2**63 - 1))))
    assert record.timestamp == 999 - 2**63
    (record,) = read(framed(body(offset=varint(5))), base_offset=2**63 - 2)
    assert record.offset == -(2**63) + 3
    (record,) = read(framed(body(timestamp=b"\3")), base_timestamp=-(2**63))
    assert record.timestamp == 2**63 - 2
    assert hot.int64(2**63) == -(2**63)
    assert hot.int64(-(2**63) - 1) == 2**63 - 1


BROKEN = [
    ("a byte after the last record", GOOD + b"\0", InvalidRecord),
    ("no record at all", b"", RecordsEndEarly),
    ("the last record cut", GOOD[:-1], RecordsEndEarly),
    ("a length past the end", framed(body(), 100), RecordsEndEarly),
    ("no byte after the length of the only record", varint(5), LengthPastEnd),
    ("a length of -1", framed(body(), -1), NegativeLength),
    ("a length of 0", framed(body(), 0), InvalidRecord),
    ("a length one too short", framed(body(), len(body()) - 1) + b"\0", InvalidRecord),
    ("a length of six bytes", b"\xff" * 5 + b"\1" + body(), OverlongLength),
    ("a timestamp of eleven bytes", framed(body(timestamp=b"\xff" * 10 + b"\1")), InvalidRecord),
    ("an offset of six bytes", framed(body(offset=b"\xff" * 5 + b"\1")), InvalidRecord),
    ("a key length of six bytes", framed(body(key=b"\xff" * 5 + b"\1")), InvalidRecord),
    ("a value length of six bytes", framed(body(value=b"\xff" * 5 + b"\1")), InvalidRecord),
    ("a key past the record", framed(body(key=varint(50) + b"k")), InvalidRecord),
    ("a value past the record", framed(body(value=varint(5) + b"v")) + bytes(20), InvalidRecord),
    ("-1 headers", framed(body(headers=varint(-1))), InvalidRecord),
    ("5 headers of 0", framed(body(headers=varint(5))), InvalidRecord),
    ("2147483647 headers", framed(body(headers=varint(2**31 - 1))), InvalidRecord),
    ("a header without key", framed(body(headers=b"\2" + varint(-1) + b"\1")), InvalidRecord),
    ("a header value past the record", framed(body(headers=b"\2\2h" + varint(9))), InvalidRecord),
    ("a header count of six bytes", framed(body(headers=b"\xff" * 5 + b"\1")), InvalidRecord),
]


@pytest.mark.parametrize(("data", "kind"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_records_are_refused_by_the_conversion(data: bytes, kind: type[InvalidRecord]) -> None:
    with pytest.raises(MalformedBytes) as reading:
        read(data)
    with pytest.raises(kind) as making:
        hot.messages_of(data, 1, 0, 1000, None, 1, False, 0)
    assert (type(making.value), str(making.value)) == (type(reading.value), str(reading.value))


@pytest.mark.parametrize(("data", "kind"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_records_are_refused(data: bytes, kind: type[InvalidRecord]) -> None:
    with pytest.raises(kind):
        read(data)
    with pytest.raises(kind):
        hot.check_records(data, 1, True)


def test_too_many_records_are_refused_before_the_last_is_given() -> None:
    found = hot.read_records(GOOD * 3, 2, 0, 0, -1, None)
    assert next(found).key == b"k"
    with pytest.raises(InvalidRecord, match="9 bytes after"):
        next(found)


@pytest.mark.parametrize("length", [-1, 0, 3, 100, 2**31 - 1])
def test_lengths_of_records_do_not_count_where_a_release_ignores_them(length: int) -> None:
    data = framed(body(), length) + GOOD
    assert hot.check_records(data, 2, False)[0].keyless == 0
    with pytest.raises(InvalidRecord):
        hot.check_records(data, 2, True)


def test_fields_must_fit_even_where_lengths_are_ignored() -> None:
    for data in (GOOD[:-1], framed(body(headers=b"\2\2h" + varint(9)))):
        with pytest.raises(RecordsEndEarly):
            hot.check_records(data, 1, False)
    with pytest.raises(InvalidRecord):
        hot.check_records(GOOD + b"\0", 1, False)


@given(st.binary(max_size=120), st.integers(1, 5))
def test_random_bytes_are_refused_by_reading_and_checking_alike(data: bytes, count: int) -> None:
    try:
        hot.check_records(data, count, True)
    except InvalidRecord:
        with pytest.raises(InvalidRecord):
            read(data, count)
    else:
        assert len(read(data, count)) == count
        hot.check_records(data, count, False)


def test_offsets_must_fit_into_the_batch() -> None:
    for offset in (-1, 2**31):
        with pytest.raises(UsageError, match="does not fit"):
            hot.write_records([KV._replace(offset=offset)], 0, 0)
    assert hot.write_records([KV._replace(offset=2**31 - 1)], 0, 0)


# ---- formats 0 and 1


@given(records(1))
@pytest.mark.parametrize("magic", [0, 1])
def test_messages_that_are_written_are_read(magic: int, rows: list[Record]) -> None:
    if not magic:
        rows = [r._replace(timestamp=-1, timestamp_type=-1) for r in rows]
    data = hot.write_messages(rows, magic, 5, None)
    positions = hot.message_positions(data)
    assert list(hot.read_messages(data, positions, 5, None, None)) == rows
    assert [p for p in positions if data[p + 16] != magic] == []
    assert data == b"".join(hot.message(magic, r.offset - 5, r.timestamp, 0, r.key, r.value) for r in rows)


def test_a_cut_message_ends_a_set_and_a_small_size_breaks_it() -> None:
    one = hot.message(0, 1, -1, 0, b"k", b"v")
    for tail in (b"", one[:-1], one[:11], one[:13], b"12345"):
        assert [*hot.message_positions(one + tail)] == [0]
    for size in (-1, 5, 13):
        with pytest.raises(CorruptUnit):
            hot.message_positions(one + one[:8] + size.to_bytes(4, "big", signed=True) + one[12:])


@pytest.mark.parametrize("magic", [0, 1])
@pytest.mark.parametrize(
    ("key_size", "value_size", "fits"),
    [(1, 1, True), (-2, 1, True), (1, -2, True), (1, 0, True), (50, 1, False), (1, 50, False), (3, 1, False)],
)
def test_key_and_value_must_lie_in_their_message(magic: int, key_size: int, value_size: int, fits: bool) -> None:
    good = bytearray(hot.message(magic, 0, 7, 0, b"k", b"v"))
    at = 26 if magic else 18
    good[at : at + 4] = key_size.to_bytes(4, "big", signed=True)
    value_at = at + 4 + max(key_size, 0)
    if value_at + 4 <= len(good):
        good[value_at : value_at + 4] = value_size.to_bytes(4, "big", signed=True)
    for data in (bytes(good), bytes(good) * 2):
        found = hot.read_messages(data, hot.message_positions(data), 0, None, None)
        if fits:
            assert len(list(found)) == len(data) // len(good)
        else:
            with pytest.raises(FieldPastEnd):
                list(found)


def test_a_format_1_message_without_room_for_its_fields_is_too_short() -> None:
    data = hot.message(0, 0, -1, 0, None, b"")[:16] + b"\1" + bytes(9)
    with pytest.raises(FieldPastEnd):
        list(hot.read_messages(data, [0], 0, None, None))


def test_compressed_and_newer_messages_are_not_read_as_plain_ones() -> None:
    for data in (hot.message(1, 0, 0, 1, None, b"x"), hot.message(0, 0, 0, 0, None, b"x" * 20)):
        broken = data if data[16] else data[:16] + b"\2" + data[17:]
        with pytest.raises(InvalidRecord):
            list(hot.read_messages(broken, [0], 0, None, None))


def test_offsets_of_messages_wrap_as_in_java() -> None:
    (record,) = hot.read_messages(hot.message(0, 2**63 - 1, -1, 0, None, None), [0], 2, None, None)
    assert record.offset == -(2**63) + 1


def test_headers_cannot_be_written_into_old_formats() -> None:
    with pytest.raises(UsageError, match="format 1 has no headers"):
        hot.write_messages([KV._replace(headers=(("h", b""),))], 1, 0, None)
