"""The time index against a plain list of entries."""

import pytest
from fakekafka.log.offset_index import IndexFull, OffsetOutOfOrder
from fakekafka.log.time_index import TimeIndex, TimeOutOfOrder
from hypothesis import given
from hypothesis import strategies as st

BASES = st.integers(0, 2**62)
ENTRIES = st.lists(st.tuples(st.integers(0, 2**50), st.integers(0, 2**31 - 1)), max_size=30).map(
    lambda pairs: list(zip(sorted({t for t, _ in pairs}), sorted(o for _, o in pairs)))
)


def index_of(base: int, entries: list[tuple[int, int]], max_bytes: int = 1 << 20) -> TimeIndex:
    index = TimeIndex(base, max_bytes)
    for timestamp, offset in entries:
        index.maybe_append(timestamp, base + offset)
    return index


def test_an_entry_is_a_long_and_an_int() -> None:
    assert index_of(100, [(60000, 7)]).content().hex() == "000000000000ea6000000007"


@given(BASES, ENTRIES)
def test_a_time_index_is_read_as_it_was_written(base: int, entries: list[tuple[int, int]]) -> None:
    index = index_of(base, entries)
    again = TimeIndex(base, 1 << 20)
    again.load(index.content() + b"\x01\x02")
    assert again.entries() == index.entries() == [(t, base + o) for t, o in entries]
    assert len(index.content()) == 12 * len(entries) == again.entry_size * len(again)


def test_the_first_timestamp_is_known() -> None:
    assert index_of(100, [(7, 1), (9, 2)]).first_timestamp == 7
    assert index_of(100, []).first_timestamp == -1


@given(BASES, ENTRIES, st.integers(-1, 2**51))
def test_a_look_up_gives_the_last_entry_up_to_the_time(base: int, entries: list[tuple[int, int]], to: int) -> None:
    fitting = [(t, base + o) for t, o in entries if t <= to]
    assert index_of(base, entries).lookup(to) == (fitting[-1] if fitting else (-1, base))


@given(BASES, ENTRIES, st.integers(0, 2**31))
def test_truncation_drops_the_offset_and_what_follows(base: int, entries: list[tuple[int, int]], to: int) -> None:
    index = index_of(base, entries)
    index.truncate_to(base + to)
    assert index.entries() == [(t, base + o) for t, o in entries if o < to]


def test_an_equal_timestamp_makes_no_entry() -> None:
    index = index_of(0, [(10, 1), (10, 2)])
    assert index.entries() == [(10, 1)]


def test_time_and_offset_may_not_go_back() -> None:
    index = index_of(0, [(10, 5)])
    with pytest.raises(TimeOutOfOrder):
        index.maybe_append(9, 6)
    with pytest.raises(OffsetOutOfOrder):
        index.maybe_append(11, 4)


def test_the_last_slot_is_kept_for_the_roll() -> None:
    index = index_of(0, [(1, 1), (2, 2)], max_bytes=36)
    assert index.is_full
    with pytest.raises(IndexFull):
        index.maybe_append(3, 3)
    index.maybe_append(3, 3, last_slot=True)
    assert index.last_entry == (3, 3)


def test_records_without_timestamps_make_no_entry() -> None:
    index = TimeIndex(4, 1200)
    index.maybe_append(-1, 4)
    assert (index.entries(), index.last_entry) == ([], (-1, 4))


def test_a_cleared_index_is_empty() -> None:
    index = index_of(0, [(1, 10)])
    index.clear()
    assert index.content() == b""
