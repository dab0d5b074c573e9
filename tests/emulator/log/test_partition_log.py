"""The log as a whole: the files of real brokers reproduced, and the individual promises of its methods.

Long, since tests mirror modules and this module makes many promises: a section for each kind.
"""

from typing import Any

import pytest
from fakekafka.errors import BrokerWillNotStart, ErrorCode
from fakekafka.log.append_info import Appended, Origin
from fakekafka.log.check import check
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import UNDEFINED, EpochEnd
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import CannotRoll, PartitionLog
from fakekafka.log.segment import Slice
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records.malformed import CorruptUnit

from tests.emulator.log.batches import Set, batch, marker, messages, rules, stored
from tests.emulator.log.recorded import Sample, Story, samples

NOW = 1000


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_a_real_brokers_files_are_made_again_byte_for_byte(sample: Sample, root: Directory) -> None:
    Story(sample, root.directory("orders-0")).tell()


def log_in(directory: Directory, release: str = "2.3", **config: Any) -> PartitionLog:
    return PartitionLog.open(directory, rules(release), LogConfig(**config), NOW)


def add(log: PartitionLog, *sets: Set, now: int = NOW) -> Appended:
    """The result of appending the last set."""
    result = Appended()
    for data, info in sets:
        result = log.append(data, info, now)
    return result


def of_three(directory: Directory, release: str = "2.3", **config: Any) -> PartitionLog:
    """Segments 0, 4 and 8, of two batches with two records each."""
    log = log_in(directory, release, **config)
    for offset in range(0, 12, 2):
        if offset in (4, 8):
            log.roll(NOW)
        assert add(log, batch(offset, NOW, NOW)).error == ErrorCode.NONE
    return log


def bases(log: PartitionLog) -> list[int]:
    return [segment.base_offset for segment in log.segments]


def read(log: PartitionLog, offset: int, max_bytes: int = 10**6, bound: int = 10**6, min_one: bool = True) -> Slice:
    found = log.read(offset, max_bytes, bound, min_one)
    assert isinstance(found, Slice)
    return found


def offsets(found: Slice) -> list[int]:
    return [one.base_offset for one in stored(found.buffers)]


# ---------------------------------------------------------------- opening


def test_a_new_log_begins_at_the_checkpointed_start(root: Directory) -> None:
    for release, begins in [("2.2.0", 0), ("2.2.1", 5), ("3.9", 5)]:
        log = PartitionLog.open(root.directory(release), rules(release), LogConfig(), NOW, log_start_offset=5)
        assert (bases(log), log.log_start_offset, log.log_end_offset) == ([begins], begins, begins)


def test_a_log_with_an_impossible_record_cannot_be_opened(root: Directory) -> None:
    root.replace("00000000000000000000.log", bytes(8) + b"\0\0\0\x01" + bytes(20))
    root.replace("00000000000000000000.index", b"")
    with pytest.raises(CorruptUnit, match="the least is"):
        log_in(root)


def test_a_batch_of_a_transaction_whose_front_is_gone_ends_the_broker(root: Directory) -> None:
    """The producer was forgotten with the front (up to 2.3), so it could write outside its transaction."""
    log = log_in(root)
    add(log, batch(0, NOW, producer=7, transactional=True))
    log.advance_log_start(1)
    assert add(log, batch(1, NOW, producer=7)).error == ErrorCode.NONE
    log.crash()
    with pytest.raises(BrokerWillNotStart, match="transactional write from producer 7"):
        PartitionLog.open(root, rules("2.3"), LogConfig(), NOW, clean=False)


# ---------------------------------------------------------------- appending


def test_a_set_larger_than_a_segment_is_refused_from_0_8_2_on(directory: Directory) -> None:
    for release, error in [("0.8.1", ErrorCode.NONE), ("0.8.2", ErrorCode.RECORD_LIST_TOO_LARGE)]:
        log = log_in(directory.directory(release), release, segment_bytes=100)
        assert add(log, messages(0, 0, NOW, value=bytes(80))).error == error
    exact = messages(0, 0, NOW, value=bytes(80))
    log = log_in(directory, "0.8.2", segment_bytes=len(exact[0]))
    assert add(log, exact).error == ErrorCode.NONE


def test_a_repeated_batch_is_answered_with_its_offset(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, 50, 60, producer=7), batch(2, 70, producer=7, sequence=2))
    again = add(log, batch(3, 50, 60, producer=7))
    assert again == Appended(ErrorCode.NONE, 0, 1, 60, is_duplicate=True)
    assert log.log_end_offset == 3


@pytest.mark.parametrize(("release", "segments"), [("2.3", [0]), ("2.4", [0, 1])])
def test_a_refused_batch_rolls_the_log_in_some_releases(
    directory: Directory, release: str, segments: list[int]
) -> None:
    log = log_in(directory, release, segment_bytes=100)
    add(log, batch(0, NOW, producer=7))
    assert add(log, batch(1, NOW, producer=7, sequence=5)).error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert bases(log) == segments


def test_enough_messages_are_flushed(directory: Directory) -> None:
    log = log_in(directory, flush_messages=3)
    add(log, batch(0, NOW, NOW))
    assert log.recovery_point == 0
    add(log, batch(2, NOW))
    assert log.recovery_point == 3


def test_memory_keeps_the_very_bytes(directory: Directory) -> None:
    memory = MemoryDirectory()
    log = log_in(memory)
    data, info = batch(0, NOW)
    log.append(data, info, NOW)
    assert read(log, 0).buffers[0] is data


# ---------------------------------------------------------------- rolling


def test_a_roll_is_a_flush_and_a_snapshot(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW, producer=7))
    log.roll(NOW)
    assert (bases(log), log.recovery_point, log.log_end_offset) == ([0, 1], 1, 1)
    assert directory.exists("00000000000000000001.snapshot")


@pytest.mark.parametrize(
    ("release", "begins"), [("0.10.1", 1), ("0.10.2", 5_000_000_009 - 2**31 + 1), ("2.0", 5_000_000_000)]
)
def test_a_segment_after_a_gap_begins_where_the_release_has_it(root: Directory, release: str, begins: int) -> None:
    log = log_in(root, release, segment_bytes=200)
    magic = 2 if release == "2.0" else 1
    data, info = batch(0, NOW, value=bytes(100)) if magic == 2 else messages(1, 0, NOW, value=bytes(150))
    log.append(data, info, NOW)
    data, info = messages(magic, 5_000_000_000, *[NOW] * 10, value=bytes(4), codec=0 if magic == 2 else 1)
    assert log.append(data, info._replace(origin=Origin.REPLICATION), NOW).error == ErrorCode.NONE
    assert bases(log) == [0, begins]


def test_a_snapshot_at_a_roll_is_named_by_the_new_segment(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW, producer=7))
    log.roll(NOW, at_least=5)
    data, info = batch(5, NOW)
    log.append(data, info._replace(origin=Origin.REPLICATION), NOW)
    assert [name for name in directory.names() if name.endswith(".snapshot")] == ["00000000000000000005.snapshot"]


def test_leftovers_of_the_new_name_are_deleted_first(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW))
    directory.replace("00000000000000000001.log", b"left over")
    log.roll(NOW)
    assert log.segments[-1].size == 0


def test_a_roll_onto_itself_replaces_an_empty_segment_or_fails(root: Directory) -> None:
    new = root.directory("new")
    log = log_in(new, "2.1.1")
    log.roll(NOW)
    assert bases(log) == [0]
    assert "00000000000000000000.log.deleted" in new.names()
    log.segments[-1].append(*batch(0, NOW), 0, NOW)
    with pytest.raises(CannotRoll):
        log.roll(NOW)
    old = log_in(root.directory("old"), "2.1.0")
    with pytest.raises(CannotRoll):
        old.roll(NOW)


def test_an_append_that_cannot_roll_is_an_unknown_server_error(directory: Directory) -> None:
    """Recovery can leave a segment whose end is its own base, though it holds units (storage_recovery mcut)."""
    log = log_in(directory, "2.3", segment_bytes=100)
    data, info = batch(0, NOW)
    log.append(data, info, NOW)
    log.log_end_offset = 0
    assert log.append(data, info, NOW) == Appended(ErrorCode.UNKNOWN_SERVER_ERROR)


def test_jitter_is_chosen_for_each_segment_below_the_rolling_time(root: Directory) -> None:
    asked: list[int] = []

    def choose(most: int) -> int:
        asked.append(most)
        return most - 1

    config = LogConfig(segment_jitter_ms=50, segment_ms=100)
    log = PartitionLog.open(root, rules("2.3"), config, NOW, choose=choose)
    add(log, batch(0, NOW), batch(1, NOW + 51))
    assert bases(log) == [0]
    add(log, batch(2, NOW + 52))
    assert bases(log) == [0, 2]
    log.configure(config._replace(segment_ms=20))
    log.roll(NOW)
    assert asked == [50, 50, 20]


# ---------------------------------------------------------------- reading


def test_a_slice_is_of_one_segment_and_begins_with_the_unit_of_the_offset(directory: Directory) -> None:
    log = of_three(directory)
    size = len(batch(0, NOW, NOW)[0])
    found = read(log, 1)
    assert (offsets(found), found.position, found.size, found.first_unit_size) == ([0, 2], 0, 2 * size, size)
    assert offsets(read(log, 3)) == [2]
    assert offsets(read(log, 11)) == [10]
    assert (read(log, 12).size, read(log, 12).segment) == (0, log.segments[-1])


def test_reading_outside_the_log_is_out_of_range(directory: Directory) -> None:
    log = of_three(directory)
    log.advance_log_start(3)
    for offset in (-1, 0, 2, 13):
        assert log.read(offset, 10**6, 12, min_one=True) is ErrorCode.OFFSET_OUT_OF_RANGE
    assert offsets(read(log, 3)) == [2]


@pytest.mark.parametrize(
    ("bound", "found"), [(0, []), (1, []), (2, [0]), (3, [0]), (4, [0, 2]), (12, [0, 2]), (99, [0, 2])]
)
def test_a_reader_sees_whole_units_below_its_bound(directory: Directory, bound: int, found: list[int]) -> None:
    log = of_three(directory)
    assert offsets(read(log, 0, bound=bound)) == found
    assert read(log, 0, bound=bound).segment is log.segments[0 if bound else -1]


def test_a_first_unit_that_is_too_large_comes_whole_only_if_it_must(directory: Directory) -> None:
    log = of_three(directory)
    size = len(batch(0, NOW, NOW)[0])
    assert read(log, 0, max_bytes=10, min_one=True).size == size
    cut = read(log, 0, max_bytes=10, min_one=False)
    assert (cut.size, cut.first_entry_incomplete) == (10, True)
    nothing = read(log, 0, max_bytes=0, min_one=False)
    assert (nothing.size, nothing.first_entry_incomplete) == (0, False)


def test_a_read_goes_on_over_a_gap_to_the_next_segment(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW))
    log.roll(NOW, at_least=5)
    data, info = batch(7, NOW)
    log.append(data, info._replace(origin=Origin.REPLICATION), NOW)
    assert offsets(read(log, 3)) == [7]


def test_aborted_transactions_reach_up_to_the_next_index_entry(directory: Directory) -> None:
    log = log_in(directory, index_interval_bytes=0)
    add(log, batch(0, NOW, producer=7, transactional=True), batch(1, NOW, producer=8, transactional=True))
    add(log, marker(2, 7, commit=False), marker(3, 8, commit=True))
    add(log, batch(4, NOW, producer=9, transactional=True))
    log.roll(NOW)
    add(log, marker(5, 9, commit=False), batch(6, NOW))
    aborted = AbortedTxn(7, 0, 2, 1), AbortedTxn(9, 4, 5, 6)
    assert log.segments[0].load_txn_index().entries == [aborted[0]]
    one = len(batch(0, NOW)[0])
    assert log.aborted_transactions(0, read(log, 0, max_bytes=one)) == [aborted[0]]
    assert log.aborted_transactions(3, read(log, 3)) == [aborted[1]]
    assert log.aborted_transactions(3, read(log, 3, max_bytes=one)) == []
    assert log.aborted_transactions(6, read(log, 6)) == []


def test_aborted_transactions_of_the_next_segment_are_not_in_the_slice(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW))
    log.roll(NOW)
    add(log, batch(1, NOW, producer=7, transactional=True), marker(2, 7, commit=False))
    assert log.aborted_transactions(0, read(log, 0)) == []


def test_the_search_for_aborted_transactions_ends_where_all_is_decided(directory: Directory) -> None:
    log = log_in(directory, index_interval_bytes=0)
    add(log, batch(0, NOW, producer=7, transactional=True), batch(1, NOW))
    log.roll(NOW)
    add(log, marker(2, 7, commit=False))
    log.roll(NOW)
    log.segments[-1].add_aborted(AbortedTxn(99, 0, 3, 4))  # nothing may be read from here
    assert log.aborted_transactions(0, read(log, 0)) == [AbortedTxn(7, 0, 2, 3)]
    del log.segments[-1]
    directory.delete("00000000000000000003.txnindex")


# ---------------------------------------------------------------- leader epochs and transactions


@pytest.mark.parametrize(("release", "at_election"), [("2.0.0", 0), ("2.0.1", 1)])
def test_an_epoch_is_noted_when_a_leader_is_elected_or_when_it_appends(
    directory: Directory, release: str, at_election: int
) -> None:
    log = log_in(directory, release)
    add(log, batch(0, NOW, epoch=1))
    log.become_leader(4)
    assert log.epochs is not None
    assert len(log.epochs.entries) == 1 + at_election
    add(log, batch(1, NOW, epoch=4))
    assert log.end_of_epoch(1) == EpochEnd(1, 1)
    assert log.end_of_epoch(4) == EpochEnd(4, 2)


def test_no_epoch_has_an_end_in_a_log_without_epochs(directory: Directory) -> None:
    log = log_in(directory, "0.10.2")
    log.become_leader(3)
    assert log.end_of_epoch(3) == UNDEFINED


def test_a_unit_of_an_old_format_makes_the_log_forget_its_epochs(directory: Directory) -> None:
    for release, left in [("2.2.0", 1), ("2.2.1", 0)]:
        log = log_in(directory.directory(release), release)
        add(log, batch(0, NOW, epoch=3), messages(1, 1, NOW))
        assert log.epochs is not None
        assert len(log.epochs.entries) == left


def test_a_changed_format_opens_or_drops_the_epochs(directory: Directory) -> None:
    log = log_in(directory, "2.3", message_format=1)
    assert log.epochs is None
    log.configure(LogConfig())
    log.become_leader(2)
    assert log.epochs is not None
    epochs = log.epochs
    log.configure(LogConfig(segment_ms=1))
    assert log.epochs is epochs
    log.configure(LogConfig(message_format=1))
    assert log.epochs is None
    assert not directory.exists("leader-epoch-checkpoint")


def test_readers_of_committed_data_stop_at_the_first_transaction_in_doubt(directory: Directory) -> None:
    log = log_in(directory)
    add(log, batch(0, NOW), batch(1, NOW, producer=7, transactional=True))
    assert (log.first_unstable_offset, log.last_stable_offset(1), log.last_stable_offset(2)) == (1, 1, 1)
    add(log, marker(2, 7, commit=True))
    assert log.last_stable_offset(3) == 1
    log.on_high_watermark(3)
    assert (log.first_unstable_offset, log.last_stable_offset(3)) == (None, 3)


def test_a_transaction_from_below_the_logs_start_is_open_from_the_start_on(directory: Directory) -> None:
    log = log_in(directory, "2.4")
    add(log, batch(0, NOW, producer=7, transactional=True), batch(1, NOW), batch(2, NOW))
    log.advance_log_start(2)
    assert log.first_unstable_offset == 2


def test_idle_producers_are_forgotten(directory: Directory) -> None:
    log = log_in(directory, producer_expiration_ms=100)
    add(log, batch(0, NOW, producer=7), batch(1, NOW + 1, producer=8))
    add(log, batch(2, NOW, producer=9, transactional=True))
    log.remove_expired_producers(NOW + 100)
    assert set(log.producers.producers) == {8, 9}


def test_a_forgotten_producer_stays_forgotten_when_the_log_is_cut(directory: Directory) -> None:
    log = log_in(directory, producer_expiration_ms=100)
    add(log, batch(0, NOW, producer=7), batch(1, NOW))
    log.remove_expired_producers(NOW + 100)
    log.truncate_to(1, NOW + 50)
    assert log.producers.producers == {}


@pytest.mark.parametrize(
    ("release", "after_roll", "after_checkpoint"),
    [("0.11.0", [4, 8], [4, 8]), ("1.1", [4, 8], [4, 8]), ("2.8", [4, 8], [4, 8])],
)
def test_two_segments_have_their_snapshots(
    directory: Directory, release: str, after_roll: list[int], after_checkpoint: list[int]
) -> None:
    log = of_three(directory, release)

    def snapshots() -> list[int]:
        return [int(name[:20]) for name in directory.names() if name.endswith(".snapshot")]

    assert snapshots() == after_roll
    log.on_recovery_point_checkpoint()
    assert snapshots() == after_checkpoint
    log.roll(NOW)
    assert snapshots() == ([8, 12] if release == "0.11.0" else [4, 8, 12])
    log.on_recovery_point_checkpoint()
    assert snapshots() == ([4, 8, 12] if release == "2.8" else [8, 12])


# ---------------------------------------------------------------- cutting


def test_truncation_drops_segments_units_and_what_is_known_about_them(directory: Directory) -> None:
    log = of_three(directory)
    log.become_leader(3)
    add(log, batch(12, NOW, epoch=3, producer=7))
    assert log.truncate_to(6, NOW)
    assert (bases(log), log.log_end_offset, log.recovery_point) == ([0, 4], 6, 6)
    assert offsets(read(log, 4)) == [4]
    assert log.producers.producers == {}
    assert log.end_of_epoch(3).end_offset == -1
    assert log.new_removals() == (NOW + 60_000,)
    assert not log.truncate_to(6, NOW)


def test_truncation_within_a_unit_drops_it_but_the_log_ends_at_the_given_offset(root: Directory) -> None:
    log = of_three(root)
    assert log.truncate_to(7, NOW)
    assert (log.log_end_offset, log.segments[-1].find_next_offset()) == (7, 6)


def test_truncation_below_the_first_segment_starts_over(directory: Directory) -> None:
    log = of_three(directory)
    log.advance_log_start(5)
    log.delete_old_segments(NOW, 12)
    assert log.truncate_to(2, NOW)
    assert (bases(log), log.log_start_offset, log.log_end_offset, log.recovery_point) == ([2], 2, 2, 2)


def test_truncation_below_the_logs_start_moves_it(directory: Directory) -> None:
    log = of_three(directory)
    log.advance_log_start(7)
    log.truncate_to(6, NOW)
    assert (log.log_start_offset, log.log_end_offset) == (6, 6)


@pytest.mark.parametrize(("release", "epochs"), [("2.6.0", 2), ("2.6.1", 1)])
def test_truncation_beyond_the_end_may_drop_an_epoch_that_begins_there(
    directory: Directory, release: str, epochs: int
) -> None:
    log = log_in(directory, release)
    add(log, batch(0, NOW))
    log.become_leader(1)
    assert not log.truncate_to(5, NOW)
    assert log.epochs is not None
    assert len(log.epochs.entries) == epochs


def test_starting_over_forgets_everything(directory: Directory) -> None:
    log = of_three(directory)
    log.become_leader(3)
    add(log, batch(12, NOW, epoch=3, producer=7))
    log.truncate_fully_and_start_at(40, NOW)
    assert (bases(log), log.log_start_offset, log.log_end_offset, log.recovery_point) == ([40], 40, 40, 8)
    assert log.producers.producers == {}
    assert log.epochs is not None
    assert log.epochs.entries == []
    assert not [name for name in directory.names() if name.endswith(".snapshot")]
    add(log, batch(40, NOW, producer=7))
    log.roll(NOW)
    assert directory.exists("00000000000000000041.snapshot")


# ---------------------------------------------------------------- retention


def test_the_log_begins_with_its_first_segment_after_retention(directory: Directory) -> None:
    log = of_three(directory, retention_ms=100)
    assert log.delete_old_segments(NOW + 100, 12) == 0
    assert log.delete_old_segments(NOW + 101, 8) == 2
    assert (bases(log), log.log_start_offset) == ([8], 8)
    assert log.read(7, 10**6, 12, min_one=True) is ErrorCode.OFFSET_OUT_OF_RANGE


def test_a_log_that_is_old_as_a_whole_gets_an_empty_segment(directory: Directory) -> None:
    log = of_three(directory, retention_ms=100)
    assert log.delete_old_segments(NOW + 101, 12) == 3
    assert (bases(log), log.log_start_offset, log.size) == ([12], 12, 0)
    assert log.delete_old_segments(NOW + 10**6, 12) == 0


def test_retention_ignores_the_high_watermark_in_releases_without_log_starts(directory: Directory) -> None:
    log = log_in(directory, "0.10.2", retention_ms=100)
    add(log, messages(1, 0, NOW))
    assert log.delete_old_segments(NOW + 101, 0) == 1
    assert log.log_start_offset == 1


@pytest.mark.parametrize(("release", "gone"), [("2.0", 0), ("2.1", 1)])
def test_compacted_logs_lose_only_what_is_below_their_start(directory: Directory, release: str, gone: int) -> None:
    log = of_three(directory, release, delete=False, retention_ms=0, retention_bytes=0)
    log.advance_log_start(5)
    assert log.delete_old_segments(NOW + 10**6, 12) == gone


@pytest.mark.parametrize("release", ["2.8", "3.0"])
def test_retention_checks_both_size_and_start(directory: Directory, release: str) -> None:
    segment = 2 * len(batch(0, NOW, NOW)[0])
    log = of_three(directory, release, retention_bytes=segment)
    log.advance_log_start(5)
    assert log.delete_old_segments(NOW, 12) == 2


def test_a_log_start_only_moves_forwards(directory: Directory) -> None:
    log = of_three(directory)
    assert log.advance_log_start(5)
    assert not log.advance_log_start(5)
    assert not log.advance_log_start(3)
    assert (log.log_start_offset, bases(log)) == (5, [0, 4, 8])


def test_epochs_begin_with_the_log(directory: Directory) -> None:
    log = log_in(directory)
    for epoch in range(3):
        log.become_leader(epoch)
        add(log, batch(epoch, NOW, epoch=epoch))
    log.advance_log_start(2)
    assert log.epochs is not None
    assert [tuple(entry) for entry in log.epochs.entries] == [(2, 2)]


def test_files_of_deleted_segments_go_after_the_delay(directory: Directory) -> None:
    log = of_three(directory, retention_ms=100, file_delete_delay_ms=20)
    log.delete_old_segments(NOW + 101, 8)
    assert log.new_removals() == (NOW + 121,)
    log.remove_due_files(NOW + 120)
    assert len([name for name in directory.names() if name.endswith(".deleted")]) > 0
    log.remove_due_files(NOW + 121)
    assert not [name for name in directory.names() if name.endswith(".deleted")]


# ---------------------------------------------------------------- stopping


def test_a_clean_stop_trims_and_a_crash_does_not(root: Directory) -> None:
    for stop, size in [("close", 0), ("crash", 96)]:
        directory = root.directory(stop)
        log = log_in(directory, segment_index_bytes=100)
        add(log, batch(0, NOW, producer=7))
        log.close(NOW) if stop == "close" else log.crash()
        assert directory.size_of("00000000000000000000.index") == size
        assert directory.exists("00000000000000000001.snapshot") is (stop == "close")
        assert check(directory) == []


def test_index_files_on_disk_are_brought_up_to_date_when_asked(directory: Directory) -> None:
    log = log_in(directory, index_interval_bytes=0, segment_index_bytes=100)
    add(log, batch(0, NOW), batch(1, NOW))
    log.write_indexes()
    assert any(directory.read_all("00000000000000000000.index"))


@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3"])
def test_an_unused_log_closes_with_trimmed_indexes(release: str) -> None:
    directory = MemoryDirectory()
    log_in(directory, release).close(NOW)
    assert {name: directory.size_of(name) for name in directory.names() if name.endswith("index")}
    assert not any(directory.size_of(name) for name in directory.names() if name.endswith("index"))
    assert log_in(directory, release).log_end_offset == 0


@pytest.mark.parametrize(("release", "made"), [("3.1", False), ("3.2", True), ("3.9", True)])
def test_from_3_2_on_a_clean_stop_makes_the_index_of_an_empty_active_segment(release: str, made: bool) -> None:
    """KAFKA-13603. Asked of 2.8.2, 3.0.2, 3.1.2, 3.2.3 and 3.9.1."""
    directory = MemoryDirectory()
    log = log_in(directory, release)
    assert log.append(*batch(0, 1), NOW).error == 0
    log.roll(NOW)
    log.close(NOW)
    assert directory.exists("00000000000000000001.index") == made
