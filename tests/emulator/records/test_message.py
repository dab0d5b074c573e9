"""The view of formats 0 and 1, and the stamps in place."""

from functools import partial

import pytest
from fakekafka.records import message, v0, v1, v2
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import CorruptUnit, FieldPastEnd, InvalidRecord, PayloadEndsEarly, UndecodablePayload
from fakekafka.records.message import Message, misread
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.records.strategies import check_raises_only_malformed

ROWS = [Record(10 + i, 1000 - i, 0, b"k%d" % i, b"v%d" % i) for i in range(3)]
CODECS = [1, 2, 3]


def test_a_plain_message_says_what_is_in_it() -> None:
    view = Message(v1.message(5, 1000, b"k", None, attributes=8))
    assert (view.magic, view.codec, view.size, view.count) == (1, 0, 35, 1)
    assert (view.base_offset, view.last_offset) == (5, 5)
    assert (view.max_timestamp, view.timestamp_type) == (1000, 1)
    assert (view.key, view.value) == (b"k", None)
    assert view.crc_ok()
    assert list(view.records()) == [Record(5, 1000, 1, b"k", None)]


@pytest.mark.parametrize("codec", CODECS)
def test_a_wrapper_says_what_is_outside_and_inside(codec: int) -> None:
    view = Message(v1.build(ROWS, codec=codec))
    assert (view.codec, view.key, view.last_offset, view.base_offset, view.count) == (codec, None, 12, 10, 3)
    assert [(m.last_offset, m.max_timestamp, m.value) for m in view.inside()] == [
        (0, 1000, b"v0"),
        (1, 999, b"v1"),
        (2, 998, b"v2"),
    ]
    assert all(m.crc_ok() for m in view.inside())


def test_format_0_has_no_timestamps() -> None:
    view = Message(v0.message(5, b"k", b"v"))
    assert (view.max_timestamp, view.timestamp_type) == (-1, -1)


@pytest.mark.parametrize("magic", [3, 255])
def test_any_other_magic_is_read_in_the_layout_of_format_0(magic: int) -> None:
    data = v0.message(5, b"k", b"v")
    view = Message(data[:16] + bytes([magic]) + data[17:])
    assert (view.key, view.value, view.max_timestamp, view.timestamp_type) == (b"k", b"v", -1, -1)
    assert not view.crc_ok()


def test_a_flipped_bit_after_the_crc_is_noticed_and_one_before_it_is_not() -> None:
    data = v1.message(5, 1000, b"k", b"v")
    for at in range(len(data)):
        flipped = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert Message(flipped).crc_ok() == (at < 12)


def test_too_few_bytes_are_not_a_message() -> None:
    with pytest.raises(CorruptUnit):
        Message(v0.message(5, None, b"")[:25])


@pytest.mark.parametrize("field", ["key", "value"])
def test_fields_past_the_end_are_noticed_when_asked_for(field: str) -> None:
    data = bytearray(v0.message(5, b"k", b"v"))
    data[18:22] = (100).to_bytes(4, "big")
    view = Message(data)
    with pytest.raises(FieldPastEnd):
        getattr(view, field)


def test_bytes_after_the_value_are_allowed() -> None:
    assert Message(v0.message(5, b"k", b"v") + b"zzz").value == b"v"


def damaged_wrapper(stream: bytes, codec: int = 1) -> Message:
    return Message(v1.message(2, 1000, None, stream, attributes=codec))


def test_a_wrapper_without_value_is_invalid() -> None:
    view = Message(v1.message(2, 1000, None, None, attributes=1))
    for ask in (view.records, view.inside):
        with pytest.raises(InvalidRecord):
            ask()


def test_an_empty_wrapper_is_invalid_but_can_be_opened() -> None:
    view = Message(v1.build(ROWS, codec=1))
    empty = damaged_wrapper(bytes.fromhex("1f8b08000000000000ff03000000000000000000"))
    assert empty.inside() == []
    assert empty.count == 0
    with pytest.raises(InvalidRecord, match="empty wrapper"):
        empty.records()
    assert view.count == 3


def test_a_stream_that_cannot_be_decoded_is_told_apart_from_a_cut_one() -> None:
    with pytest.raises(UndecodablePayload):
        damaged_wrapper(b"not compressed at all").records()
    stream = Message(v1.build(ROWS, codec=1)).value
    assert stream is not None
    for cut in (4, 9, 20):
        with pytest.raises(PayloadEndsEarly):
            damaged_wrapper(stream[:-cut]).inside()


def test_the_first_of_two_faults_counts() -> None:
    from fakekafka.records.compression import compress

    small = v1.message(0, 0, None, b"") + bytes(20)
    with pytest.raises(CorruptUnit):
        damaged_wrapper(compress(1, small)[:-8]).records()


def test_the_lz4_checksum_that_a_reader_wants_can_be_chosen() -> None:
    view = Message(v0.build(ROWS, codec=3))
    assert len(view.inside()) == len(view.inside(HeaderChecksum.BROKEN)) == 3
    with pytest.raises(UndecodablePayload):
        view.inside(HeaderChecksum.RIGHT)


def test_a_set_is_split_into_its_whole_messages() -> None:
    data = v0.build(ROWS)
    assert [m.last_offset for m in message.split(data + data[:20])] == [10, 11, 12]


# ---- in place


@given(st.integers(-(2**63), 2**63 - 1))
def test_an_offset_can_be_written_in_place(offset: int) -> None:
    unit = bytearray(v1.build(ROWS, codec=1))
    before = bytes(unit)
    message.set_offset(memoryview(unit), offset)
    view = Message(unit)
    assert view.last_offset == offset
    assert view.crc_ok()
    assert unit[8:] == before[8:]


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("codec", [0, 1])
def test_a_timestamp_can_be_written_in_place(kind: int, codec: int) -> None:
    unit = bytearray(v1.build(ROWS[:1], codec=codec))
    message.set_timestamp(memoryview(unit), kind, 123456789)
    view = Message(unit)
    assert (view.max_timestamp, view.timestamp_type, view.codec) == (123456789, kind, codec)
    assert view.crc_ok()


def test_an_equal_timestamp_changes_nothing_not_even_a_wrong_crc() -> None:
    unit = bytearray(v1.message(5, 1000, b"k", b"v"))
    unit[12:16] = b"crc!"
    before = bytes(unit)
    message.set_timestamp(unit, 0, 1000)
    assert unit == before
    message.set_timestamp(unit, 0, 1001)
    assert Message(unit).crc_ok()


def test_stamping_gives_the_bytes_of_building() -> None:
    unit = bytearray(v1.build(ROWS[:1]))
    message.set_timestamp(unit, 1, 777)
    assert unit == v1.build(ROWS[:1], append_time=777)


@given(st.binary(min_size=26, max_size=120), st.integers(0, 1))
def test_random_messages_raise_only_malformed_bytes(data: bytes, magic: int) -> None:
    view = Message(data[:16] + bytes([magic]) + data[17:])
    for ask in ("key", "value", "base_offset", "count"):
        check_raises_only_malformed(partial(getattr, view, ask))
    check_raises_only_malformed(lambda: list(view.records()))
    check_raises_only_malformed(view.inside)


def test_a_batch_of_format_2_is_misread_in_the_layout_of_format_1() -> None:
    """The timestamp is then made of checksum, attributes and last offset delta."""
    data = v2.build([Record(7, 1000, 0, b"k", b"v")])
    seen = misread(v2.RecordBatch(data))
    assert (seen.magic, seen.last_offset) == (1, 7)
    assert seen.max_timestamp == int.from_bytes(data[18:26], "big", signed=True)
    assert seen.attributes == data[17]
