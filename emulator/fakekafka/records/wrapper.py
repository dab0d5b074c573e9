"""Wrappers: how formats 0 and 1 compress. One message, whose value is a compressed set of messages.

    wrapper    offset: that of its last message    attributes: codec (and LogAppendTime)    key: null    value: stream
    stream     messages of the same format, each with its 12 bytes of offset and size

                          format 0                      format 1 (KIP-31)
    offset inside         absolute                      0, 1, 2, …; gaps after compaction
    absolute offset       as it stands                  wrapper's offset - last offset inside + offset inside
    wrapper's timestamp   -                             largest inside; the append time if bit 3 is set, and then it
                                                        holds for every message inside, whatever they say

In format 1 a broker can assign offsets by writing only the wrapper's. One level only: a wrapper in a wrapper is
invalid.
"""

from collections.abc import Iterator

from fakekafka.ids import Buffer, CodecId, Magic, Offset, TimestampMs
from fakekafka.records import hot, xerial
from fakekafka.records.attributes import LOG_APPEND_TIME
from fakekafka.records.compression import LZ4, NONE, ZSTD, compress, decompress_part, pieces
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import InvalidRecord, UndecodablePayload, UnknownCodec
from fakekafka.records.record import Record


def unwrap(
    magic: Magic, codec: CodecId, stream: Buffer | None, lz4_checksum: HeaderChecksum | None = None
) -> tuple[bytes, UndecodablePayload | None]:
    """The messages in a wrapper's value, decompressed as far as possible, and what stopped that.

    `lz4_checksum` None: as 0.10.0 and later read, ignored in format 0 and right in format 1. Raises `InvalidRecord`
    for a null value, `UnknownCodec` (zstd included: it came after these formats).
    """
    stream = _checked(magic, codec, stream)
    return decompress_part(codec, stream, lz4_checksum=_checksum(magic) if lz4_checksum is None else lz4_checksum)


def unwrap_pieces(magic: Magic, codec: CodecId, stream: Buffer | None) -> Iterator[bytes]:
    """The messages in a wrapper's value, piece by piece.

    Raises as `unwrap` does, and `UndecodablePayload` after the last piece that can be read.
    """
    return pieces(codec, _checked(magic, codec, stream), lz4_checksum=_checksum(magic))


def _checked(magic: Magic, codec: CodecId, stream: Buffer | None) -> Buffer:
    if stream is None:
        raise InvalidRecord("a wrapper without value")
    if codec == ZSTD:
        raise UnknownCodec(f"codec {codec} in format {magic}")
    return stream


def _checksum(magic: Magic) -> HeaderChecksum:
    return HeaderChecksum.RIGHT if magic else HeaderChecksum.IGNORED


def base_offset(magic: Magic, wrapper_offset: Offset, last_inside: Offset) -> Offset:
    """What to add to the offsets inside to make them absolute, by the rules of 0.11 and later.

    A format 1 wrapper of offset 0 adds nothing: librdkafka sent these (KAFKA-5365). One below its last message raises
    `InvalidRecord`.
    """
    if magic == 0 or wrapper_offset == 0:
        return 0
    if wrapper_offset < last_inside:
        raise InvalidRecord(f"a wrapper of offset {wrapper_offset} whose last message says {last_inside}")
    return wrapper_offset - last_inside


def wrap(
    magic: Magic,
    codec: CodecId,
    messages: bytes,
    *,
    offset: Offset,
    timestamp: TimestampMs,
    append_time: bool = False,
    level: int | None = None,
    snappy_block: int = xerial.BLOCK,
) -> bytes:
    """A wrapper around `messages`, bytes that only have to be compressed."""
    if not NONE < codec <= LZ4:
        raise UnknownCodec(f"codec {codec} in format {magic}")
    checksum = HeaderChecksum.RIGHT if magic else HeaderChecksum.BROKEN
    stream = compress(codec, messages, level=level, snappy_block=snappy_block, lz4_checksum=checksum)
    attributes = codec | (LOG_APPEND_TIME if append_time else 0)
    return hot.message(magic, offset, timestamp, attributes, None, stream)


def build(
    magic: Magic,
    records: list[Record],
    codec: CodecId,
    append_time: TimestampMs | None,
    inside: TimestampMs | None,
    level: int | None,
    snappy_block: int,
) -> bytes:
    """The set of `records`: one wrapper if there is a codec, otherwise the messages. The builders of `v0` and `v1`."""
    if not records:
        return b""
    first = records[0].offset if magic and codec else 0
    messages = hot.write_messages(records, magic, first, inside)
    if not codec:
        return messages
    timestamp = max(-1, *(r.timestamp for r in records)) if append_time is None else append_time
    return wrap(magic, codec, messages, offset=records[-1].offset, timestamp=timestamp,
                append_time=append_time is not None, level=level, snappy_block=snappy_block)  # fmt: skip
