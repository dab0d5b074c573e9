"""View of a unit of format 0 or 1: a plain message, or a wrapper around compressed ones (LegacyRecord).

The two formats differ by one field, the timestamp; their byte maps are in `v0.py` and `v1.py`, the rules of wrappers in
`wrapper.py`. A message's key and value are where its length fields say; bytes after the value are allowed.
"""

from collections.abc import Iterator
from functools import cached_property
from struct import Struct
from typing import Final

from fakekafka.binary import crc32
from fakekafka.ids import (
    NO_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    Buffer,
    CodecId,
    Magic,
    Offset,
    Position,
    TimestampMs,
)
from fakekafka.records import attributes as bits
from fakekafka.records import hot, wrapper
from fakekafka.records.batch import Batch
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import CorruptUnit, FieldPastEnd, InvalidRecord, PayloadEndsEarly
from fakekafka.records.record import Record

HEAD = Struct(">qiIbB")  # offset, size, crc, magic, attributes
MIN_UNIT = 26
"""An empty format 0 message with its 12 bytes of offset and size. Format 1 needs 8 more, which is not checked first."""
CRC_AT = 12
MAGIC_AT = 16
ATTRIBUTES_AT = 17
TIMESTAMP_AT = 18


class Message:
    """A message of format 0 or 1; a `Batch`. Raises `CorruptUnit` when the bytes are too few for any message.

    Any other magic is read in the layout of format 0, as brokers before 0.10.0 do, which ignore it.
    """

    leader_epoch: Final = NO_EPOCH
    producer_id: Final = NO_PRODUCER_ID
    producer_epoch: Final = NO_PRODUCER_EPOCH
    base_sequence: Final = NO_SEQUENCE
    last_sequence: Final = NO_SEQUENCE
    is_transactional: Final = False
    is_control: Final = False
    has_delete_horizon: Final = False

    def __init__(self, data: Buffer) -> None:
        if len(data) < MIN_UNIT:
            raise CorruptUnit(f"a message of {len(data)} bytes")
        self.data = data
        self.last_offset: Offset
        self.crc: int
        self.attributes: int
        self.last_offset, _, self.crc, self.magic, self.attributes = HEAD.unpack_from(data)

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def codec(self) -> CodecId:
        return self.attributes & bits.CODEC

    @property
    def max_timestamp(self) -> TimestampMs:
        """The timestamp field: -1 in format 0; in a wrapper the largest inside, or the append time."""
        if self.magic != 1:
            return NO_TIMESTAMP
        return int.from_bytes(self.data[TIMESTAMP_AT : TIMESTAMP_AT + 8], "big", signed=True)

    @property
    def timestamp_type(self) -> int:
        return bits.timestamp_type(self.attributes) if self.magic == 1 else bits.NO_TIMESTAMP_TYPE

    @property
    def key(self) -> bytes | None:
        """The key. Raises `FieldPastEnd`."""
        return self._field(self._key_at)[0]

    @property
    def value(self) -> bytes | None:
        """The value; for a wrapper, the compressed stream. Raises `FieldPastEnd`."""
        return self._field(self._field(self._key_at)[1])[0]

    @property
    def base_offset(self) -> Offset:
        """The first record's offset: deep for wrappers."""
        return next(self.records()).offset if self.codec else self.last_offset

    @property
    def count(self) -> int:
        """Messages inside (deep); 1 for a plain one."""
        return len(hot.message_positions(self._inside)) if self.codec else 1

    def crc_ok(self) -> bool:
        return crc32(self.data[MAGIC_AT:]) == self.crc

    def records(self) -> Iterator[Record]:
        """The record, or those of the wrapper as 0.11 and later read it. Raises any `MalformedBytes`, maybe late."""
        if not self.codec:
            return hot.read_messages(bytes(self.data), [0], 0, None, None)
        data = self._inside
        positions = hot.message_positions(data)
        if not positions:
            raise InvalidRecord("an empty wrapper")
        shift = wrapper.base_offset(self.magic, self.last_offset, HEAD.unpack_from(data, positions[-1])[0])
        append_time = self.max_timestamp if self.timestamp_type == bits.LOG_APPEND_TIME_TYPE else None
        kind = self.timestamp_type if self.magic == 1 else None
        return hot.read_messages(data, positions, shift, kind, append_time)

    def inside(self, lz4_checksum: HeaderChecksum | None = None) -> "list[Message]":
        """The messages of a wrapper as they are stored: offsets, timestamps and types unchanged.

        Raises `UndecodablePayload`, `InvalidRecord`, `CorruptUnit`. See `wrapper.unwrap` for `lz4_checksum`, and for
        readers that accept what came before a fault.
        """
        if lz4_checksum is None:
            return split(self._inside)
        data, failure = wrapper.unwrap(self.magic, self.codec, self.value, lz4_checksum)
        messages = split(data)
        if failure:
            raise failure
        return messages

    @property
    def magics_inside(self) -> set[Magic]:
        """The formats of a wrapper's messages. A cleaner of 0.10.0 may have made them differ from its own (KAFKA-4298).

        Raises as `inside`.
        """
        data = self._inside
        return {data[at + MAGIC_AT] for at in hot.message_positions(data)}

    @cached_property
    def _inside(self) -> bytes:
        data, failure = wrapper.unwrap(self.magic, self.codec, self.value)
        if failure:
            hot.message_positions(data)  # an earlier fault comes first
            raise failure
        return data

    @property
    def _key_at(self) -> Position:
        return TIMESTAMP_AT + 8 if self.magic == 1 else TIMESTAMP_AT

    def _field(self, at: Position) -> tuple[bytes | None, Position]:
        """A key or value, and the position after it. Any negative length is null."""
        start = at + 4
        size = int.from_bytes(self.data[at:start], "big", signed=True)
        end = start + max(size, 0)
        if end > len(self.data):
            raise FieldPastEnd(f"a field of the message ends {end - len(self.data)} bytes after it")
        return None if size < 0 else bytes(self.data[start:end]), end


def misread(batch: Batch) -> Message:
    """A batch of format 2 as seen by brokers that do not know the format: its bytes in the layout of format 1."""
    data = bytearray(batch.data)
    data[MAGIC_AT] = 1
    return Message(data)


def without_offset(wrapper: Message) -> Message:
    """A wrapper whose offset is ignored: the offsets of its messages are taken as they are."""
    data = bytearray(wrapper.data)
    set_offset(data, 0)
    return Message(data)


def up_to_cut(message: Message) -> Message:
    """A wrapper whose gzip stream may be cut, for readers that take the messages before the cut as the whole."""
    if not message.codec:
        return message
    data, failure = wrapper.unwrap(message.magic, message.codec, message.value)
    if not isinstance(failure, PayloadEndsEarly):
        return message
    shorter = Message(message.data)
    vars(shorter)["_inside"] = data
    return shorter


def split(data: bytes) -> list[Message]:
    """The messages of a set, except an incomplete last one. Raises `CorruptUnit`."""
    starts = hot.message_positions(data)
    whole = memoryview(data)
    sizes = [12 + int.from_bytes(data[at + 8 : at + 12], "big") for at in starts]
    return [Message(whole[at : at + size]) for at, size in zip(starts, sizes)]


def set_offset(unit: bytearray | memoryview, offset: Offset) -> None:
    """Write the offset of a message or wrapper in place. No checksum covers it."""
    unit[:8] = offset.to_bytes(8, "big", signed=True)


def set_timestamp(unit: bytearray | memoryview, timestamp_type: int, timestamp: TimestampMs, known: int = 0xFF) -> None:
    """Write timestamp and type of a format 1 message or wrapper in place, and its CRC. Equal values change nothing.

    `known`: the attributes' other bits that stay.
    """
    attributes = bits.with_timestamp_type(unit[ATTRIBUTES_AT], timestamp_type)
    field = timestamp.to_bytes(8, "big", signed=True)
    if attributes == unit[ATTRIBUTES_AT] and field == bytes(unit[TIMESTAMP_AT : TIMESTAMP_AT + 8]):
        return
    unit[ATTRIBUTES_AT] = attributes & (known | bits.LOG_APPEND_TIME)
    unit[TIMESTAMP_AT : TIMESTAMP_AT + 8] = field
    set_crc(unit)


def set_crc(unit: bytearray | memoryview) -> None:
    """Write the checksum of all that follows it. For a message that claims to be longer than its unit the checksum is
    wrong.
    """
    unit[CRC_AT:MAGIC_AT] = crc32(unit[MAGIC_AT:]).to_bytes(4, "big")
