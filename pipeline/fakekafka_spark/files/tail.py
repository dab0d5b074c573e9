"""Where a log ends, found again and again while it grows, without reading twice what was read before.

The end is after the last whole unit whose checksum is right: a preallocated file that is being written holds the
header of a unit before it holds the rest. A look starts where the last one ended, if the unit before that is still the
one that was there; otherwise (the log was truncated, or it is the first look) at the last entry of the newest index, if
that is right.

For readers of committed data it also knows which transactions are open, from the newest producer snapshot on
(ProducerStateManager); then no batch after that snapshot may be passed over.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from fakekafka.ids import Offset, Position

from fakekafka_spark.files.indexes import read_offset_entries
from fakekafka_spark.files.layout import Partition, Segment
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.files.transactions import OpenTransactions, newest_snapshot
from fakekafka_spark.files.walk import walk
from fakekafka_spark.parse.chunks import Fault
from fakekafka_spark.parse.units import Units, crcs_ok

REMEMBERED_BYTES = 61
"""The header of the last batch, with its checksum."""


class _Mark(NamedTuple):
    """Where the last look ended, and the first bytes of the unit before that."""

    segment: Offset
    position: Position
    unit_at: Position
    unit: bytes


class Tail:
    """The end of one partition's log."""

    def __init__(self, storage: Storage, *, committed: bool) -> None:
        self._storage = storage
        self._committed = committed
        self._mark: _Mark | None = None
        self._open = OpenTransactions()
        self._end: Offset = 0

    def advance(self, partition: Partition) -> Offset:
        """The offset of the next record, or for committed data the last stable offset."""
        if not partition.segments:
            return partition.log_start_offset
        if (
            self._mark is None
            or not self._is_still_there(partition, self._mark)
            or (not self._committed and self._mark.segment != partition.segments[-1].base_offset)
        ):
            self._start(partition)
        self._go_on(partition)
        return self._open.stable_end(self._end) if self._committed else self._end

    def cut(self, splits: Iterable[Split]) -> Iterator[Split]:
        """The splits up to where the last look ended: after that, a unit may be being written."""
        for split in splits:
            if self._mark is not None and split.segment.base_offset == self._mark.segment:
                split = split._replace(end=min(split.end, self._mark.position))
            if split.start < split.end:
                yield split

    def _is_still_there(self, partition: Partition, mark: _Mark) -> bool:
        segment = next((s for s in partition.segments if s.base_offset == mark.segment), None)
        if segment is None or segment.size < mark.position:
            return False
        with self._storage.open(segment.path) as file:
            return bytes(file.read_at(len(mark.unit), mark.unit_at)) == mark.unit

    def _start(self, partition: Partition) -> None:
        """Start over: at the last index entry, or at the newest snapshot of what is there."""
        last = partition.segments[-1]
        self._end, self._open = last.base_offset, OpenTransactions()
        self._mark = _Mark(last.base_offset, self._last_entry(last), 0, b"")
        if self._committed:
            self._go_on(partition)
            known, self._open = newest_snapshot(self._storage, partition, self._end)
            segment = [s for s in partition.segments if s.base_offset <= known or s is partition.segments[0]][-1]
            start = self._checked(segment, read_offset_entries(self._storage, segment).start_of(known))
            self._mark = _Mark(segment.base_offset, start, 0, b"")
            self._end = known

    def _last_entry(self, segment: Segment) -> Position:
        positions = read_offset_entries(self._storage, segment).positions
        return self._checked(segment, int(positions[-1])) if len(positions) else 0

    def _checked(self, segment: Segment, position: Position) -> Position:
        """The position, if a sound unit begins there (an index may be wrong about that); otherwise 0."""
        if position == 0:
            return 0
        first = next(walk(self._storage, segment, position), None)
        is_sound = isinstance(first, Units) and crcs_ok(first.pick(np.arange(first.number) == 0))[0]
        return position if is_sound else 0

    def _go_on(self, partition: Partition) -> None:
        assert self._mark is not None
        begin = self._mark
        for segment in partition.segments:
            if segment.base_offset >= begin.segment:
                self._end = max(self._end, segment.base_offset)
                start = begin.position if segment.base_offset == begin.segment else 0
                for units in _sound(walk(self._storage, segment, start)):
                    self._note(segment, units)

    def _note(self, segment: Segment, units: Units) -> None:
        fresh = units.last_offsets >= self._end
        self._open.add(units.pick(fresh))
        at, size = int(units.positions[-1]), int(units.chunk.sizes[-1])
        self._mark = _Mark(segment.base_offset, at + size, at, units.chunk.unit(units.number - 1)[:REMEMBERED_BYTES])
        self._end = max(self._end, int(units.last_offsets.max()) + 1)


def stable_end(storage: Storage, partition: Partition) -> Offset | None:
    """The last stable offset of a log; None if no transaction is open."""
    tail = Tail(storage, committed=True)
    stable = tail.advance(partition)
    return None if stable == tail._end else stable


def _sound(pieces: Iterator[Units | Fault]) -> Iterator[Units]:
    """The sound units among these: the last one only if its checksum is right."""
    before: Units | None = None
    for units in (piece for piece in pieces if isinstance(piece, Units)):
        if before is not None:
            yield before
        before = units
    if before is not None:
        last = np.arange(before.number) == before.number - 1
        sound = before if crcs_ok(before.pick(last))[0] else before.pick(~last)
        if sound.number:
            yield sound
