"""KIP-33's rejected options 1 and 2: the contents of their files."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log.drafts.minute_index import ENTRY, MINUTE_MS, MinuteIndex

from tests.emulator.log.drafts.indexed import FIRST_MINUTE, OPTION_1, OPTION_2, cluster, found, sent
from tests.support.seeded import partition_of


def entries(kafka: FakeKafka) -> list[tuple[int, int]]:
    """The entries of the last segment: minutes, counted from the first, and offsets."""
    segment = partition_of(kafka).log.segments[-1]
    index = MinuteIndex(segment.base_offset)
    index.load(segment._directory.read_all(segment.name(".time.index")))
    return [((minute - FIRST_MINUTE) // MINUTE_MS, offset) for minute, offset in index.entries()]


@pytest.mark.statement("S2-59", "S0-24", "S0-25")
def test_option_1_has_an_entry_when_the_offset_index_gets_one_in_another_minute(tmp_path: Path) -> None:
    kafka = cluster(OPTION_1, tmp_path)
    for step in (0, 10_000, 20_000, 70_000, 80_000, 200_000):
        sent(kafka, [FIRST_MINUTE + step])
    assert entries(kafka) == [(0, 1), (1, 3), (3, 5)]
    names = {path.name for path in (tmp_path / "t-0").iterdir() if path.name[:20].isdigit()}
    kafka.stop()
    assert names == {f"{0:020d}{kind}" for kind in (".log", ".index", ".time.index")}
    assert (tmp_path / "t-0" / f"{0:020d}.time.index").stat().st_size == 3 * ENTRY.size == 36


@pytest.mark.statement("S2-58")
def test_option_2_has_the_first_offset_of_each_minute_in_any_order(tmp_path: Path) -> None:
    kafka = cluster(OPTION_2, tmp_path)
    for minutes in ([5, 5], [0, 7], [5, 0], [2]):
        sent(kafka, [FIRST_MINUTE + minute * MINUTE_MS + 1 for minute in minutes])
    written = [(5, 0), (0, 2), (7, 3), (2, 6)]
    assert entries(kafka) == written
    for crash in (False, True):
        kafka.restart(crash=crash)
        assert entries(kafka) == written
    kafka.stop()
    (tmp_path / "t-0" / f"{0:020d}.time.index").unlink()
    kafka.boot()
    assert found(kafka, FIRST_MINUTE + 6 * MINUTE_MS) == (3, FIRST_MINUTE + 7 * MINUTE_MS + 1)
    kafka.stop()


@pytest.mark.statement("S2-58", "S2-59")
@pytest.mark.parametrize("option", [OPTION_1, OPTION_2])
def test_the_minutes_of_a_segment_go_with_it(option: str, tmp_path: Path) -> None:
    kafka = cluster(option, tmp_path, segment_bytes="250", retention_ms="600000", file_delete_delay_ms="0")
    for minute in (0, 1, 2, 3, 4, 5):  # two sets in each segment
        sent(kafka, [FIRST_MINUTE + minute * MINUTE_MS])
    assert len(list((tmp_path / "t-0").glob("*.time.index"))) == 3
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(20 * MINUTE_MS)
    kafka.stop()
    bases = {path.name[:20] for path in (tmp_path / "t-0").glob("*.log")}
    assert {path.name[:20] for path in (tmp_path / "t-0").glob("*.time.index*")} <= bases  # no .deleted file is left
    assert len(list((tmp_path / "t-0").glob("*.time.index"))) <= 1


def test_entries_of_truncated_offsets_leave_the_index() -> None:
    index = MinuteIndex(10)
    for minute, offset in ((5, 10), (1, 12), (7, 14)):
        assert index.note(minute * MINUTE_MS + 9, offset)
    assert not index.note(5 * MINUTE_MS, 16)
    assert not index.note(-1, 17)
    index.truncate_to(12)
    assert index.entries() == [(5 * MINUTE_MS, 10)]
    other = MinuteIndex(10)
    other.load(index.content() + b"cut")
    assert other.entries() == index.entries()
