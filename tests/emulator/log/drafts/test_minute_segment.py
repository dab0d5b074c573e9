"""KIP-33's rejected options 1 and 2, as indexes of a running cluster's logs."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.log.drafts.minute_index import ENTRY, MINUTE_MS, MinuteIndex, minute_of
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.brokers import answer
from tests.support.producing import one
from tests.support.seeded import partition_of

FIRST_MINUTE = minute_of(1_600_000_000_000)
OPTIONS = ("KIP-33-option-1", "KIP-33-option-2")


def cluster(draft: str, log_dir: Path | None = None, **topic: str) -> FakeKafka:
    kafka = FakeKafka("2.3", drafts=[draft], clock=ManualClock(FIRST_MINUTE), log_dir=log_dir).boot()
    by = {"message.timestamp.type": "LogAppendTime"} if draft.endswith("1") else {}
    given = {name.replace("_", "."): value for name, value in topic.items()}
    kafka.create_topic("t", config={"index.interval.bytes": "0", **by, **given})
    return kafka


def sent(kafka: FakeKafka, timestamps: Sequence[int]) -> None:
    """One set of records with these timestamps; where the broker gives them, the clock is at the largest."""
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(max(0, max(timestamps) - kafka.clock.now_ms))
    rows = [Record(n, time, 0, b"k", b"v" * 40) for n, time in enumerate(timestamps)]
    assert one(kafka, bytearray(v2.build(rows)), 3).error_code == 0


def found(kafka: FakeKafka, timestamp: int) -> tuple[int, int]:
    wanted = ListOffsetsPartition(partition_index=0, timestamp=timestamp)
    asked = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[wanted])])
    part = answer(kafka, asked, 2, ListOffsetsResponse).topics[0].partitions[0]
    return part.offset, part.timestamp


def expected(kafka: FakeKafka, timestamp: int) -> tuple[int, int]:
    """By brute force: the first record of the first segment that reaches so far."""
    records = {record.offset: record.timestamp for record in kafka.records("t")}
    for segment in partition_of(kafka).log.segments:
        held = [offset for batch in segment.batches() for offset in range(batch.base_offset, batch.last_offset + 1)]
        young = [offset for offset in held if records[offset] >= timestamp]
        if young:
            return young[0], records[young[0]]
    return -1, -1


def entries(kafka: FakeKafka) -> list[tuple[int, int]]:
    """Minutes, counted from the first, and offsets, of the last segment."""
    segment = partition_of(kafka).log.segments[-1]
    index = MinuteIndex(segment.base_offset)
    index.load(segment._directory.read_all(segment.name(".time.index")))
    return [((minute - FIRST_MINUTE) // MINUTE_MS, offset) for minute, offset in index.entries()]


@pytest.mark.statement("S2-58")
@given(st.lists(st.lists(st.integers(0, 5 * MINUTE_MS), min_size=1, max_size=4), min_size=1, max_size=10),
       st.integers(0, 6 * MINUTE_MS), st.sampled_from(["400", "1048576"]))  # fmt: skip
@settings(max_examples=60)
def test_a_search_by_create_time_equals_brute_force(sets: list[list[int]], time: int, segment_bytes: str) -> None:
    kafka = cluster(OPTIONS[1], segment_bytes=segment_bytes)
    for late in sets:
        sent(kafka, [FIRST_MINUTE + each for each in late])
    assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)
    kafka.restart()
    assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)


@pytest.mark.statement("S2-59")
@given(st.lists(st.integers(0, 2 * MINUTE_MS), min_size=1, max_size=12), st.integers(0, 20 * MINUTE_MS))
@settings(max_examples=60)
def test_a_search_by_append_time_equals_brute_force(steps: list[int], time: int) -> None:
    kafka = cluster(OPTIONS[0])
    at = FIRST_MINUTE
    for step in steps:
        at += step
        sent(kafka, [at])
    assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)
    kafka.restart(crash=True)
    assert found(kafka, FIRST_MINUTE + time) == expected(kafka, FIRST_MINUTE + time)


@pytest.mark.statement("S2-59", "S0-24", "S0-25")
def test_option_1_has_an_entry_when_the_offset_index_gets_one_in_another_minute(tmp_path: Path) -> None:
    kafka = cluster(OPTIONS[0], tmp_path)
    for step in (0, 10_000, 20_000, 70_000, 80_000, 200_000):
        sent(kafka, [FIRST_MINUTE + step])
    assert entries(kafka) == [(0, 1), (1, 3), (3, 5)]
    names = {path.name for path in (tmp_path / "t-0").iterdir() if path.name[:20].isdigit()}
    kafka.stop()
    assert names == {f"{0:020d}{kind}" for kind in (".log", ".index", ".time.index")}
    assert (tmp_path / "t-0" / f"{0:020d}.time.index").stat().st_size == 3 * ENTRY.size == 36


@pytest.mark.statement("S2-58")
def test_option_2_has_the_first_offset_of_each_minute_in_any_order(tmp_path: Path) -> None:
    kafka = cluster(OPTIONS[1], tmp_path)
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


@pytest.mark.statement("S2-58")
def test_the_minutes_of_a_segment_go_with_it(tmp_path: Path) -> None:
    kafka = cluster(OPTIONS[1], tmp_path, segment_bytes="120", retention_ms="600000", file_delete_delay_ms="0")
    for minute in range(3):
        sent(kafka, [FIRST_MINUTE + minute * MINUTE_MS])
    assert len(list((tmp_path / "t-0").glob("*.time.index"))) == 3
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(20 * MINUTE_MS)
    kafka.stop()
    bases = {path.name[:20] for path in (tmp_path / "t-0").glob("*.log")}
    assert {path.name[:20] for path in (tmp_path / "t-0").glob("*.time.index")} <= bases
    assert len(list((tmp_path / "t-0").glob("*.time.index"))) <= 1


def test_what_is_truncated_leaves_the_index() -> None:
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


def test_a_log_has_one_time_index() -> None:
    with pytest.raises(UsageError, match="cannot be together"):
        FakeKafka("2.3", drafts=OPTIONS)
    with pytest.raises(UsageError, match="KIP-33-option-1 needs a time index"):
        FakeKafka("0.10.0", drafts=OPTIONS[:1])
