"""A crash in the middle of every commit, at every byte: no client ever reads a torn one."""

import shutil
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.offsets.atomic.entries import read_value
from fakekafka.ids import ApiKey
from fakekafka.records.scan import units_in_file
from fakekafka.state.topics import COMMIT_LOG
from fakekafka.storage.log_manager import Unsynced
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.frames import request_frame

from tests.support.group_clients import SMALL, clock_of, coordinator_is_there, newest, simple
from tests.support.seeded import NOW

COMMITS = ((5, 6), (7, 8, 9), (10,))
"""Offsets of partition 0 and those after it; each commit builds on the previous ones."""
PARTITIONS = range(4)


def states() -> list[list[int]]:
    """What is committed after each commit."""
    found = [[-1] * 4]
    for commit in COMMITS:
        found.append([*commit, *found[-1][len(commit) :]])
    return found


def broker(release: str, **options: Any) -> FakeKafka:
    """A broker of the draft whose coordinator is available."""
    kafka = FakeKafka(
        release, config=SMALL, clock=ManualClock(NOW), topics={"t": 4}, drafts=["atomic-offset-log"], **options
    ).boot()
    coordinator_is_there(kafka)
    return kafka


def stored(release: str, folder: Path) -> Path:
    """Write the files of a killed broker with all commits, and return the log of the commits."""
    kafka = broker(release, log_dir=folder)
    for commit in COMMITS:
        simple(kafka).commit(*commit)
    kafka.stop(crash=True)
    return folder / f"{COMMIT_LOG}-0" / "00000000000000000000.log"


def read(folder: Path, cut: Path, size: int) -> tuple[FakeKafka, list[int]]:
    """A broker on a copy of the files whose log of commits is cut, and what a client fetches from it."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    shutil.copytree(folder / "logs", folder / "copy")
    log = folder / "copy" / cut.relative_to(folder / "logs")
    log.write_bytes(cut.read_bytes()[:size])
    kafka = FakeKafka.load(folder / "copy", clock=ManualClock(NOW), config=SMALL).boot()
    clock_of(kafka).advance(1)
    return kafka, simple(kafka).fetch(*PARTITIONS)


@pytest.mark.statement("S4-14", "S4-33", "S4-34", "S4-35", "S4-36")
@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3", "4.3"])
def test_wherever_a_commit_is_cut_it_counts_whole_or_not_at_all(release: str, tmp_path: Path) -> None:
    log = stored(release, tmp_path / "logs")
    data = log.read_bytes()
    messages = [unit for unit in units_in_file(data) if unit.size > 0][: sum(map(len, COMMITS))]
    ends = [0, *(unit.position + unit.size for unit in messages)]
    whole = [sum(map(len, COMMITS[:n])) for n in range(len(COMMITS) + 1)]
    for units, end in enumerate(ends):
        expected = states()[max(n for n, count in enumerate(whole) if count <= units)]
        for torn in (0, 7):  # at the end of a message, and within the next one
            kafka, found = read(tmp_path, log, end + torn)
            assert found == expected, (units, torn)
            if release != "0.8.2":  # the cleaner keeps the last message of a key, even one of a truncated commit
                kafka.compact(COMMIT_LOG, roll=True)
            kafka.restart()
            clock_of(kafka).advance(1)
            assert simple(kafka).fetch(*PARTITIONS) == expected, (units, torn)
            kafka.stop()


# ---- a disk that fails


def failing(release: str) -> FakeKafka:
    """A broker whose disk can fail; the log and the first commit exist."""
    kafka = broker(release, faulty_disks=True)
    simple(kafka).commit(*COMMITS[0])
    return kafka


def answer_to_commit(kafka: FakeKafka, *offsets: int) -> bytes:
    """The bytes that a client gets, if it gets any."""
    partitions = [OffsetCommitRequestPartition(partition_index=n, committed_offset=at) for n, at in enumerate(offsets)]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=topics)
    return kafka.connect().send(request_frame(request, newest(kafka, ApiKey.OFFSET_COMMIT, 2), 1, "test"))


def stored_bytes(kafka: FakeKafka) -> int:
    """How long the log of the commits is on the disk."""
    assert kafka._runtime.storage is not None
    (root,) = kafka._runtime.storage.directories[0].values()
    return root.directory(f"{COMMIT_LOG}-0").size_of("00000000000000000000.log")


def message_sizes(release: str) -> list[int]:
    """The sizes of the messages of the second commit."""
    kafka = failing(release)
    simple(kafka).commit(*COMMITS[1])
    log = kafka._running.cluster.brokers[0].partitions[COMMIT_LOG, 0].log
    sizes = [batch.size for segment in log.segments for batch in segment.batches()]
    return sizes[len(COMMITS[0]) :]


@pytest.mark.statement("S4-14", "S4-33", "S4-34", "S4-35", "S4-36")
@pytest.mark.parametrize(("release", "unsynced"), [*((r, "kept") for r in ("0.8.2", "0.10.2", "3.9")), ("3.9", "some")])
def test_a_crash_at_any_byte_of_a_commit_leaves_the_offsets_before_it(release: str, unsynced: Unsynced) -> None:
    """Every byte that can be the last one on the disk when the process is killed, or when the machine goes down; then
    the commit before it may be lost as well, as a whole. Of older formats every seventh, and those around the ends.
    """
    sizes = message_sizes(release)
    assert len(sizes) == len(COMMITS[1])
    ends = {sum(sizes[:count]) for count in range(len(sizes))}
    for reached in range(sum(sizes)):
        if release != "3.9" and reached % 7 and not ends & {reached - 1, reached, reached + 1}:
            continue
        kafka = failing(release)
        (disk,) = kafka._runtime.disks
        before = stored_bytes(kafka)
        whole = max(n for n, end in enumerate([0, *accumulate(sizes)]) if end <= reached)
        disk.stop_at, disk.torn = disk.writes + whole, reached - sum(sizes[:whole])
        assert answer_to_commit(kafka, *COMMITS[1]) == b""
        assert disk.has_stopped
        assert stored_bytes(kafka) == before + reached
        disk.stop_at = None
        kafka.restart(crash=True, unsynced=unsynced)
        clock_of(kafka).advance(1)
        found = simple(kafka).fetch(*PARTITIONS)
        assert found == states()[1] or (unsynced == "some" and found == states()[0]), reached
        if release != "0.8.2":  # as above
            kafka.compact(COMMIT_LOG, roll=True)
        kafka.restart()
        clock_of(kafka).advance(1)
        assert simple(kafka).fetch(*PARTITIONS) == found, reached


@pytest.mark.statement("S4-30", "S4-31", "S4-36")
def test_the_valid_offsets_are_committed_again_after_a_truncated_commit(tmp_path: Path) -> None:
    log = stored("3.8", tmp_path / "logs")
    ends = [unit.position + unit.size for unit in units_in_file(log.read_bytes())]
    kafka, found = read(tmp_path, log, ends[3])  # the first two messages of the second commit, which has three
    assert found == [5, 6, -1, -1]
    entries = [(r.key or b"", read_value(r.value)[:3]) for r in kafka.records(COMMIT_LOG) if r.value is not None]
    assert [entry[1][1:] for entry in entries[2:4]] == [(2, 3)] * 2
    mended = {record.key: record.value and read_value(record.value)[:3] for record in kafka.records(COMMIT_LOG)[4:]}
    cut = {entry[0] for entry in entries[2:4]}
    truth = {b"g-t-0": (5, 3, len(cut - {b"g-t-2"})), b"g-t-1": (6, 3, len(cut - {b"g-t-2"})), b"g-t-2": None}
    assert mended == {key: truth[key or b""] for key in cut}
    assert simple(kafka).commit(20) == [0]
    assert read_value(kafka.records(COMMIT_LOG)[-1].value or b"")[:3] == (20, 4, 1)
