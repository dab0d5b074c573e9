"""Format 0, byte by byte and against the client libraries."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.records import scan, v0
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulator.records.clients import BUILDERS, READABLE, READERS, built_by, plain, read_by
from tests.emulator.records.strategies import records

ROWS = [Record(10 + i, -1, -1, b"k%d" % i, b"v%d" % i) for i in range(3)]


@pytest.mark.statement("S0-6")
@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        (b"k", b"v", "0000000000000000 00000010 1fecd70a 00 00 00000001 6b 00000001 76"),
        (None, b"", "0000000000000000 0000000e 795748e0 00 00 ffffffff 00000000"),
        (b"k", None, "0000000000000000 0000000f 908204f6 00 00 00000001 6b ffffffff"),
    ],
)
def test_the_vectors_are_built_and_read(key: bytes | None, value: bytes | None, expected: str) -> None:
    data = bytes.fromhex(expected)
    assert v0.message(0, key, value) == data
    assert v0.build([Record(0, 1234, 0, key, value)]) == data
    assert list(Message(data).records()) == [Record(0, -1, -1, key, value)]


def test_an_uncompressed_set_is_one_unit_per_record() -> None:
    data = v0.build(ROWS)
    assert [b.last_offset for b in scan.batches(data)] == [10, 11, 12]
    assert [r for b in scan.batches(data) for r in b.records()] == ROWS


@pytest.mark.parametrize("codec", [1, 2, 3])
def test_a_compressed_set_is_one_wrapper_with_absolute_offsets_inside(codec: int) -> None:
    (wrapper,) = scan.batches(v0.build(ROWS, codec=codec))
    assert isinstance(wrapper, Message)
    assert (wrapper.last_offset, wrapper.base_offset, wrapper.key) == (12, 10, None)
    assert [m.last_offset for m in wrapper.inside()] == [10, 11, 12]
    assert list(wrapper.records()) == ROWS


def test_an_empty_list_of_records_gives_no_bytes() -> None:
    assert v0.build([]) == v0.build([], codec=1) == b""


def test_records_that_format_0_cannot_hold_are_refused() -> None:
    with pytest.raises(UsageError):
        v0.build([ROWS[0]._replace(headers=(("h", b""),))])
    for codec in (4, 5, 7):
        with pytest.raises(UnknownCodec):
            v0.build(ROWS, codec=codec)


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 0])
@pytest.mark.parametrize("client", READERS)
@given(rows=records(0))
def test_clients_read_what_we_build(client: str, codec: int, rows: list[Record]) -> None:
    assert read_by(client, v0.build(rows, codec=codec)) == plain(rows)


@settings(deadline=None)
@pytest.mark.parametrize("codec", [c for magic, c in READABLE if magic == 0])
@pytest.mark.parametrize("client", BUILDERS)
@given(rows=records(0, start=0, gaps=False))
def test_we_read_what_clients_build(client: str, codec: int, rows: list[Record]) -> None:
    data = built_by(client, 0, codec, rows)
    batches = list(scan.batches(data))
    assert all(b.crc_ok() for b in batches)
    assert [(r.key, r.value) for b in batches for r in b.records()] == [(r.key, r.value) for r in rows]
    if not batches[0].codec:
        assert data == v0.build(rows)


@given(st.integers(0, 255))
def test_attributes_are_written_as_given(attributes: int) -> None:
    assert Message(v0.message(0, None, b"", attributes)).attributes == attributes
