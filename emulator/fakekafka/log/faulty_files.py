"""A directory in which things go wrong, for tests of how a log copes with a crash, a full disk or a bad one.

It wraps another directory (`files.py`) and passes everything on. `DiskFaults` says what is to happen, and is
shared by the directories below. Every operation that changes a file is a *write*, and writes are counted; so a test can
stop a story at its first write, at its second, and so on, until the story completes.

What is on disk after a crash is `survivors`: all that was written, as when a process dies, or only what was synced and
a random part of the rest, as when the machine does. New names, truncations and replaced whole files are safe at once: a
journaling file system takes care of them.
"""

import errno
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import Buffer, Position, TimestampMs
from fakekafka.log.files import Directory, File, Mapped
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.pieces import Piece

Choose: TypeAlias = Callable[[int], int]
"""A random number from 0 up to, but not including, the given one."""


class Stopped(FakeKafkaError):
    """The process, or the machine, is down: raised by the write at which that happens, and by every later one."""


class DiskFaults:
    """What goes wrong in a tree of directories.

    `stop_at`: the number of the write, from 0, that does not happen; None if it never stops. `torn`: this many bytes of
    that write reach the file all the same, if it is an append. `space`: how many bytes fit before the disk is full.
    """

    def __init__(self, stop_at: int | None = None, torn: int = 0, space: int | None = None) -> None:
        self.stop_at = stop_at
        self.torn = torn
        self.space = space
        self.unreadable: set[str] = set()
        """Names of files that cannot be read, or patterns: "*.log"."""
        self.writes = 0
        """How many writes there have been."""

    @property
    def has_stopped(self) -> bool:
        return self.stop_at is not None and self.writes > self.stop_at

    def write(self) -> None:
        """Count a write. Raises `Stopped` if it does not happen."""
        self.writes += 1
        if self.has_stopped:
            raise Stopped(f"stopped at write {self.stop_at}")

    def room_for(self, size: int) -> int:
        """How many of this many new bytes fit; their space is taken."""
        if self.space is None:
            return size
        fits = min(size, self.space)
        self.space -= fits
        return fits

    def check_readable(self, name: str) -> None:
        """Raises OSError for a file that cannot be read."""
        if any(fnmatchcase(name, pattern) for pattern in self.unreadable):
            raise OSError(errno.EIO, "Input/output error", name)


def disk_full(name: str) -> OSError:
    """The system's error when there is no room left."""
    return OSError(errno.ENOSPC, "No space left on device", name)


class FaultyFile:
    """A file of a `FaultyDirectory`."""

    def __init__(self, inner: File, name: str, faults: DiskFaults) -> None:
        self.inner = inner
        self.name = name
        self.synced = inner.size
        """Bytes below this position are safe."""
        self._faults = faults

    @property
    def size(self) -> int:
        return self.inner.size

    @property
    def last_modified_ms(self) -> TimestampMs:
        return self.inner.last_modified_ms

    def append(self, data: Buffer, now: TimestampMs) -> Position:
        faults = self._faults
        try:
            faults.write()
        except Stopped:
            if faults.torn and faults.stop_at == faults.writes - 1:
                self.inner.append(memoryview(data)[: faults.torn], now)
            raise
        fits = faults.room_for(len(data))
        if fits < len(data):
            self.inner.append(memoryview(data)[:fits], now)
            raise disk_full(self.name)
        return self.inner.append(data, now)

    def read(self, position: Position, size: int) -> list[Buffer]:
        self._faults.check_readable(self.name)
        return self.inner.read(position, size)

    def pieces(self, position: Position, size: int) -> Sequence[Piece]:
        self._faults.check_readable(self.name)
        return self.inner.pieces(position, size)

    def truncate(self, size: int, now: TimestampMs) -> None:
        self._faults.write()
        self.inner.truncate(size, now)
        self.synced = min(self.synced, size)

    def reserve(self, length: int) -> None:
        self._faults.write()
        self.inner.reserve(length)

    def sync(self) -> None:
        self._faults.write()
        self.inner.sync()
        self.synced = self.inner.size

    def close(self) -> None:
        self.inner.close()


class FaultyMapped:
    """A mapped file of a `FaultyDirectory`."""

    def __init__(self, inner: Mapped, content: Callable[[], bytes], faults: DiskFaults) -> None:
        self.inner = inner
        self.content: Callable[[], bytes] | None = content
        """What its owner has in memory; None once the owner has let go."""
        self.synced = content()
        """What the disk has for certain."""
        self._faults = faults

    def resize(self, length: int) -> None:
        self._faults.write()
        self.inner.resize(length)

    def flush(self) -> None:
        self._faults.write()
        self.inner.flush()
        if self.content is not None:
            self.synced = self.content()

    def close(self) -> None:
        if self.content is not None:
            self.flush()
            self.inner.close()
            self.content = None


class FaultyDirectory:
    """A faulty directory around `inner`."""

    def __init__(self, inner: Directory, faults: DiskFaults) -> None:
        self.inner = inner
        self.faults = faults
        self._files: dict[str, FaultyFile] = {}
        self._mapped: dict[str, FaultyMapped] = {}
        self._directories: dict[str, FaultyDirectory] = {}

    # ---- reading

    def names(self) -> list[str]:
        return self.inner.names()

    def has_files(self) -> bool:
        return self.inner.has_files()

    def exists(self, name: str) -> bool:
        return self.inner.exists(name)

    def read_all(self, name: str) -> bytes:
        self.faults.check_readable(name)
        return self.inner.read_all(name)

    def size_of(self, name: str) -> int:
        return self.inner.size_of(name)

    def last_modified_ms(self, name: str) -> TimestampMs:
        return self.inner.last_modified_ms(name)

    def directories(self) -> list[str]:
        return self.inner.directories()

    # ---- changing

    def open(self, name: str, now: TimestampMs) -> FaultyFile:
        if not self.exists(name):
            self.faults.write()
        inner, known = self.inner.open(name, now), self._files.get(name)
        if known is None or known.inner is not inner:
            self._files[name] = known = FaultyFile(inner, name, self.faults)
        return known

    def map(self, name: str, content: Callable[[], bytes], length: int = 0) -> FaultyMapped:
        self.faults.write()
        self._mapped[name] = mapped = FaultyMapped(self.inner.map(name, content, length), content, self.faults)
        return mapped

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        self.faults.write()
        if self.faults.room_for(len(content)) < len(content):
            raise disk_full(name)
        self._forget(name)
        self.inner.replace(name, content, private=private)

    def lock(self, name: str) -> bool:
        return self.inner.lock(name)

    def unlock(self) -> None:
        self.inner.unlock()

    def later(self, make: Callable[[], None]) -> None:
        make()

    def rename(self, old: str, new: str) -> None:
        self.faults.write()
        self.inner.rename(old, new)
        file, mapped = self._files.pop(old, None), self._mapped.pop(old, None)
        self._forget(new)
        if file is not None:
            file.name = new
            self._files[new] = file
        if mapped is not None:
            self._mapped[new] = mapped

    def delete(self, name: str) -> None:
        if self.exists(name):
            self.faults.write()
            self.inner.delete(name)
            self._forget(name)

    def set_last_modified(self, name: str, at: TimestampMs) -> None:
        self.inner.set_last_modified(name, at)

    def directory(self, name: str) -> "FaultyDirectory":
        child = self._directories.get(name)
        if child is None:
            self._directories[name] = child = FaultyDirectory(self.inner.directory(name), self.faults)
        return child

    def rename_directory(self, old: str, new: str) -> None:
        self.faults.write()
        self.inner.rename_directory(old, new)
        if old in self._directories:
            self._directories[new] = self._directories.pop(old)

    def delete_directory(self, name: str) -> None:
        self.faults.write()
        self.inner.delete_directory(name)
        self._directories.pop(name, None)

    def _forget(self, name: str) -> None:
        self._files.pop(name, None)
        self._mapped.pop(name, None)

    # ---- after a crash

    def survivors(self, kept: Choose | None = None) -> MemoryDirectory:
        """What is on disk after the crash. `kept`: how many of the given number of unsynced bytes are left; None: all
        of them, since only the process died.
        """
        target = MemoryDirectory()
        for name in self.names():
            target.replace(name, self._content_of(name, kept))
            target.set_last_modified(name, self.last_modified_ms(name))
        for name in self.directories():
            target.put(name, self.directory(name).survivors(kept))
        return target

    def _content_of(self, name: str, kept: Choose | None) -> bytes:
        content, file, mapped = self.inner.read_all(name), self._files.get(name), self._mapped.get(name)
        if kept is None:
            return content
        if mapped is not None and mapped.content is not None and not kept(2):
            return mapped.synced.ljust(len(content), b"\0")
        if file is not None and file.size > file.synced:
            safe = file.synced + kept(file.size - file.synced + 1)
            return content[:safe] + content[file.size :]
        return content
