"""Reading a segment through a buffer."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.portions import Buffers, Portions
from fakekafka.log.config import LogConfig

from tests.emulator.log.cleaner.passes import Cleaned


def portions(log: Cleaned, size: int, limit: int = 1_000_000, topic_limit: int = 1000) -> list[list[int]]:
    """The first offsets of the units of each portion."""
    buffers = Buffers(size, limit, LogConfig(max_message_bytes=topic_limit), log.rules)
    reader = Portions(log.log.segments[0], buffers, log.rules)
    return [[batch.base_offset for batch in portion] for portion in reader]


def log_of(*sizes: int, release: str = "2.3") -> Cleaned:
    """A log with units of about 70 bytes and this many more."""
    log = Cleaned(release)
    for size in sizes:
        log.append((b"k", bytes(size)))
    return log


def test_a_portion_has_the_whole_units_that_fit() -> None:
    assert portions(log_of(0, 0, 0, 0, 0), 200) == [[0, 1], [2, 3], [4]]
    assert portions(log_of(0, 0, 0), 1000) == [[0, 1, 2]]
    assert portions(log_of(), 1000) == []


def test_a_buffer_grows_for_a_larger_unit_and_stays_large() -> None:
    assert portions(log_of(0, 500, 0, 0, 0, 0), 100) == [[0], [1, 2, 3, 4], [5]]


@pytest.mark.parametrize(("release", "dies"), [("1.1", True), ("2.0", False)])
def test_a_unit_beyond_all_limits_ends_the_cleaner_in_some_releases(release: str, dies: bool) -> None:
    """KAFKA-6834: it was taken when limits were higher."""
    log = log_of(3000, 0, release=release)
    if dies:
        with pytest.raises(CleaningFailed, match="larger than maximum allowable size of 1000"):
            portions(log, 100, limit=1000)
    else:
        assert portions(log, 100, limit=1000) == [[0], [1]]


@pytest.mark.parametrize(("release", "dies"), [("0.10.0", True), ("0.10.1", False)])
def test_the_topic_s_limit_counts_from_0_10_1_on(release: str, dies: bool) -> None:
    """KAFKA-4019."""
    log = Cleaned(release, 0)
    log.append((b"k", bytes(1500)))
    if dies:
        with pytest.raises(CleaningFailed, match="larger"):
            portions(log, 100, limit=1000, topic_limit=2000)
    else:
        assert portions(log, 100, limit=1000, topic_limit=2000) == [[0]]


def test_bytes_that_are_not_a_unit_end_the_pass() -> None:
    log = log_of(0)
    log.log.segments[0].open_log().append(bytes(40), log.now)
    with pytest.raises(CleaningFailed, match="0 at"):
        portions(log, 1000)


def test_a_unit_that_is_cut_off_ends_the_pass() -> None:
    log = log_of(0)
    log.log.segments[0].open_log().append(bytes(log.batches[0].data)[:40], log.now)
    with pytest.raises(CleaningFailed, match="ends beyond segment 0"):
        portions(log, 1000)
