"""KIP-33: the time index, what it is for (rolling, retention, search), and how old segments got one.

It is long, since the design document has this many statements: a test or two for each, in its order.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.ids import Offset, TimestampMs
from fakekafka.log import offset_index, time_index
from fakekafka.log.segment import Segment
from fakekafka.log.time_index import TimeIndex
from fakekafka.records import v0, v1
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.support import fetching
from tests.support.brokers import answer
from tests.support.producing import one
from tests.support.seeded import NOW, booted, partition_of

FIRST = "0.10.1"
"""The release that introduced the time index."""
SECOND_MS, MINUTE_MS, HOUR_MS = 1_000, 60_000, 3_600_000
CHECKED_MS = 6 * MINUTE_MS
"""The time after which retention has been checked."""


def sent(kafka: FakeKafka, *timestamps: TimestampMs) -> None:
    """One set for each message of format 1."""
    for timestamp in timestamps:
        assert one(kafka, v1.build([Record(0, timestamp, 0, b"k", b"v")]), 2).error_code == 0


def untimed(kafka: FakeKafka) -> None:
    assert one(kafka, v0.build([Record(0, -1, -1, b"k", b"v")]), 1).error_code == 0


def rolled(kafka: FakeKafka) -> None:
    kafka._on_loop(lambda: partition_of(kafka).log.roll(kafka.clock.now_ms))


def segments(kafka: FakeKafka) -> list[Segment]:
    return list(partition_of(kafka).log.segments)


def clock_of(kafka: FakeKafka) -> ManualClock:
    assert isinstance(kafka.clock, ManualClock)
    return kafka.clock


def indexed(release: str = FIRST, **topic: Any) -> FakeKafka:
    """A topic in which every set after the first may have index entries."""
    return booted(release, index_interval_bytes="0", **topic)


def found_at(kafka: FakeKafka, timestamp: TimestampMs) -> tuple[TimestampMs, Offset]:
    asked = ListOffsetsPartition(partition_index=0, timestamp=timestamp)
    request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[asked])])
    (topic,) = answer(kafka, request, 1, ListOffsetsResponse).topics
    return topic.partitions[0].timestamp, topic.partitions[0].offset


def found_before(kafka: FakeKafka, timestamp: TimestampMs) -> list[Offset]:
    """What version 0 answers: the base offsets of the segments whose files are not younger, the last one first."""
    asked = ListOffsetsPartition(partition_index=0, timestamp=timestamp, max_num_offsets=9)
    request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[asked])])
    (topic,) = answer(kafka, request, 0, ListOffsetsResponse).topics
    return list(topic.partitions[0].old_style_offsets or [])


def on_disk(folder: Path, release: str = FIRST, **topic: str) -> FakeKafka:
    kafka = FakeKafka(release, clock=ManualClock(NOW), log_dir=folder).boot()
    kafka.create_topic("t", config={name.replace("_", "."): value for name, value in topic.items()})
    return kafka


# ---- the file


@pytest.mark.statement("S2-3", "S2-5", "S2-57")
@pytest.mark.parametrize(
    ("release", "kinds"), [("0.10.0", {".log", ".index"}), (FIRST, {".log", ".index", ".timeindex"})]
)
def test_a_segment_has_one_more_file(tmp_path: Path, release: str, kinds: set[str]) -> None:
    with on_disk(tmp_path, release) as kafka:
        sent(kafka, NOW)
    files = {path.name for path in (tmp_path / "t-0").iterdir()}
    assert files == {f"{0:020d}{kind}" for kind in kinds}
    assert offset_index.ENTRY_SIZE == 8  # entries of 16 bytes, which were rejected


@pytest.mark.statement("S2-11")
@pytest.mark.parametrize(("release", "at_once"), [(FIRST, True), ("2.2", True), ("2.3", False)])
def test_a_time_index_is_made_with_its_segment_and_from_2_3_on_at_its_first_use(
    tmp_path: Path, release: str, at_once: bool
) -> None:
    with on_disk(tmp_path, release) as kafka:
        sent(kafka, NOW)
        rolled(kafka)
        assert (tmp_path / "t-0" / f"{1:020d}.timeindex").exists() == at_once


@pytest.mark.statement("S2-12")
def test_a_time_index_may_grow_as_large_as_the_offset_index_rounded_to_its_entries(tmp_path: Path) -> None:
    with on_disk(tmp_path, FIRST):
        sizes = {path.suffix: path.stat().st_size for path in (tmp_path / "t-0").iterdir()}
    assert sizes == {".log": 0, ".index": 10_485_760, ".timeindex": 10_485_756}
    kafka = booted(FIRST)
    (segment,) = segments(kafka)
    assert segment.load_offset_index().max_entries * offset_index.ENTRY_SIZE == 10_485_760
    assert segment.load_time_index().max_entries * time_index.ENTRY_SIZE == 10_485_756


@pytest.mark.statement("S2-45")
def test_three_mebibytes_are_enough_for_a_gibibyte_in_steps_of_4_kib() -> None:
    index = TimeIndex(0, 3 << 20)
    assert index.max_entries == (1 << 30) // 4096 == 262_144


@pytest.mark.statement("S2-7")
def test_an_entry_is_a_timestamp_and_a_relative_offset() -> None:
    index = TimeIndex(100, 120)
    index.maybe_append(NOW, 107)
    assert index.content() == NOW.to_bytes(8, "big") + (7).to_bytes(4, "big")
    assert time_index.ENTRY_SIZE == 12


# ---- its entries


@pytest.mark.statement("S2-4", "S2-8")
@pytest.mark.parametrize(("kind", "largest"), [("CreateTime", NOW + 9), ("LogAppendTime", NOW + 1)])
def test_an_entry_is_the_largest_timestamp_so_far(kind: str, largest: TimestampMs) -> None:
    kafka = indexed(message_timestamp_type=kind)
    sent(kafka, NOW)
    clock_of(kafka).advance(1)
    sent(kafka, NOW + 9, NOW + 3)
    assert segments(kafka)[0].load_time_index().entries()[-1] == (largest, 1)


@pytest.mark.statement("S2-8", "S2-46")
def test_an_entry_has_the_largest_timestamp_though_it_is_made_with_a_later_set() -> None:
    kafka = booted(FIRST, index_interval_bytes="50")
    sent(kafka, NOW, NOW + 9, NOW + 3)  # sets of 36 bytes each, so that only the third has an entry
    assert segments(kafka)[0].load_time_index().entries() == [(NOW + 9, 1)]
    assert [offset for offset, _ in segments(kafka)[0].load_offset_index().entries()] == [2]


@pytest.mark.statement("S2-6")
@pytest.mark.parametrize(("interval", "entries"), [("0", 9), ("100", 3), ("4096", 0)])
def test_entries_are_as_far_apart_as_those_of_the_offset_index(interval: str, entries: int) -> None:
    kafka = booted(FIRST, index_interval_bytes=interval)
    sent(kafka, *(NOW + n for n in range(10)))  # of 36 bytes each
    (segment,) = segments(kafka)
    assert len(segment.load_time_index().entries()) == len(segment.load_offset_index().entries()) == entries


@pytest.mark.statement("S2-9")
def test_the_offset_of_an_entry_is_that_of_the_message_with_the_timestamp() -> None:
    """The document wants the offset of the next message."""
    kafka = indexed()
    sent(kafka, NOW, NOW + 1)
    assert segments(kafka)[0].load_time_index().entries() == [(NOW + 1, 1)]


@pytest.mark.statement("S2-35", "S2-10", "S2-39")
@given(st.lists(st.integers(0, 50), min_size=1, max_size=30), st.sets(st.integers(0, 29), max_size=3))
def test_messages_younger_than_an_entry_come_after_it(times: list[int], rolls: set[int]) -> None:
    kafka = indexed()
    for number, time in enumerate(times):
        sent(kafka, NOW + time)
        if number in rolls:
            rolled(kafka)
    for segment in segments(kafka):
        entries = segment.load_time_index().entries()
        assert entries == sorted(set(entries))
        for timestamp, offset in entries:
            inside = range(segment.base_offset, segment.find_next_offset())
            assert all(other > offset for other in inside if NOW + times[other] > timestamp)
    for wanted in range(51):
        first = next((n for n, time in enumerate(times) if time >= wanted), None)
        assert found_at(kafka, NOW + wanted) == ((-1, -1) if first is None else (NOW + times[first], first))


@pytest.mark.statement("S2-13")
@pytest.mark.parametrize("release", [FIRST, "0.11.0", "2.3", "3.9", "4.3"])
def test_the_largest_timestamp_begins_at_minus_one_in_every_segment(release: str) -> None:
    """Even a timestamp of 1970 is larger than none. This also holds after a roll, a start and a crash."""
    kafka = indexed(release)
    sent(kafka, NOW) if int(release.partition(".")[0]) < 4 else kafka.send("t", b"v", timestamp=NOW)
    rolled(kafka)
    assert segments(kafka)[1].find_max_timestamp() == (-1, 1)
    for crash in (False, True):
        kafka.restart(crash=crash)
        assert segments(kafka)[1].find_max_timestamp() == (-1, 1)
    kafka.send("t", b"v", timestamp=0)
    assert segments(kafka)[1].find_max_timestamp() == (0, 1)
    rolled(kafka)
    assert segments(kafka)[1].load_time_index().entries() == [(0, 1)]


@pytest.mark.statement("S2-13", "S2-46")
def test_the_largest_timestamp_begins_at_minus_one_and_only_rises() -> None:
    kafka = indexed()
    assert segments(kafka)[0].find_max_timestamp()[0] == -1
    seen = []
    for timestamp in (NOW, NOW + 5, NOW + 2, NOW + 6):
        sent(kafka, timestamp)
        seen.append(segments(kafka)[0].find_max_timestamp())
    assert seen == [(NOW, 0), (NOW + 5, 1), (NOW + 5, 1), (NOW + 6, 3)]


@pytest.mark.statement("S2-15")
def test_an_equal_timestamp_makes_no_entry() -> None:
    kafka = indexed()
    sent(kafka, NOW, NOW + 1, NOW + 1, NOW + 2)
    assert segments(kafka)[0].load_time_index().entries() == [(NOW + 1, 1), (NOW + 2, 3)]
    assert len(segments(kafka)[0].load_offset_index().entries()) == 3


@pytest.mark.statement("S2-17", "S2-18")
def test_a_roll_adds_the_largest_timestamp_with_its_own_offset() -> None:
    """The document wants the base offset of the next segment."""
    kafka = booted(FIRST)
    sent(kafka, NOW, NOW + 7, NOW + 3)
    assert segments(kafka)[0].load_time_index().entries() == []
    rolled(kafka)
    assert segments(kafka)[0].load_time_index().entries() == [(NOW + 7, 1)]


@pytest.mark.statement("S2-17")
def test_a_clean_stop_adds_the_largest_timestamp(tmp_path: Path) -> None:
    with on_disk(tmp_path) as kafka:  # the sets are too small for other entries
        sent(kafka, NOW, NOW + 7, NOW + 3)
    (file,) = (tmp_path / "t-0").glob("*.timeindex")
    assert file.read_bytes() == (NOW + 7).to_bytes(8, "big") + (1).to_bytes(4, "big")


@pytest.mark.statement("S2-26")
def test_truncation_drops_the_entries_of_what_is_truncated() -> None:
    kafka = indexed()
    sent(kafka, NOW, NOW + 9, NOW + 5, NOW + 20, NOW + 8)
    log = partition_of(kafka).log
    kafka._on_loop(lambda: log.truncate_to(3, NOW))
    assert segments(kafka)[0].load_time_index().entries() == [(NOW + 9, 1)]
    assert segments(kafka)[0].find_max_timestamp() == (NOW + 9, 1)


@pytest.mark.statement("S2-27")
def test_truncation_looks_for_the_largest_timestamp_among_the_messages_after_the_last_entry() -> None:
    kafka = booted(FIRST)  # the sets are too small for entries
    sent(kafka, NOW, NOW + 9, NOW + 5, NOW + 20, NOW + 8)
    log = partition_of(kafka).log
    kafka._on_loop(lambda: log.truncate_to(3, NOW))
    assert segments(kafka)[0].load_time_index().entries() == []
    assert segments(kafka)[0].find_max_timestamp() == (NOW + 9, 1)


@pytest.mark.statement("S2-20")
def test_timestamps_rise_within_an_index_and_may_fall_from_one_to_the_next() -> None:
    kafka = indexed()
    sent(kafka, NOW, NOW + 9, NOW + 3, NOW + 10)
    rolled(kafka)
    sent(kafka, NOW, NOW + 1)
    first, second = (segment.load_time_index().entries() for segment in segments(kafka))
    assert (first, second) == ([(NOW + 9, 1), (NOW + 10, 3)], [(NOW + 1, 5)])


@pytest.mark.statement("S2-60")
@pytest.mark.parametrize(("lags", "copied"), [(False, [(NOW + 1, 1), (NOW + 2, 2)]), (True, [(NOW + 2, 2)])])
def test_a_follower_makes_entries_by_the_leaders_rule_out_of_what_it_gets_at_once(
    lags: bool, copied: list[tuple[TimestampMs, Offset]]
) -> None:
    """If it appends the same sets, its entries are the same; if it gets several at once, there are fewer."""
    config = {"default.replication.factor": 2}
    with FakeKafka(FIRST, brokers=2, config=config, clock=ManualClock(NOW)).boot() as kafka:
        kafka.create_topic("t", config={"index.interval.bytes": 0})
        first = kafka._running.cluster.topics["t"].partitions[0].leader
        kafka.send("t", b"v", timestamp=NOW)
        if lags:
            kafka.pause_replication(1 - first)
        for n in (1, 2):
            kafka.send("t", b"v", timestamp=NOW + n)
        kafka.resume_replication(1 - first)
        found = {}
        for node_id, broker in kafka._running.cluster.brokers.items():
            (segment,) = broker.partitions["t", 0].log.segments
            found[node_id] = segment.load_time_index().entries()
        assert found == {first: [(NOW + 1, 1), (NOW + 2, 2)], 1 - first: copied}


# ---- starting


@pytest.mark.statement("S2-21", "S2-23", "S2-51")
@pytest.mark.parametrize(("crash", "found"), [(False, (NOW + 9, 1)), (True, (NOW + 7, 1))], ids=["clean stop", "crash"])
def test_a_start_takes_the_largest_timestamp_from_the_last_entry_and_after_a_crash_from_the_messages(
    tmp_path: Path, crash: bool, found: tuple[TimestampMs, Offset]
) -> None:
    """The index is given another timestamp than the messages have, so that it shows where the start takes it from. Both
    indexes are as a clean stop leaves them: a start would rebuild any other index, however the broker stopped.
    """
    kafka = on_disk(tmp_path)
    sent(kafka, NOW, NOW + 7, NOW + 3)
    kafka.stop(crash=crash)
    files = tmp_path / "t-0" / f"{0:020d}"
    files.with_suffix(".index").write_bytes(b"")
    files.with_suffix(".timeindex").write_bytes((NOW + 9).to_bytes(8, "big") + (1).to_bytes(4, "big"))
    with kafka.boot():
        (segment,) = segments(kafka)
        assert segment.find_max_timestamp() == found
        assert segment.load_time_index().entries() == [found]


@pytest.mark.statement("S2-24", "S2-25")
def test_a_missing_time_index_is_made_empty(tmp_path: Path) -> None:
    """For an inactive segment the document wants an entry with the file's time."""
    kafka = on_disk(tmp_path, "0.10.2", index_interval_bytes="0")
    sent(kafka, NOW, NOW + 1)
    rolled(kafka)
    sent(kafka, NOW + 2, NOW + 3)
    kafka.stop()
    for path in (tmp_path / "t-0").glob("*.timeindex"):
        path.unlink()
    with kafka.boot():
        assert [segment.load_time_index().entries() for segment in segments(kafka)] == [[], []]


@pytest.mark.statement("S2-48", "S2-49", "S2-50", "S2-51", "S2-52", "S2-53")
def test_segments_of_older_releases_get_empty_indexes_and_go_by_their_files_until_something_is_appended() -> None:
    """The document wants an entry with the file's time for inactive segments."""
    kafka = booted("0.10.0", retention_ms=str(HOUR_MS))
    sent(kafka, NOW - 30 * HOUR_MS)
    rolled(kafka)
    sent(kafka, NOW - 30 * HOUR_MS)
    kafka.restart("0.10.1")
    assert [segment.load_time_index().entries() for segment in segments(kafka)] == [[], []]
    clock_of(kafka).advance(CHECKED_MS)
    assert len(segments(kafka)) == 2  # their files are young
    sent(kafka, NOW + 5)
    assert segments(kafka)[1].find_max_timestamp() == (NOW + 5, 2)
    clock_of(kafka).advance(HOUR_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [3]  # by its file, the second one would stay


@pytest.mark.statement("S2-48")
def test_a_start_makes_the_time_indexes_that_segments_of_older_releases_lack(tmp_path: Path) -> None:
    kafka = on_disk(tmp_path, "0.10.0")
    sent(kafka, NOW)
    rolled(kafka)
    sent(kafka, NOW)
    assert list((tmp_path / "t-0").glob("*.timeindex")) == []
    kafka.restart("0.10.1")
    assert sorted(path.name for path in (tmp_path / "t-0").glob("*.timeindex")) == [
        f"{base:020d}.timeindex" for base in (0, 1)
    ]
    kafka.stop()


@pytest.mark.statement("S2-55")
@pytest.mark.parametrize("format_version", ["0.9.0", "0.10.1"])
def test_a_search_finds_nothing_in_segments_without_timestamps(format_version: str) -> None:
    """The document wants them to be found by the time of their file, as before; this holds only for version 0. If the
    format is still the old one, brokers do not even search.
    """
    kafka = booted("0.9.0")
    untimed(kafka)
    rolled(kafka)
    clock_of(kafka).advance(HOUR_MS)
    untimed(kafka)
    kafka.restart("0.10.1", config={"log.message.format.version": format_version})
    assert found_at(kafka, NOW - HOUR_MS) == (-1, -1)
    by_files = {NOW - 1: [], NOW: [0], NOW + HOUR_MS - 1: [0], NOW + HOUR_MS: [2, 1, 0]}
    assert {time: found_before(kafka, time) for time in by_files} == by_files


# ---- rolling


@pytest.mark.statement("S2-2", "S2-31", "S2-32")
def test_a_segment_ends_when_a_timestamp_is_too_far_from_its_first() -> None:
    """An older draft counts from the largest timestamp. The clock plays no part in it."""
    kafka = booted(FIRST, segment_ms=str(SECOND_MS))
    sent(kafka, NOW)
    clock_of(kafka).advance(HOUR_MS)
    sent(kafka, NOW + 900, NOW + SECOND_MS)
    assert len(segments(kafka)) == 1
    sent(kafka, NOW + SECOND_MS + 1)
    assert [segment.base_offset for segment in segments(kafka)] == [0, 3]


@pytest.mark.statement("S2-30")
def test_before_0_10_1_a_segment_ended_when_it_was_old_enough() -> None:
    kafka = booted("0.10.0", segment_ms=str(SECOND_MS))
    sent(kafka, NOW, NOW + HOUR_MS)
    assert len(segments(kafka)) == 1
    clock_of(kafka).advance(SECOND_MS + 1)
    sent(kafka, NOW)
    assert len(segments(kafka)) == 2


@pytest.mark.statement("S2-34", "S2-47")
def test_a_segment_without_timestamps_ends_when_it_was_created_long_enough_ago() -> None:
    kafka = booted(FIRST, segment_ms=str(SECOND_MS), message_format_version="0.9.0")
    untimed(kafka)
    clock_of(kafka).advance(SECOND_MS)
    untimed(kafka)
    assert len(segments(kafka)) == 1
    clock_of(kafka).advance(1)
    untimed(kafka)
    assert len(segments(kafka)) == 2


@pytest.mark.statement("S2-33")
def test_a_limit_for_timestamps_keeps_one_message_from_ending_a_segment() -> None:
    kafka = booted(FIRST, message_timestamp_difference_max_ms="500", segment_ms=str(SECOND_MS))
    sent(kafka, NOW)
    far = v1.build([Record(0, NOW + HOUR_MS, 0, b"k", b"v")])
    assert one(kafka, far, 2).error_code == ErrorCode.INVALID_TIMESTAMP
    assert len(segments(kafka)) == 1


# ---- retention


@pytest.mark.statement("S2-1", "S2-28", "S2-29")
def test_retention_goes_by_timestamps_and_stops_at_the_first_segment_that_is_young_enough() -> None:
    kafka = booted(FIRST, retention_ms=str(MINUTE_MS))
    for timestamp in (NOW, NOW + HOUR_MS, NOW, NOW):
        sent(kafka, timestamp)
        rolled(kafka)
    clock_of(kafka).advance(CHECKED_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [1, 2, 3, 4]
    clock_of(kafka).advance(HOUR_MS + MINUTE_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [4]


@pytest.mark.statement("S2-1")
def test_before_0_10_1_retention_went_by_the_time_of_the_files() -> None:
    kafka = booted("0.10.0", retention_ms=str(MINUTE_MS))
    sent(kafka, NOW + HOUR_MS)
    rolled(kafka)
    clock_of(kafka).advance(CHECKED_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [1]


@pytest.mark.statement("S2-19", "S2-47")
def test_a_segment_without_timestamps_is_as_old_as_its_file() -> None:
    kafka = booted(FIRST, retention_ms=str(2 * CHECKED_MS), message_format_version="0.9.0", index_interval_bytes="0")
    untimed(kafka)
    untimed(kafka)
    rolled(kafka)
    assert segments(kafka)[0].load_time_index().entries() == []
    clock_of(kafka).advance(CHECKED_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [0, 2]  # not as old as its timestamps, which are -1
    clock_of(kafka).advance(2 * CHECKED_MS)
    assert [segment.base_offset for segment in segments(kafka)] == [2]


# ---- searching


@pytest.mark.statement("S2-38")
def test_a_search_begins_with_a_record_that_is_young_enough_but_older_ones_may_follow() -> None:
    kafka = indexed()
    sent(kafka, NOW, NOW + 50, NOW + 10, NOW + 60)
    assert found_at(kafka, NOW + 20) == (NOW + 50, 1)
    fetched = fetching.data_of(fetching.only(fetching.fetch(kafka, ("t", 0, 1), version=2)))
    behind = [record.timestamp for unit in batches(fetched) for record in unit.records()]
    assert behind == [NOW + 50, NOW + 10, NOW + 60]


@pytest.mark.statement("S2-41")
@pytest.mark.parametrize("delay", [0, 700])
def test_with_append_times_a_search_by_the_time_of_creation_does_not_miss_the_message(delay: int) -> None:
    """Its append time is not before its creation, if clocks agree; earlier messages are found only if they were
    appended after it was created.
    """
    kafka = booted(FIRST, message_timestamp_type="LogAppendTime")
    sent(kafka, NOW - HOUR_MS)
    clock_of(kafka).advance(SECOND_MS)
    created = clock_of(kafka).now_ms
    clock_of(kafka).advance(delay)
    sent(kafka, created)
    assert found_at(kafka, created) == (created + delay, 1)
    clock_of(kafka).advance(SECOND_MS)
    sent(kafka, created)
    assert found_at(kafka, created) == (created + delay, 1)


@pytest.mark.statement("S2-41")
def test_where_the_brokers_clock_is_behind_the_search_misses_the_message() -> None:
    kafka = booted(FIRST, message_timestamp_type="LogAppendTime")
    ahead = 300
    sent(kafka, NOW + ahead)  # created by a producer whose clock is ahead
    assert found_at(kafka, NOW + ahead) == (-1, -1)
    assert found_at(kafka, NOW) == (NOW, 0)


@pytest.mark.statement("S2-43")
@pytest.mark.parametrize("kind", ["CreateTime", "LogAppendTime"])
def test_a_consumer_that_fails_over_begins_as_much_earlier_as_messages_may_take(kind: str) -> None:
    """The document's case: the first message was created before the second, and reached the second cluster after it. A
    consumer that has read the second message there must not begin at its time in the first cluster.
    """
    latency = 700
    made = {1: NOW + SECOND_MS, 2: NOW + SECOND_MS + 100}
    arrivals = {"first": {1: 0, 2: 200}, "second": {2: 150, 1: latency}}  # ms after the first one was created
    clusters = {}
    for name, delays in arrivals.items():
        kafka = clusters[name] = booted(FIRST, message_timestamp_type=kind)
        for message, delay in delays.items():
            clock_of(kafka).advance(made[1] + delay - clock_of(kafka).now_ms)
            sent(kafka, made[message])
    read = clusters["second"].records("t")[0].timestamp  # of the second message, which is the first one there
    assert found_at(clusters["first"], read)[1] == 1  # after the first message, which is lost
    assert found_at(clusters["first"], read - latency)[1] == 0


@pytest.mark.statement("S2-44")
@pytest.mark.parametrize(("kind", "lag"), [("LogAppendTime", 300), ("CreateTime", 300 + HOUR_MS)])
def test_lag_in_time_counts_from_the_append_only_under_append_times(kind: str, lag: int) -> None:
    kafka = booted(FIRST, message_timestamp_type=kind)
    sent(kafka, NOW - HOUR_MS)  # created an hour ago, and sent now
    clock_of(kafka).advance(300)
    assert clock_of(kafka).now_ms - kafka.records("t")[0].timestamp == lag


@pytest.mark.statement("S2-36")
@pytest.mark.parametrize("wanted", [0, 3, 7, 8, 19])
def test_a_search_reads_from_the_closest_entry_on(monkeypatch: pytest.MonkeyPatch, wanted: int) -> None:
    kafka = indexed()
    sent(kafka, *(NOW + n for n in range(20)))
    (segment,) = segments(kafka)
    read: list[int] = []
    whole = Segment.batches

    def noted(self: Segment, position: int = 0) -> Iterator[Batch]:
        for batch in whole(self, position):
            read.append(batch.base_offset)
            yield batch

    monkeypatch.setattr(Segment, "batches", noted)
    found = segment.first_at_or_after(NOW + wanted, 0)
    assert found is not None
    assert found.offset == wanted
    before = max((offset for time, offset in segment.load_time_index().entries() if time <= NOW + wanted), default=0)
    assert read == list(range(before, wanted + 1))
