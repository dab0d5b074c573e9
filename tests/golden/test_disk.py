"""File operations of recordings."""

from pathlib import Path

import pytest

from tests.golden.disk import apply


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t-0").mkdir()
    (tmp_path / "t-0" / "log").write_bytes(b"0123456789")
    return tmp_path


@pytest.mark.parametrize(
    ("op", "content"),
    [
        (("truncate", "t-0/log", 4), b"0123"),
        (("truncate", "t-0/log", 12), b"0123456789\0\0"),
        (("cut", "t-0/log", 1), b"012345678"),
        (("append", "t-0/log", "61ff"), b"0123456789a\xff"),
        (("flip", "t-0/log", 0, 1), b"1123456789"),
        (("flip", "t-0/log", -1, 1), b"0123456788"),
        (("write", "t-0/log", "61"), b"a"),
    ],
)
def test_contents_are_changed(folder: Path, op: tuple[object, ...], content: bytes) -> None:
    apply(folder, op)
    assert (folder / "t-0/log").read_bytes() == content


def test_files_are_created_copied_renamed_and_deleted(folder: Path) -> None:
    apply(folder, ("write", "new-0/a", "61"))
    apply(folder, ("copy", "new-0/a", "other-0/b"))
    apply(folder, ("rename", "new-0/a", "new-0/c"))
    apply(folder, ("delete", "t-0/log"))
    left = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert left == {"new-0/c": b"a", "other-0/b": b"a"}


def test_file_times_are_set(folder: Path) -> None:
    apply(folder, ("utime", "t-0/log", 1_600_000_000_123))
    assert (folder / "t-0/log").stat().st_mtime_ns == 1_600_000_000_123_000_000


def test_unknown_operations_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="shred"):
        apply(folder, ("shred", "t-0/log"))
