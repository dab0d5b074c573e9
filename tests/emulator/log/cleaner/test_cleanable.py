"""What part of a log is dirty, and how far it may be cleaned."""

import pytest
from fakekafka.log.config import LogConfig

from tests.emulator.log.cleaner.passes import Cleaned


def log_of(release: str, config: LogConfig | None = None, segments: int = 4) -> Cleaned:
    """Segments 0, 2, 4, ..., a second apart."""
    made = Cleaned(release, 2, config)
    for _ in range(segments):
        made.append((b"a", b"1"), (b"b", b"2"))
        made.now += 1000
        made.roll()
    return made


def test_all_but_the_active_segment_is_dirty_at_first() -> None:
    found = log_of("2.3").found()
    assert (found.start, found.end, found.clean_bytes) == (0, 8, 0)
    assert found.dirty_bytes > 0
    assert found.ratio == 1.0
    assert not found.corrected


def test_segments_below_the_checkpoint_count_as_clean() -> None:
    log = log_of("2.3")
    log.dirty_from = 4
    found = log.found()
    assert (found.start, found.end, found.ratio) == (4, 8, 0.5)


def test_a_log_without_bytes_is_not_dirty() -> None:
    found = Cleaned("2.3").found()
    assert (found.ratio, found.dirty_bytes, found.is_due(LogConfig(min_cleanable_ratio=0.0))) == (0.0, 0, False)


def test_a_log_is_due_when_dirty_enough() -> None:
    log = log_of("2.3")
    log.dirty_from = 4
    assert log.found().is_due(LogConfig(min_cleanable_ratio=0.4))
    assert not log.found().is_due(LogConfig(min_cleanable_ratio=0.5))


@pytest.mark.parametrize(("lag_ms", "end"), [(0, 8), (1500, 6), (2500, 4), (9999, 0)])
def test_segments_younger_than_the_least_lag_stay(lag_ms: int, end: int) -> None:
    """Whole segments stay: the youngest record of each counts."""
    log = log_of("2.3", LogConfig(min_compaction_lag_ms=lag_ms))
    assert log.found().end == end


def test_bytes_that_have_waited_too_long_are_due_however_few() -> None:
    """KIP-354."""
    log = log_of("2.3", LogConfig(max_compaction_lag_ms=3500))
    log.dirty_from = 0
    strict = LogConfig(min_cleanable_ratio=1.0)
    assert log.found().is_overdue
    assert log.found().is_due(strict)
    log.dirty_from = 8
    assert not log.found().is_due(strict)


@pytest.mark.parametrize(("release", "end"), [("0.10.2", 8), ("0.11.0", 4), ("3.9", 4)])
def test_an_open_transaction_stays_with_everything_after_it(release: str, end: int) -> None:
    log = Cleaned(release)
    for n in range(4):
        log.append((b"a", b"1"), producer=7 if n == 2 else -1, transactional=n == 2)
        log.append((b"a", b"2"))
        log.roll()
    assert log.found().end == end


@pytest.mark.parametrize(("release", "end"), [("3.0", 8), ("3.1", 4)])
def test_unreplicated_segments_stay_from_3_1_on(release: str, end: int) -> None:
    """KAFKA-13194."""
    assert log_of(release).found(high_watermark=5).end == end


@pytest.mark.parametrize(
    ("release", "checkpoint", "start", "corrected"),
    [("0.8.2", 20, 20, False), ("0.9.0", 20, 20, False), ("2.3.0", 20, 20, False), ("2.3.1", 20, 0, True)],
)
def test_a_checkpoint_after_the_end_of_a_log_counts_as_its_start_from_2_3_1_on(
    release: str, checkpoint: int, start: int, corrected: bool
) -> None:
    """KAFKA-8724."""
    log = log_of(release)
    log.dirty_from = checkpoint
    assert (log.found().start, log.found().corrected) == (start, corrected)


@pytest.mark.parametrize(("release", "start"), [("0.8.2", 1), ("0.9.0", 4), ("2.3", 4)])
def test_a_checkpoint_before_the_start_of_a_log_counts_as_its_start_from_0_9_on(release: str, start: int) -> None:
    """KAFKA-1641."""
    log = log_of(release)
    del log.log.segments[:2]
    log.log.log_start_offset = 4
    log.dirty_from = 1
    assert log.found().start == start
