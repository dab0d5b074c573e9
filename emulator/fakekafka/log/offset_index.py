"""The offset index of one segment, `.index`: from an offset to a position in the log file (OffsetIndex, AbstractIndex).

    at  size  meaning
    0   4     offset minus the segment's base offset, int32
    4   4     position of the unit in the .log file, int32

Entries of 8 bytes, offsets strictly ascending. Worked example, base offset 100: `00000005 000001f4` says that the unit
at position 500 has offset 105; whether that is its first or last offset depends on the release
(`LogBehaviour.index_key`).

In memory an index is two arrays of four-byte numbers; Kafka's bytes are made when the file is read. While a
segment is active the file has its full size, zeros after the entries.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from typing import Final

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import Buffer, Offset, Position

ENTRY_SIZE: Final = 8
MAX_RELATIVE_OFFSET: Final = 2**31 - 1
_SWAP: Final = sys.byteorder == "little"


class OffsetOutOfOrder(FakeKafkaError):
    """An entry that would not come after the last one (InvalidOffsetException). Recovery empties such a segment."""


class IndexFull(FakeKafkaError):
    """No room for an entry, in the words of brokers. A broker rolls before this happens, but a recovery may need more
    entries than the appends did: one for each message of an old set. It is not caught then, and the broker does not
    start (asked of 0.8.2.2, 0.10.0.1, 0.10.1.1 and 2.3.1).
    """


class OffsetIndex:
    """Entries (offset, position) of the segment that begins at `base_offset`."""

    __slots__ = ("_offsets", "_positions", "base_offset", "max_entries")

    def __init__(self, base_offset: Offset, max_bytes: int) -> None:
        self.base_offset = base_offset
        self.max_entries = max_bytes // ENTRY_SIZE
        # Same length; _offsets ascends strictly.
        self._offsets = array("i")
        self._positions = array("i")

    @property
    def entry_size(self) -> int:
        return ENTRY_SIZE

    def load(self, data: Buffer) -> None:
        """Take the entries of a file. Trailing zeros count as entries, as a real broker counts them."""
        numbers = array("i", bytes(data[: len(data) // ENTRY_SIZE * ENTRY_SIZE]))
        if _SWAP:
            numbers.byteswap()
        self._offsets, self._positions = numbers[::2], numbers[1::2]

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def is_full(self) -> bool:
        return len(self._offsets) >= self.max_entries

    @property
    def last_offset(self) -> Offset:
        """Offset of the last entry, or the base offset."""
        return self.base_offset + (self._offsets[-1] if self._offsets else 0)

    @property
    def last_position(self) -> Position:
        """Position of the last entry, or 0."""
        return self._positions[-1] if self._positions else 0

    def append(self, offset: Offset, position: Position) -> None:
        """Add an entry. Raises `OffsetOutOfOrder` unless `offset` is beyond the last entry's, `IndexFull` if there is
        no room.
        """
        relative = offset - self.base_offset
        offsets = self._offsets
        if len(offsets) >= self.max_entries:
            raise IndexFull(f"Attempt to append to a full index (size = {len(offsets)}).")
        if (offsets and relative <= offsets[-1]) or not 0 <= relative <= MAX_RELATIVE_OFFSET:
            raise OffsetOutOfOrder(
                f"offset {offset} does not come after {self.last_offset} in segment {self.base_offset}"
            )
        offsets.append(relative)
        self._positions.append(position)

    def lookup(self, offset: Offset) -> tuple[Offset, Position]:
        """The entry with the greatest offset up to `offset`, or (base offset, 0)."""
        at = bisect_right(self._offsets, _clamped(offset - self.base_offset)) - 1
        if at < 0:
            return self.base_offset, 0
        return self.base_offset + self._offsets[at], self._positions[at]

    def first_from_position(self, position: Position) -> Offset | None:
        """Offset of the first entry at or after `position`: the bound of the aborted transactions of a fetch. If this
        is exactly where the very first entry points to, the next one counts (AbstractIndex.indexSlotRangeFor).
        """
        at = bisect_left(self._positions, position)
        if at == 0 and self._positions and self._positions[0] == position:
            at = 1
        return self.base_offset + self._offsets[at] if at < len(self._offsets) else None

    def truncate_to(self, offset: Offset) -> None:
        """Drop the entries of `offset` and later."""
        at = bisect_left(self._offsets, _clamped(offset - self.base_offset))
        del self._offsets[at:], self._positions[at:]

    def clear(self) -> None:
        del self._offsets[:], self._positions[:]

    def entries(self) -> list[tuple[Offset, Position]]:
        """All entries, for checks and listings."""
        return [(self.base_offset + o, p) for o, p in zip(self._offsets, self._positions)]

    def content(self) -> bytes:
        """The entries as Kafka writes them."""
        numbers = array("i", bytes(ENTRY_SIZE * len(self._offsets)))
        numbers[::2], numbers[1::2] = self._offsets, self._positions
        if _SWAP:
            numbers.byteswap()
        return numbers.tobytes()


def _clamped(relative: int) -> int:
    return min(max(relative, -1), MAX_RELATIVE_OFFSET + 1)


def lower_half(relative: int) -> int:
    """What is left of a number in four bytes, as in Java."""
    return (relative + 2**31) % 2**32 - 2**31
