"""What recordings did to the files of a stopped broker.

    ["delete", path]  ["truncate", path, size]  ["cut", path, bytes at the end]  ["append", path, hex]
    ["flip", path, position (from the end if negative), mask]  ["write", path, hex]  ["copy", path, new path]
    ["rename", path, new path]  ["utime", path, milliseconds]

Paths are relative to the log directory.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

WHEN_RECORDED_MS: Final = 1_790_000_000_000
"""Some time in 2026."""


def file_times(log_dir: Path) -> dict[Path, int]:
    """When each file was last modified."""
    return {path: path.stat().st_mtime_ns for path in log_dir.rglob("*") if path.is_file()}


def make_real(log_dir: Path, before: Mapping[Path, int]) -> None:
    """Give all files that were written since `before` the real time of a recording.

    Only the clock of a recorded broker was held, not that of its file system.
    """
    for path, written in file_times(log_dir).items():
        if before.get(path) != written:
            os.utime(path, ns=(WHEN_RECORDED_MS * 1_000_000,) * 2)


def apply(log_dir: Path, op: tuple[Any, ...]) -> None:
    """Carry out one file operation below `log_dir`. FileNotFoundError, IndexError: there is no such file or byte."""
    kind, name, *how = op
    path = log_dir / name
    match kind:
        case "delete":
            path.unlink()
        case "truncate":
            os.truncate(path, how[0])
        case "cut":
            os.truncate(path, path.stat().st_size - how[0])
        case "append":
            path.write_bytes(path.read_bytes() + bytes.fromhex(how[0]))
        case "flip":
            data = bytearray(path.read_bytes())
            data[how[0]] ^= how[1]
            path.write_bytes(data)
        case "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes.fromhex(how[0]))
        case "copy":
            (log_dir / how[0]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, log_dir / how[0])
        case "rename":
            path.rename(log_dir / how[0])
        case "utime":
            os.utime(path, ns=(how[0] * 1_000_000, how[0] * 1_000_000))
        case _:
            raise ValueError(f"nobody knows the file operation {kind!r}")
