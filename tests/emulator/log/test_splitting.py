"""Segments whose offsets lie further from their base than an index can express (KAFKA-6264)."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.splitting import parts_of
from fakekafka.records import v2
from fakekafka.records.record import Record

from tests.emulator.log.batches import with_info
from tests.emulator.log.cleaner.passes import NOW, Cleaned

FAR = 2**31
RELEASES = ["2.0", "2.8", "3.9", "4.1"]


def far_reaching(release: str, *offsets: int, crash: bool = False) -> Cleaned:
    """A log whose first segment has these offsets, each with its own key, and whose second segment is empty."""
    log = Cleaned(release)
    for offset in offsets:
        data, info = with_info(v2.build([Record(offset, NOW, 0, b"%d" % offset, b"v")]))
        log.log.segments[0].append(data, info, offset, NOW)
    log.log.roll(NOW, at_least=offsets[-1] + 1)
    if crash:
        log.log.crash()
    else:
        log.log.close(NOW)
    reopen(log, clean=not crash)
    return log


def reopen(log: Cleaned, clean: bool = True) -> None:
    log.log = PartitionLog.open(log.directory, log.log_rules, log.config, NOW, clean=clean)
    log.log.on_high_watermark(log.log.log_end_offset)


@pytest.mark.parametrize(
    ("offsets", "bases"),
    [
        ((0, FAR - 1, FAR), [0, FAR]),
        ((0, FAR + 5, FAR + 6, 2 * FAR + 6, 2 * FAR + 7), [0, FAR + 5, 2 * FAR + 6]),
        ((0, 3 * FAR), [0, 3 * FAR]),
    ],
)
def test_a_start_after_a_crash_splits_before_the_first_offset_that_is_too_far(
    offsets: tuple[int, ...], bases: list[int]
) -> None:
    """Asked of 2.0.1; after a clean stop it leaves the same segments whole."""
    split = far_reaching("2.0", *offsets, crash=True)
    assert [segment.base_offset for segment in split.log.segments] == [*bases, offsets[-1] + 1]
    whole = far_reaching("2.0", *offsets)
    assert [segment.base_offset for segment in whole.log.segments] == [0, offsets[-1] + 1]


@pytest.mark.parametrize("release", ["0.11.0", "1.1.1"])
def test_up_to_1_1_the_cleaner_stops_at_an_offset_that_is_too_far(release: str) -> None:
    """Asked of 1.1.1."""
    log = far_reaching(release, 0, 1, FAR)
    with pytest.raises(CleaningFailed, match="can not be safely converted to relative offset"):
        log.clean()
    assert log.bases == [0, FAR + 1]


@pytest.mark.parametrize("release", RELEASES)
def test_from_2_0_on_the_cleaner_splits_a_segment_with_far_offsets_and_begins_again(release: str) -> None:
    """Asked of 2.0.1."""
    log = far_reaching(release, 0, 1, FAR)
    log.clean()
    assert log.bases == [0, FAR, FAR + 1]
    assert log.offsets == [0, 1, FAR]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("crash", [True, False])
def test_from_2_0_on_a_start_splits_a_segment_with_far_offsets_if_it_recovers_it(release: str, crash: bool) -> None:
    log = far_reaching(release, 0, 1, FAR, crash=crash)
    assert log.bases == ([0, FAR, FAR + 1] if crash else [0, FAR + 1])
    assert log.offsets == [0, 1, FAR]


@pytest.mark.parametrize("release", RELEASES)
def test_from_2_0_on_a_start_splits_a_segment_with_far_offsets_if_its_index_is_missing(release: str) -> None:
    log = far_reaching(release, 0, 1, FAR)
    log.log.close(NOW)
    log.directory.delete(f"{0:020d}.index")
    reopen(log)
    assert log.offsets == [0, 1, FAR]
    rebuilt = log.log_rules.missing_index == "rebuilt"
    assert log.bases == ([0, FAR, FAR + 1] if rebuilt else [0, FAR + 1])


@pytest.mark.parametrize("release", ["0.11.0", "1.1.1"])
def test_up_to_1_1_a_start_leaves_a_segment_with_far_offsets_whole(release: str) -> None:
    log = far_reaching(release, 0, 1, FAR, crash=True)
    assert log.bases == [0, FAR + 1]
    assert log.offsets == [0, 1, FAR]


def test_each_part_reaches_as_far_as_its_index_can_express() -> None:
    log = far_reaching("2.8", 5, FAR + 4, FAR + 5, 2 * FAR + 4, 3 * FAR + 9)
    parts = parts_of(log.log.segments[0], lambda base: log.log.new_cleaned_segment(base, NOW), NOW)
    offsets = {part.base_offset: [batch.last_offset for batch in part.batches()] for part in parts}
    assert offsets == {5: [5, FAR + 4], FAR + 5: [FAR + 5, 2 * FAR + 4], 3 * FAR + 9: [3 * FAR + 9]}


def test_the_parts_have_the_modification_time_of_the_whole() -> None:
    log = far_reaching("2.8", 0, FAR)
    parts = parts_of(log.log.segments[0], lambda base: log.log.new_cleaned_segment(base, NOW), NOW + 1000)
    assert [part.last_modified_ms for part in parts] == [NOW, NOW]
