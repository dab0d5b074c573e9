"""Directories and files in memory, with the interfaces of `files`: a broker that has no directory writes to these.
Names and bytes are those that the disk would have. The buffers appended to a file are kept, not copied, so a buffer
must not be changed after it was appended.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from fakekafka.ids import Buffer, Position, TimestampMs
from fakekafka.pieces import Piece


class MemoryFile:
    """A file as the list of the buffers that were appended to it."""

    __slots__ = ("_buffers", "_reserved", "_starts", "is_open", "last_modified_ms", "size")

    def __init__(self, content: bytes = b"", now: TimestampMs = 0) -> None:
        self.size = len(content)
        self.last_modified_ms = now
        self.is_open = False
        # Same length; _starts[i] is the position of _buffers[i]; no buffer is empty.
        self._buffers: list[Buffer] = [content] if content else []
        self._starts = [0] if content else []
        self._reserved = 0

    def append(self, data: Buffer, now: TimestampMs) -> Position:
        position = self.size
        self.last_modified_ms = now
        if data:
            self._buffers.append(data)
            self._starts.append(position)
            self.size = position + len(data)
        return position

    def read(self, position: Position, size: int) -> list[Buffer]:
        end = min(position + size, self.size)
        if end <= position:
            return []
        first = bisect_right(self._starts, position) - 1
        last = bisect_left(self._starts, end) - 1
        pieces = self._buffers[first : last + 1]
        if end < self._starts[last] + len(pieces[-1]):
            pieces[-1] = memoryview(pieces[-1])[: end - self._starts[last]]
        if position > self._starts[first]:
            pieces[0] = memoryview(pieces[0])[position - self._starts[first] :]
        return pieces

    def pieces(self, position: Position, size: int) -> Sequence[Piece]:
        return self.read(position, size)

    def truncate(self, size: int, now: TimestampMs) -> None:
        if size < self.size:
            at = bisect_right(self._starts, size)
            del self._buffers[at:], self._starts[at:]
            if at and size > self._starts[-1]:
                self._buffers[-1] = memoryview(self._buffers[-1])[: size - self._starts[-1]]
            elif at:
                del self._buffers[-1], self._starts[-1]
            self.size = size
            self.last_modified_ms = now
        self._reserved = 0

    def reserve(self, length: int) -> None:
        self._reserved = length

    def sync(self) -> None:
        """There is no disk."""

    def close(self) -> None:
        self.is_open = False

    def content(self) -> bytes:
        """Every byte, reserved ones included."""
        return b"".join(self._buffers).ljust(self._reserved, b"\0")

    @property
    def length(self) -> int:
        return max(self.size, self._reserved)


class MemoryMapped:
    """A file that asks its owner for its bytes, until it is closed."""

    __slots__ = ("_content", "_length", "last_modified_ms")

    def __init__(self, content: Callable[[], bytes], length: int) -> None:
        self._content = content
        self._length = length
        self.last_modified_ms: TimestampMs = 0

    def resize(self, length: int) -> None:
        self._length = length

    def flush(self) -> None:
        """There is no disk."""

    def close(self) -> None:
        kept = self._content()
        self._content = lambda: kept

    def content(self) -> bytes:
        return self._content().ljust(self._length, b"\0")

    @property
    def length(self) -> int:
        return max(len(self._content()), self._length)


class MemoryDirectory:
    """Files and directories as dictionaries."""

    __slots__ = ("_directories", "_files", "_later")

    def __init__(self) -> None:
        self._files: dict[str, MemoryFile | MemoryMapped] = {}
        # Created when needed: there are many directories, and a thousand must be created in a few milliseconds.
        self._directories: dict[str, MemoryDirectory] | None = None
        self._later: list[Callable[[], None]] | None = None

    def names(self) -> list[str]:
        return sorted(self._shown())

    def has_files(self) -> bool:
        return self._later is not None or bool(self._files)

    def exists(self, name: str) -> bool:
        return name in self._shown()

    def open(self, name: str, now: TimestampMs) -> MemoryFile:
        file = self._shown().get(name)
        if not isinstance(file, MemoryFile) or not (file.is_open or file.length == file.size):
            content, now = (b"", now) if file is None else (file.content(), file.last_modified_ms)
            self._files[name] = file = MemoryFile(content, now)
        file.is_open = True
        return file

    def map(self, name: str, content: Callable[[], bytes], length: int = 0) -> MemoryMapped:
        self._shown()[name] = mapped = MemoryMapped(content, length)
        return mapped

    def read_all(self, name: str) -> bytes:
        return self._file(name).content()

    def size_of(self, name: str) -> int:
        return self._file(name).length

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        self._shown()[name] = MemoryFile(content)

    def lock(self, name: str) -> bool:
        self.open(name, 0)
        return True

    def unlock(self) -> None:
        """Nobody else can see it."""

    def later(self, make: Callable[[], None]) -> None:
        if self._later is None:
            self._later = [make]
        else:
            self._later.append(make)

    def rename(self, old: str, new: str) -> None:
        file = self._file(old)
        del self._files[old]
        self._files[new] = file

    def delete(self, name: str) -> None:
        self._shown().pop(name, None)

    def last_modified_ms(self, name: str) -> TimestampMs:
        return self._file(name).last_modified_ms

    def set_last_modified(self, name: str, at: TimestampMs) -> None:
        self._file(name).last_modified_ms = at

    def directories(self) -> list[str]:
        return sorted(self._directories or ())

    def directory(self, name: str) -> "MemoryDirectory":
        child = None if self._directories is None else self._directories.get(name)
        if child is None:
            child = MemoryDirectory()
            self.put(name, child)
        return child

    def put(self, name: str, directory: "MemoryDirectory") -> None:
        """Keep `directory` here under that name."""
        if self._directories is None:
            self._directories = {}
        self._directories[name] = directory

    def rename_directory(self, old: str, new: str) -> None:
        if self._directories is None or old not in self._directories:
            raise FileNotFoundError(old)
        self._directories[new] = self._directories.pop(old)

    def delete_directory(self, name: str) -> None:
        if self._directories is not None:
            self._directories.pop(name, None)

    def _file(self, name: str) -> MemoryFile | MemoryMapped:
        files = self._shown()
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    def _shown(self) -> dict[str, MemoryFile | MemoryMapped]:
        """The files, after those that were postponed have been created."""
        while self._later is not None:
            waiting, self._later = self._later, None
            for make in waiting:
                make()
        return self._files
