"""The offset map: which keys come into it, and what a release does when it is full."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.compaction import CleanerSettings
from fakekafka.log.cleaner.offset_map import OffsetMap, fill
from fakekafka.log.cleaner.portions import Buffers

from tests.emulator.log.cleaner.passes import Cleaned


def filled(log: Cleaned, slots: int = 100, load_factor: float = 1.0) -> OffsetMap:
    offsets = OffsetMap(24 * slots, load_factor)
    settings = CleanerSettings()
    buffers = Buffers(settings.buffer_bytes, settings.message_max_bytes, log.config, log.rules)
    fill(offsets, log.log, log.found(), log.rules, buffers)
    return offsets


def two_segments(release: str, magic: int = 2) -> Cleaned:
    """a, b | c, a | the active one."""
    log = Cleaned(release, magic)
    log.append((b"a", b"1"), (b"b", b"2"))
    log.roll()
    log.append((b"c", b"3"), (b"a", b"4"))
    log.roll()
    return log


def test_an_entry_takes_24_bytes() -> None:
    assert OffsetMap(2400, 0.9).slots == 100
    assert OffsetMap(2400, 0.9).room == 90
    assert not OffsetMap(2400, 0.9).is_full


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0", "0.10.0", "0.10.1", "2.3", "4.1"])
def test_each_key_has_its_last_offset(release: str) -> None:
    found = filled(two_segments(release, 0 if release.startswith("0.") else 2))
    assert found.offsets == {b"a": 3, b"b": 1, b"c": 2}
    assert found.latest_offset == 3


def test_segments_that_were_cleaned_before_are_not_read() -> None:
    log = two_segments("2.3")
    log.dirty_from = 2
    assert filled(log).offsets == {b"c": 2, b"a": 3}


def test_records_without_a_key_and_aborted_ones_are_not_in_it() -> None:
    log = Cleaned("2.3")
    log.append((b"a", b"1"), producer=7, transactional=True)
    log.mark(7, commit=False)
    log.append((None, b"2"), (b"b", b"3"))
    log.roll()
    found = filled(log)
    assert found.offsets == {b"b": 3}
    assert found.latest_offset == 3


@pytest.mark.parametrize(("release", "end"), [("2.4.0", 3), ("2.4.1", 9)])
def test_the_end_of_a_segment_counts_as_read_from_2_4_1_on(release: str, end: int) -> None:
    """KAFKA-8764: holes at a segment's end."""
    log = two_segments(release)
    log.log.segments[-1].base_offset = 10
    assert filled(log).latest_offset == end


def test_a_full_map_ends_within_a_segment_from_0_10_1_on() -> None:
    assert filled(two_segments("0.10.1", 0), slots=2).latest_offset == 1
    found = filled(two_segments("2.3"), slots=3)
    assert (found.latest_offset, found.is_full) == (2, True)


def test_in_0_10_0_only_whole_segments_count() -> None:
    found = filled(two_segments("0.10.0", 0), slots=2)
    assert found.latest_offset == 1
    with pytest.raises(CleaningFailed, match="Unable to build the offset map for segment 0"):
        filled(two_segments("0.10.0", 0), slots=1)


def test_in_0_9_a_segment_needs_room_for_all_its_offsets() -> None:
    assert filled(two_segments("0.9.0", 0), slots=3).latest_offset == 1
    with pytest.raises(CleaningFailed, match="2 messages in segment but offset map can fit only 1"):
        filled(two_segments("0.9.0", 0), slots=1)


def test_in_0_8_a_segment_that_has_begun_must_fit() -> None:
    with pytest.raises(CleaningFailed, match="full offset map"):
        filled(two_segments("0.8.2", 0), slots=2)


@pytest.mark.parametrize(("release", "dies"), [("0.10.0", True), ("0.10.1", False)])
def test_a_dirty_part_that_begins_within_a_segment_ends_the_cleaner_in_some_releases(release: str, dies: bool) -> None:
    """KAFKA-3894."""
    log = two_segments(release, 0)
    log.dirty_from = 1
    if dies:
        with pytest.raises(CleaningFailed, match="Last clean offset is 1 but segment base offset is 0"):
            filled(log)
    else:
        assert filled(log).offsets == {b"b": 1, b"c": 2, b"a": 3}
