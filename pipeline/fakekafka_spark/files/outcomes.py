"""How the transactions in a part of a log ended, according to the log itself: what `read_committed` may hand out.

The first marker of a producer after a batch of its open transaction says what became of that batch (KIP-98). So the
outcome of a batch is found by looking ahead in the log until every producer that was met has its marker, usually a few
batches further on. The `.txnindex` files, from which brokers answer, may be missing or wrong in a backup; they are
consulted only where the log cannot answer: where something between a batch and the next marker of its producer is
damaged or missing, the marker that is found may belong to a later transaction.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, Offset, ProducerId
from fakekafka.records.control import ControlType, control_type
from fakekafka.records.scan import Unit, view

from fakekafka_spark.files import layout
from fakekafka_spark.files.layout import Partition, Segment
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.files.transactions import read_aborted
from fakekafka_spark.files.walk import walk
from fakekafka_spark.parse.chunks import Fault
from fakekafka_spark.parse.spans import Flags
from fakekafka_spark.parse.units import Units, crcs_ok

UNDECIDED = "whether its transaction was committed cannot be known: the log is damaged before the marker, or ends there"


class Marker(NamedTuple):
    """The end of a producer's transaction."""

    offset: Offset
    aborts: bool


class Verdict(NamedTuple):
    """What is known about some units; units outside of transactions are neither."""

    aborted: Flags
    unknown: Flags


class Outcomes:
    """The outcomes of the transactions that have batches in a split. Nothing is read before the first such batch."""

    def __init__(self, storage: Storage, split: Split) -> None:
        self._storage = storage
        self._split = split
        self._markers: dict[ProducerId, list[Marker]] | None = None
        self._breaks: list[Offset] = []
        """The offsets after which something is damaged or missing."""

    def of(self, units: Units) -> Verdict:
        """What became of these units of the split."""
        verdict = Verdict(np.zeros(units.number, bool), np.zeros(units.number, bool))
        data = self._to_be_decided(units)
        if data.any():
            if self._markers is None:
                self._markers = self._look_ahead(units)
            for producer in np.unique(units.producer_ids[data]).tolist():
                self._judge(units, data & (units.producer_ids == producer), producer, verdict)
        if verdict.unknown.any():
            self._ask_the_indexes(units, verdict)
        return verdict

    def _to_be_decided(self, units: Units) -> Flags:
        """Batches of transactions, except those that are not wanted anyway."""
        wanted: Flags = (
            units.is_transactional & ~units.is_control & (units.base_offsets < self._split.bounds.offset_end)
        )
        return wanted

    def _judge(self, units: Units, which: Flags, producer: ProducerId, verdict: Verdict) -> None:
        """Judge by the first marker after each batch, unless the log breaks off before it."""
        assert self._markers is not None
        markers = self._markers.get(producer, [])
        ends = np.array([marker.offset for marker in markers], np.int64)
        aborts = np.array([marker.aborts for marker in markers] + [False])
        offsets = units.last_offsets[which]
        at = np.searchsorted(ends, offsets, "right")
        breaks = np.array(self._breaks, np.int64)
        next_break = np.searchsorted(breaks, offsets, "left")
        behind = np.append(breaks, np.iinfo(np.int64).max)[next_break]
        unknown = (at == len(ends)) | (behind < np.append(ends, np.iinfo(np.int64).max)[at])
        verdict.unknown[which] = unknown
        verdict.aborted[which] = aborts[at] & ~unknown

    def _look_ahead(self, first: Units) -> dict[ProducerId, list[Marker]]:
        """The markers from these units of the split on until every producer in the split has one."""
        markers: dict[ProducerId, list[Marker]] = {}
        waiting: set[ProducerId] = set()
        end = int(first.base_offsets[0]) - 1
        for segment, units in self._ahead(int(first.positions[0])):
            inside = segment.base_offset == self._split.segment.base_offset
            if isinstance(units, Fault):
                self._breaks.append(end)
                continue
            before = np.concatenate([[end], units.last_offsets[:-1]])
            self._breaks += before[~crcs_ok(units)].tolist()
            self._note(units, inside, markers, waiting)
            end = int(units.last_offsets.max())
            if not waiting and not (inside and int(units.positions[-1]) + int(units.chunk.sizes[-1]) < self._split.end):
                break
        self._breaks.sort()
        return markers

    def _note(
        self, units: Units, inside: bool, markers: dict[ProducerId, list[Marker]], waiting: set[ProducerId]
    ) -> None:
        decided = self._to_be_decided(units) & (units.positions < self._split.end) & inside
        for number in np.flatnonzero(units.is_transactional & (units.is_control | decided)).tolist():
            producer = int(units.producer_ids[number])
            if not units.is_control[number]:
                waiting.add(producer)
            elif (aborts := _aborts(units, number)) is not None:
                markers.setdefault(producer, []).append(Marker(int(units.last_offsets[number]), aborts))
                waiting.discard(producer)

    def _ahead(self, start: int) -> Iterator[tuple[Segment, Units | Fault]]:
        """The log from a position in the split's segment on; the segments after it are looked for when needed."""
        segment = self._split.segment
        end = segment.base_offset
        for piece in walk(self._storage, segment, start):
            end = end if isinstance(piece, Fault) else int(piece.last_offsets.max()) + 1
            yield segment, piece
        partition = self._partition()
        for later in partition.segments:
            if later.base_offset <= segment.base_offset:
                continue
            if later.base_offset > max(end, partition.compacted_to):
                yield later, Fault(0, f"nothing is there from offset {end} up to {later.base_offset}")
            for piece in walk(self._storage, later):
                end = end if isinstance(piece, Fault) else int(piece.last_offsets.max()) + 1
                yield later, piece

    def _ask_the_indexes(self, units: Units, verdict: Verdict) -> None:
        """What a transaction index lists was aborted; that nothing is listed proves nothing."""
        listed = read_aborted(self._storage, self._partition()).covers(units)
        verdict.aborted[listed & verdict.unknown] = True
        verdict.unknown[listed] = False

    def _partition(self) -> Partition:
        return layout.partition_at(self._storage, self._split.segment.path.rpartition("/")[0])


def decided(units: Units, outcomes: Outcomes) -> Units:
    """The units without those that were aborted; those whose outcome is not known are faulty."""
    aborted, unknown = outcomes.of(units)
    for number in np.flatnonzero(unknown).tolist():
        units.faults.setdefault(number, UNDECIDED)
    return units.pick(~aborted)


def _aborts(units: Units, number: int) -> bool | None:
    """Whether a control batch aborts a transaction; None if it ends none, or cannot be read."""
    data = units.chunk.unit(number)
    try:
        unit = view(data, Unit(0, NO_OFFSET, len(data), units.magic), units.chunk.dialect)
        record = next(iter(unit.records()), None)
        kind = ControlType.UNKNOWN if record is None else control_type(record.key)
    except MalformedBytes:
        return None
    return {ControlType.ABORT: True, ControlType.COMMIT: False}.get(kind)
