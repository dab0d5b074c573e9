"""An offset index whose entries have a timestamp: KIP-33's first rejected alternative, in the same file `.index`.

    at  size  meaning
    0   4     offset minus the segment's base offset, int32
    4   4     position of the unit in the .log file, int32
    8   8     the largest timestamp of the segment up to the end of the set at that position, ms since 1970, int64

Entries of 16 bytes, twice those that shipped. Timestamps do not descend, so one binary search serves times as well as
offsets. The document leaves open what "the" timestamp of an entry is: the largest so far is what the shipped index has,
and the only one by which a search finds every record.
"""

from array import array
from bisect import bisect_left
from struct import Struct
from typing import Final

from fakekafka.ids import NO_TIMESTAMP, Buffer, Offset, Position, TimestampMs
from fakekafka.log.offset_index import OffsetIndex

ENTRY: Final = Struct(">iiq")
WIDE_ENTRIES: Final = "KIP-33-16-byte-entries"
"""The name of the draft."""


class WideIndex(OffsetIndex):
    """Entries (offset, position, largest timestamp so far) of the segment that begins at `base_offset`."""

    __slots__ = ("_timestamps",)

    def __init__(self, base_offset: Offset, max_bytes: int) -> None:
        super().__init__(base_offset, max_bytes)
        self.max_entries = max_bytes // ENTRY.size
        self._timestamps = array("q")  # as long as the others; does not descend

    @property
    def entry_size(self) -> int:
        return ENTRY.size

    def load(self, data: Buffer) -> None:
        """Take the entries of a file. Trailing zeros count as entries, as they do in the shipped index."""
        rows = list(ENTRY.iter_unpack(data[: len(data) // ENTRY.size * ENTRY.size]))
        self._offsets = array("i", (row[0] for row in rows))
        self._positions = array("i", (row[1] for row in rows))
        self._timestamps = array("q", (row[2] for row in rows))

    def append(self, offset: Offset, position: Position, timestamp: TimestampMs = NO_TIMESTAMP) -> None:
        super().append(offset, position)
        self._timestamps.append(timestamp)

    def position_before(self, timestamp: TimestampMs) -> Position:
        """Where to begin a search: at the last entry up to which every record is older; 0 if there is none."""
        at = bisect_left(self._timestamps, timestamp) - 1
        return self._positions[at] if at >= 0 else 0

    @property
    def known_up_to(self) -> tuple[TimestampMs, Position]:
        """The largest timestamp in front of the last entry's position, and that position: what a truncation cannot have
        made untrue. The last entry's own timestamp may be that of a unit that was cut off.
        """
        return (self._timestamps[-2], self._positions[-1]) if len(self) > 1 else (NO_TIMESTAMP, 0)

    def truncate_to(self, offset: Offset) -> None:
        super().truncate_to(offset)
        del self._timestamps[len(self) :]

    def clear(self) -> None:
        super().clear()
        del self._timestamps[:]

    def timed_entries(self) -> list[tuple[Offset, Position, TimestampMs]]:
        """All entries, for checks and listings."""
        return [(offset, position, at) for (offset, position), at in zip(self.entries(), self._timestamps)]

    def content(self) -> bytes:
        """The entries as the document has them."""
        return b"".join(map(ENTRY.pack, self._offsets, self._positions, self._timestamps))
