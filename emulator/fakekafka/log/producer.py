"""One idempotent or transactional producer, as a partition remembers it (ProducerIdEntry, ProducerStateEntry)."""

from typing import Final, NamedTuple

from fakekafka.ids import (
    NO_OFFSET,
    NO_PRODUCER_EPOCH,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    Offset,
    ProducerEpoch,
    ProducerId,
    Sequence,
    TimestampMs,
)
from fakekafka.log.producer_snapshot import SnapshotEntry

MAX_SEQUENCE: Final = 2**31 - 1
NO_COORDINATOR_EPOCH: Final = -1


class KeptBatch(NamedTuple):
    """One of a producer's last batches."""

    last_sequence: Sequence
    last_offset: Offset
    delta: int
    """Its length minus one, counted as the release counts it."""
    timestamp: TimestampMs

    @property
    def first_sequence(self) -> Sequence:
        return _less(self.last_sequence, self.delta)

    @property
    def first_offset(self) -> Offset:
        return self.last_offset - self.delta


class Producer:
    """One producer's state."""

    __slots__ = ("batches", "coordinator_epoch", "epoch", "last_timestamp", "transaction_first_offset")

    def __init__(self) -> None:
        self.epoch: ProducerEpoch = NO_PRODUCER_EPOCH
        self.batches: tuple[KeptBatch, ...] = ()
        """Oldest first; all of `epoch`."""
        self.coordinator_epoch = NO_COORDINATOR_EPOCH
        self.last_timestamp: TimestampMs = NO_TIMESTAMP
        self.transaction_first_offset: Offset = NO_OFFSET
        """-1: no transaction is open."""

    def copy(self) -> "Producer":
        new = Producer()
        new.epoch, new.batches, new.coordinator_epoch = self.epoch, self.batches, self.coordinator_epoch
        new.last_timestamp, new.transaction_first_offset = self.last_timestamp, self.transaction_first_offset
        return new

    @property
    def last_sequence(self) -> Sequence:
        return self.batches[-1].last_sequence if self.batches else NO_SEQUENCE

    @property
    def last_offset(self) -> Offset:
        """The last offset of its last batch; -1 if there is none."""
        return self.batches[-1].last_offset if self.batches else NO_OFFSET

    def to_entry(self, producer_id: ProducerId) -> SnapshotEntry:
        last = self.batches[-1] if self.batches else KeptBatch(NO_SEQUENCE, NO_OFFSET, 0, NO_TIMESTAMP)
        return SnapshotEntry(
            producer_id,
            self.epoch,
            last.last_sequence,
            last.last_offset,
            last.delta,
            self.last_timestamp,
            self.coordinator_epoch,
            self.transaction_first_offset,
        )


def _less(sequence: Sequence, by: int) -> Sequence:
    """Sequences are counted modulo 2**31; -1, no sequence, stays negative."""
    return (sequence - by) & MAX_SEQUENCE if sequence >= 0 else sequence - by
