"""The last offset of each key in the dirty part of a log (Cleaner.buildOffsetMap, SkimpyOffsetMap).

A real broker keeps MD5 sums of keys in a buffer of fixed size, 24 bytes an entry, and a pass ends where the buffer is
full. Here it is a dictionary of keys with the same capacity; the only difference is that sums can collide.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final, assert_never

from fakekafka.ids import NO_OFFSET, Offset
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.cleanable import Cleanable, between
from fakekafka.log.cleaner.portions import Buffers, Portions
from fakekafka.log.cleaner.transactions import Transactions
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import Segment
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour

ENTRY_BYTES: Final = 24
MAX_BYTES: Final = 2**31 - 1


class OffsetMap:
    """Keys and their last offsets. `memory`: bytes of the buffer; it is filled up to `load_factor`."""

    def __init__(self, memory: int, load_factor: float) -> None:
        self.slots = min(memory, MAX_BYTES) // ENTRY_BYTES
        self.room = int(self.slots * load_factor)
        self.offsets: dict[bytes, Offset] = {}
        self.latest_offset: Offset = NO_OFFSET
        """The log was read up to here; what follows is not cleaned."""

    @property
    def is_full(self) -> bool:
        return len(self.offsets) >= self.room


def fill(
    offsets: OffsetMap, log: PartitionLog, cleanable: Cleanable, rules: CleanerBehaviour, buffers: Buffers
) -> None:
    """Put the keys of what can be cleaned into the map, as long as there is room. Raises `CleaningFailed`."""
    dirty = between(log.segments, cleanable.start, cleanable.end)
    match rules.map_limit:
        case "keys":
            _Keys(offsets, cleanable.start, rules, buffers).read(log, dirty, cleanable.end)
        case "slots":
            _whole_segments(offsets, dirty, cleanable, rules, buffers).by_slots(dirty, cleanable.start)
        case "offsets of whole segments":
            _whole_segments(offsets, dirty, cleanable, rules, buffers).by_offsets(dirty)
        case "keys of whole segments":
            _whole_segments(offsets, dirty, cleanable, rules, buffers).by_keys(dirty, cleanable.start)
        case limit:
            assert_never(limit)


def _whole_segments(
    offsets: OffsetMap, dirty: list[Segment], cleanable: Cleanable, rules: CleanerBehaviour, buffers: Buffers
) -> "_WholeSegments":
    """The reader of releases that clean whole segments. Raises `CleaningFailed` unless the first one begins there."""
    if dirty[0].base_offset != cleanable.start:
        raise CleaningFailed(
            f"Last clean offset is {cleanable.start} but segment base offset is {dirty[0].base_offset}"
        )
    offsets.latest_offset = cleanable.start
    return _WholeSegments(offsets, rules, buffers)


class _Keys:
    """0.10.1 and later: key by key, and a full map ends the pass within a segment."""

    def __init__(self, offsets: OffsetMap, start: Offset, rules: CleanerBehaviour, buffers: Buffers) -> None:
        self._map = offsets
        self._start = start
        self._rules = rules
        self._buffers = buffers
        self._transactions = Transactions(rules)

    def read(self, log: PartitionLog, dirty: list[Segment], end: Offset) -> None:
        self._transactions.expect(log.aborted_from(self._start, end))
        ends = [*(behind.base_offset for _, behind in pairwise(dirty)), end]
        for segment, segment_end in zip(dirty, ends):
            if not self._read_segment(segment):
                return
            if self._rules.counts_whole_segments:
                self._map.latest_offset = max(self._map.latest_offset, segment_end - 1)

    def _read_segment(self, segment: Segment) -> bool:
        """Put the keys of a segment into the map. False if the map is full."""
        _, position = segment.load_offset_index().lookup(self._start)
        batches = (batch for portion in Portions(segment, self._buffers, self._rules, position) for batch in portion)
        return all(self._read_batch(batch) for batch in batches)

    def _read_batch(self, batch: Batch) -> bool:
        if batch.is_control:
            self._transactions.meet_marker(batch)
        elif not self._transactions.meet_data(batch) and not self._put(batch.records()):
            return False
        if self._counts_keyless() and batch.last_offset >= self._start:
            self._map.latest_offset = batch.last_offset
        return True

    def _counts_keyless(self) -> bool:
        """Whether what was read goes up to the end of a batch, also if its last records have no key."""
        match self._rules.cleaned_up_to:
            case "last key":
                return False
            case "last message" | "last batch" | "segment end":
                return True
            case rule:
                assert_never(rule)

    def _put(self, records: Iterable[Record]) -> bool:
        offsets, room, start = self._map.offsets, self._map.room, self._start
        latest = self._map.latest_offset
        try:
            for record in records:
                if record[3] is not None and record[0] >= start:  # key, offset: by index, for speed
                    if len(offsets) >= room:
                        return False
                    latest = offsets[record[3]] = record[0]
        finally:
            self._map.latest_offset = latest
        return True


class _WholeSegments:
    """Up to 0.10.0: segment by segment."""

    def __init__(self, offsets: OffsetMap, rules: CleanerBehaviour, buffers: Buffers) -> None:
        self._map = offsets
        self._rules = rules
        self._buffers = buffers

    def by_slots(self, dirty: list[Segment], start: Offset) -> None:
        """0.8: a segment is begun as long as there is room; having more keys than that is fatal."""
        for segment in dirty:
            if segment.base_offset <= start + self._map.room or not self._map.is_full:
                self._read_whole(segment)

    def by_offsets(self, dirty: list[Segment]) -> None:
        """0.9: as many segments as have room for all their offsets."""
        for segment in dirty:
            span = segment.find_next_offset() - segment.base_offset
            if span > self._map.room:
                raise CleaningFailed(f"{span} messages in segment but offset map can fit only {self._map.room}.")
            if len(self._map.offsets) + span > self._map.room:
                return
            self._read_whole(segment)

    def by_keys(self, dirty: list[Segment], start: Offset) -> None:
        """0.10.0: as many segments as have room for all their keys."""
        for segment in dirty:
            before = self._map.latest_offset
            if not self._read(segment, self._map.room):
                self._map.latest_offset = before
                if before <= start:
                    raise CleaningFailed(f"Unable to build the offset map for segment {segment.base_offset}")
                return

    def _read_whole(self, segment: Segment) -> None:
        if not self._read(segment, self._map.slots):
            raise CleaningFailed("Attempt to add a new entry to a full offset map.")

    def _read(self, segment: Segment, room: int) -> bool:
        """Put the keys of a segment into the map. False if there is no more room."""
        offsets = self._map.offsets
        for portion in Portions(segment, self._buffers, self._rules):
            for record in (record for batch in portion for record in batch.records()):
                if record.key is not None:
                    if len(offsets) >= room:
                        return False
                    offsets[record.key] = record.offset
                elif self._rules.keyless == "stops the cleaner":
                    raise CleaningFailed(f"the message at {record.offset} has no key")
                self._map.latest_offset = record.offset
        return True
