"""Where a log ends: the last whole unit, found from the last index entry on, without reading what lies before.

The last unit counts only if its checksum is right: a preallocated file that is being written holds the header of a unit
before it holds the rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, Position

from fakekafka_spark.chunks import Chunk, Range, chunks, runs
from fakekafka_spark.indexes import read_offset_entries
from fakekafka_spark.layout import Partition, Segment
from fakekafka_spark.storage import Storage
from fakekafka_spark.transactions import Aborted, OpenTransactions, newest_snapshot, read_aborted
from fakekafka_spark.units import Units, crcs_ok, units_of


class End(NamedTuple):
    """The end of a segment, or of the log if it is the last one."""

    offset: Offset
    """The next record's."""
    position: Position
    """Behind the last whole unit."""
    leader_epoch: LeaderEpoch
    """The last batch's; -1 if it has none."""


def units_between(storage: Storage, segment: Segment, start: Position, end: Position | None = None) -> Iterator[Units]:
    """The headers of the units from `start` on. Bytes that are no units are passed over."""
    part = Range(start, segment.size if end is None else end, segment.size, segment.is_last)
    with storage.open(segment.path) as file:
        for piece in chunks(file, part, lambda: read_offset_entries(storage, segment).positions):
            if isinstance(piece, Chunk):
                for magic, chunk in runs(piece):
                    yield units_of(chunk, magic)


def end_of(storage: Storage, segment: Segment, known: End | None = None) -> End:
    """Where a segment ends. `known`: where it ended when somebody looked before, which must still be a unit's end."""
    if known is None:
        entries = read_offset_entries(storage, segment).positions
        known = End(segment.base_offset, int(entries[-1]) if len(entries) else 0, NO_EPOCH)
    end, sound = known, known
    for units in units_between(storage, segment, known.position):
        end = _end_behind(units, units.number)
        good = bool(crcs_ok(units.pick(units.positions == units.positions[-1]))[0])
        sound = end if good else _end_behind(units, units.number - 1) if units.number > 1 else sound
    return sound


def _end_behind(units: Units, number: int) -> End:
    last = number - 1
    position = int(units.positions[last] + units.chunk.sizes[last])
    return End(int(units.last_offsets[last]) + 1, position, int(units.leader_epochs[last]))


def decided(storage: Storage, partition: Partition) -> tuple[Offset | None, Aborted]:
    """What a reader of committed data needs: the last stable offset (None: no transaction is open), and what was
    aborted.
    """
    if not partition.segments:
        return None, Aborted({})
    end = end_of(storage, partition.segments[-1]).offset
    known, transactions = newest_snapshot(storage, partition, end)
    for number, segment in enumerate(partition.segments):
        is_before = number + 1 < len(partition.segments) and partition.segments[number + 1].base_offset <= known
        if not is_before:
            start = read_offset_entries(storage, segment).start_of(known) if known > segment.base_offset else 0
            for units in units_between(storage, segment, start):
                transactions.add(units.pick(units.base_offsets >= known))
    stable = transactions.stable_end(end)
    return (None if stable == end else stable), read_aborted(storage, partition)
