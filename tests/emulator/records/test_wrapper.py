"""Wrappers of formats 0 and 1."""

import pytest
from fakekafka.records import scan, v0, v1, wrapper
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import InvalidRecord, PayloadEndsEarly, UndecodablePayload, UnknownCodec
from fakekafka.records.message import Message
from fakekafka.records.record import Record

from tests.emulator.records.recorded import Sample, rebuilt, samples

ROWS = [Record(10 + i, 1000 + i, 0, b"k%d" % i, b"v%d" % i) for i in range(3)]
INSIDE = v1.build([r._replace(offset=i) for i, r in enumerate(ROWS)])


@pytest.mark.parametrize("sample", [s for s in samples() if s.data[16] < 2], ids=lambda s: s.id)
def test_recorded_units_are_rebuilt_byte_for_byte(sample: Sample) -> None:
    assert rebuilt(Message(sample.data), sample.level) == sample.data


@pytest.mark.parametrize("codec", [1, 2, 3])
@pytest.mark.parametrize("magic", [0, 1])
def test_unwrapping_gives_what_was_wrapped(magic: int, codec: int) -> None:
    view = Message(wrapper.wrap(magic, codec, INSIDE, offset=12, timestamp=7))
    assert (view.magic, view.codec, view.last_offset, view.key) == (magic, codec, 12, None)
    assert view.max_timestamp == (7 if magic else -1)
    assert wrapper.unwrap(magic, codec, view.value) == (INSIDE, None)


def test_an_append_time_is_a_bit_of_the_wrapper() -> None:
    assert Message(wrapper.wrap(1, 1, INSIDE, offset=2, timestamp=7, append_time=True)).attributes == 0x09


def test_an_empty_list_of_records_makes_no_wrapper() -> None:
    assert wrapper.build(1, [], 1, None, None, None, 1024) == b""


def test_options_of_the_codec_are_passed_on() -> None:
    many = INSIDE * 100
    assert len(wrapper.wrap(1, 2, many, offset=0, timestamp=0, snappy_block=1024)) > len(
        wrapper.wrap(1, 2, many, offset=0, timestamp=0)
    )
    assert wrapper.wrap(1, 1, many, offset=0, timestamp=0, level=1) != wrapper.wrap(1, 1, many, offset=0, timestamp=0)


@pytest.mark.parametrize("codec", [0, 4, 5])
def test_codecs_that_these_formats_do_not_have_are_unknown(codec: int) -> None:
    with pytest.raises(UnknownCodec):
        wrapper.wrap(1, codec, INSIDE, offset=0, timestamp=0)
    if codec:
        with pytest.raises(UnknownCodec):
            wrapper.unwrap(1, codec, b"")


def test_the_lz4_checksum_is_broken_in_format_0_only() -> None:
    broken, right = (Message(wrapper.wrap(m, 3, INSIDE, offset=0, timestamp=0)).value for m in (0, 1))
    assert broken is not None
    assert right is not None
    assert (broken[6], right[6]) == (0x1A, 0x82)
    for stream in (broken, right):
        assert wrapper.unwrap(0, 3, stream)[1] is None
    assert isinstance(wrapper.unwrap(1, 3, broken)[1], UndecodablePayload)
    assert isinstance(wrapper.unwrap(0, 3, right, HeaderChecksum.BROKEN)[1], UndecodablePayload)


def test_a_null_value_is_invalid() -> None:
    with pytest.raises(InvalidRecord):
        wrapper.unwrap(0, 1, None)


def test_a_cut_stream_gives_what_came_before() -> None:
    stream = Message(wrapper.wrap(1, 1, INSIDE, offset=0, timestamp=0)).value
    assert stream is not None
    data, failure = wrapper.unwrap(1, 1, stream[:-8])
    assert data == INSIDE
    assert isinstance(failure, PayloadEndsEarly)


@pytest.mark.parametrize(
    ("magic", "wrapper_offset", "last_inside", "base"),
    [(0, 12, 12, 0), (0, 3, 12, 0), (1, 12, 2, 10), (1, 2, 2, 0), (1, 0, 2, 0), (1, 0, 0, 0), (1, 5, 5, 0)],
)
def test_a_base_offset_follows_from_the_wrapper_and_its_last_message(
    magic: int, wrapper_offset: int, last_inside: int, base: int
) -> None:
    assert wrapper.base_offset(magic, wrapper_offset, last_inside) == base


@pytest.mark.parametrize("wrapper_offset", [-1, 1])
def test_a_format_1_wrapper_below_its_last_message_is_invalid(wrapper_offset: int) -> None:
    with pytest.raises(InvalidRecord):
        wrapper.base_offset(1, wrapper_offset, 2)


def test_offsets_of_minus_one_everywhere_are_accepted() -> None:
    assert wrapper.base_offset(1, -1, -1) == 0


@pytest.mark.statement("S0-21")
def test_holes_inside_stay_holes() -> None:
    data = v1.build([ROWS[0], ROWS[2]._replace(offset=17)], codec=1)
    (batch,) = scan.batches(data)
    assert [r.offset for r in batch.records()] == [10, 17]


def test_a_wrapper_may_hold_messages_of_the_other_format() -> None:
    mixed = v0.message(0, b"k", b"old") + v1.message(1, 1000, b"k", b"new")
    view = Message(wrapper.wrap(1, 1, mixed, offset=11, timestamp=1000))
    assert list(view.records()) == [Record(10, -1, -1, b"k", b"old"), Record(11, 1000, 0, b"k", b"new")]


def test_a_wrapper_in_a_wrapper_is_not_opened() -> None:
    view = Message(wrapper.wrap(1, 1, v1.build(ROWS, codec=1), offset=12, timestamp=0))
    with pytest.raises(InvalidRecord):
        list(view.records())
    assert [m.codec for m in view.inside()] == [1]
