"""What is left of a batch of which some records go (MemoryRecords.buildRetainedRecordsInto; before 0.10.2 LogCleaner).

    format 2    base offset, last offset, producer, leader epoch and kind stay; count, timestamps and records are new
    format 1    a wrapper of the last offset that is left; offsets inside are relative to the first, with holes
    format 0    a wrapper of the last offset that is left; offsets inside are absolute

Plain messages of formats 0 and 1 stay or go unchanged, except in the two releases that change formats.
"""

from typing import NamedTuple, assert_never

from fakekafka.ids import Magic, TimestampMs
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.records import v0, v1, v2, wrapper
from fakekafka.records.attributes import CREATE_TIME_TYPE, LOG_APPEND_TIME_TYPE
from fakekafka.records.batch import Batch
from fakekafka.records.drafts.first_set import FirstSet, without
from fakekafka.records.message import Message
from fakekafka.records.plugged import PLUGGED
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Rebuilding(NamedTuple):
    """How a release rebuilds."""

    rules: CleanerBehaviour
    configured: Magic
    """The topic's format."""
    snappy_block: int

    def must(self, batch: Batch) -> bool:
        """Whether a batch is rebuilt even if nothing goes. Raises `CleaningFailed` if the release cannot read it."""
        if not isinstance(batch, Message):
            return False
        match self.rules.rebuilt_format:
            case "newest":
                return True
            case "configured":
                check_inside(batch)
                return bool(batch.magic != self.configured)
            case "configured outside":
                check_inside(batch)
                return False
            case "as inside" | "as outside":
                return bool(batch.codec) and (self._remakes_wrappers() or batch.magics_inside != {batch.magic})
            case rule:
                assert_never(rule)

    def _remakes_wrappers(self) -> bool:
        """Whether a wrapper is rewritten even if nothing in it is removed."""
        match self.rules.wrappers:
            case "taken apart" | "rebuilt":
                return True
            case "kept if whole":
                return False
            case rule:
                assert_never(rule)

    def rebuilt(self, batch: Batch, kept: list[Record], horizon_ms: TimestampMs | None) -> bytes:
        """The unit, or units, of the records that are left. `horizon_ms`: the time until which its tombstones stay."""
        if isinstance(batch, RecordBatch):
            return self._batch(batch, kept, horizon_ms)
        if isinstance(batch, FirstSet):
            return without(batch, kept)
        if not isinstance(batch, Message):
            raise TypeError(f"{type(batch).__name__} is not a batch of a log")
        append_time = batch.max_timestamp if batch.timestamp_type == LOG_APPEND_TIME_TYPE else None
        match self.rules.rebuilt_format:
            case "newest":
                return v2.build(kept, codec=batch.codec, append_time=append_time, delete_horizon_ms=horizon_ms,
                                snappy_block=self.snappy_block)  # fmt: skip
            case "as inside" | "configured" | "configured outside":
                return self._with_old_messages(batch, kept)
            case "as outside":
                pass
            case rule:
                assert_never(rule)
        if batch.magic == 0:
            return v0.build(kept, codec=batch.codec, snappy_block=self.snappy_block)
        return v1.build(kept, codec=batch.codec, append_time=append_time, snappy_block=self.snappy_block)

    def _batch(self, batch: RecordBatch, kept: list[Record], horizon_ms: TimestampMs | None) -> bytes:
        append_time = batch.max_timestamp if batch.timestamp_type == LOG_APPEND_TIME_TYPE else None
        return v2.build(
            kept,
            base_offset=batch.base_offset,
            last_offset=batch.last_offset,
            codec=batch.codec,
            append_time=append_time,
            leader_epoch=batch.leader_epoch,
            producer_id=batch.producer_id,
            producer_epoch=batch.producer_epoch,
            base_sequence=batch.base_sequence,
            transactional=batch.is_transactional,
            control=batch.is_control,
            delete_horizon_ms=horizon_ms,
            snappy_block=self.snappy_block,
            plugged=batch.plugged.of_batch(batch.attributes) if batch.plugged and batch.codec == PLUGGED else None,
        )

    # ---------------------------------------------------------------- up to 0.10.2: messages are copied

    def _with_old_messages(self, batch: Message, kept: list[Record]) -> bytes:
        if not batch.codec:
            return self._converted(batch, kept[0])
        inside = dict(zip((record.offset for record in batch.records()), batch.inside()))
        messages = [self._converted(inside[record.offset], record) for record in kept]
        if self.rules.takes_wrappers_apart:
            return b"".join(messages)
        magic = self._outside(messages)
        first = kept[0].offset if magic else 0
        placed = [(r.offset - first).to_bytes(8, "big") + m[8:] for r, m in zip(kept, messages)]
        return wrapper.wrap(
            magic,
            batch.codec,
            b"".join(placed),
            offset=kept[-1].offset,
            timestamp=max(record.timestamp for record in kept),
            # a record from format 0 has no timestamp type, which counts as append time
            append_time=magic > 0 and kept[0].timestamp_type != CREATE_TIME_TYPE,
            snappy_block=self.snappy_block,
        )

    def _converted(self, message: Message, record: Record) -> bytes:
        """A message at its absolute offset, in the topic's format if the release wants that."""
        if not self.rules.converts_messages or message.magic == self.configured:
            return record.offset.to_bytes(8, "big") + bytes(message.data[8:])
        if self.configured == 0:
            return v0.message(record.offset, record.key, record.value)
        return v1.message(record.offset, -1, record.key, record.value)

    def _outside(self, messages: list[bytes]) -> Magic:
        """The format of the wrapper around these messages."""
        if not self.rules.wrapper_follows_messages:
            return self.configured
        magics = {message[16] for message in messages}
        if len(magics) > 1:
            raise CleaningFailed("Messages in the same message set must have same magic value")
        return magics.pop()


def check_inside(batch: Batch) -> None:
    """Raises `CleaningFailed` for a wrapper that 0.10.0 itself has spoilt, and cannot read (KAFKA-4298)."""
    if isinstance(batch, Message) and batch.codec and batch.magics_inside != {batch.magic}:
        raise CleaningFailed(f"Compressed message has magic value {batch.magic}, those inside have another one")
