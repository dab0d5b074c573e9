"""The only way to the disk: directories and files as interfaces, and the real ones. `memory_files` has those in memory.

A `Directory` holds two kinds of files. A `File` is appended to and read in pieces: a segment's log. A `Mapped` file is
small and lives in its owner's memory, as an index lives in a real broker's memory map: its content is whatever its
owner's `content()` returns when it is read. In memory that is all; on disk the bytes are written by `flush()`.

This module is not a cache and knows nothing about Kafka. Times of last modification are the caller's (`now`, the
broker's clock), never the system's.

It is longer than other modules, since nothing else may touch the disk: what a directory promises is next to the only
code that keeps the promise with system calls.
"""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final, Protocol, Self

from fakekafka.ids import Buffer, Position, TimestampMs
from fakekafka.log.names import TEMPORARY
from fakekafka.pieces import BreaksOff, Chunks, Piece

MAX_OPEN_FILES: Final = 256
CHUNK_BYTES: Final = 1 << 20
"""Larger pieces are not read before they are sent."""
POSITIONED: Final = hasattr(os, "pread")
"""Whether the system reads and writes at a position, and lets files that are open be renamed and deleted. Windows does
neither: there, large pieces are read before they are sent, and what is renamed is closed first.
"""
BINARY: Final = getattr(os, "O_BINARY", 0)


class File(Protocol):
    """A file that grows at its end."""

    @property
    def size(self) -> int:
        """Bytes in use."""

    @property
    def last_modified_ms(self) -> TimestampMs:
        """When it was last written to, on the broker's clock."""

    def append(self, data: Buffer, now: TimestampMs) -> Position:
        """Write `data` at the end, and return the position at which it begins."""

    def read(self, position: Position, size: int) -> list[Buffer]:
        """Up to `size` bytes from `position` on, in pieces; fewer at the end of the file."""

    def pieces(self, position: Position, size: int) -> Sequence[Piece]:
        """These bytes, for sending: large pieces may be read only when they are sent."""

    def truncate(self, size: int, now: TimestampMs) -> None:
        """Cut to `size` bytes; a reserved length goes too."""

    def reserve(self, length: int) -> None:
        """Make the file that long, with zeros after the `size` bytes in use (log.preallocate)."""

    def sync(self) -> None:
        """Make everything appended so far safe. On a real disk nothing is synced: a test double does not wait for that,
        and what a process has written outlives it anyway.
        """

    def close(self) -> None:
        """Release the descriptor and set the file's time. Reading and appending open it again."""


class Mapped(Protocol):
    """A file whose bytes are made from its owner's memory."""

    def resize(self, length: int) -> None:
        """Pad with zeros to `length` from now on; 0: no padding."""

    def flush(self) -> None:
        """Write the content to the disk, if there is one."""

    def close(self) -> None:
        """Flush and let go of the owner: the file keeps the bytes it has now."""


class Directory(Protocol):
    """Files by name, and directories in it. Names of files that do not exist raise FileNotFoundError."""

    def names(self) -> list[str]:
        """The files in it, sorted."""

    def has_files(self) -> bool:
        """Whether there is any file."""

    def exists(self, name: str) -> bool: ...

    def open(self, name: str, now: TimestampMs) -> File:
        """A file to append to and to read, created if it is missing. All its bytes are in use, reserved ones too."""

    def map(self, name: str, content: Callable[[], bytes], length: int = 0) -> Mapped:
        """A file that shows `content()`, padded with zeros to `length`; takes the place of one with that name."""

    def read_all(self, name: str) -> bytes:
        """Every byte, padding included."""

    def size_of(self, name: str) -> int:
        """The length, padding included."""

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        """Write a whole file so that either the old or the new one is there, never a part of it. `private`: only its
        owner can read it.
        """

    def lock(self, name: str) -> bool:
        """Create the file and lock it for this process, and for this object in it. False if another one holds it."""

    def unlock(self) -> None:
        """Release the lock. The file stays."""

    def later(self, make: Callable[[], None]) -> None:
        """Run `make`, which creates files: now if on disk; in memory only when this directory is first looked at."""

    def rename(self, old: str, new: str) -> None:
        """Files that are open stay usable. A file that already has the new name is replaced."""

    def delete(self, name: str) -> None:
        """Delete a file. Nothing happens if it does not exist."""

    def last_modified_ms(self, name: str) -> TimestampMs: ...

    def set_last_modified(self, name: str, at: TimestampMs) -> None: ...

    def directories(self) -> list[str]:
        """The directories in it, sorted."""

    def directory(self, name: str) -> "Directory":
        """The directory of that name, created if it is missing."""

    def rename_directory(self, old: str, new: str) -> None:
        """The files in it that are open stay usable."""

    def delete_directory(self, name: str) -> None:
        """Delete a directory with everything in it. Nothing happens if it does not exist. Links are not followed."""


# ---------------------------------------------------------------- on disk


class DiskFile:
    """A real file. Its descriptor is opened when needed and may be closed at any time between two calls."""

    __slots__ = ("_directory", "_reserved", "_touched", "last_modified_ms", "name", "size")

    def __init__(self, directory: "DiskDirectory", name: str, now: TimestampMs) -> None:
        self._directory = directory
        self.name = name
        self._reserved = False
        path = directory.path / name
        self._touched = not path.exists()
        if self._touched:
            path.touch()
            self.size, self.last_modified_ms = 0, now
        else:
            status = path.stat()
            self.size, self.last_modified_ms = status.st_size, status.st_mtime_ns // 1_000_000

    @property
    def path(self) -> Path:
        return self._directory.path / self.name

    def append(self, data: Buffer, now: TimestampMs) -> Position:
        position = self.size
        write_whole(self._descriptor(), data, position)
        self.size = position + len(data)
        self.last_modified_ms = now
        self._touched = True
        return position

    def read(self, position: Position, size: int) -> list[Buffer]:
        wanted = min(size, self.size - position)
        return [_read_at(self._descriptor(), wanted, position)] if wanted > 0 else []

    def pieces(self, position: Position, size: int) -> Sequence[Piece]:
        wanted = min(size, self.size - position)
        if wanted <= CHUNK_BYTES or not POSITIONED:
            return self.read(position, size)
        return [Chunks(wanted, _Window(self._descriptor(), position, wanted).chunks)]

    def truncate(self, size: int, now: TimestampMs) -> None:
        if size < self.size or self._reserved:
            os.ftruncate(self._descriptor(), min(size, self.size))
        if size < self.size:
            self.size, self.last_modified_ms, self._touched = size, now, True
        self._reserved = False

    def reserve(self, length: int) -> None:
        os.ftruncate(self._descriptor(), max(length, self.size))
        self._reserved = True

    def sync(self) -> None:
        """The operating system has the bytes, and that is enough here."""

    def close(self) -> None:
        if self._touched and self.path.exists():
            self._directory.set_last_modified(self.name, self.last_modified_ms)
            self._touched = False
        self._directory.forget_file(self)

    def _descriptor(self) -> int:
        return self._directory.descriptors.of(self)


class _Window:
    """A part of a file as it is sent, with its own descriptor: deleting or renaming the file does not matter."""

    __slots__ = ("_descriptor", "_end", "_start")

    def __init__(self, descriptor: int, start: Position, size: int) -> None:
        self._descriptor = os.dup(descriptor)
        self._start = start
        self._end = start + size

    def __del__(self) -> None:
        os.close(self._descriptor)

    def chunks(self) -> Iterator[Buffer]:
        """Raises `BreaksOff` where the file has become shorter, as FileRecords.writeTo fails."""
        at = self._start
        while at < self._end:
            chunk = _read_at(self._descriptor, min(CHUNK_BYTES, self._end - at), at)
            if not chunk:
                raise BreaksOff("the file was truncated while it was sent")
            yield chunk
            at += len(chunk)


class DiskMapped:
    """A real file that holds what its owner gave at the last flush."""

    __slots__ = ("_content", "_directory", "_length", "name")

    def __init__(self, directory: "DiskDirectory", name: str, content: Callable[[], bytes], length: int) -> None:
        self._directory = directory
        self.name = name
        self._content: Callable[[], bytes] | None = content
        self._length = length
        self.flush()

    def resize(self, length: int) -> None:
        self._length = length
        self.flush()

    def flush(self) -> None:
        if self._content is not None:
            content = self._content()
            with open(self._directory.path / self.name, "wb") as file:
                file.write(content)
                file.truncate(max(self._length, len(content)))

    def close(self) -> None:
        self.flush()
        self._content = None
        self._directory.forget(self)


class _Descriptors:
    """The open descriptors of one tree of directories. Beyond the limit, the least recently used one is closed."""

    def __init__(self, flags: int = os.O_RDWR) -> None:
        self._flags = flags
        self._open: dict[DiskFile, int] = {}  # the most recently used one is last
        self._ignore_case: bool | None = None

    def ignore_case(self, path: Path) -> bool:
        """Whether the disk of the tree takes names that differ only in case for one; found out once, from a path in
        it.
        """
        if self._ignore_case is None:
            self._ignore_case = _ignores_case(path)
        return self._ignore_case

    def of(self, file: DiskFile) -> int:
        descriptor = self._open.pop(file, None)
        if descriptor is None:
            if len(self._open) >= MAX_OPEN_FILES:
                self.close(next(iter(self._open)))
            descriptor = os.open(file.path, self._flags | BINARY)
        self._open[file] = descriptor
        return descriptor

    def close(self, file: DiskFile) -> None:
        descriptor = self._open.pop(file, None)
        if descriptor is not None:
            os.close(descriptor)


class DiskDirectory:
    """A real directory, made with its parents if it is missing."""

    def __init__(self, path: Path | str, descriptors: _Descriptors | None = None) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self.descriptors = descriptors or _Descriptors()
        self._files: dict[str, DiskFile] = {}
        self._mapped: dict[str, DiskMapped] = {}
        self._directories: dict[str, DiskDirectory] = {}
        self._lock: IO[bytes] | None = None

    @classmethod
    def for_reading(cls, path: Path | str) -> Self:
        """A directory that exists, maybe on a read-only medium. Its owner closes it."""
        return cls(path, _Descriptors(os.O_RDONLY))

    def names(self) -> list[str]:
        return sorted(entry.name for entry in self._entries() if entry.is_file())

    def has_files(self) -> bool:
        return any(entry.is_file() for entry in self._entries())

    def exists(self, name: str) -> bool:
        return (self.path / name).is_file()

    def open(self, name: str, now: TimestampMs) -> DiskFile:
        file = self._files.get(name)
        if file is None:
            self._files[name] = file = DiskFile(self, name, now)
        return file

    def map(self, name: str, content: Callable[[], bytes], length: int = 0) -> DiskMapped:
        self._mapped[name] = mapped = DiskMapped(self, name, content, length)
        return mapped

    def read_all(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def size_of(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        temporary = self.path / (name + TEMPORARY)
        if private:
            temporary.unlink(missing_ok=True)  # one that was left behind would keep its permissions
        with open(temporary, "wb", opener=_private if private else None) as file:
            file.write(content)
        os.replace(temporary, self.path / name)

    def lock(self, name: str) -> bool:
        if self._lock is None:
            file = open(self.path / name, "ab")  # noqa: SIM115 - it stays open
            if not _take_lock(file):
                file.close()
                return False
            self._lock = file
        return True

    def unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def later(self, make: Callable[[], None]) -> None:
        make()

    def rename(self, old: str, new: str) -> None:
        if not POSITIONED and old in self._files:
            self.descriptors.close(self._files[old])
        os.replace(self.path / old, self.path / new)
        file, mapped = self._files.pop(old, None), self._mapped.pop(old, None)
        if file is not None:
            file.name = new
            self._files[new] = file
        if mapped is not None:
            mapped.name = new
            self._mapped[new] = mapped

    def delete(self, name: str) -> None:
        file = self._files.pop(name, None)
        if file is not None:
            self.descriptors.close(file)
        self._mapped.pop(name, None)
        (self.path / name).unlink(missing_ok=True)

    def forget(self, mapped: DiskMapped) -> None:
        """Called by a mapped file that is closed."""
        self._mapped.pop(mapped.name, None)

    def forget_file(self, file: DiskFile) -> None:
        """Called by a file that is closed."""
        self.descriptors.close(file)
        self._files.pop(file.name, None)

    def last_modified_ms(self, name: str) -> TimestampMs:
        if name in self._files:
            return self._files[name].last_modified_ms
        return (self.path / name).stat().st_mtime_ns // 1_000_000

    def set_last_modified(self, name: str, at: TimestampMs) -> None:
        os.utime(self.path / name, ns=(at * 1_000_000, at * 1_000_000))
        if name in self._files:
            self._files[name].last_modified_ms = at

    def directories(self) -> list[str]:
        return sorted(entry.name for entry in self._entries() if entry.is_dir())

    def directory(self, name: str) -> "DiskDirectory":
        child = self._directories.get(name)
        if child is None:
            self._check_case(name)
            self._directories[name] = child = DiskDirectory(self.path / name, self.descriptors)
        return child

    def _check_case(self, name: str) -> None:
        """Raises `FileExistsError` where the disk would take a name for another one: "Orders-0" for "orders-0"."""
        if not self.descriptors.ignore_case(self.path):
            return
        for other in self.directories():
            if other != name and other.lower() == name.lower():
                raise FileExistsError(errno.EEXIST, f"this disk does not tell it from {other}", str(self.path / name))

    def rename_directory(self, old: str, new: str) -> None:
        moved = self._directories.pop(old, None)
        if not POSITIONED and moved is not None:
            moved.close()
        os.rename(self.path / old, self.path / new)
        if moved is not None:
            moved.path = self.path / new
            self._directories[new] = moved

    def delete_directory(self, name: str) -> None:
        if name not in self.directories():
            return
        doomed = self.directory(name)
        if doomed.path.is_symlink():  # what it leads to stays, as Java's walk of a tree leaves it
            doomed.close()
            doomed.path.unlink()
        else:
            for below in doomed.directories():
                doomed.delete_directory(below)
            for file in doomed.names():
                doomed.delete(file)
            doomed.path.rmdir()
        del self._directories[name]

    def close(self) -> None:
        """Release the descriptors of all open files."""
        for file in self._files.values():
            self.descriptors.close(file)
        for below in self._directories.values():
            below.close()

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self.path) as entries:
            yield from entries


def _ignores_case(path: Path) -> bool:
    """Whether the disk of a directory takes names that differ only in case for one, as macOS and Windows do by default.

    Nothing is written to find out, since the disk may be read-only: something that exists is looked up under its name
    in the other case. A disk on which no name has a letter is taken for one that distinguishes case.
    """
    try:
        inside = next((path / entry for entry in os.listdir(path) if entry.swapcase() != entry), None)
        known = inside or next(above for above in (path.absolute(), *path.absolute().parents) if _has_case(above))
        return os.path.samefile(known, known.with_name(known.name.swapcase()))
    except (OSError, StopIteration):
        return False


def _has_case(path: Path) -> bool:
    return path.name.swapcase() != path.name


def _take_lock(file: IO[bytes]) -> bool:
    """Take both kinds of lock: Java uses the second one, which has no effect within one process."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner can read."""
    return os.open(path, flags, 0o600)


def write_whole(descriptor: int, data: Buffer, position: Position) -> None:
    """Write all of `data`; the system may take it in several portions."""
    written = _write_at(descriptor, data, position)
    while written < len(data):
        written += _write_at(descriptor, memoryview(data)[written:], position + written)


def _seek_and_read(descriptor: int, size: int, position: Position) -> bytes:
    os.lseek(descriptor, position, os.SEEK_SET)
    return os.read(descriptor, size)


def _seek_and_write(descriptor: int, data: Buffer, position: Position) -> int:
    os.lseek(descriptor, position, os.SEEK_SET)
    return os.write(descriptor, data)


_read_at = os.pread if POSITIONED else _seek_and_read
_write_at = os.pwrite if POSITIONED else _seek_and_write
