"""The offset index against a plain list of entries."""

import re

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET, IndexFull, OffsetIndex, OffsetOutOfOrder
from fakekafka.log.partition_log import PartitionLog
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import messages, rules

NOW = 1000

BASES = st.integers(0, 2**62)
ENTRIES = st.lists(st.tuples(st.integers(0, MAX_RELATIVE_OFFSET), st.integers(0, 2**31 - 1)), max_size=30).map(
    lambda pairs: list(zip(sorted({o for o, _ in pairs}), sorted({p for _, p in pairs})))
)


def index_of(base: int, entries: list[tuple[int, int]], max_bytes: int = 1 << 20) -> OffsetIndex:
    index = OffsetIndex(base, max_bytes)
    for offset, position in entries:
        index.append(base + offset, position)
    return index


def test_an_entry_is_two_big_endian_numbers() -> None:
    assert index_of(100, [(5, 500), (6, 0x01020304)]).content().hex() == "00000005000001f40000000601020304"


@given(BASES, ENTRIES)
def test_an_offset_index_is_read_as_it_was_written(base: int, entries: list[tuple[int, int]]) -> None:
    index = index_of(base, entries)
    again = OffsetIndex(base, 1 << 20)
    again.load(index.content())
    assert again.entries() == index.entries() == [(base + o, p) for o, p in entries]
    assert len(again.content()) == 8 * len(entries) == again.entry_size * len(again)


@given(BASES, ENTRIES, st.integers(-10, MAX_RELATIVE_OFFSET + 10))
def test_a_look_up_gives_the_last_entry_up_to_the_offset(base: int, entries: list[tuple[int, int]], to: int) -> None:
    fitting = [(base + o, p) for o, p in entries if o <= to]
    assert index_of(base, entries).lookup(base + to) == (fitting[-1] if fitting else (base, 0))


@given(BASES, ENTRIES, st.integers(0, 2**31 - 1))
def test_the_upper_bound_is_the_first_entry_from_a_position_on(
    base: int, entries: list[tuple[int, int]], position: int
) -> None:
    behind = [base + o for n, (o, p) in enumerate(entries) if p > position or (n > 0 and p == position)]
    assert index_of(base, entries).first_from_position(position) == (behind[0] if behind else None)


@given(BASES, ENTRIES, st.integers(-10, MAX_RELATIVE_OFFSET + 10))
def test_truncation_drops_the_offset_and_what_follows(base: int, entries: list[tuple[int, int]], to: int) -> None:
    index = index_of(base, entries)
    index.truncate_to(base + to)
    assert index.entries() == [(base + o, p) for o, p in entries if o < to]


def test_offsets_must_ascend_and_lie_within_reach_of_the_base() -> None:
    index = index_of(100, [(5, 500)])
    for offset in (105, 104, 99, 100 + MAX_RELATIVE_OFFSET + 1):
        with pytest.raises(OffsetOutOfOrder):
            index.append(offset, 600)
    assert index.entries() == [(105, 500)]


def test_a_full_index_accepts_no_more_entries() -> None:
    index = index_of(0, [(1, 10), (2, 20)], max_bytes=23)
    assert index.is_full
    assert index.max_entries == 2
    with pytest.raises(IndexFull):
        index.append(3, 30)


def test_an_empty_index_answers_with_its_base() -> None:
    index = OffsetIndex(7, 800)
    assert (index.last_offset, index.last_position, index.lookup(9), len(index)) == (7, 0, (7, 0), 0)


def test_zeros_after_the_entries_count_as_entries_and_a_cut_entry_does_not() -> None:
    index = OffsetIndex(100, 800)
    index.load(bytes.fromhex("00000005000001f4") + bytes(16) + b"\x01\x02")
    assert index.entries() == [(105, 500), (100, 0), (100, 0)]


def test_a_cleared_index_is_empty() -> None:
    index = index_of(0, [(1, 10)])
    index.clear()
    assert index.content() == b""


@pytest.mark.parametrize(
    ("release", "words"),
    [("0.8.2", "full index (size = 3)"), ("0.10.0", "full index (size = 3)"), ("0.10.1", "full time index (size = 1)")],
)
def test_a_recovery_that_needs_more_entries_than_an_index_has_fails(
    directory: Directory, release: str, words: str
) -> None:
    """A set of many messages had one entry, now each of them needs one. Asked of 0.8.2.2, 0.10.0.1 and 0.10.1.1."""
    magic = 0 if release == "0.8.2" else 1
    log = PartitionLog.open(directory, rules(release), LogConfig(index_interval_bytes=1, segment_index_bytes=24), NOW)
    assert log.append(*messages(magic, 0, *range(NOW, NOW + 10)), NOW).error == 0
    with pytest.raises(BrokerWillNotStart, match=re.escape(f"Attempt to append to a {words}.")):
        PartitionLog.open(directory, rules(release), log.config, NOW, False, 0, 0)
