"""What a partition remembers about its idempotent and transactional producers (KIP-98; ProducerStateManager).

It remembers three things: the last batches of each producer, which tell repeated and missing batches from new ones; the
open transactions, which tell readers of committed data where to stop; and what the snapshots on disk hold.

An append is checked on a working copy (`check`) and becomes state only when its bytes are written (`apply`), because a
set may be refused after its first batch; two releases did without the copy. Error codes are plain values here; the
release (`LogBehaviour`) says which.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_OFFSET,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    DurationMs,
    Offset,
    ProducerId,
    TimestampMs,
)
from fakekafka.jvm.hashes import long_hash
from fakekafka.jvm.maps import in_order
from fakekafka.log.append_info import Origin
from fakekafka.log.first_attempts import FirstAttempts
from fakekafka.log.producer import MAX_SEQUENCE, KeptBatch, Producer
from fakekafka.log.producer_snapshot import SnapshotEntry
from fakekafka.records import control
from fakekafka.records.batch import Batch
from fakekafka.releases.behaviours.log import LogBehaviour


class CompletedTxn(NamedTuple):
    """A transaction whose marker has been written."""

    producer_id: ProducerId
    first_offset: Offset
    last_offset: Offset
    """The offset of the marker."""
    is_aborted: bool


class Update(NamedTuple):
    """What a set of units would do to the state."""

    producers: dict[ProducerId, Producer]
    started: list[tuple[Offset, ProducerId]]
    completed: list[CompletedTxn]


class Refused(NamedTuple):
    """Why a set is not appended: an error, or because it is already in the log."""

    error: ErrorCode
    duplicate: KeptBatch | None = None


NO_UPDATE: Final = Update({}, [], [])


class ProducerState:
    """The producers of one partition, up to date with the log's end."""

    __slots__ = ("_completed", "_open", "_rules", "attempts", "producers")

    def __init__(self, rules: LogBehaviour) -> None:
        self._rules = rules
        self.producers: dict[ProducerId, Producer] = {}
        self.attempts = FirstAttempts()
        # First offset of each open transaction -> its producer.
        self._open: dict[Offset, ProducerId] = {}
        # First and last offset of transactions that are decided but not yet below the high watermark.
        self._completed: dict[Offset, Offset] = {}

    # ---------------------------------------------------------------- appends

    def check(self, batches: Iterable[Batch], origin: Origin) -> Update | Refused:
        """What the units would change, or why they may not. Changes nothing, except in releases that check in place."""
        update = NO_UPDATE
        for batch in batches:
            if batch.producer_id == NO_PRODUCER_ID:
                continue
            if origin is Origin.CLIENT and (duplicate := self._duplicate_of(batch)) is not None:
                return Refused(ErrorCode.NONE, duplicate)
            if update is NO_UPDATE:
                update = Update({}, [], [])
            error = self._check_one(batch, origin, update)
            if error is not ErrorCode.NONE:
                return Refused(error)
        return update

    def apply(self, update: Update) -> None:
        """Take over a checked update: its units are in the log. Transactions that ended stay open until `complete`."""
        self.producers.update(update.producers)
        self._open.update(update.started)
        if self.attempts:
            for producer_id in update.producers:
                self.attempts.settle(producer_id)

    def complete(self, transaction: CompletedTxn) -> None:
        """A marker is in the log and its transaction in the transaction index."""
        if self._open.pop(transaction.first_offset, None) is not None:
            self._completed[transaction.first_offset] = transaction.last_offset

    def _check_one(self, batch: Batch, origin: Origin, update: Update) -> ErrorCode:
        producer_id = batch.producer_id
        known = self.producers.get(producer_id)
        working = update.producers.get(producer_id)
        if working is None:
            working = update.producers[producer_id] = Producer() if known is None else self._checked(known)
        if batch.is_control:
            return self._end_transaction(batch, origin, working, update)
        error = self._check_data(batch, origin, known, working)
        return error or self._add_data(batch, working, update)

    def _checked(self, known: Producer) -> Producer:
        """What the check of a set works on."""
        match self._rules.producers_checked:
            case "on copies":
                return known.copy()
            case "in place":
                return known
            case rule:
                assert_never(rule)

    def _duplicate_of(self, batch: Batch) -> KeptBatch | None:
        known = self.producers.get(batch.producer_id)
        if known is None or known.epoch != batch.producer_epoch:
            return None
        wanted = batch.base_sequence, batch.last_sequence
        same = (kept for kept in known.batches if (kept.first_sequence, kept.last_sequence) == wanted)
        return next(same, None)

    def _check_data(self, batch: Batch, origin: Origin, known: Producer | None, working: Producer) -> ErrorCode:
        if origin is Origin.REPLICATION:
            return ErrorCode.NONE
        if origin is Origin.COORDINATOR and self._rules.offset_commit_epochs == "not checked":
            return ErrorCode.NONE
        if batch.producer_epoch == NO_PRODUCER_EPOCH and self._rules.missing_epoch == "not checked":
            return ErrorCode.NONE
        if batch.producer_epoch < working.epoch:
            return ErrorCode.INVALID_PRODUCER_EPOCH
        if origin is Origin.COORDINATOR:
            return ErrorCode.NONE
        return self._check_sequence(batch, known, working)

    def _check_sequence(self, batch: Batch, known: Producer | None, working: Producer) -> ErrorCode:
        first = batch.base_sequence
        if self.attempts and self.attempts.bars(batch.producer_id, first, is_new=not working.batches):
            return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
        if batch.producer_epoch != working.epoch:
            if first == 0:
                return ErrorCode.NONE
            if working.epoch != NO_PRODUCER_EPOCH:
                return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
            return self._unknown_producer()
        if known is None and self._rules.accepts_unknown_producer:
            return ErrorCode.NONE
        last = working.last_sequence
        if last == NO_SEQUENCE and first != 0:
            return _UNKNOWN_SEQUENCE[self._rules.unknown_sequence]
        if self._is_duplicate(batch, working):
            return ErrorCode.DUPLICATE_SEQUENCE_NUMBER
        if first == last + 1 or (first == 0 and last == MAX_SEQUENCE):
            return ErrorCode.NONE
        return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER

    def _is_duplicate(self, batch: Batch, working: Producer) -> bool:
        """Whether old sequences count as a duplicate, not as a gap (ProducerAppendInfo.isDuplicate). A batch that ends
        with sequence 0 is taken for one after a wrap.
        """
        match self._rules.old_sequences:
            case "out of order":
                return False
            case "duplicate if kept":
                return _covers(working.batches, batch)
            case "duplicate if kept or below":
                lowest = working.batches[0].first_sequence if working.batches else NO_SEQUENCE
                return 0 < batch.last_sequence < lowest < MAX_SEQUENCE or _covers(working.batches, batch)
            case rule:
                assert_never(rule)

    def _unknown_producer(self) -> ErrorCode:
        match self._rules.unknown_producer:
            case "out of order":
                return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
            case "unknown producer id":
                return ErrorCode.UNKNOWN_PRODUCER_ID
            case "accepted":
                return ErrorCode.NONE
            case rule:
                assert_never(rule)

    def _add_data(self, batch: Batch, working: Producer, update: Update) -> ErrorCode:
        if working.epoch != batch.producer_epoch:
            working.epoch, working.batches = batch.producer_epoch, ()
        by_offsets = self._rules.offset_delta == "offsets"
        delta = batch.last_offset - batch.base_offset if by_offsets else batch.last_sequence - batch.base_sequence
        kept = KeptBatch(batch.last_sequence, batch.last_offset, delta, batch.max_timestamp)
        working.batches = (*working.batches, kept)[-self._rules.retained_batches :]
        working.last_timestamp = batch.max_timestamp
        is_open = working.transaction_first_offset != NO_OFFSET
        if is_open and not batch.is_transactional:
            return ErrorCode.INVALID_TXN_STATE
        if batch.is_transactional and not is_open:
            working.transaction_first_offset = kept.first_offset
            update.started.append((kept.first_offset, batch.producer_id))
        return ErrorCode.NONE

    def _end_transaction(self, batch: Batch, origin: Origin, working: Producer, update: Update) -> ErrorCode:
        record = next(batch.records(), None)
        marker = None if record is None else control.marker(record)
        if record is None or marker is None:  # the cleaner has removed it from its batch
            return ErrorCode.NONE
        if origin is not Origin.REPLICATION:
            if batch.producer_epoch < working.epoch:
                return ErrorCode.INVALID_PRODUCER_EPOCH
            if marker.coordinator_epoch < working.coordinator_epoch:
                return ErrorCode.TRANSACTION_COORDINATOR_FENCED
        first_offset = working.transaction_first_offset
        if first_offset == NO_OFFSET and self._rules.empty_transaction_completes:
            first_offset = batch.base_offset
            update.started.append((first_offset, batch.producer_id))
        if first_offset != NO_OFFSET:
            done = CompletedTxn(batch.producer_id, first_offset, batch.base_offset, not marker.commit)
            update.completed.append(done)
        self._mark(working, batch, record.timestamp)
        working.transaction_first_offset = NO_OFFSET
        working.coordinator_epoch = marker.coordinator_epoch
        return ErrorCode.NONE

    def _mark(self, working: Producer, batch: Batch, timestamp: TimestampMs) -> None:
        """Apply the other effects of a marker."""
        same_epoch = working.epoch == batch.producer_epoch
        match self._rules.marker_effect:
            case "replaces last batch":
                sequence = working.last_sequence if same_epoch else NO_SEQUENCE
                working.batches = (KeptBatch(sequence, batch.base_offset, 0, timestamp),)
                working.last_timestamp = timestamp
            case "keeps batches":
                if not same_epoch:
                    working.batches, working.last_timestamp = (), NO_TIMESTAMP
            case "keeps batches, sets time":
                if not same_epoch:
                    working.batches = ()
                working.last_timestamp = timestamp
            case effect:
                assert_never(effect)
        working.epoch = batch.producer_epoch

    # ---------------------------------------------------------------- transactions

    @property
    def first_unstable_offset(self) -> Offset | None:
        """Where the oldest transaction begins that is open, or decided above the high watermark; None without one."""
        if not self._open and not self._completed:  # called for every partition of every fetch
            return None
        return min((*self._open, *self._completed), default=None)

    def stable_offset_after(self, transaction: CompletedTxn) -> Offset:
        """The last stable offset once `transaction` is complete: its transaction index entry holds it."""
        others = (first for first, who in self._open.items() if who != transaction.producer_id)
        return min(others, default=transaction.last_offset + 1)

    def on_high_watermark(self, high_watermark: Offset) -> None:
        """Transactions whose marker is below the high watermark are settled."""
        if self._completed:
            self._completed = {f: last for f, last in self._completed.items() if last >= high_watermark}

    # ---------------------------------------------------------------- upkeep

    def remove_expired(self, now: TimestampMs, expiration_ms: DurationMs) -> None:
        """Forget producers that have been idle that long and have no open transaction."""
        gone = [i for i, producer in self.producers.items() if _is_expired(producer, now, expiration_ms)]
        for producer_id in gone:
            del self.producers[producer_id]
        self.attempts.remove_expired(now, expiration_ms)

    def on_log_start(self, log_start: Offset) -> None:
        """Adjust to a log that begins later now."""
        if self._rules.producers_below_log_start == "dropped":
            gone = {i for i, producer in self.producers.items() if producer.last_offset < log_start}
            self.producers = {i: p for i, p in self.producers.items() if i not in gone}
            self._open = {first: who for first, who in self._open.items() if who not in gone}
        self.on_high_watermark(log_start)

    def clear(self) -> None:
        self.producers, self._open, self._completed = {}, {}, {}

    @property
    def is_empty(self) -> bool:
        return not (self.producers or self._completed)

    # ---------------------------------------------------------------- snapshots

    def entries(self) -> list[SnapshotEntry]:
        """The entries of a snapshot taken now."""
        return [producer.to_entry(producer_id) for producer_id, producer in self.in_order()]

    def in_order(self) -> list[tuple[ProducerId, Producer]]:
        """All producers, in the order of the broker's map."""
        hashed = [(long_hash(producer_id), producer_id) for producer_id in self.producers]
        return [(i, self.producers[i]) for i in in_order(hashed, self._rules.producer_map)]

    def load(
        self, entries: Iterable[SnapshotEntry], log_start: Offset, now: TimestampMs, expiration_ms: DurationMs
    ) -> None:
        """Begin with the entries of a snapshot, except those that have expired since."""
        for entry in entries:
            producer = self._from_entry(entry)
            below = self._rules.producers_below_log_start == "dropped" and entry.last_offset < log_start
            if not (below or _is_expired(producer, now, expiration_ms)):
                self.producers[entry.producer_id] = producer
                if producer.transaction_first_offset != NO_OFFSET:
                    self._open[producer.transaction_first_offset] = entry.producer_id

    def _from_entry(self, entry: SnapshotEntry) -> Producer:
        producer = Producer()
        producer.epoch, producer.coordinator_epoch = entry.epoch, entry.coordinator_epoch
        producer.last_timestamp = entry.timestamp
        producer.transaction_first_offset = max(entry.transaction_first_offset, NO_OFFSET)
        if entry.last_offset >= 0:
            kept = KeptBatch(entry.last_sequence, entry.last_offset, entry.offset_delta, entry.timestamp)
            producer.batches = (kept,)
        return producer


_UNKNOWN_SEQUENCE: Final = {
    "out of order": ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    "unknown producer id": ErrorCode.UNKNOWN_PRODUCER_ID,
}


def _covers(batches: tuple[KeptBatch, ...], batch: Batch) -> bool:
    wanted = batch.base_sequence, batch.last_sequence
    return any((kept.first_sequence, kept.last_sequence) == wanted for kept in batches)


def _is_expired(producer: Producer, now: TimestampMs, expiration_ms: DurationMs) -> bool:
    return producer.transaction_first_offset == NO_OFFSET and now - producer.last_timestamp >= expiration_ms
