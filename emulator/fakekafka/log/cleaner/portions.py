"""Reading a segment as the cleaner does: as many whole units as its buffer holds, then again from there.

The portions are visible in the result: what is kept of one is written in one go, and gets one entry of the offset index
(up to 3.8). A buffer that is too small for a unit grows, and stays large for the rest of its segment.
"""

from collections.abc import Iterator
from typing import assert_never

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Position
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.config import LogConfig
from fakekafka.log.segment import Segment
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.message import Message
from fakekafka.records.scan import LOG_OVERHEAD, units_of_any_magic, view
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Buffers:
    """The buffers for reading and for writing, which have the same size."""

    def __init__(self, size: int, broker_limit: int, config: LogConfig, rules: CleanerBehaviour) -> None:
        self.size = size
        self._first_size = size
        self._rules = rules
        self._topic_limit = config.max_message_bytes
        match rules.largest_unit:
            case "message.max.bytes":
                self._limit = broker_limit
            case "max.message.bytes" | "any":
                self._limit = max(broker_limit, self._topic_limit)
            case rule:
                assert_never(rule)

    def grow(self, unit_size: int) -> None:
        """Double the buffers to hold a unit of that size. Raises `CleaningFailed` at the limit."""
        limit = self._limit
        if self._rules.fits_any_unit and self.size >= self._topic_limit:
            limit = max(limit, unit_size)
        if self.size >= limit:
            raise CleaningFailed(f"This log contains a message larger than maximum allowable size of {limit}.")
        self.size = min(2 * self.size, limit)

    def restore(self) -> None:
        """Go back to the first size, for another segment."""
        self.size = self._first_size


class Portions:
    """The portions of `segment` from `position` on. The reader may move `next_position` between two."""

    def __init__(self, segment: Segment, buffers: Buffers, rules: CleanerBehaviour, position: Position = 0) -> None:
        self._segment = segment
        self._buffers = buffers
        self._rules = rules
        self.next_position = position

    def __iter__(self) -> Iterator[list[Batch]]:
        """The portions in order. Raises `CleaningFailed` for bytes that are not units, and for a unit that is too
        large.
        """
        self._buffers.restore()
        while self.next_position < self._segment.size:
            batches = self._read()
            if batches:
                self.next_position += sum(map(self._extent, batches))
                yield batches

    def _read(self) -> list[Batch]:
        """The whole units in the buffer; an empty list if it had to grow."""
        data = joined(self._segment.open_log().read(self.next_position, self._buffers.size))
        try:
            batches = [view(data, unit, self._segment.dialect) for unit in units_of_any_magic(data)]
        except MalformedBytes as wrong:
            raise CleaningFailed(f"{self._segment.base_offset} at {self.next_position}: {wrong}") from wrong
        if not batches:
            wanted = LOG_OVERHEAD + int.from_bytes(data[8:LOG_OVERHEAD], "big", signed=True)
            if wanted > self._segment.size - self.next_position:
                raise CleaningFailed(f"a unit of {wanted} bytes ends beyond segment {self._segment.base_offset}")
            self._buffers.grow(wanted)
        return batches

    def _extent(self, batch: Batch) -> int:
        """How far reading moves past a unit. 0.8 counts the messages of a wrapper instead of the wrapper."""
        if not self._rules.takes_wrappers_apart or not isinstance(batch, Message) or not batch.codec:
            return batch.size
        return sum(message.size for message in batch.inside())
