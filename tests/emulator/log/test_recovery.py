"""Opening directories that a stop, clean or not, has left."""

import struct

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.log.check import check
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.malformed import CorruptUnit

from tests.emulator.log.batches import batch, marker, messages, rules

NOW = 1000
DENSE = LogConfig(index_interval_bytes=0, segment_index_bytes=120)
"""Each set but the first of a segment gets an index entry."""


def name(base: int, kind: str = "log") -> str:
    return f"{base:020}.{kind}"


def fill(directory: Directory, release: str, config: LogConfig = DENSE) -> PartitionLog:
    """A log of nine messages in three segments: 0, 3 and 6."""
    log = PartitionLog.open(directory, rules(release), config, NOW)
    magic = 2 if rules(release).producer_state else 1 if rules(release).time_index else 0
    for offset in range(9):
        if offset in (3, 6):
            log.roll(NOW)
        assert log.append(*messages(magic, offset, NOW + offset), NOW).error == 0
    return log


def again(
    directory: Directory, release: str, *, clean: bool = True, recovery_point: int = 0, start: int = 0
) -> PartitionLog:
    return PartitionLog.open(directory, rules(release), DENSE, NOW, clean, start, recovery_point)


def change(directory: Directory, file: str, at: int, what: bytes = b"\x55") -> None:
    data = bytearray(directory.read_all(file))
    at %= len(data)
    data[at : at + len(what)] = what
    directory.replace(file, bytes(data))


def bases(log: PartitionLog) -> list[int]:
    return [segment.base_offset for segment in log.segments]


# ---------------------------------------------------------------- whole directories


@pytest.mark.parametrize("release", ["0.8.0", "0.8.2", "0.9.0", "0.10.1", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.1"])
@pytest.mark.parametrize("clean", [True, False])
def test_a_log_is_opened_as_it_was_closed(directory: Directory, release: str, clean: bool) -> None:
    before = fill(directory, release)
    logs = {file: directory.read_all(file) for file in directory.names() if file.endswith(".log")}
    before.close(NOW) if clean else before.crash()
    log = again(directory, release, clean=clean)
    assert bases(log) == [0, 3, 6]
    assert (log.log_start_offset, log.log_end_offset) == (0, 9)
    assert {file: directory.read_all(file) for file in logs} == logs
    assert log.append(*messages(0 if release < "0.11" else 2, 9, NOW), NOW).error == 0


@pytest.mark.parametrize("release", ["0.8.2", "0.10.1", "2.3", "4.1"])
def test_a_recovery_makes_the_same_indexes_again_but_for_the_first_set(directory: Directory, release: str) -> None:
    """Recovery counts the bytes after the last entry; an append counts those before the set."""
    fill(directory, release).close(NOW)
    log = again(directory, release, clean=False)
    assert [len(segment.load_offset_index()) for segment in log.segments] == [2, 2, 2]
    assert log.recovery_point == (9 if release == "2.3" else 0)


def test_a_directory_without_segments_gets_an_empty_one(directory: Directory) -> None:
    directory.replace("leader-epoch-checkpoint", b"0\n0\n")
    log = again(directory, "2.3", start=7)
    assert bases(log) == [7]
    assert (log.log_start_offset, log.log_end_offset) == (7, 7)


@pytest.mark.parametrize(("release", "begins"), [("2.2.0", [0, 3, 6]), ("2.2.1", [20])])
def test_a_log_that_ends_below_its_checkpointed_start_begins_there_in_some_releases(
    root: Directory, release: str, begins: list[int]
) -> None:
    fill(root, release).close(NOW)
    assert bases(again(root, release, start=20)) == begins


# ---------------------------------------------------------------- leftovers of a crash


def test_files_that_were_being_deleted_or_cleaned_go(directory: Directory) -> None:
    fill(directory, "2.3").close(NOW)
    for file in (name(0, "log.deleted"), name(0, "index.deleted"), name(3, "log.cleaned"), name(3, "index.cleaned")):
        directory.replace(file, b"x")
    log = again(directory, "2.3")
    assert bases(log) == [0, 3, 6]
    assert not [file for file in directory.names() if file.endswith((".deleted", ".cleaned"))]


def test_indexes_without_a_log_go(directory: Directory) -> None:
    fill(directory, "2.3").close(NOW)
    directory.replace(name(1, "index"), b"")
    directory.replace(name(1, "timeindex"), b"")
    again(directory, "2.3")
    assert not [file for file in directory.names() if file.startswith(name(1, ""))]


SWAPPING = ["0.8.2", "0.10.1", "2.3", "3.0"]


def swapped(directory: Directory, release: str, extra: str = "") -> PartitionLog:
    """A cleaner was about to put one segment, with the last message of each, in place of 0 and 3."""
    fill(directory, release).close(NOW)
    magic = 2 if rules(release).producer_state else 1 if rules(release).time_index else 0
    new = messages(magic, 2, NOW)[0] + messages(magic, 5, NOW)[0]
    directory.replace(name(0, "log.swap"), new)
    directory.replace(name(0, "index.swap"), b"")
    directory.replace(name(0, "timeindex.swap"), (NOW).to_bytes(8, "big") + (2).to_bytes(4, "big"))
    if extra:
        directory.replace(extra, b"")
    return again(directory, release)


@pytest.mark.parametrize("release", SWAPPING)
def test_an_interrupted_swap_is_finished(root: Directory, release: str) -> None:
    log = swapped(root, release)
    assert len(log.segments[0].load_units()) == 2
    assert not [file for file in root.names() if ".swap" in file]
    # 0.8.2 only renames: segment 3 is still there, and reading by offset does not meet it twice.
    assert bases(log) == ([0, 3, 6] if release == "0.8.2" else [0, 6])
    if release != "0.8.2":
        assert check(root) == []


@pytest.mark.parametrize(("release", "count"), [("0.10.1", 2), ("2.3", 3), ("3.0", 3)])
def test_a_swap_is_dropped_if_something_before_it_was_still_being_cleaned(
    directory: Directory, release: str, count: int
) -> None:
    log = swapped(directory, release, extra=name(0, "log.cleaned"))
    assert len(log.segments) == count
    assert check(directory) == []


def test_segments_that_a_swap_replaces_are_deleted_later(root: Directory) -> None:
    log = swapped(root, "2.3")
    assert name(3, "log.deleted") in root.names()
    assert log.new_removals() == (NOW + 60_000,)
    log.remove_due_files(NOW + 60_000)
    assert not [file for file in root.names() if file.endswith(".deleted")]


# ---------------------------------------------------------------- indexes


@pytest.mark.parametrize("release", ["0.8.1", "0.10.1", "2.3", "4.1"])
def test_a_missing_index_is_made(directory: Directory, release: str) -> None:
    fill(directory, release).close(NOW)
    directory.delete(name(3, "index"))
    log = again(directory, release)
    assert len(log.segments[1].load_offset_index()) == 2
    assert log.log_end_offset == 9


@pytest.mark.parametrize("release", ["0.9.0", "1.1", "2.0"])
def test_a_missing_index_that_is_not_noticed_has_zeros_until_the_stop(root: Directory, release: str) -> None:
    """Opening the segment makes a file of full size before the index is checked. Asked of 0.9.0.1, 1.1.1 and 2.0.1.
    The check finds the zeros: a start after a kill takes them for entries.
    """
    fill(root, release).close(NOW)
    root.delete(name(3, "index"))
    log = again(root, release)
    assert len(log.segments[1].load_offset_index()) == 0
    assert log.log_end_offset == 9
    assert root.read_all(name(3, "index")) == bytes(120)
    assert {found.file for found in check(root)} == {name(3, "index")}
    log.close(NOW)
    assert root.read_all(name(3, "index")) == b""
    assert check(root) == []


@pytest.mark.parametrize(("release", "entries"), [("0.9.0", 2), ("1.1", 2), ("2.0", 15)])
def test_after_a_kill_the_zeros_of_an_index_are_corrupt_or_entries(root: Directory, release: str, entries: int) -> None:
    """From 2.0 on an entry of the base offset is good enough. Asked of 0.9.0.1, 1.1.1 and 2.0.1."""
    fill(root, release).close(NOW)
    root.delete(name(3, "index"))
    again(root, release).crash()
    log = again(root, release, clean=False, recovery_point=9)
    assert len(log.segments[1].load_offset_index()) == entries
    assert root.size_of(name(3, "index")) == entries * 8


def test_0_8_0_does_not_start_without_an_index(root: Directory) -> None:
    fill(root, "0.8.0").close(NOW)
    root.delete(name(3, "index"))
    with pytest.raises(BrokerWillNotStart, match="no corresponding index"):
        again(root, "0.8.0")


@pytest.mark.parametrize(("release", "times"), [("0.10.1", 10), ("0.10.2", 0), ("2.2", 0)])
def test_a_missing_time_index_has_zeros_or_nothing(root: Directory, release: str, times: int) -> None:
    """The check finds the zeros of 0.10.1, which are a bug: KAFKA-4734."""
    fill(root, release).close(NOW)
    root.delete(name(3, "timeindex"))
    again(root, release)
    assert root.size_of(name(3, "timeindex")) == times * 12
    assert bool(check(root)) == bool(times)


BAD = [
    (b"\0\0\0", "is corrupt, found 3 bytes"),
    (bytes(7) + b"\x01" + bytes(4) + b"\0\0\0\x40", "found 16 bytes|last offset is 3"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_0_8_does_not_start_with_a_bad_index(root: Directory, content: bytes, message: str) -> None:
    fill(root, "0.8.2").close(NOW)
    root.replace(name(3, "index"), content)
    with pytest.raises(BrokerWillNotStart, match=message):
        again(root, "0.8.2")


@pytest.mark.parametrize("content", [content for content, _ in BAD[:1]])
@pytest.mark.parametrize(("release", "entries"), [("0.9.0", 2), ("1.1", 2), ("2.2", 2), ("2.3", 0)])
def test_a_bad_index_is_rebuilt_up_to_2_2(root: Directory, content: bytes, release: str, entries: int) -> None:
    fill(root, release).close(NOW)
    root.replace(name(3, "index"), content)
    assert len(again(root, release).segments[1].load_offset_index()) == entries


@pytest.mark.parametrize(("release", "times"), [("1.1", 2), ("2.3", 0)])
def test_a_bad_time_index_is_rebuilt(root: Directory, release: str, times: int) -> None:
    fill(root, release).close(NOW)
    root.replace(name(3, "timeindex"), b"\x01\x02\x03")
    assert len(again(root, release).segments[1].load_time_index()) == times


@pytest.mark.parametrize("release", ["1.1", "4.1"])
def test_a_bad_transaction_index_is_rebuilt_in_every_release(directory: Directory, release: str) -> None:
    fill(directory, release).close(NOW)
    entry = struct.pack(">hqqqq", 0, 7, 0, 2, 3)
    directory.replace(name(3, "txnindex"), entry)
    again(directory, release)
    assert directory.read_all(name(3, "txnindex")) == b""


def test_a_transaction_index_of_another_version_ends_the_broker(root: Directory) -> None:
    fill(root, "2.3").close(NOW)
    root.replace(name(3, "txnindex"), struct.pack(">hqqqq", 1, 7, 3, 4, 5))
    with pytest.raises(BrokerWillNotStart, match="version 1"):
        again(root, "2.3")


# ---------------------------------------------------------------- broken logs


@pytest.mark.parametrize("release", ["0.8.2", "0.10.1", "0.11.0", "2.3", "4.1"])
def test_the_log_ends_before_a_unit_that_was_cut(directory: Directory, release: str) -> None:
    fill(directory, release).crash()
    directory.replace(name(6), directory.read_all(name(6))[:-1])
    log = again(directory, release, clean=False)
    assert (bases(log), log.log_end_offset) == ([0, 3, 6], 8)
    assert log.append(*messages(0 if release < "0.11" else 2, 8, NOW), NOW).error == 0


@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.1"])
def test_all_units_after_a_broken_one_go(directory: Directory, release: str) -> None:
    fill(directory, release).crash()
    change(directory, name(3), -1)
    log = again(directory, release, clean=False)
    assert (bases(log), log.log_end_offset) == ([0, 3], 5)
    log.remove_due_files(NOW + 60_000)
    assert not [file for file in directory.names() if file.startswith(name(6, ""))]


def test_units_below_the_recovery_point_are_not_checked(root: Directory) -> None:
    fill(root, "2.3").crash()
    change(root, name(0), -1)
    assert bases(again(root, "2.3", clean=False, recovery_point=3)) == [0, 3, 6]


def test_0_8_0_recovers_the_last_segment_only(root: Directory) -> None:
    fill(root, "0.8.0").crash()
    change(root, name(3), -1)
    assert bases(again(root, "0.8.0", clean=False)) == [0, 3, 6]


@pytest.mark.parametrize("release", ["0.10.1", "0.10.2", "4.1"])
def test_zeros_after_the_last_unit_are_cut(directory: Directory, release: str) -> None:
    fill(directory, release).crash()
    directory.replace(name(6), directory.read_all(name(6)) + bytes(100))
    assert again(directory, release, clean=False).log_end_offset == 9


@pytest.mark.parametrize("release", ["0.10.2", "4.1"])
def test_a_log_with_zeros_after_a_clean_stop_cannot_be_opened(root: Directory, release: str) -> None:
    fill(root, release).close(NOW)
    root.replace(name(6), root.read_all(name(6)) + bytes(100))
    with pytest.raises(CorruptUnit):
        again(root, release)


def test_up_to_0_10_1_zeros_end_the_log(root: Directory) -> None:
    fill(root, "0.10.1").close(NOW)
    whole = root.read_all(name(6))
    root.replace(name(6), whole + bytes(100))
    log = again(root, "0.10.1")
    assert log.log_end_offset == 9
    assert root.size_of(name(6)) == len(whole) + 100


@pytest.mark.parametrize("release", ["2.3", "4.1"])
def test_after_a_clean_stop_checksums_are_not_verified(root: Directory, release: str) -> None:
    fill(root, release).close(NOW)
    change(root, name(6), -1)
    assert again(root, release).log_end_offset == 9


def test_a_segment_whose_offsets_leave_its_range_is_split(root: Directory) -> None:
    """From 2.0 on (KAFKA-6264, Log.retryOnOffsetOverflow)."""
    fill(root, "2.3").crash()
    root.replace(name(3), batch(3, 1)[0] + batch(2**31 + 9, 1)[0] + batch(2**31 + 10, 1)[0])
    log = again(root, "2.3", clean=False)
    assert (bases(log), log.log_end_offset) == ([0, 3, 6, 2**31 + 9], 2**31 + 11)


# ---------------------------------------------------------------- producers and epochs


def transactional(directory: Directory, release: str) -> PartitionLog:
    """Producer 7 aborts 0..2 in the first segment, and has 3 open in the second one."""
    log = PartitionLog.open(directory, rules(release), DENSE, NOW)
    log.become_leader(4)
    sets = [
        batch(0, NOW, NOW, epoch=4, producer=7, transactional=True),
        marker(2, 7, NOW, commit=False),
        batch(3, NOW, epoch=4, producer=7, sequence=2, transactional=True),
    ]
    for n, (data, info) in enumerate(sets):
        if n == 2:
            log.roll(NOW)
        assert log.append(data, info, NOW).error == 0
    return log


@pytest.mark.parametrize("release", ["0.11.0", "1.1", "2.0", "2.3", "2.8", "3.9"])
@pytest.mark.parametrize("clean", [True, False])
def test_producers_transactions_and_epochs_survive_a_start(directory: Directory, release: str, clean: bool) -> None:
    before = transactional(directory, release)
    before.close(NOW) if clean else before.crash()
    if not clean:
        for file in directory.names():
            if file.endswith((".snapshot", ".txnindex")):
                directory.delete(file)
    log = again(directory, release, clean=clean)
    assert log.producers.entries() == before.producers.entries()
    assert log.first_unstable_offset == 3
    assert log.segments[0].load_txn_index().entries == before.segments[0].load_txn_index().entries != []
    # 0.11 and 1.x restore no epochs that the file does not have, but note those of batches.
    assert log.end_of_epoch(4) == before.end_of_epoch(4)


@pytest.mark.parametrize(("release", "epochs"), [("2.0", [(0, 0)]), ("2.1.1", []), ("2.6.1", [(0, 0)])])
def test_the_epochs_that_a_recovery_takes_out_of_batches_depend_on_the_release(
    directory: Directory, release: str, epochs: list[object]
) -> None:
    log = PartitionLog.open(directory, rules(release), DENSE, NOW)
    log.append(*batch(0, NOW), NOW)
    log.crash()
    directory.replace("leader-epoch-checkpoint", b"0\n0\n")
    opened = again(directory, release, clean=False)
    assert opened.epochs is not None
    assert [tuple(entry) for entry in opened.epochs.entries] == epochs


def test_epochs_end_with_the_log(directory: Directory) -> None:
    fill(directory, "2.3").crash()
    directory.replace("leader-epoch-checkpoint", b"0\n2\n0 0\n1 9\n")
    directory.replace(name(6), b"")
    log = again(directory, "2.3", clean=False)
    assert log.epochs is not None
    assert [tuple(entry) for entry in log.epochs.entries] == [(0, 0)]


def test_a_file_with_a_strange_name_is_left_alone(directory: Directory) -> None:
    fill(directory, "2.3").close(NOW)
    directory.replace("notes.txt", b"mine")
    again(directory, "2.3")
    assert directory.read_all("notes.txt") == b"mine"


def test_a_leftover_that_is_not_a_segment_ends_the_broker(root: Directory) -> None:
    root.replace("mine.cleaned", b"")
    with pytest.raises(BrokerWillNotStart, match="no offset in its name"):
        again(root, "2.3")
