"""What transactions have decided in a partition: what a read_committed reader does not get, and the control batches."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, ProducerEpoch, ProducerId
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records.batch import Batch
from fakekafka.records.control import ControlType, control_type
from fakekafka.storage.partition import Partition


class ControlBatch(NamedTuple):
    """A control batch, usually the marker that ends a transaction."""

    kind: str
    """ "COMMIT" or "ABORT"; "EMPTY" if the cleaner has removed its record; "UNKNOWN" for anything else."""
    producer_id: ProducerId
    producer_epoch: ProducerEpoch
    content: bytes
    """All its bytes."""

    def __str__(self) -> str:
        return f"{self.kind} of producer {self.producer_id}, epoch {self.producer_epoch}"


class AbortedRange(NamedTuple):
    """An aborted transaction as Fetch lists it, with the offset of its marker."""

    producer_id: ProducerId
    first_offset: Offset
    last_offset: Offset


class Decided(NamedTuple):
    """The transactions of a partition."""

    stable_offset: Offset
    """The offset up to which a read_committed reader gets anything."""
    control_batches: Mapping[Offset, ControlBatch]
    aborted: frozenset[AbortedRange]
    """The aborted transactions that Fetch lists."""
    left_out: frozenset[Offset]
    """Records below the stable offset that a read_committed reader leaves out."""
    open_producers: frozenset[ProducerId]
    """The producers with a transaction that has not ended."""


def decided(partition: Partition) -> Decided:
    """The decided transactions of a partition. Reads every batch."""
    log, start = partition.log, partition.log_start_offset
    batches = [unit for segment in log.segments for unit in segment.batches() if unit.last_offset >= start]
    stable = partition.last_stable_offset
    listed = [entry for entry in log.aborted_from(start, log.log_end_offset) if entry.last_offset >= start]
    return Decided(
        stable,
        {unit.base_offset: _control(unit) for unit in batches if unit.is_control},
        frozenset(AbortedRange(*entry[:3]) for entry in listed),
        frozenset(offset for unit in batches if _is_left_out(unit, stable, listed) for offset in _offsets(unit)),
        _open(batches),
    )


def _is_left_out(unit: Batch, stable: Offset, listed: Sequence[AbortedTxn]) -> bool:
    """Whether a reader drops a batch for the list of aborted transactions that it gets (CompletedFetch)."""
    if not unit.is_transactional or unit.is_control or unit.base_offset >= stable:
        return False
    return any(one.producer_id == unit.producer_id and one.first_offset <= unit.base_offset <= one.last_offset
               for one in listed)  # fmt: skip


def _offsets(unit: Batch) -> list[Offset]:
    return [record.offset for record in unit.records()]


def _open(batches: Sequence[Batch]) -> frozenset[ProducerId]:
    """The producers whose last transactional batch is not a control batch."""
    last = {unit.producer_id: unit.is_control for unit in batches if unit.is_transactional}
    return frozenset(producer for producer, ended in last.items() if not ended)


def _control(unit: Batch) -> ControlBatch:
    try:
        record = next(iter(unit.records()), None)
        kind = "EMPTY" if record is None else control_type(record.key).name
    except MalformedBytes:
        kind = ControlType.UNKNOWN.name
    return ControlBatch(kind, unit.producer_id, unit.producer_epoch, bytes(unit.data))
