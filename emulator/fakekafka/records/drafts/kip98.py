"""The message set of KIP-98's first draft, to be compared with what shipped (`v2.py`).

    set     0     8     offset of the first message            message   uvarint   length of what follows
            8     4     length of what follows                           1         attributes: 1 null key, 2 null
            12    4     CRC                                                        value, 4 control
            16    1     magic, 2                                         8         timestamp
            17    2     attributes: bits 0-2 codec,                      uvarint   offset delta
                        3 timestamp type, 4 transactional                uvarint   key length, not if null
            19    4     offset delta of the last message                 k         key
            23    8     max timestamp                                    v         value; its length follows from
            31    8     producer id                                                the message's
            39    2     producer epoch                                   4         CRC
            41    4     sequence of the first message
            45    …     messages

The draft leaves open: the polynomial and reach of the CRCs (taken here: IEEE, over all that follows the set's CRC and
over all of a message before its own), whether offset + delta is the last offset or the next set's first (taken: the
last, as shipped), and what is compressed (taken: all messages as one stream, the header staying in the clear).
"""

from enum import IntEnum
from struct import Struct, error
from typing import NamedTuple

from fakekafka.binary import crc32, read_uvarint, uvarint
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, Buffer
from fakekafka.records.attributes import CODEC
from fakekafka.records.compression import compress, decompress
from fakekafka.records.malformed import CorruptUnit, InvalidRecord

HEADER = Struct(">qiIbhiqqhi")
HEADER_BYTES = 45
COVERED_FROM = 16
NULL_KEY, NULL_VALUE, CONTROL = 1, 2, 4


class ControlType(IntEnum):
    """The reverse of what shipped (`control.ControlType`)."""

    COMMIT = 0
    ABORT = 1


class DraftMessage(NamedTuple):
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    control: bool = False


class DraftSet(NamedTuple):
    messages: tuple[DraftMessage, ...]
    attributes: int = 0
    producer_id: int = NO_PRODUCER_ID
    producer_epoch: int = NO_PRODUCER_EPOCH
    sequence: int = NO_SEQUENCE
    max_timestamp: int | None = None
    """None: that of the messages. The append time, where the attributes say so."""
    offsets: tuple[int, int] | None = None
    """The first and the last offset; None: those of the messages. They stay when messages are compacted away."""


def encode(messages: DraftSet) -> bytes:
    """The set's bytes. Without messages, it must name its offsets and its largest timestamp."""
    first, last = messages.offsets or (messages.messages[0].offset, messages.messages[-1].offset)
    body = compress(messages.attributes & CODEC, b"".join(encode_message(m, first) for m in messages.messages))
    highest = max(m.timestamp for m in messages.messages) if messages.max_timestamp is None else messages.max_timestamp
    tail = HEADER.pack(0, 0, 0, 2, messages.attributes, last - first, highest, messages.producer_id,
                       messages.producer_epoch, messages.sequence)[COVERED_FROM:] + body  # fmt: skip
    return Struct(">qiI").pack(first, len(tail) + 4, crc32(tail)) + tail


def encode_message(message: DraftMessage, base_offset: int) -> bytes:
    """One message of a set that starts at `base_offset`."""
    flags = (NULL_KEY if message.key is None else 0) | (NULL_VALUE if message.value is None else 0)
    body = bytes([flags | (CONTROL if message.control else 0)]) + message.timestamp.to_bytes(8, "big", signed=True)
    body += uvarint(message.offset - base_offset)
    if message.key is not None:
        body += uvarint(len(message.key)) + message.key
    body = uvarint(len(body) + len(message.value or b"") + 4) + body + (message.value or b"")
    return body + crc32(body).to_bytes(4, "big")


def decode(data: Buffer) -> DraftSet:
    """The set that `data` holds. Raises `CorruptUnit` for a broken header or CRC, `InvalidRecord` for the rest, and
    `UndecodablePayload`.
    """
    try:
        first, size, crc, magic, attributes, delta, highest, producer_id, epoch, sequence = HEADER.unpack_from(data)
    except error:
        raise CorruptUnit(f"a draft set of {len(data)} bytes") from None
    if magic != 2 or size != len(data) - 12 or crc != crc32(data[COVERED_FROM:]):
        raise CorruptUnit("magic, length or CRC of a draft set")
    body = decompress(attributes & CODEC, data[HEADER_BYTES:])
    messages: list[DraftMessage] = []
    at = 0
    while at < len(body):
        message, at = _decode_message(body, at, first)
        messages.append(message)
    return DraftSet(tuple(messages), attributes, producer_id, epoch, sequence, highest, (first, first + delta))


def _decode_message(body: bytes, start: int, base_offset: int) -> tuple[DraftMessage, int]:
    try:
        size, at = read_uvarint(body, start)
        end = at + size
        flags = body[at]
        timestamp = int.from_bytes(body[at + 1 : at + 9], "big", signed=True)
        delta, at = read_uvarint(body, at + 9)
        key = None
        if not flags & NULL_KEY:
            key_size, at = read_uvarint(body, at)
            key = body[at : at + key_size]
            at += key_size
    except IndexError:
        raise InvalidRecord("a draft message is truncated") from None
    if not at <= end - 4 <= len(body) - 4:
        raise InvalidRecord("a draft message is longer or shorter than its fields")
    if int.from_bytes(body[end - 4 : end], "big") != crc32(body[start : end - 4]):
        raise CorruptUnit("CRC of a draft message")
    value = None if flags & NULL_VALUE else body[at : end - 4]
    return DraftMessage(base_offset + delta, timestamp, key, value, bool(flags & CONTROL)), end
