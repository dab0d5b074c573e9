"""A segment without a time index, whose offset index has a timestamp in each entry (`wide_index.py`).

A closed segment gets no last entry for its largest timestamp, because an offset index cannot have one more at the same
offset. So after a start the records after the last entry are read: `index.interval.bytes` of them at most.
"""

from typing import cast

from fakekafka.ids import NO_TIMESTAMP, Offset, Position, TimestampMs
from fakekafka.log.drafts.wide_index import WideIndex
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.segment import FoundOffset, Segment


class WideSegment(Segment):
    """Its rules must say that there is no time index."""

    __slots__ = ()

    def _new_offset_index(self) -> OffsetIndex:
        return WideIndex(self.base_offset, self._config.segment_index_bytes)

    def load_wide_index(self) -> WideIndex:
        """The offset index, as its own type."""
        return cast(WideIndex, self.load_offset_index())

    def _add_entry(self, key: Offset, position: Position) -> None:
        self.load_wide_index().append(key, position, self.find_max_timestamp()[0])

    def find_max_timestamp(self) -> tuple[TimestampMs, Offset]:
        if self._max_timestamp is None:
            index = self.load_wide_index()
            timestamp, position = index.known_up_to
            largest = timestamp, index.last_offset
            for batch in self.batches(position):
                if batch.max_timestamp > largest[0]:
                    largest = batch.max_timestamp, batch.last_offset
            self._max_timestamp = largest if largest[0] >= 0 else (NO_TIMESTAMP, self.base_offset)
        return self._max_timestamp

    def _reload_max_timestamp(self) -> None:
        self._max_timestamp = None

    def first_at_or_after(self, timestamp: TimestampMs, start: Offset) -> FoundOffset | None:
        position = max(self.load_wide_index().position_before(timestamp), self.load_offset_index().lookup(start)[1])
        for batch in self.batches(position):
            if batch.max_timestamp >= timestamp:
                for record in batch.records():
                    if record.timestamp >= timestamp and record.offset >= start:
                        return FoundOffset(record.timestamp, record.offset, batch.leader_epoch)
        return None
