"""KIP-33's rejected indexes, all three: searches equal brute force, whatever the disk and the clocks do."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.inspection.directory_check import check_directory
from fakekafka.inspection.dump import dump
from fakekafka.log.config import DraftTimeIndex
from fakekafka.log.drafts.minute_index import MINUTE_MS
from fakekafka.log.drafts.wide_index import ENTRY
from fakekafka.log.faulty_files import Choose, DiskFaults, Stopped
from fakekafka.log.offset_lookup import offset_for_timestamp
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v2
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.crash_story import Story, Telling
from tests.emulator.log.drafts.indexed import (
    BY_CREATE_TIME,
    DRAFTS,
    FIRST_MINUTE,
    OPTION_1,
    OPTION_2,
    WIDE,
    cluster,
    expected,
    found,
    sent,
)
from tests.support.examples import at_most
from tests.support.producing import one
from tests.support.seeded import partition_of

KINDS: dict[str, DraftTimeIndex] = {
    OPTION_1: "minutes of append time",
    OPTION_2: "minutes of create time",
    WIDE: "16-byte entries",
}

Sets = list[list[int]]


@pytest.mark.statement("S2-57", "S2-58")
@pytest.mark.parametrize("draft", BY_CREATE_TIME)
@given(st.lists(st.lists(st.integers(0, 5 * MINUTE_MS), min_size=1, max_size=4), min_size=1, max_size=10),
       st.integers(0, 6 * MINUTE_MS), st.sampled_from(["400", "1048576"]), st.sampled_from(["0", "300"]))  # fmt: skip
@at_most(60)
def test_a_search_by_create_time_equals_brute_force(
    draft: str, sets: Sets, time: int, segment_bytes: str, interval: str
) -> None:
    kafka = cluster(draft, segment_bytes=segment_bytes, index_interval_bytes=interval)
    for late in sets:
        sent(kafka, [FIRST_MINUTE + each for each in late])
    for crash in (None, False, True):
        if crash is not None:
            kafka.restart(crash=crash)
        assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)


@pytest.mark.statement("S2-57", "S2-59")
@pytest.mark.parametrize("draft", [OPTION_1, WIDE])
@given(st.lists(st.integers(0, 2 * MINUTE_MS), min_size=1, max_size=12), st.integers(0, 20 * MINUTE_MS))
@at_most(60)
def test_a_search_by_append_time_equals_brute_force(draft: str, steps: list[int], time: int) -> None:
    kafka = cluster(draft, message_timestamp_type="LogAppendTime")
    at = FIRST_MINUTE
    for step in steps:
        at += step
        sent(kafka, [at])
    for crash in (None, False, True):
        if crash is not None:
            kafka.restart(crash=crash)
        assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)


@pytest.mark.statement("S2-59")
def test_option_1_misses_records_by_create_time_which_the_others_find() -> None:
    """The document went on to option 2 because the minutes are those of appends, and records may be from the future."""
    answers = {}
    for draft in DRAFTS:
        kafka = cluster(draft, message_timestamp_type="CreateTime")
        for minute, ahead in ((0, 0), (1, 20), (2, 0), (3, 0), (12, 0)):
            _advance_to(kafka, minute)
            _send_at(kafka, FIRST_MINUTE + (minute + ahead) * MINUTE_MS)
        answers[draft] = found(kafka, FIRST_MINUTE + 10 * MINUTE_MS)[0]
        assert expected(kafka, FIRST_MINUTE + 10 * MINUTE_MS)[0] == 1
    assert answers == {OPTION_1: 4, OPTION_2: 1, WIDE: 1}


@pytest.mark.statement("S2-57", "S2-58")
@pytest.mark.parametrize("draft", BY_CREATE_TIME)
def test_a_timestamp_of_the_far_future_keeps_its_segment_and_is_found(draft: str) -> None:
    """Retention and rolls go by the largest timestamp, as they do with the shipped index (KIP-33)."""
    kafka = cluster(draft, retention_ms="600000", segment_ms="3600000", file_delete_delay_ms="0")
    far = FIRST_MINUTE + 10_000 * MINUTE_MS
    _send_at(kafka, FIRST_MINUTE)
    _send_at(kafka, far)
    _send_at(kafka, FIRST_MINUTE)  # its own time would not have rolled; the segment is an hour behind the future one
    bases = [segment.base_offset for segment in partition_of(kafka).log.segments]
    assert bases == [0, 1]
    _advance_to(kafka, 100)
    assert [segment.base_offset for segment in partition_of(kafka).log.segments] == [1]
    assert found(kafka, FIRST_MINUTE + MINUTE_MS) == (1, far)
    kafka.restart()
    assert found(kafka, FIRST_MINUTE + MINUTE_MS) == (1, far)


@pytest.mark.statement("S2-59")
def test_with_option_1_segments_roll_and_age_by_their_append_times() -> None:
    """Timestamps from the future do not matter: the broker has replaced them."""
    kafka = cluster(OPTION_1, retention_ms="600000", segment_ms="3600000", file_delete_delay_ms="0")
    for minute in (0, 30, 61):
        _advance_to(kafka, minute)
        _send_at(kafka, FIRST_MINUTE + 10_000 * MINUTE_MS)
    assert [segment.base_offset for segment in partition_of(kafka).log.segments] == [2]  # the first is older than ten
    assert found(kafka, FIRST_MINUTE + 31 * MINUTE_MS) == (2, FIRST_MINUTE + 61 * MINUTE_MS)


def _advance_to(kafka: FakeKafka, minute: int) -> None:
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(FIRST_MINUTE + minute * MINUTE_MS - kafka.clock.now_ms)


def _send_at(kafka: FakeKafka, timestamp: int) -> None:
    """Send one record with this timestamp; the clock stays where it is."""
    assert one(kafka, bytearray(v2.build([Record(0, timestamp, 0, b"k", b"v" * 40)])), 3).error_code == 0


# ---- crashes


class SearchedStory(Story):
    """A story whose logs are also searched, for every minute, after each crash."""

    def check_survival(self, kept: Choose | None) -> None:
        super().check_survival(kept)
        log = self.opened(self.root.survivors(kept), clean=False)
        for timestamp in range(0, self.now + 10 * MINUTE_MS, MINUTE_MS // 2):
            answer = offset_for_timestamp(log, self.rules, timestamp)
            assert (None if answer is None else answer.offset) == by_force(log, timestamp), timestamp


def by_force(log: PartitionLog, timestamp: int) -> int | None:
    for segment in log.segments:
        rows = [(record.offset, record.timestamp) for batch in segment.batches() for record in batch.records()]
        if not rows and segment.last_modified_ms >= timestamp:
            return None
        if max((at for _, at in rows), default=-1) >= timestamp:
            return next((offset for offset, at in rows if at >= timestamp and offset >= log.log_start_offset), None)
    return None


def minutes(story: Story, times: Sequence[int]) -> None:
    """Append sets at these minutes."""
    for minute in times:
        story.now = 10_000 + minute * MINUTE_MS
        story.append(b"a" * 30, b"b" * 30)


def appends(story: Story) -> None:
    minutes(story, range(12))


def rolls_and_flushes(story: Story) -> None:
    for n in range(4):
        minutes(story, [2 * n, 2 * n + 1])
        story.roll()
        story.append(b"c")
        story.flush()
        story.checkpoint()


def truncations(story: Story) -> None:
    minutes(story, range(8))
    story.roll()
    minutes(story, range(8, 12))
    story.flush()
    story.truncate(story.end - 4)
    minutes(story, [13])
    story.truncate(6)
    minutes(story, [14, 15])


def retention(story: Story) -> None:
    minutes(story, range(14))
    story.retain()
    story.checkpoint()
    story.remove_files()


def compaction(story: Story) -> None:
    for n in range(14):
        story.now += MINUTE_MS // 2
        story.append(b"k%d" % (n % 3), b"once %d" % n)
    story.roll()
    story.checkpoint()
    story.compact()
    minutes(story, [9])
    story.remove_files()


def stops(story: Story) -> None:
    for n in range(3):
        minutes(story, [n, n + 5] if story.config.times_by != KINDS[OPTION_1] else [n])
        story.restart()


def late_and_early(story: Story) -> None:
    """Minutes out of order, but in order for option 1, whose clock does not go back."""
    minutes(story, [5, 0, 9, 1, 5, 2, 8, 0, 3])


TELLINGS: list[Telling] = [appends, rolls_and_flushes, truncations, retention, compaction, stops, late_and_early]


@pytest.mark.statement("S2-57", "S2-58", "S2-59")
@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("telling", TELLINGS, ids=lambda telling: telling.__name__)
def test_after_a_crash_at_any_write_searches_equal_brute_force(telling: Telling, draft: str) -> None:
    if telling is late_and_early and draft == OPTION_1:
        pytest.skip("append times ascend")
    chance = Random(0)
    for stop_at in count():
        story = SearchedStory("2.4", DiskFaults(stop_at, torn=chance.choice([0, 7, 20, 70])), KINDS[draft])
        try:
            story.begin()
            telling(story)
        except Stopped:
            pass
        story.check_survival(None)
        story.check_survival(chance.randrange if stop_at % 3 else lambda _: 0)
        if not story.root.faults.has_stopped:
            break
    assert stop_at > 5


# ---- files


@pytest.mark.statement("S2-57", "S0-60")
def test_entries_of_16_bytes_hold_offset_position_and_the_largest_time_so_far(tmp_path: Path) -> None:
    """The entries are twice as large as the shipped ones, and there is no other index."""
    kafka = cluster(WIDE, tmp_path)
    for minute in (1, 0, 3):
        _send_at(kafka, FIRST_MINUTE + minute * MINUTE_MS)
    kafka.stop()
    segment = tmp_path / "t-0" / f"{0:020d}.index"
    assert {path.suffix for path in segment.parent.iterdir() if path.name.startswith("0" * 20)} == {".log", ".index"}
    size = segment.with_suffix(".log").stat().st_size // 3
    rows = [(1, size, FIRST_MINUTE + MINUTE_MS), (2, 2 * size, FIRST_MINUTE + 3 * MINUTE_MS)]
    assert segment.read_bytes() == b"".join(ENTRY.pack(*row) for row in rows)
    assert len(segment.read_bytes()) == 2 * 16
    assert [tuple(row.fields.values()) for row in dump(segment)] == rows
    assert list(check_directory(tmp_path)) == []
    segment.write_bytes(ENTRY.pack(*rows[0]) + ENTRY.pack(2, 2 * size, FIRST_MINUTE))
    assert [found.finding.what for found in check_directory(tmp_path)] == [
        f"timestamp {FIRST_MINUTE} lies before {FIRST_MINUTE + MINUTE_MS}",
        f"there is something younger than {FIRST_MINUTE} up to offset 2",
    ]


# ---- combinations


@pytest.mark.parametrize("others", [[OPTION_1, OPTION_2], [OPTION_2, WIDE], [WIDE, OPTION_1]])
def test_a_log_has_one_time_index(others: list[str]) -> None:
    with pytest.raises(UsageError, match="cannot be together"):
        FakeKafka("2.3", drafts=others)
    with pytest.raises(UsageError, match=f"{others[0]} needs a time index"):
        FakeKafka("0.10.0", drafts=others[:1])
