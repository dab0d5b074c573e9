"""Directories in memory with a bound: beyond it, what was written longest ago moves to temporary files.

What has moved is a view of a memory map, so it is read, cut and sent as before; the system loads its pages when they
are read, and drops them when it needs the room. A temporary file has no name, takes what leaves memory until it holds
64 MiB, and gives its space and its descriptors back as soon as nothing refers to any of its bytes. `TMPDIR` says where
it is: that must not be in memory, too.

The bound counts the bytes of logs, and of files that are written whole, such as checkpoints, which leave first; indexes
are small and stay.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile, gettempdir
from typing import Final, Self
from weakref import WeakValueDictionary, ref

from fakekafka.ids import Buffer, Position, TimestampMs
from fakekafka.log.files import write_whole
from fakekafka.log.memory_files import MemoryDirectory, MemoryFile

KEPT: Final = 2
"""A part of the bound, 1/2, stays in memory when something has to leave: so that it leaves in a few large pieces."""
WINDOW: Final = 1 << 26
"""The size of a temporary file. What leaves at once and is larger gets its own file."""


class _Window(mmap):
    """A temporary file of a fixed size, filled from its beginning. Views of it keep its two descriptors open."""

    _descriptor = -1
    _used = 0

    def __new__(cls, size: int) -> Self:
        with TemporaryFile(prefix="fakekafka-") as place:
            place.truncate(size)
            window = super().__new__(cls, place.fileno(), size, access=ACCESS_READ)
            window._descriptor = os.dup(place.fileno())
        return window

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def has_room(self, size: int) -> bool:
        return self._used + size <= len(self)

    def add(self, pieces: Sequence[Buffer]) -> memoryview:
        """Write `pieces`, and return a view of them. Raises OSError if the disk is full; the next pieces then take the
        same place.
        """
        at = self._used
        for piece in pieces:
            write_whole(self._descriptor, piece, at)
            at += len(piece)
        view = memoryview(self)[self._used : at]
        self._used = at
        return view


class Overflow:
    """The bound of one cluster. `max_bytes`: what its logs may have in memory, apart from the last set written."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._at_most = 0  # the bytes in memory, including those of files that have gone since the last count
        self._files: WeakValueDictionary[int, BoundedFile] = WeakValueDictionary()
        self._numbers = count()
        self._window: Callable[[], _Window | None] = lambda: None  # the last one, unless nothing refers to it any more

    def watch(self, file: "BoundedFile") -> None:
        """Count a new file."""
        self._files[next(self._numbers)] = file

    def in_memory(self) -> int:
        """The bytes that are in memory now."""
        return sum(file.in_memory for file in self._files.values())

    def make_room(self, size: int) -> None:
        """Make room for `size` more bytes. Raises OSError if the disk has none for those that have to leave."""
        self._at_most += size
        if self._at_most > self.max_bytes:
            self._at_most = self.in_memory() + size
            if self._at_most > self.max_bytes:
                self._move_out(self._at_most - self.max_bytes // KEPT)

    def _move_out(self, wanted: int) -> None:
        leaving = list(self._oldest(wanted))
        if not leaving:
            return  # one set alone is larger than the bound
        view = self._stored(leaving)
        at = 0
        for file in leaving:
            size = file.in_memory
            file.move(view[at : at + size])
            at += size
        self._at_most -= at

    def _stored(self, files: "list[BoundedFile]") -> memoryview:
        """Store what several files have in memory in a temporary file. Raises OSError if it has no room."""
        pieces = [piece for file in files for piece in file.own()]
        try:
            return self._with_room(sum(map(len, pieces))).add(pieces)
        except OSError as e:
            words = f"{e.strerror}: beyond max_memory={self.max_bytes}, logs are kept in temporary files"
            raise OSError(e.errno, words, gettempdir()) from None

    def _with_room(self, size: int) -> _Window:
        window = self._window()
        if window is None or not window.has_room(size):
            window = _Window(max(size, WINDOW))
            if size <= WINDOW:
                self._window = ref(window)
        return window

    def _oldest(self, wanted: int) -> "Iterator[BoundedFile]":
        """Files that have `wanted` bytes in memory together, or all that have any."""
        for file in sorted(self._files.values(), key=_age):
            if wanted <= 0:
                return
            if file.in_memory:
                wanted -= file.in_memory
                yield file


def _age(file: "BoundedFile") -> TimestampMs:
    return file.last_modified_ms


class BoundedFile(MemoryFile):
    """A file whose first bytes may have left memory."""

    __slots__ = ("__weakref__", "_moved", "_overflow")

    def __init__(self, overflow: Overflow, content: bytes = b"", now: TimestampMs = 0) -> None:
        overflow.make_room(len(content))
        super().__init__(content, now)
        self._overflow = overflow
        self._moved = 0
        overflow.watch(self)

    @property
    def in_memory(self) -> int:
        """How many of its bytes are in memory: the last ones."""
        return self.size - self._moved

    def own(self) -> list[Buffer]:
        """The bytes that are in memory."""
        return self.read(self._moved, self.in_memory)

    def move(self, place: memoryview) -> None:
        """Take the bytes that were in memory from `place` from now on."""
        left = self.read(0, self._moved)
        starts = self._starts[: len(left)]
        self._buffers, self._starts = [*left, place], [*starts, self._moved]
        self._moved = self.size

    def append(self, data: Buffer, now: TimestampMs) -> Position:
        self._overflow.make_room(len(data))
        return super().append(data, now)

    def truncate(self, size: int, now: TimestampMs) -> None:
        super().truncate(size, now)
        self._moved = min(self._moved, self.size)


class BoundedDirectory(MemoryDirectory):
    """A directory whose files share a bound, with those of the directories in it."""

    __slots__ = ("_overflow",)

    def __init__(self, overflow: Overflow) -> None:
        super().__init__()
        self._overflow = overflow

    def open(self, name: str, now: TimestampMs) -> BoundedFile:
        file = super().open(name, now)
        if not isinstance(file, BoundedFile):
            file = BoundedFile(self._overflow, file.content(), file.last_modified_ms)
            file.is_open = True
            self._files[name] = file
        return file

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        self._shown()[name] = BoundedFile(self._overflow, content)

    def directory(self, name: str) -> MemoryDirectory:
        if self._directories is None or name not in self._directories:
            self.put(name, BoundedDirectory(self._overflow))
        return super().directory(name)
