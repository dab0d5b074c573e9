"""The check finds what is wrong, and nothing else."""

from collections.abc import Callable

import pytest
from fakekafka.binary import crc32c
from fakekafka.log.check import check
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog

from tests.emulator.log.batches import batch, marker, rules

LOG, SECOND = "00000000000000000000.log", "00000000000000000004.log"
INDEX, TIMES, TXNS = (f"00000000000000000004.{kind}" for kind in ("index", "timeindex", "txnindex"))
SNAPSHOT, EPOCHS = "00000000000000000004.snapshot", "leader-epoch-checkpoint"


def sound() -> MemoryDirectory:
    """Two segments with everything that a log can have, still open."""
    directory = MemoryDirectory()
    log = PartitionLog.open(directory, rules("2.8"), LogConfig(index_interval_bytes=0, segment_index_bytes=120), 0)
    log.become_leader(0)
    sets = [batch(0, 10, 30, 20), batch(3, 40, producer=7), batch(4, 50, producer=7, sequence=1, transactional=True)]
    sets += [marker(5, 7, commit=False), batch(6, 60, 70, codec=1)]
    for n, (data, info) in enumerate(sets):
        if n == 2:
            log.roll(0)
        assert log.append(data, info, 0).error == 0
    return directory


def broken(name: str, change: Callable[[bytearray], bytearray | bytes]) -> list[str]:
    directory = sound()
    directory.replace(name, bytes(change(bytearray(directory.read_all(name)))))
    return [f"{finding.file}@{finding.position}: {finding.what}" for finding in check(directory)]


def test_a_sound_directory_has_no_findings() -> None:
    directory = sound()
    assert {LOG, SECOND, INDEX, TIMES, TXNS, SNAPSHOT, EPOCHS} <= set(directory.names())
    assert check(directory) == []
    assert check(MemoryDirectory()) == []


def flip(at: int) -> Callable[[bytearray], bytearray]:
    def change(data: bytearray) -> bytearray:
        data[at] ^= 0x55
        return data

    return change


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        (LOG, flip(-1), "checksum"),
        (LOG, lambda data: data[:-1], "not a whole unit"),
        (LOG, lambda data: data + bytes(40), "size 0"),
        (LOG, lambda data: data + data, "does not come after"),
        (LOG, flip(16), "magic"),
        (LOG, lambda _: sound().read_all(SECOND), "the segment before ends at"),
        (INDEX, lambda data: data + b"x", "not a whole number of entries"),
        (INDEX, lambda data: flip(7)(data[:8]), "no unit begins at"),
        (INDEX, lambda data: data[8:16] + data[:8], "does not come after"),
        (INDEX, lambda data: bytes(3) + b"\x01" + data[12:16], "lies before the unit"),
        (TIMES, lambda data: data + b"x", "not a whole number of entries"),
        (TIMES, lambda data: bytes(7) + b"\x05" + data[8:12], "younger than 5"),
        (TIMES, lambda data: data[:12] + data[:12], "does not come after"),
        (TIMES, lambda _: bytes(7) + b"\x7f" + bytes(3) + b"\x09", "no unit holds offset 13"),
        (TXNS, lambda data: data[:-1], "not a whole number of entries"),
        (TXNS, lambda data: data[:25] + b"\x63" + data[26:], "not in this segment"),
        (SNAPSHOT, flip(3), "checksum"),
        (EPOCHS, lambda _: b"0\n2\n3 0\n1 2\n", "does not come after"),
        (EPOCHS, lambda _: b"0\n1\n3 99\n", "the log ends at 8"),
        (EPOCHS, lambda _: b"0\n1\n3\n", "not enough values"),
    ],
)
def test_each_kind_of_damage_is_found(name: str, change: Callable[[bytearray], bytearray | bytes], what: str) -> None:
    findings = broken(name, change)
    assert any(what in finding for finding in findings), findings


def test_a_snapshot_must_lie_within_the_log_and_hold_what_was_before_it() -> None:
    directory = sound()
    directory.replace("00000000000000000099.snapshot", directory.read_all(SNAPSHOT))
    directory.replace("00000000000000000003.snapshot", directory.read_all(SNAPSHOT))
    assert [finding.what for finding in check(directory)] == [
        "producer 7 has a batch at 3",
        "the log ends at 8",
    ]


def test_a_segment_that_is_gone_leaves_a_gap() -> None:
    directory = sound()
    middle = MemoryDirectory()
    for name in directory.names():
        middle.replace(name.replace("00000000000000000004", "00000000000000000006"), directory.read_all(name))
    kinds = {finding.kind for finding in check(middle)}
    assert "gap" in kinds
    assert "gap" not in {finding.kind for finding in check(middle, compacted_to=6)}


def test_a_log_that_ends_before_its_checkpoint_has_lost_its_end() -> None:
    assert check(sound(), reached=8) == []
    assert [(finding.file, finding.kind, finding.what) for finding in check(sound(), reached=11)] == [
        (SECOND, "gap", "offsets 8 to 10 are missing behind it: a checkpoint says 11")
    ]


def test_an_index_needs_its_log_and_a_closed_segment_needs_its_index() -> None:
    directory = sound()
    directory.replace("00000000000000000002.index", b"")
    directory.delete("00000000000000000000.index")
    assert [(finding.file, finding.kind) for finding in check(directory)] == [
        ("00000000000000000002.index", "orphan"),
        ("00000000000000000000.index", "index"),
    ]


def test_a_transaction_index_must_list_what_the_markers_abort() -> None:
    directory = sound()
    directory.delete(TXNS)
    assert [finding.what for finding in check(directory)] == ["the transaction that was aborted at 5 is not listed"]


@pytest.mark.parametrize(("field", "value"), [(23, -2), (57, 7), (57, -1), (57, 2)])
def test_a_header_that_does_not_fit_its_records_is_found_under_a_right_checksum(field: int, value: int) -> None:
    directory = sound()
    data = bytearray(directory.read_all(LOG))
    size = 12 + int.from_bytes(data[8:12], "big")
    data[field : field + 4] = value.to_bytes(4, "big", signed=True)
    data[17:21] = crc32c(bytes(data[21:size])).to_bytes(4, "big")
    directory.replace(LOG, bytes(data))
    assert "records" in {finding.kind for finding in check(directory)}
