"""Compress and decompress by codec id, in every framing that Kafka has used.

    id   name     stream                                                     formats
    0    none     as it is                                                   0, 1, 2
    1    gzip     RFC 1952, one member; readers join concatenated members    0, 1, 2
    2    snappy   xerial blocks (`xerial.py`); readers take raw snappy too   0, 1, 2
    3    lz4      LZ4 frames, in format 0 with a wrong checksum              0, 1, 2 (0.8.2 and later)
                  (`lz4_frames.py`)
    4    zstd     RFC 8878; readers join concatenated frames                 2 (KIP-110, 2.1 and later)

What a broker does with a broken stream depends on how far its reader got: records that were decoded before the stream
broke are checked first. So decompressing returns both what came out and what went wrong (`Decompressed`).

Framing and content of what `compress` writes are Kafka's. The compressed bytes depend on the libraries. With the
current libraries, gzip, lz4 and zstd give exactly the bytes that brokers wrote in all recordings; snappy does up to
3.4, after which Java's snappy chooses other matches.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.ids import Buffer, CodecId
from fakekafka.records import lz4_frames, xerial
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import PayloadEndsEarly, PayloadTooLarge, UndecodablePayload, UnknownCodec

if TYPE_CHECKING:
    from zlib import _Decompress
NONE, GZIP, SNAPPY, LZ4, ZSTD = range(5)
CODEC_NAMES = ("none", "gzip", "snappy", "lz4", "zstd")

ALWAYS_ALLOWED = 1 << 28
"""The size that any payload may decompress to, as long as its request has that much left (`ALLOWED_TOGETHER`)."""
MOST_TIMES = 16
"""A payload that exceeds that limit may still grow to this many times its own size; beyond that it is refused as
undecodable. Brokers have no such limit: they read one record after the other, while here all are in memory at once.
"""
LARGE = 1 << 24
"""A payload that exceeds this size is decompressed a second time, into memory for the largest one. The system provides
only the part that is written to; a buffer that grows as it is filled leaves up to a hundred megabytes unused.
"""

ALLOWED_TOGETHER = 1 << 30
"""What all payloads of one request may decompress to, beyond `MOST_TIMES` their own sizes: as much as one gzip batch of
Kafka's default `message.max.bytes` could. Brokers have no such limit. Not `Final`, or the compiled core would take the
number as it was when it was built.
"""

left_together: Final[ContextVar[int | None]] = ContextVar("left_together", default=None)
"""What is left of that while a request that sets it is handled; what would exceed it is undecodable. None: each
payload is bounded by itself. A request is handled in one step on one thread, so no other one sees its value.
"""

GZIP_HEADER = bytes.fromhex("1f8b08000000000000ff")
"""No time, no flags, operating system 255 (JDK 16 and later; older ones wrote 0)."""
GZIP_LEVEL = 6
ZSTD_LEVEL = 3
LZ4_LEVEL = 9
"""Kafka's default level (3.8 and later). It selects the fast compressor; other levels select the thorough one."""


class Decompressed(NamedTuple):
    """What a stream gave, and why it stopped short of its end: None if it did not."""

    data: bytes
    failure: UndecodablePayload | None


def compress(
    codec: CodecId,
    data: Buffer,
    *,
    level: int | None = None,
    snappy_block: int = xerial.BLOCK,
    lz4_checksum: HeaderChecksum = HeaderChecksum.RIGHT,
) -> bytes:
    """`data` as one stream of `codec`. `level` None is Kafka's default. Raises `UnknownCodec`.

    `snappy_block`: brokers 0.10.2 and Java producers up to 0.10.2 cut blocks of 1 KiB, others of 32 KiB (KAFKA-5236);
    0.8.2.0 and 0.8.2.1 make them as messages are written (`xerial.BY_WRITES`).
    `lz4_checksum`: `BROKEN` for format 0 (KAFKA-3160).
    """
    if codec == NONE:
        return bytes(data)
    if codec == GZIP:
        return _gzip(data, GZIP_LEVEL if level in (None, -1) else level)
    if codec == SNAPPY:
        return xerial.write(data, snappy_block)
    if codec == LZ4:
        return lz4_frames.write(data, lz4_checksum, None if level in (None, LZ4_LEVEL) else level)
    if codec == ZSTD:
        return _zstd(data, ZSTD_LEVEL if level is None else level)
    raise UnknownCodec(f"codec {codec}")


def decompress(codec: CodecId, data: Buffer, *, lz4_checksum: HeaderChecksum = HeaderChecksum.RIGHT) -> bytes:
    """The inverse of `compress`. Raises `UndecodablePayload` for a stream that is incomplete or wrong."""
    out, failure = decompress_part(codec, data, lz4_checksum=lz4_checksum)
    if failure:
        raise failure
    return out


def decompress_part(
    codec: CodecId, data: Buffer, *, lz4_checksum: HeaderChecksum = HeaderChecksum.RIGHT
) -> Decompressed:
    """As much of a stream as can be read, and what stopped it. Raises `UnknownCodec`, and only that.

    `lz4_checksum` is what the reader demands of a frame's header checksum: `RIGHT` in formats 1 and 2, `IGNORED` in
    format 0, and before 0.10.0 `BROKEN`.
    """
    if codec == NONE:
        return Decompressed(bytes(data), None)
    if not GZIP <= codec <= ZSTD:
        raise UnknownCodec(f"codec {codec}")
    most, left = _most(data), left_together.get()
    if left is not None:
        left += MOST_TIMES * len(data)
        most = min(most, left)
    out, failure = _decompress_to(most, codec, data, lz4_checksum)
    if left is not None:
        left_together.set(max(0, left - out.tell()))
    return Decompressed(out.getvalue(), failure)


def pieces(codec: CodecId, data: Buffer, *, lz4_checksum: HeaderChecksum = HeaderChecksum.RIGHT) -> Iterator[bytes]:
    """What `decompress` gives, in pieces of a few megabytes at most, for readers that do not need it all at once.

    `lz4_checksum`: as for `decompress_part`. Raises `UnknownCodec` before the first piece is asked for. Raises
    `UndecodablePayload` after the last piece that can be read of a stream that is damaged or cut, or that gives more
    bytes than any payload of its size may (`ALWAYS_ALLOWED`, `MOST_TIMES`); what its request has left does not change.
    """
    if not NONE <= codec <= ZSTD:
        raise UnknownCodec(f"codec {codec}")
    return _pieces(_most(data), codec, data, lz4_checksum)


def pieces_together(codec: CodecId, data: Buffer) -> Iterator[bytes]:
    """As `pieces`, bounded as `decompress_part`: what comes out counts for the request that is handled, if one is."""
    left = left_together.get()
    if left is None:
        return pieces(codec, data)
    return _counted(left + MOST_TIMES * len(data), codec, data)


def _counted(left: int, codec: CodecId, data: Buffer) -> Iterator[bytes]:
    for piece in _pieces(min(_most(data), left), codec, data, HeaderChecksum.RIGHT):
        left -= len(piece)
        left_together.set(max(0, left))
        yield piece


def _most(data: Buffer) -> int:
    """What a payload may decompress to, by itself."""
    return max(ALWAYS_ALLOWED, MOST_TIMES * len(data))


def _decompress_to(
    most: int, codec: CodecId, data: Buffer, lz4_checksum: HeaderChecksum
) -> tuple[BytesIO, UndecodablePayload | None]:
    """What can be decompressed, up to `most` bytes, and why no more."""
    out, room = BytesIO(), min(most, LARGE)  # BytesIO returns its content without a copy
    failure: UndecodablePayload | None = None
    while True:
        try:
            for piece in _pieces(room, codec, data, lz4_checksum):
                out.write(piece)
        except UndecodablePayload as e:
            if room < most and isinstance(e, PayloadTooLarge):
                out.close()  # which gives its memory back
                out, room = BytesIO(bytes(min(most, ALWAYS_ALLOWED))), most
                continue
            failure = type(e)(str(e))  # the one raised and this frame would keep each other, and all data read, alive
        out.truncate()
        return out, failure


def _pieces(most: int, codec: CodecId, data: Buffer, lz4_checksum: HeaderChecksum) -> Iterator[bytes]:
    """Raises `PayloadTooLarge` once more than `most` bytes come out."""
    if codec == GZIP:
        return _gunzip(data, most)
    if codec == SNAPPY:
        return xerial.read(data, most)
    if codec == LZ4:
        return lz4_frames.read(data, lz4_checksum, most)
    return _unzstd(data, most) if codec == ZSTD else iter((bytes(data),))


# ---- gzip


def _gzip(data: Buffer, level: int) -> bytes:
    from zlib import DEFLATED, compressobj, crc32

    deflate = compressobj(level, DEFLATED, -15)
    trailer = crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    return GZIP_HEADER + deflate.compress(data) + deflate.flush() + trailer


INPUT_STEP = 1 << 16
OUTPUT_STEP = 1 << 20


def _gunzip(data: Buffer, most: int) -> Iterator[bytes]:
    """Read member after member. Trailing bytes that are not a member are ignored, as GZIPInputStream does."""
    from zlib import decompressobj, error

    rest, out = memoryview(data), 0
    if len(rest) < len(GZIP_HEADER):
        raise UndecodablePayload(f"gzip header of {len(rest)} bytes")
    while True:
        member = decompressobj(31)
        while len(rest) and not member.eof:
            step, rest = rest[:INPUT_STEP], rest[INPUT_STEP:]
            try:
                for piece in _inflate(member, step):
                    yield piece
                    out += len(piece)
                    if out > most:
                        raise _too_much("gzip", most)
            except error as e:
                raise UndecodablePayload(f"gzip: {e}") from None
        if not member.eof:
            raise PayloadEndsEarly("gzip: the stream is truncated")
        rest = memoryview(data)[len(data) - len(rest) - len(member.unused_data) :]
        if len(rest) < len(GZIP_HEADER) or bytes(rest[:3]) != GZIP_HEADER[:3]:
            return


def _inflate(member: "_Decompress", step: Buffer) -> Iterator[bytes]:
    """Everything that a piece of input decompresses to, in pieces."""
    while not member.eof:
        piece = member.decompress(step, OUTPUT_STEP)
        yield piece
        step = member.unconsumed_tail
        if not step and len(piece) < OUTPUT_STEP:
            return


# ---- zstd


def _zstd(data: Buffer, level: int) -> bytes:
    """One frame as Java's stream makes it: without content size and checksum, flushed before its end, so that the last
    block is always an empty one."""
    from zstandard import COMPRESSOBJ_FLUSH_BLOCK, ZstdCompressor

    stream = ZstdCompressor(level=level).compressobj()
    return stream.compress(data) + stream.flush(COMPRESSOBJ_FLUSH_BLOCK) + stream.flush()


ZSTD_STEPS = (64, 512, 4096)
"""Input is given in small steps, because the library does not bound the output of one step; steps are larger while
little comes out.
"""


def _unzstd(data: Buffer, most: int) -> Iterator[bytes]:
    """Read frames to the end. Unlike the library, this does not take a cut frame for a whole one, nor stop after the
    first. No data at all is an empty stream. Frames after the first may be cut: Java's reader then ends there.
    """
    from zstandard import ZstdDecompressor, ZstdError

    rest, out = memoryview(data), 0
    whole = pace = 0
    while len(rest):
        frame = ZstdDecompressor().decompressobj()
        while len(rest) and not frame.eof:
            size = ZSTD_STEPS[pace]
            step, rest = rest[:size], rest[size:]
            try:
                piece = frame.decompress(step)
            except ZstdError as e:
                raise UndecodablePayload(f"zstd: {e}") from None
            yield piece
            out += len(piece)
            if out > most:
                raise _too_much("zstd", most)
            pace = 0 if len(piece) > OUTPUT_STEP else min(pace + 1, len(ZSTD_STEPS) - 1)
        if not frame.eof:
            if whole:
                return
            raise UndecodablePayload("zstd: the frame is truncated")
        whole += 1
        rest = memoryview(data)[len(data) - len(rest) - len(frame.unused_data) :]


def _too_much(codec: str, most: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"{codec}: more than {most} bytes come out")
