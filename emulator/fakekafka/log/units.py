"""Where the units of one segment are: two arrays, filled while appending or by walking the file once.

A unit is a message, a wrapper or a batch. A real broker has no such table: it consults the offset index and reads
headers from there on. The answers are the same, and `Units.find` takes the index's position to make sure of it: logs
written by 0.10.2 may hold a message whose offset is lower than that of the unit before it.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fakekafka.ids import Buffer, Offset, Position
from fakekafka.pieces import joined
from fakekafka.records.batch import Dialect
from fakekafka.records.scan import LOG_OVERHEAD, Unit, units_in_file, view

if TYPE_CHECKING:
    from fakekafka.log.findings import ReadableFile

CHUNK_BYTES: Final = 1 << 20


class Units:
    """Positions and last offsets of the whole units of a log file."""

    __slots__ = ("_ascending", "end", "last_offsets", "positions")

    def __init__(self) -> None:
        # Same length. positions ascends; last_offsets too, if _ascending.
        self.positions = array("q")
        self.last_offsets = array("q")
        self.end: Position = 0
        """Where the last unit ends; a file may have more bytes, of a cut unit or of zeros."""
        self._ascending = True

    @classmethod
    def of_file(
        cls,
        file: "ReadableFile",
        small_size_ends: bool,
        reads_batches: bool = True,
        dialect: Dialect | None = None,
    ) -> "Units":
        """Walk the file. Raises `CorruptUnit` for an impossible size, unless `small_size_ends` the walk.

        `reads_batches`: whether a batch of format 2 is more to the reader than a message at its first offset.
        """
        table = cls()
        for chunk, unit, position in walk(file, small_size_ends):
            table.end = position
            table.add(unit.size, last_offset(chunk, unit, dialect) if reads_batches else unit.offset)
        return table

    def __len__(self) -> int:
        return len(self.positions)

    def add(self, size: int, last_offset: Offset) -> None:
        """Add a unit of `size` bytes after the last one."""
        if self.last_offsets and last_offset <= self.last_offsets[-1]:
            self._ascending = False
        self.positions.append(self.end)
        self.last_offsets.append(last_offset)
        self.end += size

    def find(self, offset: Offset, start: Position = 0) -> int:
        """The number of the first unit from `start` on whose last offset is `offset` or later; `len(self)` if there is
        none.
        """
        if self._ascending:
            at = bisect_left(self.last_offsets, offset)
            return at if at >= len(self.positions) or self.positions[at] >= start else self.at(start)
        for at in range(self.at(start), len(self)):
            if self.last_offsets[at] >= offset:
                return at
        return len(self)

    def begins_at(self, position: Position) -> bool:
        """Whether a unit begins at the position, or nothing could: it is where the file begins, or the units end."""
        at = self.at(position)
        return not position or (self.positions[at] == position if at < len(self) else position >= self.end)

    def at(self, position: Position) -> int:
        """The number of the first unit that begins at or after `position`."""
        return bisect_left(self.positions, position)

    def end_of(self, at: int) -> Position:
        """The position at which unit number `at` ends."""
        return self.positions[at + 1] if at + 1 < len(self.positions) else self.end

    def truncate(self, at: int) -> None:
        """Keep the first `at` units."""
        if at < len(self.positions):
            self.end = self.positions[at]
            del self.positions[at:], self.last_offsets[at:]


def walk(file: "ReadableFile", small_size_ends: bool, start: Position = 0) -> Iterator[tuple[Buffer, Unit, Position]]:
    """The whole units of a file from `start` on: the bytes around it, its place in these bytes, and its position in the
    file.

    Reads the file in pieces, so its size does not matter. Raises `CorruptUnit` for an impossible size, unless
    `small_size_ends`.
    """
    wanted = CHUNK_BYTES
    while start < file.size:
        chunk = joined(file.read(start, wanted))
        unit = None
        for unit in units_in_file(chunk, small_size_ends=small_size_ends):
            yield chunk, unit, start + unit.position
        if unit is not None:
            start, wanted = start + unit.position + unit.size, CHUNK_BYTES
        elif len(chunk) < wanted:
            return
        else:
            wanted = LOG_OVERHEAD + int.from_bytes(chunk[8:12], "big", signed=True)
            if wanted <= CHUNK_BYTES or start + wanted > file.size:
                return  # an impossible size, or a cut unit: nothing is read for a length that is only claimed


def last_offset(buffer: Buffer, unit: Unit, dialect: Dialect | None = None) -> Offset:
    """The last offset that a unit covers. Old brokers stored units of any magic: such units have it in the offset
    field.
    """
    return view(buffer, unit, dialect).last_offset if unit.magic == 2 else unit.offset
