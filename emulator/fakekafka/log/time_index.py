"""The time index of one segment, `.timeindex`, since 0.10.1 (KIP-33; TimeIndex).

    at  size  meaning
    0   8     largest timestamp seen so far, ms since 1970, int64
    8   4     an offset at which it was seen, minus the segment's base offset, int32

Entries of 12 bytes, timestamps strictly ascending, offsets not descending: every message of the segment with a larger
timestamp than an entry's has a larger offset than the entry's. Worked example, base offset 100: `000000000000ea60
00000007` says that up to offset 107 no message has a later timestamp than 60000, and that the message (or unit) that
ends at 107 has that timestamp. The last slot is reserved for the entry that is added when the segment is rolled or
closed.

In memory an index is an array of timestamps and one of offsets; Kafka's bytes are made, a third of an entry at a time,
when the file is read.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from typing import Final

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import NO_TIMESTAMP, Buffer, Offset, TimestampMs
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET, IndexFull, OffsetOutOfOrder, lower_half

ENTRY_SIZE: Final = 12
_LITTLE: Final = sys.byteorder == "little"
_HIGH: Final = 1 if _LITTLE else 0
"""Which of the two halves of an eight-byte number in memory is the upper one."""


class TimeOutOfOrder(FakeKafkaError):
    """An entry with an older timestamp than the last one (IllegalStateException)."""


class TimeIndex:
    """Entries (timestamp, offset) of the segment that begins at `base_offset`."""

    __slots__ = ("_offsets", "_timestamps", "_wraps", "base_offset", "max_entries")

    def __init__(self, base_offset: Offset, max_bytes: int, wraps: bool = False) -> None:
        """`wraps`: of an offset that does not fit, the lower four bytes are kept; it is not refused."""
        self.base_offset = base_offset
        self._wraps = wraps
        self.max_entries = max_bytes // ENTRY_SIZE
        # Same length; _timestamps ascends strictly, _offsets does not descend.
        self._timestamps = array("q")
        self._offsets = array("i")

    @property
    def entry_size(self) -> int:
        return ENTRY_SIZE

    def load(self, data: Buffer) -> None:
        """Take the entries of a file; what is left over after the last whole one is dropped."""
        thirds = array("i", bytes(data[: len(data) // ENTRY_SIZE * ENTRY_SIZE]))
        if _LITTLE:
            thirds.byteswap()
        halves = array("i", bytes(8 * (len(thirds) // 3)))
        halves[_HIGH::2], halves[1 - _HIGH :: 2] = thirds[::3], thirds[1::3]
        self._timestamps = array("q", halves.tobytes())
        self._offsets = thirds[2::3]

    def __len__(self) -> int:
        return len(self._timestamps)

    @property
    def is_full(self) -> bool:
        return len(self._timestamps) >= self.max_entries - 1

    @property
    def first_timestamp(self) -> TimestampMs:
        """The first entry's timestamp, or -1."""
        return self._timestamps[0] if self._timestamps else NO_TIMESTAMP

    @property
    def last_entry(self) -> tuple[TimestampMs, Offset]:
        """The last entry, or (-1, base offset)."""
        if not self._timestamps:
            return NO_TIMESTAMP, self.base_offset
        return self._timestamps[-1], self.base_offset + self._offsets[-1]

    def maybe_append(self, timestamp: TimestampMs, offset: Offset, last_slot: bool = False) -> None:
        """Add an entry if `timestamp` is larger than the last one's. `last_slot`: whether the reserved slot may be
        used.

        Raises `IndexFull`, `OffsetOutOfOrder`, `TimeOutOfOrder`.
        """
        if not last_slot and self.is_full:
            raise IndexFull(f"Attempt to append to a full time index (size = {len(self)}).")
        last_timestamp, last_offset = self.last_entry
        if self._timestamps and offset < last_offset:
            raise OffsetOutOfOrder(f"offset {offset} does not come after {last_offset} in segment {self.base_offset}")
        if self._timestamps and timestamp < last_timestamp:
            raise TimeOutOfOrder(
                f"timestamp {timestamp} does not come after {last_timestamp} in segment {self.base_offset}"
            )
        if timestamp > last_timestamp:
            self._offsets.append(self._relative(offset))
            self._timestamps.append(timestamp)

    def _relative(self, offset: Offset) -> int:
        relative = offset - self.base_offset
        if self._wraps:
            return lower_half(relative)
        if relative > MAX_RELATIVE_OFFSET:
            raise OffsetOutOfOrder(f"offset {offset} is too far from segment {self.base_offset}")
        return relative

    def lookup(self, timestamp: TimestampMs) -> tuple[TimestampMs, Offset]:
        """The entry with the greatest timestamp up to `timestamp`, or (-1, base offset)."""
        at = bisect_right(self._timestamps, timestamp) - 1
        if at < 0:
            return NO_TIMESTAMP, self.base_offset
        return self._timestamps[at], self.base_offset + self._offsets[at]

    def truncate_to(self, offset: Offset) -> None:
        """Drop the entries of `offset` and later."""
        at = bisect_left(self._offsets, offset - self.base_offset)
        del self._timestamps[at:], self._offsets[at:]

    def clear(self) -> None:
        del self._timestamps[:], self._offsets[:]

    def entries(self) -> list[tuple[TimestampMs, Offset]]:
        """All entries, for checks and listings."""
        return [(t, self.base_offset + o) for t, o in zip(self._timestamps, self._offsets)]

    def content(self) -> bytes:
        """The entries as Kafka writes them."""
        halves = array("i", self._timestamps.tobytes())
        thirds = array("i", bytes(ENTRY_SIZE * len(self._offsets)))
        thirds[::3], thirds[1::3], thirds[2::3] = halves[_HIGH::2], halves[1 - _HIGH :: 2], self._offsets
        if _LITTLE:
            thirds.byteswap()
        return thirds.tobytes()
