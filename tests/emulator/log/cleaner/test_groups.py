"""Which neighbouring segments are cleaned into one."""

import pytest
from fakekafka.log.cleaner.groups import groups
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.segment import Segment

from tests.emulator.log.batches import rules
from tests.emulator.log.cleaner.passes import NOW, cleaner_rules

FAR = 2**31 + 5


def segments(release: str, *bases: int) -> list[Segment]:
    """Empty segments."""
    found = [Segment(MemoryDirectory(), base, rules(release), LogConfig(), NOW, 0) for base in bases]
    for segment in found:
        segment.make_files(indexes=True)
    return found


def bases(release: str, *of: int, end: int, config: LogConfig | None = None) -> list[list[int]]:
    found = groups(segments(release, *of), end, config or LogConfig(), cleaner_rules(release), has_times=False)
    return [[segment.base_offset for segment in group] for group in found]


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0", "2.3", "3.0", "4.0"])
def test_small_neighbours_become_one(release: str) -> None:
    assert bases(release, 0, 10, 20, end=30) == [[0, 10, 20]]


@pytest.mark.parametrize(
    ("release", "found"),
    [("0.8.2", [[0, FAR]]), ("0.9.0", [[0], [FAR]]), ("2.3", [[0], [FAR]]), ("3.0", [[0, FAR]])],
)
def test_empty_segments_far_apart_become_one_unless_the_release_keeps_them_apart(
    release: str, found: list[list[int]]
) -> None:
    """KAFKA-2024, KAFKA-12889."""
    assert bases(release, 0, FAR, end=FAR + 1) == found


@pytest.mark.parametrize(("release", "found"), [("0.9.0", [[0, 10]]), ("2.3", [[0], [10]])])
def test_the_base_of_the_next_segment_counts_instead_of_the_index(release: str, found: list[list[int]]) -> None:
    """KAFKA-5413: units that the index does not list may be further away than its last entry."""
    assert bases(release, 0, 10, end=FAR) == found


@pytest.mark.parametrize(("release", "found"), [("0.8.2", [[0], [10]]), ("0.9.0", [[0, 10]])])
def test_a_group_may_be_as_large_as_a_segment_or_must_be_smaller(release: str, found: list[list[int]]) -> None:
    """Together, empty indexes have exactly as many bytes as there is room for: 0."""
    assert bases(release, 0, 10, end=20, config=LogConfig(segment_index_bytes=0)) == found
