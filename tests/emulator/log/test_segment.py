"""One segment: what an append does to its files, when it ends, what a read gives."""

import pytest
from fakekafka.log import names
from fakekafka.log.append_info import AppendInfo, Origin
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.segment import FoundOffset, Segment
from fakekafka.log.txn_index import AbortedTxn

from tests.emulator.log.batches import Set, batch, messages, rules, stored

SMALL = LogConfig(index_interval_bytes=0, segment_index_bytes=120, segment_bytes=1000)


def segment_of(directory: Directory, release: str, *sets: Set, config: LogConfig = SMALL, base: int = 0) -> Segment:
    segment = Segment(directory, base, rules(release), config, now=100)
    segment.make_files(indexes=True)
    for data, info in sets:
        segment.append(data, info, info.first_offset, now=200)
    return segment


THREE = (batch(0, 10, 30, 20), batch(3, 40), batch(4, 35, 36))


@pytest.mark.parametrize(
    ("release", "key"),
    [("0.8.2", 3), ("0.9.0", 3), ("0.10.0", 3), ("1.1", 3), ("2.0", 4), ("3.9", 4), ("4.1", 4)],
)
def test_an_index_entry_bears_the_first_or_the_last_offset(directory: Directory, release: str, key: int) -> None:
    magic = 2 if release >= "1" else 0
    first, second = messages(magic, 0, -1, -1, -1), messages(magic, 3, -1, -1)
    index = segment_of(directory, release, first, second).load_offset_index()
    assert index.entries() == [(key, len(first[0]))]


def test_the_first_set_has_no_entry_and_others_after_more_than_the_interval(directory: Directory) -> None:
    size = len(THREE[1][0])
    config = SMALL._replace(index_interval_bytes=len(THREE[0][0]))
    assert segment_of(directory, "2.3", *THREE, config=config).load_offset_index().entries() == [
        (5, len(THREE[0][0]) + size)
    ]


def test_each_batch_of_a_set_has_its_own_entry_from_3_9_1_on(directory: Directory) -> None:
    data = b"".join(d for d, _ in THREE)
    info = AppendInfo(0, 5, 40, 3, [b for _, i in THREE for b in i.batches], Origin.REPLICATION)
    ends = [len(THREE[0][0]), len(THREE[0][0] + THREE[1][0])]
    new = segment_of(directory, "3.9.1", (data, info))
    assert new.load_offset_index().entries() == [(3, ends[0]), (5, ends[1])]
    assert new.load_time_index().entries() == [(40, 3)]
    assert new.find_max_timestamp() == (40, 3)
    old = segment_of(MemoryDirectory(), "3.8", (data, info))
    assert old.load_offset_index().entries() == []


def test_the_time_index_holds_the_largest_timestamp_so_far(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    assert segment.load_time_index().entries() == [(40, 3)]
    segment.close(300)
    assert directory.read_all(segment.name(names.TIME_INDEX)).hex() == f"{40:016x}{3:08x}"


def test_closing_adds_the_last_entry_and_trims_the_files(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", THREE[0])
    assert directory.size_of(segment.name(names.OFFSET_INDEX)) == 120
    assert directory.size_of(segment.name(names.TIME_INDEX)) == 120
    segment.close(300)
    assert directory.size_of(segment.name(names.OFFSET_INDEX)) == 0
    assert directory.size_of(segment.name(names.TIME_INDEX)) == 12


def test_releases_before_0_10_1_have_no_time_index(directory: Directory) -> None:
    segment = segment_of(directory, "0.10.0", messages(1, 0, 5), messages(1, 1, 9))
    segment.close(300)
    assert directory.names() == [segment.name(names.OFFSET_INDEX), segment.name(names.LOG)]
    assert segment.last_modified_ms == 200


def test_index_files_wait_for_their_first_use_in_newer_releases(directory: Directory) -> None:
    lazy = Segment(directory, 0, rules("2.6"), SMALL, now=1)
    lazy.make_files(indexes=False)
    assert directory.names() == [lazy.name(names.LOG)]
    lazy.append(*THREE[1], 3, now=2)
    assert len(directory.names()) == 3


@pytest.mark.parametrize(("release", "files"), [("2.5", 3), ("2.6", 1)])
def test_a_clean_stop_makes_unused_index_files_only_up_to_2_5(directory: Directory, release: str, files: int) -> None:
    segment = Segment(directory, 0, rules(release), SMALL, now=1)
    segment.make_files(indexes=False)
    segment.close(2)
    assert len(directory.names()) == files


def test_preallocated_bytes_are_cut_when_the_segment_is_done(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", THREE[0], config=SMALL._replace(preallocate=True))
    assert directory.size_of(segment.name(names.LOG)) == 1000
    segment.become_inactive(300)
    assert directory.size_of(segment.name(names.LOG)) == len(THREE[0][0])


@pytest.mark.parametrize(("release", "over"), [("0.8.1", False), ("0.8.2", True), ("3.9", True)])
def test_a_segment_may_go_over_its_size_only_in_old_releases(directory: Directory, release: str, over: bool) -> None:
    data, info = messages(0, 0, -1)
    segment = segment_of(directory, release, (data, info))
    config = LogConfig(segment_bytes=2 * len(data) - 1)
    assert segment.should_roll(len(data), info, config, 200) is over
    assert not segment.should_roll(len(data), info, LogConfig(segment_bytes=2 * len(data)), 200)


@pytest.mark.parametrize(("release", "rolls"), [("1.0", True), ("1.1", False), ("2.0", False), ("2.1", True)])
def test_a_segment_keeps_the_limits_that_it_was_opened_with(directory: Directory, release: str, rolls: bool) -> None:
    """Asked of 1.0.2, 1.1.0, 1.1.1, 2.0.1 and 2.1.0: segment.bytes and segment.ms change after the first batch."""
    data, info = messages(0, 0, -1)
    segment = segment_of(directory, release, (data, info))
    assert segment.should_roll(len(data), info, LogConfig(segment_bytes=len(data)), 200) is rolls
    assert segment.should_roll(len(data), info, LogConfig(segment_ms=1000), 5200) is rolls


@pytest.mark.parametrize(
    ("release", "now", "timestamp", "rolls"),
    [
        ("0.8.0", 1200, 0, False),  # counted from the first append at 200
        ("0.8.0", 1201, 0, True),
        ("0.9.0", 1101, 0, True),  # from the creation at 100
        ("0.9.0", 1100, 9_000, False),
        ("0.10.1", 99_999, 1500, False),  # from the first timestamp, 500
        ("0.10.1", 200, 1501, True),
        ("3.9", 99_999, -1, False),
    ],
)
def test_a_segment_ends_when_segment_ms_is_over(release: str, now: int, timestamp: int, rolls: bool) -> None:
    magic = 2 if release == "3.9" else 1 if release == "0.10.1" else 0
    segment = segment_of(MemoryDirectory(), release, messages(magic, 0, 500))
    _, info = messages(magic, 1, timestamp)
    assert segment.should_roll(60, info._replace(max_timestamp=timestamp), LogConfig(segment_ms=1000), now) is rolls


def test_the_age_of_a_segment_without_timestamps_counts_from_its_creation_less_jitter(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", batch(0, -1))
    _, info = batch(1, -1)
    assert not segment.should_roll(60, info, LogConfig(segment_ms=1000), 1100)
    segment.roll_jitter_ms = 1
    assert segment.should_roll(60, info, LogConfig(segment_ms=1000), 1100)


def test_full_indexes_end_a_segment(directory: Directory) -> None:
    config = SMALL._replace(segment_index_bytes=24)
    segment = segment_of(directory, "2.3", batch(0, 1), batch(1, 2), config=config)
    assert segment.should_roll(60, batch(2, 3)[1], LogConfig(), 0)  # one time entry, one slot kept
    old = segment_of(MemoryDirectory(), "0.10.0", *(messages(1, n, n) for n in range(4)), config=config)
    assert old.should_roll(60, messages(1, 4, 4)[1], LogConfig(), 0)


@pytest.mark.parametrize(("release", "rolls"), [("0.10.1", False), ("0.10.2", True)])
def test_an_offset_out_of_reach_ends_a_segment(release: str, rolls: bool) -> None:
    segment = segment_of(MemoryDirectory(), release, messages(1, 0, 1))
    _, info = messages(1, 2**31, 1)
    assert segment.should_roll(60, info, LogConfig(), 0) is rolls
    _, info = messages(1, 2**31 - 1, 1)
    assert not segment.should_roll(60, info, LogConfig(), 0)


def test_a_read_begins_with_the_unit_that_holds_the_offset(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    found = segment.read(2, 10_000, segment.size, min_one=False)
    assert found is not None
    assert [b.base_offset for b in stored(found.buffers)] == [0, 3, 4]
    assert (found.position, found.first_unit_size) == (0, len(THREE[0][0]))
    assert not found.first_entry_incomplete
    assert segment.read(6, 10_000, segment.size, min_one=False) is None


@pytest.mark.parametrize(("limit", "min_one", "size", "incomplete"), [(10, False, 10, True), (10, True, 80, False)])
def test_a_first_unit_is_cut_unless_one_is_wanted_whole(limit: int, min_one: bool, size: int, incomplete: bool) -> None:
    segment = segment_of(MemoryDirectory(), "2.3", *THREE)
    found = segment.read(0, limit, segment.size, min_one)
    assert found is not None
    wanted = min(size, len(THREE[0][0])) if not min_one else len(THREE[0][0])
    assert (found.size, found.first_entry_incomplete) == (wanted, incomplete)
    assert sum(map(len, found.buffers)) == found.size


def test_a_read_of_no_bytes_is_empty(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    found = segment.read(0, 0, segment.size, min_one=False)
    assert found is not None
    assert (found.size, found.buffers, found.first_entry_incomplete) == (0, [], False)


def test_a_search_by_time_begins_where_the_indexes_point(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    assert segment.first_at_or_after(25, 0) == FoundOffset(30, 1, 0)
    assert segment.first_at_or_after(25, 2) == FoundOffset(40, 3, 0)
    assert segment.first_at_or_after(36, 0) == FoundOffset(40, 3, 0)
    assert segment.first_at_or_after(41, 0) is None


def test_the_record_with_the_largest_timestamp_is_looked_for_in_its_batch(directory: Directory) -> None:
    assert segment_of(directory, "3.9", THREE[0]).record_of_max_timestamp() == FoundOffset(30, 1, 0)
    assert segment_of(MemoryDirectory(), "3.9").record_of_max_timestamp() is None


def test_truncation_drops_the_unit_that_holds_the_offset(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    assert segment.truncate_to(5, 300) == len(THREE[2][0])
    assert segment.find_next_offset() == 4
    assert segment.load_offset_index().entries() == [(3, len(THREE[0][0]))]
    assert segment.find_max_timestamp() == (40, 3)
    assert segment.truncate_to(1, 400) > 0
    assert (segment.size, segment.created_ms) == (0, 400)
    assert segment.find_first_timestamp() == -1


def test_the_largest_timestamp_is_looked_for_again_after_truncation(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    segment.truncate_to(3, 300)
    assert segment.find_max_timestamp() == (30, 2)  # not 1: only the unit's last offset is known


def test_the_bytes_to_the_next_index_entry_are_counted_again_after_truncation(directory: Directory) -> None:
    size = len(THREE[0][0])
    segment = segment_of(directory, "2.3", *THREE[:2], config=SMALL._replace(index_interval_bytes=size))
    segment.truncate_to(3, 300)
    segment.append(*THREE[1], 3, 300)
    segment.append(*THREE[2], 4, 300)
    assert segment.load_offset_index().entries() == []


@pytest.mark.parametrize(("release", "left"), [("1.0", 1), ("1.1", 0)])
def test_truncation_without_a_unit_cuts_indexes_from_1_1_on(release: str, left: int) -> None:
    segment = segment_of(MemoryDirectory(), release, *THREE[:2])
    segment.load_offset_index().append(7, 150)
    segment.load_offset_index().truncate_to(4)
    segment.load_offset_index().append(9, 150)
    assert segment.truncate_to(8, 0) == 0
    assert len(segment.load_offset_index().entries()) == 1 + left


def test_aborted_transactions_have_a_file_only_where_there_are_some(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    assert not directory.exists(segment.name(names.TXN_INDEX))
    segment.add_aborted(AbortedTxn(7, 0, 3, 4))
    assert directory.size_of(segment.name(names.TXN_INDEX)) == 34
    segment.truncate_to(3, 0)
    assert directory.size_of(segment.name(names.TXN_INDEX)) == 0


def test_all_files_of_a_segment_are_renamed_together(directory: Directory) -> None:
    segment = segment_of(directory, "2.3", *THREE)
    segment.add_aborted(AbortedTxn(7, 0, 3, 4))
    segment.rename(names.DELETED)
    assert directory.names() == sorted(segment.file_names())
    assert all(name.endswith(names.DELETED) for name in directory.names())
    segment.close(300)
    assert directory.size_of(segment.name(names.OFFSET_INDEX)) == 16


def test_no_property_makes_or_changes_a_file(directory: Directory) -> None:
    segment_of(directory, "2.3", *THREE).abandon()
    for kind in (names.OFFSET_INDEX, names.TIME_INDEX):
        directory.delete(names.of_offset(0, kind))
    for base in (0, 7):  # with a log but no index, and without any file
        before = {name: directory.read_all(name) for name in directory.names()}
        segment = Segment(directory, base, rules("2.3"), SMALL, now=300)
        for name, attribute in vars(Segment).items():
            if isinstance(attribute, property):
                getattr(segment, name)
        assert {name: directory.read_all(name) for name in directory.names()} == before


def test_the_size_of_a_segment_is_known_before_its_log_is_opened(directory: Directory) -> None:
    written = segment_of(directory, "2.3", *THREE)
    written.abandon()
    again = Segment(directory, 0, rules("2.3"), SMALL, now=300)
    assert again.size == written.size == sum(len(data) for data, _ in THREE)
    assert again.open_log().size == again.size
    assert Segment(directory, 7, rules("2.3"), SMALL, now=300).size == 0


def test_loading_an_index_makes_the_file_that_is_missing(directory: Directory) -> None:
    segment_of(directory, "2.3", *THREE).abandon()
    for kind, load in ((names.OFFSET_INDEX, Segment.load_offset_index), (names.TIME_INDEX, Segment.load_time_index)):
        directory.delete(names.of_offset(0, kind))
        load(Segment(directory, 0, rules("2.3"), SMALL, now=300))
        assert directory.exists(names.of_offset(0, kind))
