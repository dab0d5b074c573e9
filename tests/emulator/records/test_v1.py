"""Format 1, byte by byte and against the client libraries."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.records import scan, v1
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from hypothesis import given, settings

from tests.emulator.records.clients import BUILDERS, READABLE, READERS, built_by, plain, read_by
from tests.emulator.records.strategies import records

ROWS = [Record(10 + 2 * i, timestamp, 0, b"k%d" % i, b"v%d" % i) for i, timestamp in enumerate((5, 9, 7))]


@pytest.mark.statement("S0-3")
@pytest.mark.statement("S0-1", "S1-5")
@pytest.mark.parametrize(
    ("append_time", "expected"),
    [
        (None, "0000000000000000 00000018 e4e321bc 01 00 00000000000003e8 00000001 6b 00000001 76"),
        (1000, "0000000000000000 00000018 ed423c39 01 08 00000000000003e8 00000001 6b 00000001 76"),
    ],
)
def test_the_vectors_are_built_and_read(append_time: int | None, expected: str) -> None:
    data = bytes.fromhex(expected)
    assert v1.build([Record(0, 1000, 0, b"k", b"v")], append_time=append_time) == data
    assert v1.message(0, 1000, b"k", b"v", 8 if append_time else 0) == data
    (record,) = Message(data).records()
    assert record == Record(0, 1000, 1 if append_time else 0, b"k", b"v")


@pytest.mark.statement("S1-40")
def test_a_message_adds_34_bytes_to_key_and_value() -> None:
    assert len(v1.message(0, 0, b"", b"")) == 34


@pytest.mark.statement("S0-2")
@pytest.mark.statement("S0-7")
@pytest.mark.statement("S0-10")
@pytest.mark.statement("S0-27")
@pytest.mark.parametrize("codec", [1, 2, 3])
def test_a_wrapper_has_the_last_offset_the_latest_timestamp_and_relative_offsets_inside(codec: int) -> None:
    (wrapper,) = scan.batches(v1.build(ROWS, codec=codec))
    assert isinstance(wrapper, Message)
    assert (wrapper.last_offset, wrapper.max_timestamp) == (14, 9)
    assert [m.last_offset for m in wrapper.inside()] == [0, 2, 4]
    assert list(wrapper.records()) == ROWS


def test_a_wrapper_without_timestamps_has_none() -> None:
    (wrapper,) = scan.batches(v1.build([r._replace(timestamp=-1) for r in ROWS], codec=1))
    assert wrapper.max_timestamp == -1


@pytest.mark.parametrize("stamp_inside", [True, False])
def test_an_append_time_of_a_wrapper_holds_whatever_stands_inside(stamp_inside: bool) -> None:
    (wrapper,) = scan.batches(v1.build(ROWS, codec=1, append_time=777, stamp_inside=stamp_inside))
    assert isinstance(wrapper, Message)
    assert {(r.timestamp, r.timestamp_type) for r in wrapper.records()} == {(777, 1)}
    inside = [(m.max_timestamp, m.timestamp_type) for m in wrapper.inside()]
    assert inside == ([(777, 1)] * 3 if stamp_inside else [(5, 0), (9, 0), (7, 0)])


def test_uncompressed_messages_are_stamped_in_any_case() -> None:
    data = v1.build(ROWS, append_time=777, stamp_inside=False)
    assert [(b.max_timestamp, b.timestamp_type) for b in scan.batches(data)] == [(777, 1)] * 3


def test_an_empty_list_of_records_gives_no_bytes() -> None:
    assert v1.build([]) == v1.build([], codec=1) == b""


def test_records_that_format_1_cannot_hold_are_refused() -> None:
    with pytest.raises(UsageError):
        v1.build([ROWS[0]._replace(headers=(("h", b""),))])
    with pytest.raises(UnknownCodec):
        v1.build(ROWS, codec=4)


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 1])
@pytest.mark.parametrize("client", READERS)
@given(rows=records(1))
def test_clients_read_what_we_build(client: str, codec: int, rows: list[Record]) -> None:
    assert read_by(client, v1.build(rows, codec=codec)) == plain(rows)


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 1])
@pytest.mark.parametrize("client", BUILDERS)
@given(rows=records(1, start=0, gaps=False))
def test_we_read_what_clients_build(client: str, codec: int, rows: list[Record]) -> None:
    data = built_by(client, 1, codec, rows)
    batches = list(scan.batches(data))
    assert all(b.crc_ok() for b in batches)
    assert [(r.timestamp, r.key, r.value) for b in batches for r in b.records()] == [r[1:2] + r[3:5] for r in rows]
    if not batches[0].codec:
        assert data == v1.build(rows)
