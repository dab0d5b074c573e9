"""Offsets by time."""

import pytest
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.offset_lookup import (
    EARLIEST,
    LATEST,
    noted_max_timestamp,
    offset_for_timestamp,
    offsets_before,
    record_of_max_timestamp,
)
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import FoundOffset
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import batch, messages, rules


def log_of(directory: Directory, release: str, *segments: list[list[int]], clock: int = 0) -> PartitionLog:
    """A log whose segments are lists of sets, each a list of timestamps. Files get the times 10, 20, ..."""
    config = LogConfig(index_interval_bytes=0, segment_index_bytes=1200)
    log = PartitionLog.open(directory, rules(release), config, clock)
    for n, sets in enumerate(segments):
        if n:
            log.roll(clock)
        for timestamps in sets:
            magic = 2 if rules(release).producer_state else 1 if rules(release).time_index else 0
            data, info = messages(magic, log.log_end_offset, *timestamps)
            assert log.append(data, info, 10 * (n + 1)).error == 0
    return log


THREE = [[0], [0]], [[0], [0]], [[0]]


@pytest.mark.parametrize(
    ("timestamp", "at_most", "offsets"),
    [
        (LATEST, 99, [5, 4, 2, 0]),
        (LATEST, 1, [5]),
        (LATEST, 2, [5, 4]),
        (LATEST, 0, []),
        (EARLIEST, 99, [0]),
        (100, 99, [5, 4, 2, 0]),
        (99, 99, [4, 2, 0]),
        (29, 99, [2, 0]),
        (20, 1, [2]),
        (10, 99, [0]),
        (9, 99, []),
    ],
)
def test_a_segment_counts_with_the_time_of_its_file(
    directory: Directory, timestamp: int, at_most: int, offsets: list[int]
) -> None:
    log = log_of(directory, "0.8.2", *THREE)
    assert offsets_before(log, rules("0.8.2"), timestamp, at_most, 100) == offsets


def test_the_end_of_a_log_whose_last_segment_is_empty_is_not_listed_twice(directory: Directory) -> None:
    log = log_of(directory, "0.8.2", [[0]], [])
    assert offsets_before(log, rules("0.8.2"), LATEST, 99, 100) == [1, 0]


@pytest.mark.parametrize(("release", "offsets"), [("0.10.2", [5, 4, 2, 0]), ("0.11.0", [5, 4, 3, 3])])
def test_from_0_11_on_nothing_below_the_logs_start_is_listed(
    directory: Directory, release: str, offsets: list[int]
) -> None:
    log = log_of(directory, release, *THREE)
    log.log_start_offset = 3
    assert offsets_before(log, rules(release), LATEST, 99, 100) == offsets


@pytest.mark.parametrize(
    ("timestamp", "found"),
    [
        (0, (100, 0)),
        (100, (100, 0)),
        (101, (150, 2)),
        (120, (150, 2)),
        (150, (150, 2)),
        (151, (300, 4)),
        (300, (300, 4)),
        (301, None),
    ],
)
@pytest.mark.parametrize("release", ["0.10.1", "2.3", "4.1"])
def test_the_first_record_that_is_young_enough_is_found(
    directory: Directory, release: str, timestamp: int, found: tuple[int, int] | None
) -> None:
    log = log_of(directory, release, [[100, 90], [150, 120]], [[300]])
    answer = offset_for_timestamp(log, rules(release), timestamp)
    assert (None if answer is None else answer[:2]) == found


def test_the_search_does_not_go_on_after_the_segment_that_reaches_the_time(directory: Directory) -> None:
    log = log_of(directory, "2.3", [[100], [150], [10]], [[300]])
    log.advance_log_start(2)
    assert offset_for_timestamp(log, rules("2.3"), 120) is None
    assert offset_for_timestamp(log, rules("2.3"), 10) == FoundOffset(10, 2, 0)
    assert offset_for_timestamp(log, rules("2.3"), 160) == FoundOffset(300, 3, 0)


def test_a_segment_without_timestamps_reaches_as_far_as_its_file(directory: Directory) -> None:
    log = log_of(directory, "2.3", [[-1]], [[300]])
    assert offset_for_timestamp(log, rules("2.3"), 5) is None
    assert offset_for_timestamp(log, rules("2.3"), 11) == FoundOffset(300, 1, 0)


@given(st.lists(st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=3), max_size=4), min_size=1, max_size=3))
def test_all_answers_are_those_of_a_plain_search(segments: list[list[list[int]]]) -> None:
    log = log_of(MemoryDirectory(), "2.3", *segments)
    flat = [[timestamp for one in sets for timestamp in one] for sets in segments]
    flat = [times for n, times in enumerate(flat) if times or n == len(flat) - 1]
    base = [sum(map(len, flat[:n])) for n in range(len(flat))]
    for wanted in range(52):
        # A segment without records counts with the time of its file.
        reach = [max(times, default=log.segments[n].last_modified_ms) for n, times in enumerate(flat)]
        at = next((n for n, largest in enumerate(reach) if largest >= wanted), None)
        times = [] if at is None else flat[at]
        expected = next(((t, base[at or 0] + n) for n, t in enumerate(times) if t >= wanted), None)
        found = offset_for_timestamp(log, rules("2.3"), wanted)
        assert (None if found is None else found[:2]) == expected
    largest = max((t for times in flat for t in times), default=None)
    record = record_of_max_timestamp(log)
    everything = [t for times in flat for t in times]
    assert record == (None if largest is None else FoundOffset(largest, everything.index(largest), 0))


def test_the_largest_timestamp_is_a_units_last_offset_or_its_record(directory: Directory) -> None:
    log = log_of(directory, "3.0", [[10], [20, 90, 30]], [[90], [40]])
    log.become_leader(3)
    assert noted_max_timestamp(log) == FoundOffset(90, 3, 3)
    assert record_of_max_timestamp(log) == FoundOffset(90, 2, 0)


def test_an_empty_log_has_no_largest_timestamp_but_notes_that(directory: Directory) -> None:
    log = log_of(directory, "3.0", [])
    assert noted_max_timestamp(log) == FoundOffset(-1, 0, -1)
    assert record_of_max_timestamp(log) is None


def test_after_a_start_the_largest_timestamp_is_found_again(directory: Directory) -> None:
    log = log_of(directory, "3.0", [[10], [20, 90, 30]], [[40]])
    log.close(50)
    log = PartitionLog.open(directory, rules("3.0"), LogConfig(), 50)
    assert noted_max_timestamp(log) == FoundOffset(90, 3, 0)
    assert record_of_max_timestamp(log) == FoundOffset(90, 2, 0)


def test_the_answer_has_the_leader_epoch_of_its_batch(directory: Directory) -> None:
    log = PartitionLog.open(directory, rules("2.3"), LogConfig(), 0)
    log.append(*batch(0, 10, epoch=3), 0)
    log.append(*batch(1, 20, epoch=5), 0)
    assert offset_for_timestamp(log, rules("2.3"), 20) == FoundOffset(20, 1, 5)
