"""Which segments are too old, too many or below the log start."""

import pytest
from fakekafka.log import retention
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.segment import Segment
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import batch, messages, rules


def segments_of(release: str, *timestamps: int, files: tuple[int, ...] = ()) -> list[Segment]:
    """A segment of one message for each timestamp; the last one is empty if its timestamp is None."""
    made = []
    for n, timestamp in enumerate(timestamps):
        segment = Segment(MemoryDirectory(), n, rules(release), LogConfig(), 0)
        segment.make_files(indexes=True)
        data, info = batch(n, timestamp) if release >= "1" else messages(1, n, timestamp)
        segment.append(data, info, n, files[n] if files else 0)
        made.append(segment)
    return made


def too_old(segments: list[Segment], release: str, limit: int, now: int, bound: int | None = 99) -> int:
    return retention.too_old(segments, bound, len(segments), rules(release), limit, now)


def test_the_walk_ends_at_the_first_segment_that_is_young_enough() -> None:
    segments = segments_of("2.3", 100, 900, 200)
    assert too_old(segments, "2.3", 500, 650) == 1
    assert too_old(segments, "2.3", 550, 650) == 0
    assert too_old(segments, "2.3", 500, 1401) == 3
    assert too_old(segments, "2.3", -1, 10**9) == 0


@pytest.mark.parametrize(("release", "count"), [("0.10.0", 1), ("0.10.1", 0)])
def test_old_releases_go_by_the_files_time(release: str, count: int) -> None:
    segments = segments_of(release, 900, 900, files=(100, 800))
    assert too_old(segments, release, 500, 700, None) == count


def test_a_segment_without_timestamps_is_as_old_as_its_file() -> None:
    assert too_old(segments_of("2.3", -1, -1, files=(100, 800)), "2.3", 500, 700) == 1


def test_segments_that_the_high_watermark_has_not_passed_stay() -> None:
    segments = segments_of("2.3", 1, 1, 1)
    assert [too_old(segments, "2.3", 10, 100, bound) for bound in (0, 1, 2, 3)] == [0, 1, 2, 3]


def test_an_empty_last_segment_stays() -> None:
    segments = segments_of("2.3", 1, 1)
    segments.append(Segment(MemoryDirectory(), 2, rules("2.3"), LogConfig(), 0))
    segments[-1].make_files(indexes=True)
    assert retention.too_old(segments, 2, 2, rules("2.3"), 10, 100) == 2


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(-1, 2000))
def test_size_takes_the_oldest_while_enough_remains(counts: list[int], limit: int) -> None:
    segments = segments_of("2.3", *([1] * len(counts)))
    for n, (segment, count) in enumerate(zip(segments, counts)):
        for _ in range(count - 1):
            segment.append(*batch(n, 1), n, 0)
    sizes = [segment.size for segment in segments]
    count = retention.too_large(segments, None, 99, limit)
    if limit < 0:
        assert count == 0
    else:
        assert count == 0 or sum(sizes[count:]) >= limit
        assert count == len(sizes) or sum(sizes[count + 1 :]) < limit


def test_segments_that_end_at_the_log_start_are_below_it() -> None:
    segments = segments_of("2.3", 1, 1, 1)
    assert [retention.below_start(segments, 9, 3, start) for start in (0, 1, 2, 3)] == [0, 1, 2, 2]
