"""The entries of a segment's indexes, compared with the units of a part of it.

The rules are those of `fakekafka.log.check_indexes`, split up so that every part of a segment can be checked alone:
each part judges the entries of the offset index that point into it, and all entries of the time index by its own units;
what concerns a whole index, its size and its order, is up to the first part.
"""

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, TimestampMs
from fakekafka.log import time_index, txn_index
from fakekafka.log.txn_index import TxnIndex

from fakekafka_spark.files.indexes import OffsetEntries, TimeEntries, offset_entries, offset_entry, time_entries
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.parse.chunks import Longs

LOWEST: TimestampMs = -(1 << 63)


def odd_indexes(
    storage: Storage, split: Split, positions: Longs, first: Offset | None, lasts: Longs, timestamps: Longs
) -> tuple[str | None, Offset | None, Offset | None]:
    """What is odd, the offset that the index names for the part's beginning, the highest offset in the indexes.

    `positions`, `lasts`, `timestamps`: of the part's units, which begin with the offset `first`.
    """
    odd: str | None = None
    key = highest = None
    segment = split.segment
    if segment.offset_index is not None:
        data = storage.read(segment.offset_index)
        entries = offset_entries(data, segment)
        odd = _odd_size(split, data, offset_entry(segment).itemsize) or _odd_entries(split, entries, positions, lasts)
        if segment.has_wide_entries and len(entries.offsets):
            odd = odd or "timestamps in the offset index, which are compared with the segment as a whole"
        at_start = entries.offsets[entries.positions == split.start]
        key = int(at_start[0]) if len(at_start) and split.start else None
        highest = int(entries.offsets.max()) if len(entries.offsets) and not split.start else None
    if segment.time_index is not None:
        data = storage.read(segment.time_index)
        times = time_entries(data, segment.base_offset)
        odd = odd or _odd_size(split, data, time_index.ENTRY_SIZE)
        odd = odd or _odd_times(split, times, 0 if first is None else first, lasts, timestamps)
        highest = _higher(highest, int(times.offsets.max()) if len(times.offsets) and not split.start else None)
    if segment.txn_index is not None and not split.start:
        wrong, last = _transactions(split, storage.read(segment.txn_index))
        odd = odd or wrong
        highest = _higher(highest, last)
    return odd, key, highest


def _higher(one: Offset | None, other: Offset | None) -> Offset | None:
    return max((offset for offset in (one, other) if offset is not None), default=None)


def _odd_size(split: Split, data: bytes, entry_size: int) -> str | None:
    if not split.start and not split.segment.is_last and data.endswith(bytes(entry_size)):
        return "zeros at the end of an index that is not in use any more"
    return "an index of odd size" if not split.start and len(data) % entry_size else None


def _odd_entries(split: Split, entries: OffsetEntries, positions: Longs, lasts: Longs) -> str | None:
    if not split.start and (
        np.any(np.diff(entries.offsets) <= 0) or np.any(entries.offsets < split.segment.base_offset)
    ):
        return "an offset index that is out of order"
    is_last = split.end == split.segment.size
    mine = (entries.positions >= split.start) & ((entries.positions < split.end) | is_last)
    if not split.start:
        mine |= entries.positions < 0
    if not mine.any():
        return None
    wanted = entries.positions[mine]
    at = np.searchsorted(positions, wanted)
    if (at >= len(positions)).any() or (positions[at] != wanted).any():
        return "an index entry that points at no unit"
    before = np.concatenate([[split.segment.base_offset - 1 if not split.start else -(1 << 62)], lasts])[at]
    return "an index entry that lies before its unit" if (entries.offsets[mine] <= before).any() else None


def _odd_times(split: Split, times: TimeEntries, first: Offset, lasts: Longs, timestamps: Longs) -> str | None:
    if not split.start and len(times.offsets):
        before = (
            np.concatenate([[-1], times.timestamps[:-1]]),
            np.concatenate([[split.segment.base_offset], times.offsets[:-1]]),
        )
        if (times.timestamps <= before[0]).any() or (times.offsets < before[1]).any():
            return "a time index that is out of order"
    if not split.segment.is_last and len(times.timestamps) and (timestamps > times.timestamps[-1]).any():
        return "a time index that ends too early"
    youngest = np.concatenate([[LOWEST], np.maximum.accumulate(timestamps)])
    up_to = youngest[np.searchsorted(lasts, times.offsets, "right")]
    at = np.searchsorted(lasts, times.offsets, "left")
    here = (at < len(lasts)) & (times.offsets >= first)
    too_late = times.timestamps[here] > youngest[at[here] + 1]
    return "a time index that something contradicts" if (up_to > times.timestamps).any() or too_late.any() else None


def _transactions(split: Split, data: bytes) -> tuple[str | None, Offset | None]:
    """What is odd about a transaction index, and the last marker in it; the log's markers are compared later."""
    index = TxnIndex()
    try:
        index.load(data)
    except MalformedBytes as wrong:
        return str(wrong), None
    markers = [entry.last_offset for entry in index.entries]
    if len(data) % txn_index.ENTRY_SIZE or min(markers, default=split.segment.base_offset) < split.segment.base_offset:
        return "a transaction index of odd size, or of another segment", None
    return None, max(markers, default=None)
