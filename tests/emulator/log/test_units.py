"""The table of units, and the walk over a file that fills it."""

import pytest
from fakekafka.log import units as module
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.units import Units, last_offset, walk
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.scan import units_in_file
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import batch, messages

SETS = [messages(0, 0, -1, -1)[0], messages(1, 2, 5, 6, codec=1)[0], batch(4, 7, 8, 9)[0]]


def table_of(*pieces: bytes, small_size_ends: bool = False) -> Units:
    file = MemoryDirectory().open("f", 0)
    for piece in pieces:
        file.append(piece, 0)
    return Units.of_file(file, small_size_ends)


def test_units_of_all_formats_are_found_with_their_last_offsets() -> None:
    table = table_of(*SETS)
    assert list(table.last_offsets) == [0, 1, 3, 6]
    assert table.end == sum(map(len, SETS))
    assert [table.end_of(n) for n in range(4)] == [*table.positions[1:], table.end]


@given(st.integers(60, 400))
def test_the_walk_does_not_depend_on_how_much_is_read_at_once(chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_BYTES", chunk)
        assert list(table_of(*SETS, *SETS).positions) == list(table_of(b"".join(SETS + SETS)).positions)


@given(st.integers(1, len(SETS[2]) - 1))
def test_a_cut_unit_at_the_end_is_left_out(cut: int) -> None:
    table = table_of(SETS[0], SETS[2][:cut])
    assert (len(table), table.end) == (2, len(SETS[0]))


def test_a_size_that_is_only_claimed_reads_nothing() -> None:
    claimed = SETS[2][:8] + (2**31 - 1).to_bytes(4, "big") + SETS[2][12:]
    assert len(table_of(SETS[0], claimed)) == 2


def test_zeros_are_an_impossible_unit_or_the_end_for_old_brokers() -> None:
    with pytest.raises(CorruptUnit):
        table_of(SETS[0], bytes(100))
    table = table_of(SETS[0], bytes(100), small_size_ends=True)
    assert (len(table), table.end) == (2, len(SETS[0]))


def test_a_walk_begins_at_the_given_position() -> None:
    file = MemoryDirectory().open("f", 0)
    file.append(b"".join(SETS), 0)
    start = len(SETS[0])
    assert [position for _, _, position in walk(file, False, start)] == [start, start + len(SETS[1])]


def test_units_that_do_not_ascend_are_searched_one_by_one() -> None:
    """0.10.2 may leave such units; a binary search would find number 3."""
    table = Units()
    for end in (0, 5, 3, 9):
        table.add(100, end)
    assert [table.find(4), table.find(4, 200), table.find(10)] == [1, 3, 4]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=20), st.integers(0, 110))
def test_a_search_finds_the_first_unit_that_ends_at_the_offset_or_later(counts: list[int], offset: int) -> None:
    table = Units()
    ends: list[int] = []
    for count in counts:
        ends.append((ends[-1] if ends else -1) + count)
        table.add(100, ends[-1])
    assert table.find(offset) == next((n for n, end in enumerate(ends) if end >= offset), len(ends))
    assert table.find(offset, 300) == next((n for n, end in enumerate(ends) if end >= offset and n >= 3), len(ends))


def test_offsets_that_go_back_are_found_in_file_order() -> None:
    """0.10.2 keeps a client's offset of a message after a wrapper."""
    table = Units()
    for end in (9, 12, 0, 13):
        table.add(10, end)
    assert table.find(0) == 0
    assert table.find(0, 20) == 2
    assert table.find(13) == 3
    assert table.find(14) == 4


def test_truncation_keeps_the_first_units() -> None:
    table = table_of(*SETS)
    table.truncate(2)
    assert (list(table.last_offsets), table.end) == ([0, 1], len(SETS[0]))
    table.truncate(7)
    assert len(table) == 2


def test_a_unit_of_any_magic_has_its_offset_at_the_front() -> None:
    """0.8 and 0.9 store a message of magic 3 unchanged."""
    data = bytearray(SETS[0][: len(SETS[0]) // 2])
    data[:8] = (77).to_bytes(8, "big")
    data[16] = 3
    assert last_offset(data, next(units_in_file(data))) == 77
