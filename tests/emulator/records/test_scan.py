"""Walking over units: what is found, where the walk ends, and what is refused."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from fakekafka.records import scan, v0, v1, v2
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.records.recorded import Sample, samples
from tests.emulator.records.strategies import check_raises_only_malformed, damaged, units

RECORD = Record(7, 1000, 0, b"k", b"v")
V0 = v0.build([RECORD])
V1 = v1.build([RECORD])
V2 = v2.build([RECORD])
MIXED = V0 + V1 + V2

Walk = Callable[[bytes], Iterator[scan.Unit]]
WALKS: list[Walk] = [scan.units, scan.units_of_any_magic, scan.units_in_file]


def with_size(unit: bytes, size: int) -> bytes:
    return unit[:8] + size.to_bytes(4, "big", signed=True) + unit[12:]


def with_magic(unit: bytes, magic: int) -> bytes:
    return unit[:16] + bytes([magic]) + unit[17:]


@pytest.mark.statement("S0-1")
@pytest.mark.statement("S0-4")
@pytest.mark.statement("S1-8")
@pytest.mark.parametrize("walk", WALKS)
def test_units_of_all_formats_are_found_by_their_shared_prefix(walk: Walk) -> None:
    found = list(walk(MIXED))
    assert found == [
        scan.Unit(0, 7, len(V0), 0),
        scan.Unit(len(V0), 7, len(V1), 1),
        scan.Unit(len(V0) + len(V1), 7, len(V2), 2),
    ]
    assert [type(scan.view(MIXED, unit)) for unit in found] == [Message, Message, v2.RecordBatch]


def test_a_walk_keeps_within_its_range() -> None:
    start, end = len(V0), len(MIXED)
    assert [u.magic for u in scan.units(MIXED, start, end)] == [1, 2]
    assert [u.magic for u in scan.units(MIXED, start, end - 1)] == [1]
    assert list(scan.units_in_file(MIXED, start, start)) == []


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("cut", range(1, len(V2) + 1))
def test_a_cut_last_unit_ends_the_walk_silently(walk: Walk, cut: int) -> None:
    assert [u.magic for u in walk(MIXED[:-cut])] == [0, 1]


@pytest.mark.parametrize("size", [-1, 0, 13])
def test_a_size_below_14_is_corrupt_in_memory_even_if_nothing_follows(size: int) -> None:
    for walk in (scan.units, scan.units_of_any_magic):
        for follows in (0, 4, 100):
            with pytest.raises(CorruptUnit, match=f"size {size} at {len(V1)}"):
                list(walk(V1 + with_size(V1, size)[: 12 + follows]))


@pytest.mark.parametrize("magic", [3, 255])
def test_an_unknown_magic_is_corrupt_only_where_brokers_look_at_it(magic: int) -> None:
    data = V0 + with_magic(V1, magic)
    signed = magic - 256 if magic > 127 else magic
    with pytest.raises(CorruptUnit, match=f"magic {signed} at {len(V0)}"):
        list(scan.units(data))
    with pytest.raises(CorruptUnit):
        list(scan.units(data[:-3]))
    assert [u.magic for u in scan.units_of_any_magic(data)] == [0, signed]
    assert [u.magic for u in scan.units_in_file(data)] == [0, signed]


def test_a_file_may_end_in_less_than_a_prefix_of_anything() -> None:
    assert [u.magic for u in scan.units_in_file(V2 + bytes(17))] == [2]
    with pytest.raises(CorruptUnit):
        list(scan.units_in_file(V2 + bytes(18)))


def test_zeros_after_the_last_unit_of_a_file_end_it_for_old_brokers() -> None:
    assert [u.magic for u in scan.units_in_file(V1 + bytes(64), small_size_ends=True)] == [1]


def test_a_batch_too_small_for_its_header_has_no_view() -> None:
    small = with_size(V2, 48)
    (unit,) = scan.units(small[:60])
    with pytest.raises(CorruptUnit):
        scan.view(small, unit)


def test_an_unknown_magic_has_no_view() -> None:
    (unit,) = scan.units_of_any_magic(with_magic(V1, 9))
    with pytest.raises(CorruptUnit):
        scan.view(with_magic(V1, 9), unit)


def test_a_view_shares_the_buffer() -> None:
    buffer = bytearray(V2)
    (batch,) = scan.batches(buffer)
    assert isinstance(batch.data, memoryview)
    assert not batch.data.readonly


@pytest.mark.parametrize("sample", samples(), ids=lambda s: s.id)
def test_recorded_units_are_read_as_what_was_produced(sample: Sample) -> None:
    (batch,) = scan.batches(sample.data)
    assert batch.crc_ok()
    records = list(batch.records())
    assert [(r.offset, r.timestamp, r.key, r.value, r.headers) for r in records] == sample.records
    assert batch.count == len(records)
    assert {r.timestamp_type for r in records} <= {batch.timestamp_type}
    assert batch.last_offset >= max((r.offset for r in records), default=0)
    assert batch.max_timestamp >= max((r.timestamp for r in records), default=-1)


def walk_through(walk: Walk, data: bytes) -> None:
    assert sum(unit.size for unit in walk(data)) <= len(data)


def read_everything(data: bytes) -> None:
    for batch in scan.batches(data):
        batch.crc_ok()
        assert batch.size <= len(data)
        for record in batch.records():
            assert -(2**63) <= record.timestamp < 2**63
            assert -(2**63) <= record.offset < 2**63
        assert batch.base_offset is not None
        assert batch.count >= 0


@given(damaged() | units() | st.binary(max_size=300))
def test_damaged_bytes_raise_only_malformed_bytes(data: bytes) -> None:
    for walk in WALKS:
        check_raises_only_malformed(partial(walk_through, walk, data))
    check_raises_only_malformed(lambda: read_everything(data))
