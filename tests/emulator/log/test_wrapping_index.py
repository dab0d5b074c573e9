"""The offset index before 2.0. Entries that fit are as in any other index; those that do not were asked of 0.10.1.1."""

import pytest
from fakekafka.log.offset_index import IndexFull, OffsetIndex, OffsetOutOfOrder
from fakekafka.log.wrapping_index import WrappingIndex
from hypothesis import given
from hypothesis import strategies as st

FAR = 2**31
OFFSETS = st.lists(st.integers(0, FAR - 1), unique=True, max_size=30).map(sorted)


def index_of(*offsets: int, max_bytes: int = 800) -> WrappingIndex:
    index = WrappingIndex(100, max_bytes)
    for number, offset in enumerate(offsets):
        index.append(100 + offset, 10 * number)
    return index


@given(OFFSETS, st.integers(-10, FAR + 10))
def test_an_index_whose_offsets_all_fit_is_like_any_other(offsets: list[int], to: int) -> None:
    plain, wrapping = OffsetIndex(100, 800), index_of(*offsets)
    for number, offset in enumerate(offsets):
        plain.append(100 + offset, 10 * number)
    assert wrapping.content() == plain.content()
    assert wrapping.lookup(100 + to) == plain.lookup(100 + to)
    assert wrapping.last_offset == plain.last_offset
    wrapping.truncate_to(100 + to)
    plain.truncate_to(100 + to)
    assert wrapping.content() == plain.content()


def test_an_offset_that_does_not_fit_becomes_negative() -> None:
    index = index_of(5, FAR + 1)
    assert index.content().hex() == "0000000500000000800000010000000a"
    assert index.last_offset == 100 + FAR + 1


def test_the_far_offset_is_forgotten_with_the_object() -> None:
    again = WrappingIndex(100, 800)
    again.load(index_of(5, FAR + 1).content())
    assert again.last_offset == 100 + 1 - FAR


def test_far_offsets_must_ascend_and_find_room() -> None:
    index = index_of(5, FAR + 1, max_bytes=24)
    with pytest.raises(OffsetOutOfOrder):
        index.append(100 + FAR + 1, 20)
    index.append(100 + FAR + 2, 20)
    with pytest.raises(IndexFull):
        index.append(100 + FAR + 3, 30)


@given(st.lists(st.integers(0, 3 * FAR), unique=True, max_size=30).map(sorted), st.integers(-10, 3 * FAR))
def test_a_search_ends_at_an_entry_that_is_not_beyond_the_offset(offsets: list[int], to: int) -> None:
    index = index_of(*offsets)
    offset, _ = index.lookup(100 + to)
    assert offset <= max(100 + to, 100)


def test_a_truncation_drops_what_the_search_finds_beyond_the_offset() -> None:
    index = index_of(5, 9, FAR + 1)
    index.truncate_to(100 + FAR + 1)
    assert len(index) == 3
    index.truncate_to(100 + 9)
    assert index.entries() == [(105, 0)]
    index.clear()
    assert (len(index), index.last_offset) == (0, 100)
