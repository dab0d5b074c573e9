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

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.ids import Buffer, CodecId
from fakekafka.records import lz4_frames, xerial
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import PayloadEndsEarly, UndecodablePayload, UnknownCodec

if TYPE_CHECKING:
    from zlib import _Decompress

NONE, GZIP, SNAPPY, LZ4, ZSTD = range(5)
CODEC_NAMES = ("none", "gzip", "snappy", "lz4", "zstd")

ALWAYS_ALLOWED = 1 << 28
"""The size that any payload may decompress to."""
MOST_TIMES = 16
"""A payload that exceeds that limit may still grow to this many times its own size; beyond that it is refused as
undecodable. Brokers have no such limit: they read one record after the other, while here all are in memory at once.
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

    `snappy_block`: brokers 0.10.2 and Java producers up to 0.10.2 cut blocks of 1 KiB, others of 32 KiB (KAFKA-5236).
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
    """The inverse of `compress`. Raises `UndecodablePayload` for a stream that is not whole and right."""
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
    out = BytesIO()  # BytesIO returns its content without a copy
    most = max(ALWAYS_ALLOWED, MOST_TIMES * len(data))
    failure = None
    try:
        if codec == GZIP:
            _gunzip(data, out, most)
        elif codec == SNAPPY:
            xerial.read(data, out, most)
        elif codec == LZ4:
            lz4_frames.read(data, out, lz4_checksum, most)
        else:
            _unzstd(data, out, most)
    except UndecodablePayload as e:
        failure = type(e)(str(e))  # the one raised and this frame would keep each other, and all data read, alive
    return Decompressed(out.getvalue(), failure)


# ---- gzip


def _gzip(data: Buffer, level: int) -> bytes:
    from zlib import DEFLATED, compressobj, crc32

    deflate = compressobj(level, DEFLATED, -15)
    trailer = crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    return GZIP_HEADER + deflate.compress(data) + deflate.flush() + trailer


INPUT_STEP = 1 << 16
OUTPUT_STEP = 1 << 20


def _gunzip(data: Buffer, out: BytesIO, most: int) -> None:
    """Read member after member. Trailing bytes that are not a member are ignored, as GZIPInputStream does."""
    from zlib import decompressobj, error

    rest = memoryview(data)
    if len(rest) < len(GZIP_HEADER):
        raise UndecodablePayload(f"gzip header of {len(rest)} bytes")
    while True:
        member = decompressobj(31)
        while len(rest) and not member.eof:
            step, rest = rest[:INPUT_STEP], rest[INPUT_STEP:]
            try:
                _inflate(member, step, out, most)
            except error as e:
                raise UndecodablePayload(f"gzip: {e}") from None
        if not member.eof:
            raise PayloadEndsEarly("gzip: the stream is cut")
        rest = memoryview(data)[len(data) - len(rest) - len(member.unused_data) :]
        if len(rest) < len(GZIP_HEADER) or bytes(rest[:3]) != GZIP_HEADER[:3]:
            return


def _inflate(member: "_Decompress", step: Buffer, out: BytesIO, most: int) -> None:
    """Everything that a piece of input decompresses to, in pieces."""
    while not member.eof:
        piece = member.decompress(step, OUTPUT_STEP)
        out.write(piece)
        if out.tell() > most:
            raise _too_much("gzip", most)
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


def _unzstd(data: Buffer, out: BytesIO, most: int) -> None:
    """Read frames to the end. Unlike the library, this does not take a cut frame for a whole one, nor stop after the
    first. No data at all is an empty stream. Frames after the first may be cut: Java's reader then ends there.
    """
    from zstandard import ZstdDecompressor, ZstdError

    rest = memoryview(data)
    whole = pace = 0
    while len(rest):
        frame = ZstdDecompressor().decompressobj()
        while len(rest) and not frame.eof:
            size = ZSTD_STEPS[pace]
            step, rest = rest[:size], rest[size:]
            try:
                written = out.write(frame.decompress(step))
            except ZstdError as e:
                raise UndecodablePayload(f"zstd: {e}") from None
            if out.tell() > most:
                raise _too_much("zstd", most)
            pace = 0 if written > OUTPUT_STEP else min(pace + 1, len(ZSTD_STEPS) - 1)
        if not frame.eof:
            if whole:
                return
            raise UndecodablePayload("zstd: the frame is cut")
        whole += 1
        rest = memoryview(data)[len(data) - len(rest) - len(frame.unused_data) :]


def _too_much(codec: str, most: int) -> UndecodablePayload:
    return UndecodablePayload(f"{codec}: more than {most} bytes come out")
