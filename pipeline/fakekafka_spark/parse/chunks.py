"""A range of a segment file in chunks of whole units, and what in it cannot be walked.

Units are found by the prefix that all formats share (`fakekafka.records.scan`); this is the same walk as
`scan.units_in_file`, over bytes that are read 16 MiB at a time and with the positions in one array.

Where a walk stops before the end of its range, there are three cases, and only the last is damage:

* zeros up to the end of the file: the file is preallocated (`log.preallocate`);
* the newest segment ends within a unit, or is zero after the first bytes of one: a broker is writing it, or was
  killed while doing so;
* anything else. The walk goes on at the next entry of the offset index, because those point at units.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from fakekafka.ids import Position
from fakekafka.records.batch import Dialect
from fakekafka.records.scan import LOG_OVERHEAD, MIN_SIZE, PREFIX

Longs: TypeAlias = npt.NDArray[np.int64]

CHUNK_BYTES = 16 << 20
"""Larger chunks are not faster (because of the caches), and smaller ones cost time: 4 MiB a fifth, 1 MiB two thirds."""
MAGIC_AT = 16
_SIZE = Struct(">i")


class Chunk(NamedTuple):
    """Whole units, one after the other."""

    data: bytes
    position: Position
    """The position of `data` in the file."""
    starts: Longs
    """Where each unit begins in `data`."""
    sizes: Longs
    """Bytes of each unit, its 12 bytes of offset and size included."""
    dialect: Dialect | None = None
    """How a draft reads units of format 2; None: as they were shipped."""

    @property
    def magics(self) -> npt.NDArray[np.int8]:
        return np.frombuffer(self.data, np.int8)[self.starts + MAGIC_AT]

    def unit(self, number: int) -> bytes:
        """The bytes of one unit."""
        start = int(self.starts[number])
        return self.data[start : start + int(self.sizes[number])]

    def part(self, first: int, end: int) -> "Chunk":
        """The units from `first` up to `end`."""
        return self._replace(starts=self.starts[first:end], sizes=self.sizes[first:end])


class Fault(NamedTuple):
    """Bytes that are not units."""

    position: Position
    what: str


class Range(NamedTuple):
    """The part of a file to be read: units that begin from `start` up to `end`."""

    start: Position
    end: Position
    """The end of the file, or where another unit begins."""
    file_end: Position
    """Bytes of the file that count; it may have grown since that was found."""
    may_be_cut: bool
    """Whether this is the newest segment, whose last unit may be cut."""


Entries: TypeAlias = Callable[[], Longs]
"""Gives the positions in the offset index, ascending."""


def chunks(file: Any, part: Range, entries: Entries, chunk_bytes: int = CHUNK_BYTES) -> Iterator[Chunk | Fault]:
    """The units of a range. `entries` is asked only where the walk stops early."""
    at = part.start
    while at < part.end:
        data = file.read_at(min(chunk_bytes, part.end - at), at)
        starts, stop = _walk(data)
        if not starts and 0 < (size := _claimed(data)) <= part.end - at:
            data = file.read_at(size, at)  # a unit that is larger than a chunk
            starts, stop = _walk(data)
        if starts:
            edges = np.array([*starts, stop], np.int64)
            yield Chunk(data, at, edges[:-1], edges[1:] - edges[:-1])
            at += stop
            continue
        what = _fault(file, at, _claimed(data), part, entries)
        if what is None:
            return
        resumed = _next_entry(entries(), at, part.end)
        yield Fault(at, f"{what}: {resumed - at} bytes are left out")
        at = resumed


def runs(chunk: Chunk) -> Iterator[tuple[int, Chunk]]:
    """Neighbouring units of one format, each run with its magic."""
    magics = chunk.magics
    edges = [0, *(np.flatnonzero(np.diff(magics)) + 1).tolist(), len(magics)]
    for first, end in pairwise(edges):
        yield int(magics[first]), chunk.part(first, end)


def _walk(data: bytes) -> tuple[list[int], int]:
    """Where the whole units of `data` begin, and where the last one ends."""
    starts: list[int] = []
    append, unpack = starts.append, _SIZE.unpack_from
    at, end = 0, len(data)
    while at + PREFIX.size < end:
        (size,) = unpack(data, at + 8)
        behind = at + LOG_OVERHEAD + size
        if size < MIN_SIZE or behind > end:
            break
        append(at)
        at = behind
    return starts, at


def _claimed(data: bytes) -> int:
    """How many bytes the unit that begins here says it has; 0 if that is impossible."""
    if len(data) < LOG_OVERHEAD:
        return 0
    (size,) = _SIZE.unpack_from(data, 8)
    return LOG_OVERHEAD + int(size) if size >= MIN_SIZE else 0


def _fault(file: Any, at: Position, claimed: int, part: Range, entries: Entries) -> str | None:
    """Why no unit can be read at `at`; None if the log ends there."""
    left = part.file_end - at
    if claimed and claimed <= left:
        return f"the unit at {at} ends at {at + claimed}, but the index says that one begins at {part.end}"
    if part.may_be_cut and (claimed or left < LOG_OVERHEAD) and not np.any(entries() > at):
        return None
    if not claimed and _is_zero(file, at + (LOG_OVERHEAD if part.may_be_cut else 0), part.file_end):
        return None
    return f"the unit at {at} has {claimed} bytes, of which {left} are there" if claimed else f"no unit begins at {at}"


def _is_zero(file: Any, at: Position, end: Position) -> bool:
    """Whether there are only zeros from `at` to `end`."""
    return all(
        not file.read_at(min(CHUNK_BYTES, end - start), start).strip(b"\0") for start in range(at, end, CHUNK_BYTES)
    )


def _next_entry(entries: Longs, at: Position, end: Position) -> Position:
    later = entries[(entries > at) & (entries < end)]
    return int(later[0]) if len(later) else end
