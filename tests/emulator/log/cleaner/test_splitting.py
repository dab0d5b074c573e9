"""Segments whose offsets lie further from their base than an index can say (KAFKA-6264)."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.splitting import split
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v2
from fakekafka.records.record import Record

from tests.emulator.log.batches import with_info
from tests.emulator.log.cleaner.passes import NOW, Cleaned

FAR = 2**31


def far_reaching(release: str, *offsets: int) -> Cleaned:
    """A log whose first segment has these offsets, each with a key of its own, and whose second segment is empty."""
    log = Cleaned(release)
    for offset in offsets:
        data, info = with_info(v2.build([Record(offset, NOW, 0, b"%d" % offset, b"v")]))
        log.log.segments[0].append(data, info, offset, NOW)
    log.log.roll(NOW, at_least=offsets[-1] + 1)
    log.log.close(NOW)
    log.log = PartitionLog.open(log.directory, log.log_rules, log.config, NOW)
    log.log.on_high_watermark(log.log.log_end_offset)
    return log


@pytest.mark.parametrize("release", ["0.11.0", "1.1.1"])
def test_up_to_1_1_the_cleaner_stops_at_an_offset_that_is_too_far(release: str) -> None:
    """Asked of 1.1.1."""
    log = far_reaching(release, 0, 1, FAR)
    with pytest.raises(CleaningFailed, match="can not be safely converted to relative offset"):
        log.clean()
    assert log.bases == [0, FAR + 1]


@pytest.mark.parametrize("release", ["2.0", "2.8", "4.1"])
def test_from_2_0_on_the_cleaner_splits_such_a_segment_and_begins_again(release: str) -> None:
    """Asked of 2.0.1."""
    log = far_reaching(release, 0, 1, FAR)
    log.clean()
    assert log.bases == [0, FAR, FAR + 1]
    assert log.offsets == [0, 1, FAR]


def test_each_part_reaches_as_far_as_its_index_can_say() -> None:
    log = far_reaching("2.8", 5, FAR + 4, FAR + 5, 2 * FAR + 4, 3 * FAR + 9)
    split(log.log, log.log.segments[0], NOW)
    assert log.bases == [5, FAR + 5, 3 * FAR + 9, 3 * FAR + 10]
    assert log.offsets == [5, FAR + 4, FAR + 5, 2 * FAR + 4, 3 * FAR + 9]


def test_the_parts_have_the_time_of_the_whole() -> None:
    log = far_reaching("2.8", 0, FAR)
    split(log.log, log.log.segments[0], NOW + 1000)
    assert [segment.last_modified_ms for segment in log.log.segments[:2]] == [NOW, NOW]
