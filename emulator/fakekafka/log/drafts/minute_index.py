"""The minute index of KIP-33's rejected options, `<base>.time.index`: where in a segment a minute begins.

    at  size  meaning
    0   8     a minute, ms since 1970, int64
    8   4     an offset, minus the segment's base offset, int32

Entries of 12 bytes, in the order of their offsets. In option 1 the minutes are those of LogAppendTime and ascend; in
option 2 they are those of CreateTime, in any order, and each is there once, with the first offset that falls into it.
"""

from struct import Struct
from typing import Final

from fakekafka.ids import Buffer, Offset, TimestampMs

ENTRY: Final = Struct(">qi")
MINUTE_MS: Final = 60_000


def minute_of(timestamp: TimestampMs) -> TimestampMs:
    """The beginning of the minute that a timestamp falls into."""
    return timestamp - timestamp % MINUTE_MS


class MinuteIndex:
    """Entries of the segment that begins at `base_offset`."""

    def __init__(self, base_offset: Offset) -> None:
        self.base_offset = base_offset
        self._first: dict[TimestampMs, Offset] = {}

    def __len__(self) -> int:
        return len(self._first)

    def note(self, timestamp: TimestampMs, offset: Offset) -> bool:
        """Add an entry if the minute has none, and return whether it had none. Records without a timestamp have no
        minute.
        """
        minute = minute_of(timestamp)
        if timestamp < 0 or minute in self._first:
            return False
        self._first[minute] = offset
        return True

    def first_before(self, timestamp: TimestampMs) -> Offset:
        """Where to begin if minutes ascend: at the last one that ended before, as no later record precedes it."""
        wanted = minute_of(timestamp)
        return max((offset for minute, offset in self._first.items() if minute < wanted), default=self.base_offset)

    def first_from(self, timestamp: TimestampMs) -> Offset | None:
        """Where to begin in any order: at the first offset of this minute and all later ones; None: there is none."""
        wanted = minute_of(timestamp)
        return min((offset for minute, offset in self._first.items() if minute >= wanted), default=None)

    def truncate_to(self, offset: Offset) -> None:
        """Drop the entries of `offset` and later."""
        self._first = {minute: first for minute, first in self._first.items() if first < offset}

    def clear(self) -> None:
        self._first.clear()

    def load(self, data: Buffer) -> None:
        """Take the entries of a file; bytes after the last whole one are dropped."""
        whole = data[: len(data) // ENTRY.size * ENTRY.size]
        self._first = {minute: self.base_offset + offset for minute, offset in ENTRY.iter_unpack(whole)}

    def entries(self) -> list[tuple[TimestampMs, Offset]]:
        """All entries, in the order of the file."""
        return list(self._first.items())

    def content(self) -> bytes:
        """The bytes of the file."""
        return b"".join(ENTRY.pack(minute, offset - self.base_offset) for minute, offset in self._first.items())
