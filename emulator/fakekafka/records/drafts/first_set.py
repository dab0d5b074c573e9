"""A set of KIP-98's first draft as a log sees it: a `Batch`, so that everything that reads logs can read it.

Control messages say 0 for COMMIT and 1 for ABORT in their bytes. Their records say what shipped, 1 and 0: readers of
records need not know the draft.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from fakekafka.binary import crc32
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_EPOCH, Buffer, CodecId, LeaderEpoch, Offset, TimestampMs
from fakekafka.records import attributes as bits
from fakekafka.records import control
from fakekafka.records.drafts import kip98
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.record import Record, sequence_after

CRC_AT: Final = 12


class FirstSet:
    """A unit in the draft's format. Raises `CorruptUnit` when the bytes are too few for a header."""

    magic: Final = 2
    has_delete_horizon: Final = False
    leader_epoch: LeaderEpoch = NO_EPOCH
    """The draft has no place for it."""
    base_offset: int
    attributes: int
    last_offset_delta: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int

    def __init__(self, data: Buffer) -> None:
        if len(data) < kip98.HEADER_BYTES:
            raise CorruptUnit(f"a draft set of {len(data)} bytes, of which the header needs {kip98.HEADER_BYTES}")
        self.data = data
        (
            self.base_offset,
            _,
            _,
            _,
            self.attributes,
            self.last_offset_delta,
            self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
        ) = kip98.HEADER.unpack_from(data)

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def codec(self) -> CodecId:
        return self.attributes & bits.CODEC

    @property
    def last_offset(self) -> Offset:
        return self.base_offset + self.last_offset_delta

    @property
    def last_sequence(self) -> int:
        return sequence_after(self.base_sequence, self.last_offset_delta)

    @property
    def timestamp_type(self) -> int:
        return bits.timestamp_type(self.attributes)

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & bits.TRANSACTIONAL)

    @property
    def is_control(self) -> bool:
        """Whether its messages are the broker's. The draft says so for each message; a broker writes them in sets of
        their own.
        """
        try:
            return self.is_transactional and all(message.control for message in self.contents.messages)
        except MalformedBytes:
            return False

    @property
    def count(self) -> int:
        return len(self.contents.messages)

    @cached_property
    def contents(self) -> DraftSet:
        """What the bytes say. Raises any `MalformedBytes`."""
        return kip98.decode(self.data)

    def crc_ok(self) -> bool:
        return is_first_set(self.data)

    def records(self) -> Iterator[Record]:
        """Every record. Raises any `MalformedBytes`."""
        kind = self.timestamp_type
        for message in self.contents.messages:
            timestamp = self.max_timestamp if kind == bits.LOG_APPEND_TIME_TYPE else message.timestamp
            key = _swapped(message.key) if message.control else message.key
            sequence = sequence_after(self.base_sequence, message.offset - self.base_offset)
            yield Record(message.offset, timestamp, kind, key, message.value, (), sequence)


def without(batch: FirstSet, kept: Sequence[Record]) -> bytes:
    """What the cleaner leaves of a set: its offsets and its producer's sequences stay, even if no message does."""
    offsets = {record.offset for record in kept}
    left = tuple(message for message in batch.contents.messages if message.offset in offsets)
    return kip98.encode(batch.contents._replace(messages=left))


class FirstSets:
    """Reads every unit of format 2 as the draft has it: a `Dialect`."""

    def batch(self, data: Buffer) -> FirstSet:
        """The view of one unit."""
        return FirstSet(data)


def is_first_set(data: Buffer) -> bool:
    """Whether the checksum is where the draft has it, and right. A shipped batch has the leader epoch there."""
    return int.from_bytes(data[CRC_AT : CRC_AT + 4], "big") == crc32(data[kip98.COVERED_FROM :])


def set_of(records: Sequence[Record], like: DraftSet, *, control: bool = False) -> bytes:
    """A set of records, its header fields as in `like`. Headers are lost. `control`: they are markers."""
    messages = tuple(
        DraftMessage(r.offset, r.timestamp, _swapped(r.key) if control else r.key, r.value, control) for r in records
    )
    return kip98.encode(like._replace(messages=messages))


def with_append_time(contents: DraftSet, now: TimestampMs) -> DraftSet:
    """A set whose records all have the append time."""
    return contents._replace(attributes=contents.attributes | bits.LOG_APPEND_TIME, max_timestamp=now)


def _swapped(key: bytes | None) -> bytes | None:
    """A marker's key with the type of the other marker: it converts in both directions."""
    if key is None or len(key) < control.KEY.size:
        return key
    version, kind = control.KEY.unpack_from(key)
    return control.KEY.pack(version, 1 - kind) + bytes(key[control.KEY.size :]) if kind in (0, 1) else key
