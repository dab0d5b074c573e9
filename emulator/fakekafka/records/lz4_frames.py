"""LZ4 frames as Kafka reads and writes them (KafkaLZ4BlockOutputStream, later Lz4BlockOutputStream).

    at     size
    0      4      frame magic, little endian: 04 22 4d 18
    4      1      FLG: 0x60, which is version 01 and independent blocks. 0x10 block checksums, 0x08 content size, 0x04
                  content checksum: read, never written
    5      1      BD: largest block, 0x40 is 64 KiB (0x50 256 KiB, 0x60 1 MiB, 0x70 4 MiB)
    6      0, 8   content size, if flagged
    6, 14  1      HC: second byte of xxh32 of the descriptor (FLG to content size)
    …             blocks: uint32 size, little endian, highest bit: stored raw; data; uint32 xxh32 of it, if flagged
    …      4      end mark 0; then the content checksum, if flagged. What follows is not read

Up to 0.9 Kafka computed HC over the frame magic too (KAFKA-3160): `1a` instead of `82` for FLG 60, BD 40. Brokers keep
writing it that way in format 0, whatever their release, because only then can clients of that time read it.

The framing is done here, around the block functions: no library writes the wrong checksum, or says which rule a frame
breaks.
"""

from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import lru_cache

from fakekafka.binary import xxh32
from fakekafka.ids import Buffer
from fakekafka.records.malformed import BrokenLz4Block, PayloadTooLarge, UndecodablePayload, UnsupportedLz4

FRAME_MAGIC = b"\x04\x22\x4d\x18"
DESCRIPTOR = b"\x60\x40"
LARGEST_HEADER = 15
BLOCK = 1 << 16
RAW = 1 << 31
END_MARK = bytes(4)

VERSION_MASK, VERSION = 0xC0, 0x40
INDEPENDENT, BLOCK_CHECKSUMS, CONTENT_SIZE, CONTENT_CHECKSUM = 0x20, 0x10, 0x08, 0x04
RESERVED_FLG, RESERVED_BD = 0x03, 0x8F


class HeaderChecksum(IntEnum):
    """The HC that a writer writes or a reader demands."""

    RIGHT = 0
    BROKEN = 1
    """With the frame magic in the sum: required before 0.10.0, whose readers also refuse the content flags."""
    IGNORED = 2
    """Any is accepted: format 0 in 0.10.0 and later. For readers only."""


def write(data: Buffer, checksum: HeaderChecksum = HeaderChecksum.RIGHT, level: int | None = None) -> bytes:
    """`data` as one frame. `level` None: the fast compressor; otherwise the thorough one at that level."""
    compress = _fast_compressor() if level is None else _thorough_compressor(level)
    covered = FRAME_MAGIC + DESCRIPTOR if checksum == HeaderChecksum.BROKEN else DESCRIPTOR
    out = [FRAME_MAGIC, DESCRIPTOR, _hc(covered)]
    for at in range(0, len(data), BLOCK):
        block = bytes(data[at : at + BLOCK])
        packed = compress(block)
        if len(packed) < len(block):
            out += (len(packed).to_bytes(4, "little"), packed)
        else:
            out += ((len(block) | RAW).to_bytes(4, "little"), block)
    out.append(END_MARK)
    return b"".join(out)


def read(data: Buffer, checksum: HeaderChecksum, most: int) -> Iterator[bytes]:
    """What the frame's blocks hold, at most `most` bytes. Raises `UndecodablePayload`, after what can be read."""
    data, out = bytes(data), 0
    flg, largest, at = _read_header(data[:LARGEST_HEADER], checksum)
    while True:
        word = int.from_bytes(_take(data, at, 4), "little")
        at += 4
        if not word:
            break
        size = word & ~RAW
        if size > largest:
            raise UndecodablePayload(f"lz4: a block of {size} bytes where {largest} are the most")
        block = _take(data, at, size)
        at += size
        unpacked = block if word & RAW else _uncompress(block, largest)
        out += len(unpacked)
        if out > most:
            raise PayloadTooLarge(f"lz4: more than {most} bytes come out")
        if flg & BLOCK_CHECKSUMS:
            if int.from_bytes(_take(data, at, 4), "little") != xxh32(block):
                raise BrokenLz4Block("lz4: wrong checksum of a block")
            at += 4
        yield unpacked
    if flg & CONTENT_CHECKSUM:
        _take(data, at, 4)  # must be there, but is not compared


@lru_cache(64)
def _read_header(data: bytes, checksum: HeaderChecksum) -> tuple[int, int, int]:
    """FLG, the size of the largest block, and where the blocks begin. Cached: there are few headers."""
    if not data.startswith(FRAME_MAGIC):
        raise UndecodablePayload("lz4: no frame")
    flg, bd = _take(data, 4, 2)
    if flg & VERSION_MASK != VERSION or flg & RESERVED_FLG or not flg & INDEPENDENT:
        raise UnsupportedLz4(f"lz4: FLG {flg:02x}")
    if bd & RESERVED_BD or bd >> 4 < 4:
        raise UnsupportedLz4(f"lz4: BD {bd:02x}")
    if checksum == HeaderChecksum.BROKEN and flg & (CONTENT_SIZE | CONTENT_CHECKSUM):
        raise UndecodablePayload(f"lz4: FLG {flg:02x}")
    end = 14 if flg & CONTENT_SIZE else 6
    hc = _take(data, end, 1)
    covered = data[:end] if checksum == HeaderChecksum.BROKEN else data[4:end]
    if checksum != HeaderChecksum.IGNORED and hc != _hc(covered):
        raise UndecodablePayload(f"lz4: header checksum {hc.hex()}")
    return flg, 1 << 8 + 2 * (bd >> 4), end + 1


def _fast_compressor() -> Callable[[bytes], bytes]:
    """Of the two available libraries, cramjam (which comes with python-snappy) finds the matches that Java's finds."""
    try:
        from cramjam import lz4 as cramjam_lz4
    except ImportError:
        from lz4 import block

        return lambda data: block.compress(data, store_size=False)
    return lambda data: bytes(cramjam_lz4.compress_block(data, store_size=False))


def _thorough_compressor(level: int) -> Callable[[bytes], bytes]:
    """Here lz4 is the library that does as Java does."""
    from lz4 import block

    return lambda data: block.compress(data, mode="high_compression", compression=level, store_size=False)


def _uncompress(block: bytes, largest: int) -> bytes:
    from lz4.block import LZ4BlockError, decompress

    # A byte decompresses to 255 at most.
    room = min(largest, 255 * len(block) + 64)
    try:
        result: bytes = decompress(block, uncompressed_size=room)
    except LZ4BlockError:
        raise UndecodablePayload("lz4: a block is broken") from None
    return result


def _take(data: bytes, at: int, size: int) -> bytes:
    piece = data[at : at + size]
    if len(piece) < size:
        raise BrokenLz4Block("lz4: the frame is truncated")
    return piece


@lru_cache(64)
def _hc(covered: bytes) -> bytes:
    return bytes([xxh32(covered) >> 8 & 0xFF])
