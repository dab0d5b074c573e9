"""The check of whole log directories: those of real brokers are sound, and damage is found where it is."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.inspection.directory_check import check_directory, log_bytes

from tests.golden.transcript import load_data_directory, releases_with_data

LOG = "t-0/00000000000000000000.log"


@pytest.mark.parametrize("release", releases_with_data())
def test_the_directory_of_a_real_broker_has_no_findings(release: str, tmp_path: Path) -> None:
    """Except for files that still wait to be deleted."""
    for file in load_data_directory(release).files:
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    assert [found for found in check_directory(tmp_path) if found.finding.kind != "leftover .deleted"] == []


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with FakeKafka("2.8", log_dir=tmp_path, clock=ManualClock(), topics={"t": 1}).boot() as kafka:
        for n in range(3):
            kafka.send("t", b"value %d" % n)
    return tmp_path


def written(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda d: written(d / LOG, (d / LOG).read_bytes()[:-1]), [("t-0", "00000000000000000000.log", "torn"),
            ("t-0", "00000000000000000000.log", "gap"), ("t-0", "00000000000000000003.snapshot", "snapshot")]),
        (lambda d: written(d / LOG, (d / LOG).read_bytes() + bytes(99)),
            [("t-0", "00000000000000000000.log", "preallocated")]),
        (lambda d: written(d / "t-0/00000000000000000009.log.swap", b""),
            [("t-0", "00000000000000000009.log.swap", "leftover .swap")]),
        (lambda d: written(d / "t-0.0123456789abcdef0123456789abcdef-delete/x", b""),
            [("", "t-0.0123456789abcdef0123456789abcdef-delete", "leftover -delete")]),
        (lambda d: written(d / "notes/x", b""), [("", "notes", "unknown directory")]),
        (lambda d: written(d / "recovery-point-offset-checkpoint", b"0\n7\n"),
            [("", "recovery-point-offset-checkpoint", "checkpoint")]),
        (lambda d: written(d / "t-0/partition.metadata", b"version: 9\n"),
            [("t-0", "partition.metadata", "partition.metadata")]),
    ],
    ids=["torn", "zeros", "swap", "deleted", "stranger", "checkpoint", "topic id"],
)  # fmt: skip
def test_damage_to_a_log_directory_is_found(
    directory: Path, damage: Callable[[Path], None], expected: list[tuple[str, str, str]]
) -> None:
    assert list(check_directory(directory)) == []
    damage(directory)
    found = [
        (f.directory.relative_to(directory).as_posix().replace(".", "", 1), f.finding.file, f.finding.kind)
        for f in check_directory(directory)
    ]
    assert found == expected


def test_a_partition_s_directory_may_be_checked_alone(directory: Path) -> None:
    written(directory / LOG, b"\0" * 20)
    assert next(check_directory(directory / "t-0")).finding.kind == "preallocated"


def test_several_brokers_are_checked_at_once(tmp_path: Path) -> None:
    with FakeKafka("2.8", brokers=2, log_dir=tmp_path, topics={"t": 2}).boot() as kafka:
        kafka.send("t", b"v", partition=0)
        kafka.send("t", b"v", partition=1)
    assert list(check_directory(tmp_path)) == []
    (log,) = tmp_path.glob("broker-1/t-*/*.log")
    log.write_bytes(log.read_bytes()[:-1])
    assert log.parent in {found.directory for found in check_directory(tmp_path)}


def test_a_link_that_leads_back_is_not_followed(directory: Path) -> None:
    (directory / "loop-0").symlink_to(directory)
    (directory / "t-0" / "loop").symlink_to(directory.parent)
    assert list(check_directory(directory)) == []


def test_progress_is_reported_in_bytes_of_logs(directory: Path) -> None:
    told: list[int] = []
    list(check_directory(directory, told.append))
    assert sum(told) == log_bytes(directory) > 0


def test_files_are_opened_for_reading_only_and_closed(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup may be on a read-only medium."""
    opened: list[int] = []

    def on_such_a_medium(path: Path, flags: int) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        opened.append(os_open(path, flags))
        return opened[-1]

    os_open = os.open
    monkeypatch.setattr(os, "open", on_such_a_medium)
    assert list(check_directory(directory)) == []
    assert opened
    for descriptor in opened:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a directory"):
        list(check_directory(tmp_path / "x"))
