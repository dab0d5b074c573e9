"""Leader epochs and their file."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import UNDEFINED, EpochEnd, EpochEntry, LeaderEpochs
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.names import LEADER_EPOCHS
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import rules

ASSIGNMENTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 40)), max_size=12)


def epochs_of(directory: Directory, release: str, *entries: tuple[int, int]) -> LeaderEpochs:
    epochs = LeaderEpochs(directory, rules(release))
    epochs.load()
    for epoch, start in entries:
        epochs.assign(epoch, start)
    return epochs


def test_the_file_is_there_from_the_start_and_written_with_each_change(root: Directory) -> None:
    epochs = epochs_of(root, "2.3")
    assert root.read_all(LEADER_EPOCHS) == b""
    epochs.assign(0, 0)
    epochs.assign(2, 17)
    assert root.read_all(LEADER_EPOCHS) == b"0\n2\n0 0\n2 17\n"
    epochs.clear()
    assert root.read_all(LEADER_EPOCHS) == b"0\n0\n"


@given(ASSIGNMENTS, st.sampled_from(["0.11.0", "1.1", "2.0", "2.3", "3.9"]))
def test_epochs_are_read_as_they_were_written(assignments: list[tuple[int, int]], release: str) -> None:
    root = MemoryDirectory()
    entries = epochs_of(root, release, *assignments).entries
    assert epochs_of(root, release).entries == entries


@given(ASSIGNMENTS)
def test_epochs_and_their_start_offsets_ascend_from_2_0_1_on(assignments: list[tuple[int, int]]) -> None:
    entries = epochs_of(MemoryDirectory(), "2.3", *assignments).entries
    assert [e.epoch for e in entries] == sorted({e.epoch for e in entries})
    assert [e.start_offset for e in entries] == sorted({e.start_offset for e in entries})


@given(ASSIGNMENTS)
def test_old_releases_only_add_newer_epochs(assignments: list[tuple[int, int]]) -> None:
    entries = epochs_of(MemoryDirectory(), "1.1", *assignments).entries
    assert [e.epoch for e in entries] == sorted({e.epoch for e in entries})
    assert [e.start_offset for e in entries] == sorted(e.start_offset for e in entries)


def test_an_epoch_that_contradicts_others_replaces_them_or_is_ignored() -> None:
    before = (0, 0), (3, 10), (5, 20)
    assert epochs_of(MemoryDirectory(), "2.3", *before, (4, 15)).entries == [(0, 0), (3, 10), (4, 15)]
    assert epochs_of(MemoryDirectory(), "1.1", *before, (4, 15)).entries == list(before)


@pytest.mark.parametrize(
    ("release", "asked", "answer"),
    [
        ("2.3", 5, EpochEnd(5, 30)),
        ("2.3", 4, EpochEnd(3, 20)),
        ("2.3", 3, EpochEnd(3, 20)),
        ("2.3", 1, EpochEnd(1, 10)),  # older than all epochs: where the first one begins
        ("2.3", 6, UNDEFINED),
        ("2.3", -1, UNDEFINED),
        ("1.1", 5, EpochEnd(-1, 30)),
        ("1.1", 4, EpochEnd(-1, 20)),
        ("1.1", 1, UNDEFINED),
        ("1.1", 6, UNDEFINED),
        ("0.11.0", -1, UNDEFINED),
    ],
)
def test_an_epoch_ends_where_the_next_begins(release: str, asked: int, answer: EpochEnd) -> None:
    assert epochs_of(MemoryDirectory(), release, (3, 10), (5, 20)).end_of(asked, 30) == answer


def test_an_empty_history_knows_no_epoch() -> None:
    epochs = epochs_of(MemoryDirectory(), "2.3")
    assert (epochs.end_of(0, 30), epochs.latest, epochs.earliest) == (UNDEFINED, -1, None)


@pytest.mark.parametrize(
    ("release", "ends"),
    [("0.11.0.2", True), ("0.11.0.3", False), ("1.0.1", True), ("1.0.2", False), ("1.1.0", True), ("1.1.1", False)],
)
def test_no_epoch_ends_at_the_end_of_a_log_without_epochs_in_old_releases(release: str, ends: bool) -> None:
    """KAFKA-6857. Recorded from 0.11.0.2 to 1.1.1: offset_for_leader_epoch."""
    assert epochs_of(MemoryDirectory(), release).end_of(-1, 30) == (EpochEnd(-1, 30) if ends else UNDEFINED)
    assert epochs_of(MemoryDirectory(), release, (3, 10)).end_of(-1, 30) == UNDEFINED


def test_truncation_at_the_end_forgets_epochs_that_began_there_or_later() -> None:
    root = MemoryDirectory()
    epochs = epochs_of(root, "2.3", (0, 0), (1, 10), (2, 20))
    epochs.truncate_from_end(21)
    assert epochs.latest == 2
    epochs.truncate_from_end(20)
    assert root.read_all(LEADER_EPOCHS) == b"0\n2\n0 0\n1 10\n"


def test_truncation_at_the_start_keeps_the_epoch_that_reaches_over_it() -> None:
    epochs = epochs_of(MemoryDirectory(), "2.3", (0, 0), (1, 10), (2, 20))
    epochs.truncate_from_start(15)
    assert epochs.entries == [(1, 15), (2, 20)]
    epochs.truncate_from_start(20)
    assert epochs.entries == [(2, 20)]
    epochs.truncate_from_start(5)
    assert epochs.earliest == EpochEntry(2, 20)


@pytest.mark.parametrize(
    ("release", "left"), [("1.0.2", [(0, 1), (1, 1)]), ("2.0.0", [(0, 1), (1, 1)]), ("2.0.1", [(1, 1)])]
)
def test_epochs_that_begin_at_the_start_stay_up_to_2_0_0(release: str, left: list[tuple[int, int]]) -> None:
    """Asked of 1.0.2: the file that it left after a clean stop."""
    epochs = epochs_of(MemoryDirectory(), release, (0, 0))
    epochs.truncate_from_start(1)
    epochs.assign(1, 1)
    epochs.truncate_from_start(1)
    assert epochs.entries == left


def test_an_epoch_goes_up_to_2_0_0_if_the_next_one_begins_at_the_start() -> None:
    epochs = epochs_of(MemoryDirectory(), "1.1", (0, 0), (1, 5), (2, 5))
    epochs.truncate_from_start(5)
    assert epochs.entries == [(1, 5), (2, 5)]


@pytest.mark.parametrize("data", [b"1\n0\n", b"0\n2\n0 0\n", b"0\n1\nx 0\n", b"0\n1\n0\n", b"\xff\n"])
def test_a_file_that_is_not_a_checkpoint_is_malformed(data: bytes) -> None:
    root = MemoryDirectory()
    root.replace(LEADER_EPOCHS, data)
    with pytest.raises(MalformedBytes):
        epochs_of(root, "2.3")
