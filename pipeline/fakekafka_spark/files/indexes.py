"""The entries of an offset or time index as arrays: what `OffsetIndex` and `TimeIndex` of fakekafka.log read singly.

Byte maps: `fakekafka.log.offset_index`, `fakekafka.log.time_index`, `fakekafka.log.drafts.wide_index`. The active
segment's files have zeros after their entries; those are left out here. An entry's offset says, in every release: what
lies before the entry's position has lower offsets. Whether the unit *at* the position begins or ends with it depends on
the release, and with several units in one append the offset may even lie after that unit. So these are the two ways to
look something up:

* offset `lo` and later: from the position of the last entry whose offset is `lo` or lower;
* up to offset `hi`: to the position of the entry *after* the first one whose offset is `hi` or higher.
"""

from typing import Any, NamedTuple

import numpy as np
from fakekafka.ids import Offset, Position
from fakekafka.log import offset_index, time_index
from fakekafka.log.drafts import wide_index

from fakekafka_spark.files.layout import Segment
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.parse.chunks import Longs

OFFSET_ENTRY = np.dtype([("offset", ">i4"), ("position", ">i4")])
TIME_ENTRY = np.dtype([("timestamp", ">i8"), ("offset", ">i4")])
WIDE_ENTRY = np.dtype([("offset", ">i4"), ("position", ">i4"), ("timestamp", ">i8")])
"""An entry of an offset index in logs of the draft KIP-33-16-byte-entries."""
assert (OFFSET_ENTRY.itemsize, TIME_ENTRY.itemsize) == (offset_index.ENTRY_SIZE, time_index.ENTRY_SIZE)
assert WIDE_ENTRY.itemsize == wide_index.ENTRY.size


class OffsetEntries(NamedTuple):
    """An offset index: parallel arrays."""

    offsets: Longs
    positions: Longs
    timestamps: Longs | None = None
    """Parallel to the others, if the entries have them."""

    @property
    def is_sound(self) -> bool:
        """Whether offsets and positions ascend."""
        return bool(np.all(np.diff(self.offsets) > 0) and np.all(np.diff(self.positions) > 0))

    def start_of(self, lowest: Offset) -> Position:
        """Units before this position have only offsets below `lowest`."""
        at = int(np.searchsorted(self.offsets, lowest, "right")) - 1
        return int(self.positions[at]) if at >= 0 else 0

    def end_of(self, highest: Offset) -> Position | None:
        """Units from this position on have only offsets above `highest`; None: there is no such position."""
        at = int(np.searchsorted(self.offsets, highest, "left")) + 1
        return int(self.positions[at]) if at < len(self.positions) else None


class TimeEntries(NamedTuple):
    """A time index: parallel arrays."""

    timestamps: Longs
    offsets: Longs

    def offset_before(self, timestamp: int) -> Offset | None:
        """Up to this offset every record is older than `timestamp` (ms); None: nothing can be said."""
        at = int(np.searchsorted(self.timestamps, timestamp, "left")) - 1
        return int(self.offsets[at]) if at >= 0 else None


NO_ENTRIES = OffsetEntries(np.empty(0, np.int64), np.empty(0, np.int64))


def offset_entry(segment: Segment) -> Any:
    """The layout of an entry of a segment's offset index."""
    return WIDE_ENTRY if segment.has_wide_entries else OFFSET_ENTRY


def offset_entries(data: bytes, segment: Segment) -> OffsetEntries:
    """The entries in the bytes of a segment's offset index."""
    entries = _without_padding(data, offset_entry(segment))
    offsets, positions = entries["offset"].astype(np.int64) + segment.base_offset, entries["position"].astype(np.int64)
    timestamps = entries["timestamp"].astype(np.int64) if segment.has_wide_entries else None
    return OffsetEntries(offsets, positions, timestamps)


def time_entries(data: bytes, base_offset: Offset) -> TimeEntries:
    """The entries in a time index's bytes."""
    entries = _without_padding(data, TIME_ENTRY)
    return TimeEntries(entries["timestamp"].astype(np.int64), entries["offset"].astype(np.int64) + base_offset)


def read_offset_entries(storage: Storage, segment: Segment) -> OffsetEntries:
    """The offset index beside a segment: no entries if there is none, or if what it says is impossible."""
    if segment.offset_index is None:
        return NO_ENTRIES
    entries = offset_entries(storage.read(segment.offset_index), segment)
    inside = (entries.positions >= 0) & (
        entries.positions < segment.size
    )  # it may have grown since the segment's size was looked at
    kept = OffsetEntries(entries.offsets[inside], entries.positions[inside])
    return kept if kept.is_sound else NO_ENTRIES


def read_time_entries(storage: Storage, segment: Segment) -> TimeEntries | None:
    """The time index beside a segment, if there is a sound one."""
    if segment.time_index is None:
        return None
    entries = time_entries(storage.read(segment.time_index), segment.base_offset)
    return entries if np.all(np.diff(entries.timestamps) > 0) and np.all(np.diff(entries.offsets) >= 0) else None


def _without_padding(data: bytes, kind: Any) -> Any:
    size = kind.itemsize
    used = len(data.rstrip(b"\0"))
    whole = min((used + size - 1) // size, len(data) // size)
    return np.frombuffer(data, kind, whole)
