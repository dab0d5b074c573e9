"""Whole passes: what is left, in which segments, and whether it can be read and recovered."""

from random import Random

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.compaction import CleanerSettings
from fakekafka.log.config import LogConfig
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import Slice
from fakekafka.pieces import joined
from fakekafka.records.v2 import RecordBatch
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.cleaner.passes import Cleaned, Stored
from tests.support.examples import at_most

RELEASES = ["0.8.2", "0.9.0", "0.10.0", "0.10.2", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.1"]
DAY_MS = 86_400_000


def oldest_format(release: str) -> int:
    return 0 if release.startswith("0.") and not release.startswith("0.11") else 2


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("codec", [0, 1, 2])
def test_the_last_record_of_each_key_stays_at_its_offset(release: str, codec: int) -> None:
    if codec and release == "0.8.2":
        pytest.skip("it takes wrappers apart, see below")
    log = Cleaned(release, oldest_format(release))
    log.append((b"a", b"1"), (b"b", b"2"), (b"a", b"3"), codec=codec)
    log.append((b"c", b"4"), (b"b", b"5"), codec=codec)
    log.roll()
    log.append((b"a", b"6"))
    log.clean()
    assert log.records == [
        Stored(2, b"a", b"3"),
        Stored(3, b"c", b"4"),
        Stored(4, b"b", b"5"),
        Stored(5, b"a", b"6"),  # in the active segment, which is not read
    ]


def test_0_8_2_reads_on_at_a_wrong_place_after_a_wrapper() -> None:
    """Asked of 0.8.2.2; the pass fails, and the log stays whole."""
    log = Cleaned("0.8.2", 0)
    log.append((b"a", b"1"), (b"b", b"2"), (b"a", b"3"), codec=1)
    log.append((b"c", b"4"), (b"b", b"5"), codec=1)
    log.roll()
    with pytest.raises(CleaningFailed):
        log.clean()
    assert log.offsets == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("release", ["0.9.0", "1.1", "2.3", "4.1"])
def test_a_second_pass_goes_on_where_the_first_one_ended(release: str) -> None:
    log = Cleaned(release, oldest_format(release))
    log.append((b"a", b"1"), (b"b", b"2"))
    log.roll()
    assert log.clean() == 2
    log.append((b"a", b"3"))
    log.roll()
    assert log.found().start == 2
    assert log.clean() == 3
    assert log.offsets == [1, 2]


@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3", "4.1"])
def test_tombstones_stay_for_delete_retention_ms_and_then_go(release: str) -> None:
    """Up to 3.0 by the times of segments: merged segments count as the youngest of them."""
    magic = oldest_format(release)
    log = Cleaned(release, magic, LogConfig(delete_retention_ms=DAY_MS, segment_bytes=110 if magic else 80))
    log.append((b"a", b"1"), (b"b", b"2"), (b"a", None))
    log.roll()
    log.clean()
    assert log.records == [Stored(1, b"b", b"2"), Stored(2, b"a", None)]
    log.now += 3 * DAY_MS
    for value in (b"3", b"4"):
        log.append((b"c", value))
        log.roll()
        log.clean()
    assert Stored(2, b"a", None) not in log.records


def test_from_3_1_on_a_batch_says_until_when_its_tombstones_stay() -> None:
    """KIP-534: the time is counted from the pass that first meets them."""
    log = Cleaned("3.9", 2, LogConfig(delete_retention_ms=DAY_MS))
    log.append((b"a", None))
    log.append((b"b", b"1"))
    log.roll()
    log.now += 10 * DAY_MS
    log.clean()
    first = log.batches[0]
    assert isinstance(first, RecordBatch)
    assert first.delete_horizon_ms == log.now + DAY_MS
    assert log.offsets == [0, 1]


@pytest.mark.parametrize("release", ["2.3", "4.1"])
def test_batches_keep_their_last_offset_and_their_producer(release: str) -> None:
    log = Cleaned(release)
    log.append((b"a", b"1"), (b"b", b"2"), (b"c", b"3"), producer=7)
    log.append((b"c", b"4"), producer=7)
    log.roll()
    log.clean()
    first = log.batches[0]
    assert isinstance(first, RecordBatch)
    assert (first.base_offset, first.last_offset, first.producer_id, first.base_sequence) == (0, 2, 7, 0)
    assert [record.offset for record in first.records()] == [0, 1]


@pytest.mark.parametrize("release", ["0.11.0.3", "2.3", "4.1"])
def test_an_empty_batch_stays_for_a_producer_that_is_known(release: str) -> None:
    """KAFKA-5490, KAFKA-8335: its last sequence must be found after a restart."""
    log = Cleaned(release)
    log.append((b"a", b"1"), producer=7)
    log.append((b"a", b"2"))
    log.append((b"b", b"3"))
    log.roll()
    log.clean()
    assert [(b.base_offset, len(list(b.records()))) for b in log.batches][:2] == [(0, 0), (1, 1)]


@pytest.mark.parametrize("release", ["0.11.0.3", "1.1", "2.3", "4.1"])
def test_aborted_records_go_and_markers_go_after_them(release: str) -> None:
    log = Cleaned(release, 2, LogConfig(delete_retention_ms=0))
    log.append((b"a", b"1"), producer=1, transactional=True)
    log.append((b"b", b"2"), producer=2, transactional=True)
    log.mark(1, commit=False)
    log.mark(2, commit=True)
    log.append((b"z", b"z"))
    log.roll()
    log.clean()
    assert log.records[0] == Stored(1, b"b", b"2")
    assert log.log.aborted_from(0, 99) != []
    assert [batch.is_control for batch in log.batches].count(True) == 2
    log.now += DAY_MS
    for value in (b"3", b"4"):
        log.append((b"b", value), producer=-1)
        log.roll()
        log.clean()
    assert log.records[0] == Stored(4, b"z", b"z")


@pytest.mark.parametrize("release", ["0.8.2", "0.10.1", "2.3", "4.1"])
def test_small_segments_become_one(release: str) -> None:
    log = Cleaned(release, oldest_format(release), LogConfig(segment_bytes=10_000))
    for n in range(6):
        log.append((b"k%d" % n, b"v"))
        log.roll()
    assert log.bases == [0, 1, 2, 3, 4, 5, 6]
    log.clean()
    assert log.bases == [0, 6]
    assert log.offsets == [0, 1, 2, 3, 4, 5]


def test_segments_that_do_not_fit_together_stay_apart() -> None:
    log = Cleaned("2.3", 2, LogConfig(segment_bytes=300))
    for n in range(6):
        log.append((b"k%d" % n, b"v" * 60))
        log.roll()
    log.clean()
    assert log.bases == [0, 2, 4, 6]


def test_a_map_that_is_full_ends_a_pass_early() -> None:
    log = Cleaned("2.3", settings=CleanerSettings(map_bytes=24 * 4, map_load_factor=1.0))
    for n in range(3):
        log.append((b"a%d" % n, b"1"), (b"b%d" % n, b"2"))
        log.append((b"a%d" % n, b"3"))
    log.roll()
    assert log.clean() == 5
    assert log.offsets == [1, 2, 3, 4, 5, 6, 7, 8]
    assert log.clean() == 9
    assert log.offsets == [1, 2, 4, 5, 7, 8]


@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.1"])
def test_offsets_with_holes_are_found(release: str) -> None:
    log = Cleaned(release, oldest_format(release), LogConfig(index_interval_bytes=0))
    for n in range(20):
        log.append((b"k%d" % (n % 3), b"%d" % n))
    log.roll()
    log.clean()
    assert log.offsets == [17, 18, 19]
    found = log.log.read(0, 1000, log.log.log_end_offset, True)
    assert isinstance(found, Slice)
    assert joined(found.buffers) == b"".join(bytes(batch.data) for batch in log.batches)


def test_a_unit_larger_than_the_buffers_makes_them_grow() -> None:
    log = Cleaned("2.3", settings=CleanerSettings(buffer_bytes=100))
    log.append((b"a", bytes(5000)))
    log.append((b"a", bytes(3000)))
    log.roll()
    log.clean()
    assert log.offsets == [1]


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0"])
def test_a_record_without_a_key_goes_or_ends_the_cleaner(release: str) -> None:
    """KAFKA-1755."""
    log = Cleaned(release, 0)
    log.append((b"a", b"1"), (None, b"2"), (b"b", b"3"))
    log.roll()
    if release == "0.8.2":
        with pytest.raises(CleaningFailed, match="no key"):
            log.clean()
        assert log.offsets == [0, 1, 2]
    else:
        log.clean()
        assert log.offsets == [0, 2]


PAIRS = st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c"]), st.sampled_from([b"1", b"22", None])), max_size=5)


@given(
    st.sampled_from(["0.10.1", "0.11.0.3", "1.1", "2.3", "2.8", "3.9", "4.1"]),
    st.lists(st.tuples(PAIRS.filter(bool), st.sampled_from([0, 1]), st.booleans()), min_size=1, max_size=12),
    st.integers(1, 40),
)
@at_most(50)
def test_no_latest_value_is_lost_and_nothing_is_invented(
    release: str, sets: list[tuple[list[tuple[bytes, bytes | None]], int, bool]], slots: int
) -> None:
    settings = CleanerSettings(map_bytes=24 * max(slots, 4), map_load_factor=1.0, buffer_bytes=300)
    log = Cleaned(release, oldest_format(release), LogConfig(segment_bytes=600), settings)
    sent = []
    for pairs, codec, rolls in sets:
        sent += [Stored(log.log.log_end_offset + n, *pair) for n, pair in enumerate(pairs)]
        log.append(*pairs, codec=codec)
        if rolls:
            log.roll()
        if log.found().dirty_bytes:
            log.clean()
    assert set(log.records) <= set(sent)
    latest = {record.key: record for record in sent}
    left = {record.key: record for record in log.records}
    assert {key: r for key, r in latest.items() if r.value is not None}.items() <= left.items()
    assert all(left.get(key, r) == r for key, r in latest.items())


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.1"])
def test_a_cleaned_log_is_recovered(release: str) -> None:
    chance, log = Random(1), Cleaned(release, 2, LogConfig(segment_bytes=400))
    for n in range(60):
        log.append((b"k%d" % chance.randrange(5), b"%d" % n), producer=chance.choice([-1, 7]))
    log.roll()
    log.clean()
    before = log.records
    log.log.crash()
    log.log = PartitionLog.open(log.directory, log.log_rules, log.config, log.now, clean=False)
    assert log.records == before


@pytest.mark.parametrize(("release", "key"), [("3.8.1", 1), ("3.9.1", 2), ("4.0.0", 1), ("4.3.1", 2)])
def test_the_entry_of_a_batch_that_lost_its_last_record_bears_that_record_s_offset(release: str, key: int) -> None:
    """Recorded from 4.3.1 and 2.3.1: random_compact. Until 3.9 an append has one entry, not each batch."""
    log = Cleaned(release, config=LogConfig(index_interval_bytes=0))
    log.append((b"a", b"0"))
    log.roll()
    log.append((b"b", b"1"), (b"c", b"2"))
    log.roll()
    log.append((b"c", b"3"))
    log.roll()
    log.append((b"d", b"active"))
    log.clean()
    assert log.offsets == [0, 1, 3, 4]
    first, second, *_ = log.log.segments[0].load_offset_index().entries()
    assert first[0] == key
    assert second[0] == 3
