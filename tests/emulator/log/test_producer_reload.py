"""Snapshot files, and producers read again from them and the log."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.producer_reload import ProducerSnapshots, batches_between, rebuild, since
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.log.producer_state import ProducerState
from fakekafka.log.segment import Segment

from tests.emulator.log.batches import batch, rules


def log_of(directory: Directory, release: str) -> PartitionLog:
    """Three segments of one batch each; the producer's last sequence is 2."""
    log = PartitionLog.open(directory, rules(release), LogConfig(), 1000)
    for n in range(3):
        if n:
            log.roll(1000)
        assert log.append(*batch(n, 1000, producer=7, sequence=n), 1000).error == 0
    return log


def snapshots_in(directory: Directory) -> list[int]:
    return ProducerSnapshots(directory, rules("2.3")).offsets()


def test_a_snapshot_is_taken_once_for_an_offset(root: Directory) -> None:
    snapshots, state = ProducerSnapshots(root, rules("2.3")), ProducerState(rules("2.3"))
    snapshots.take(state)
    assert snapshots.offsets() == []
    snapshots.map_end = 5
    snapshots.take(state)
    root.delete("00000000000000000005.snapshot")
    snapshots.take(state)
    assert snapshots.offsets() == []


@pytest.mark.parametrize(("release", "size"), [("2.0", 10), ("2.1", 56), ("4.3", 56)])
def test_a_snapshot_over_a_longer_one_keeps_its_end(root: Directory, release: str, size: int) -> None:
    """From 2.1 on, the file is not truncated; a reader finds that its CRC is wrong."""
    name = "00000000000000000005.snapshot"
    log = PartitionLog.open(root.directory("other"), rules(release), LogConfig(), 1000)
    assert log.append(*batch(0, 1000, producer=7, sequence=0), 1000).error == 0
    longer = ProducerSnapshots(root, rules(release))
    longer.map_end = 5
    longer.take(log.producers)
    empty = ProducerSnapshots(root, rules(release))
    empty.map_end = 5
    empty.take(ProducerState(rules(release)))
    assert root.size_of(name) == size
    if size > 10:
        with pytest.raises(MalformedBytes):
            read_snapshot(root.read_all(name))


def test_the_newest_snapshot_that_can_be_read_is_loaded(root: Directory) -> None:
    log_of(root, "2.3")
    root.replace("00000000000000000009.snapshot", b"\x00\x01nonsense")
    snapshots, state = ProducerSnapshots(root, rules("2.3")), ProducerState(rules("2.3"))
    snapshots.load_newest(state, 0, 1000, 10**9)
    assert (snapshots.map_end, snapshots.offsets()) == (2, [1, 2])
    assert state.producers[7].last_sequence == 1


def test_without_a_snapshot_the_state_begins_with_the_log(root: Directory) -> None:
    snapshots = ProducerSnapshots(root, rules("2.3"))
    snapshots.load_newest(ProducerState(rules("2.3")), 4, 0, 0)
    assert (snapshots.map_end, snapshots.taken_at) == (4, 4)


@pytest.mark.parametrize(
    ("bases", "there", "left"),
    [
        ([0, 2], [1, 2, 5, 7], [2, 7]),
        ([0, 2], [1, 2, 3, 4], [2, 4]),
        ([0, 2, 6], [1, 2], [2]),
        ([0, 2], [0, 2], [0, 2]),
        ([0, 6], [5], []),
    ],
)
def test_of_strays_only_the_newest_above_the_last_segment_stays(
    root: Directory, bases: list[int], there: list[int], left: list[int]
) -> None:
    for offset in there:
        root.replace(f"{offset:020}.snapshot", b"")
    ProducerSnapshots(root, rules("2.3")).remove_strays(bases)
    assert snapshots_in(root) == left


@pytest.mark.parametrize(("release", "left"), [("1.1", [1, 2]), ("2.3", [1, 2, 3])])
def test_a_reload_leaves_snapshots_where_the_release_does(root: Directory, release: str, left: list[int]) -> None:
    log_of(root, release).close(1000)
    root.delete("00000000000000000002.snapshot")
    root.delete("00000000000000000003.snapshot")
    log = PartitionLog.open(root, rules(release), LogConfig(), 1000)
    assert log.producers.producers[7].last_sequence == 2
    assert snapshots_in(root) == left


def test_a_clean_log_without_snapshots_had_no_producers(root: Directory) -> None:
    log_of(root, "2.3").close(1000)
    for offset in snapshots_in(root):
        root.delete(f"{offset:020}.snapshot")
    log = PartitionLog.open(root, rules("2.3"), LogConfig(), 1000, clean=True)
    assert log.producers.producers == {}
    assert snapshots_in(root) == [1, 2, 3]


def test_a_log_of_an_old_format_is_not_read_for_producers(root: Directory) -> None:
    log_of(root, "2.3").close(1000)
    log = PartitionLog.open(root, rules("2.3"), LogConfig(message_format=1), 1000, clean=True)
    assert log.producers.producers == {}


def test_the_state_is_rebuilt_up_to_the_given_end_only(root: Directory) -> None:
    log = log_of(root, "2.3")
    state, snapshots = ProducerState(rules("2.3")), ProducerSnapshots(root, rules("2.3"))
    rebuild(state, snapshots, log.segments, rules("2.3"), log.config, 0, 2, 1000, clean=False)
    assert state.producers[7].last_sequence == 1
    assert snapshots.map_end == 2
    assert snapshots.offsets() == [1, 2]


def test_a_unit_that_ends_at_the_end_is_left_out(root: Directory) -> None:
    log = PartitionLog.open(root, rules("2.3"), LogConfig(), 1000)
    for offset in range(3):
        log.append(*batch(offset, 1000, producer=7, sequence=offset), 1000)
    assert [one.base_offset for one in batches_between(log.segments[0], 1, 2)] == [1]


def test_the_segments_since_an_offset_begin_with_the_one_that_holds_it() -> None:
    segments = [Segment(MemoryDirectory(), base, rules("2.3"), LogConfig(), 0) for base in (5, 10, 20)]
    assert [s.base_offset for s in since(segments, 12)] == [10, 20]
    assert [s.base_offset for s in since(segments, 99)] == [20]
    assert [s.base_offset for s in since(segments, 1)] == [5, 10, 20]
    assert list(since([], 1)) == []
