"""What stays: decided for each batch, then for each of its records (Cleaner.cleanInto, Cleaner.shouldRetainRecord).

A record stays if the offset map knows no later one with its key, and if it is not a tombstone whose time has passed.
Some batches stay without records, because the last sequence of a producer that is still known, or the last clean
offset, can be read from them.
"""

from enum import IntEnum
from typing import assert_never

from fakekafka.ids import NO_PRODUCER_ID, Offset, TimestampMs
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.offset_map import OffsetMap
from fakekafka.log.cleaner.transactions import Transactions
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Fate(IntEnum):
    """What becomes of a batch (BatchRetention)."""

    GOES = 0
    GOES_IF_EMPTY = 1
    STAYS = 2
    """It becomes an empty batch if none of its records is kept."""


class Keeper:
    """The decisions of one pass. `end`: a batch that ends at this offset is kept; -1 if no batch is kept for that
    reason.
    """

    def __init__(
        self, log: PartitionLog, offsets: OffsetMap, rules: CleanerBehaviour, now: TimestampMs, end: Offset
    ) -> None:
        self._producers = log.producers.producers
        self._latest = offsets.latest_offset
        self._offsets = offsets.offsets
        self._rules = rules
        self._now = now
        self._end = end
        self._old_tombstones_stay = True
        self._records_go = False
        self.transactions = Transactions(rules)
        self.marker_may_go = False
        """Whether the batch that was judged last is the marker of a transaction of which nothing is left."""

    def enter_segment(self, old_tombstones_stay: bool) -> None:
        """The next batches are those of another segment. `old_tombstones_stay`: as the times of the files say."""
        self._old_tombstones_stay = old_tombstones_stay

    def judge(self, batch: Batch) -> Fate:
        """The fate of the next batch. Raises `CleaningFailed`."""
        self.marker_may_go = batch.is_control and self.transactions.meet_marker(batch)
        if batch.is_control:
            self._records_go = self.marker_may_go and not self._waits(batch)
        else:
            self._records_go = self.transactions.meet_data(batch)
        if self._is_needed(batch):
            return Fate.STAYS
        return Fate.GOES if self._records_go else Fate.GOES_IF_EMPTY

    def kept(self, batch: Batch, records: list[Record]) -> list[Record]:
        """The records that stay of the batch that was judged last."""
        kept: list[Record] = []
        if not self._records_go:
            markers_stay = batch.is_control and self._rules.control_records == "kept"
            kept = records if markers_stay else self._latest_ones(records, self._tombstones_stay(batch))
        if self._rules.keeps_last_record and self._has_last_sequence(batch):
            last = batch.last_sequence
            kept = [record for record in records if record in kept or record.sequence == last]
        return kept

    def _latest_ones(self, records: list[Record], tombstones_stay: bool) -> list[Record]:
        latest, last_offset = self._latest, self._offsets.get
        if self._rules.keyless == "stops the cleaner" and any(record.key is None for record in records):
            raise CleaningFailed("Found null key in log segment which is marked as dedupe.")
        return [  # by index, because this runs for each record: 0 offset, 3 key, 4 value
            record
            for record in records
            if record[0] > latest
            or (
                record[3] is not None
                and record[0] >= last_offset(record[3], -1)
                and (record[4] is not None or tombstones_stay)
            )
        ]

    def _tombstones_stay(self, batch: Batch) -> bool:
        if self._rules.has_horizons and isinstance(batch, RecordBatch):
            return batch.delete_horizon_ms is None or self._now < batch.delete_horizon_ms
        return self._old_tombstones_stay

    def _waits(self, marker: Batch) -> bool:
        """Whether a marker that may go is kept for `delete.retention.ms`, as tombstones are."""
        if self._rules.has_horizons and isinstance(marker, RecordBatch):
            return marker.delete_horizon_ms is None or self._now < marker.delete_horizon_ms
        return self._old_tombstones_stay

    def _is_needed(self, batch: Batch) -> bool:
        if batch.last_offset + 1 == self._end:
            return True
        if batch.producer_id == NO_PRODUCER_ID:
            return False
        match self._rules.kept_for_producer:
            case "last record":
                return False
            case "last sequence":
                return self._has_last_sequence(batch)
            case "last offset":
                return self._has_last_offset(batch)
            case what:
                assert_never(what)

    def _has_last_sequence(self, batch: Batch) -> bool:
        producer = self._producers.get(batch.producer_id)
        return producer is not None and producer.last_sequence == batch.last_sequence

    def _has_last_offset(self, batch: Batch) -> bool:
        """Whether it is the producer's last batch or, for a producer with markers only, a marker of its epoch."""
        producer = self._producers.get(batch.producer_id)
        if producer is None:
            return False
        if producer.last_offset >= 0:
            return producer.last_offset == batch.last_offset
        return batch.is_control and producer.epoch == batch.producer_epoch
