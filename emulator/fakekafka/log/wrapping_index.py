"""The offset index before 2.0: of an offset that does not fit, it keeps the lower four bytes (KAFKA-6264).

An entry is four bytes, relative to the segment's base. From 2**31 on it is negative, so that the entries no longer
ascend, and a binary search finds what it happens to meet (OffsetIndex.append and AbstractIndex.indexSlotFor of
1.1.1).
"""

from fakekafka.ids import Buffer, Offset, Position
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET, IndexFull, OffsetIndex, OffsetOutOfOrder, lower_half


class WrappingIndex(OffsetIndex):
    """Entries (offset, position) of a segment that may reach further than they do."""

    __slots__ = ("_far_offset", "_has_wrapped")

    def __init__(self, base_offset: Offset, max_bytes: int) -> None:
        super().__init__(base_offset, max_bytes)
        self._has_wrapped = False
        self._far_offset: Offset | None = None

    def load(self, data: Buffer) -> None:
        super().load(data)
        self._has_wrapped = min(self._offsets, default=0) < 0
        self._far_offset = None

    @property
    def last_offset(self) -> Offset:
        """The last entry's offset as the file has it; but a far offset that was added by this object is still known."""
        return super().last_offset if self._far_offset is None else self._far_offset

    def append(self, offset: Offset, position: Position) -> None:
        relative = offset - self.base_offset
        if relative <= MAX_RELATIVE_OFFSET and self._far_offset is None:
            super().append(offset, position)
            return
        if self.is_full:
            raise IndexFull(f"Attempt to append to a full index (size = {len(self)}).")
        if len(self) and offset <= self.last_offset:
            raise OffsetOutOfOrder(
                f"offset {offset} does not come after {self.last_offset} in segment {self.base_offset}"
            )
        self._offsets.append(lower_half(relative))
        self._positions.append(position)
        self._has_wrapped = True
        self._far_offset = offset

    def lookup(self, offset: Offset) -> tuple[Offset, Position]:
        if not self._has_wrapped:
            return super().lookup(offset)
        at = self._slot(offset - self.base_offset)
        return (self.base_offset + self._offsets[at], self._positions[at]) if at >= 0 else (self.base_offset, 0)

    def truncate_to(self, offset: Offset) -> None:
        if self._has_wrapped:
            relative = offset - self.base_offset
            at = self._slot(relative)
            left = at if at >= 0 and self._offsets[at] == relative else at + 1
            del self._offsets[left:], self._positions[left:]
        else:
            super().truncate_to(offset)
        self._far_offset = None

    def clear(self) -> None:
        super().clear()
        self._has_wrapped = False
        self._far_offset = None

    def _slot(self, relative: int) -> int:
        """The number of the entry at which the brokers' search ends; -1 if the first entry is already greater."""
        offsets = self._offsets
        if not offsets or offsets[0] > relative:
            return -1
        low, high = 0, len(offsets) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if offsets[middle] == relative:
                return middle
            if offsets[middle] < relative:
                low = middle
            else:
                high = middle - 1
        return low
