"""Snappy in the framing of the xerial library, which Java reads and writes (SnappyInputStream, SnappyOutputStream).

    at     size
    0      8      82 "SNAPPY" 00
    8      4      version, 1: readers ignore it
    12     4      lowest version that can read this, 1: also ignored
    16     …      blocks: int32 size, then that many bytes of raw snappy

Streams may be concatenated: another header may come where a block is due. Input without the first 8 bytes is one raw
snappy block; several clients of the 0.8 era, and librdkafka, send that. Example, "a": header, 00000003 01 00 61.
"""

from collections.abc import Iterator
from typing import Final

from fakekafka.ids import Buffer
from fakekafka.records.malformed import PayloadTooLarge, UndecodablePayload

MAGIC = b"\x82SNAPPY\0"
HEADER = MAGIC + bytes.fromhex("0000000100000001")
BLOCK = 32 * 1024
"""Bytes of input in a block; the last one may be shorter."""
BY_WRITES: Final = 0
"""In place of a size: the blocks of a writer to which messages are written one by one, see `_by_writes`."""
GATHERED: Final = 1024
HEAD: Final = (8, 4)
"""Bytes of the writes that come before each message: its offset, its size."""


def write(data: Buffer, block: int = BLOCK) -> bytes:
    """`data` as one stream, in blocks of `block` bytes; with `BY_WRITES` it must be messages. Empty data gives the
    header alone.
    """
    from snappy import compress

    out = [HEADER]
    for piece in _by_writes(data) if block == BY_WRITES else _of_size(data, block):
        packed = compress(bytes(piece))
        out += (len(packed).to_bytes(4, "big"), packed)
    return b"".join(out)


def _of_size(data: Buffer, block: int) -> Iterator[Buffer]:
    return (data[at : at + block] for at in range(0, len(data), block))


def _by_writes(data: Buffer) -> Iterator[Buffer]:
    """The blocks of snappy-java 1.1.1.6: what is written is gathered while it is less than 1 KiB; a write that would
    make it more is a block of its own (KAFKA-2189; asked of 0.8.2.1).
    """
    begin = at = 0
    while at < len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "big")
        for written in (*HEAD, size):
            if at + written - begin >= GATHERED:
                if at > begin:
                    yield data[begin:at]
                yield from _of_size(data[at : at + written], BLOCK)
                begin = at + written
            at += written
    if at > begin:
        yield data[begin:at]


def read(data: Buffer, most: int) -> Iterator[bytes]:
    """The content of the blocks, at most `most` bytes. Raises `UndecodablePayload`, after what can be read.

    One to three bytes where a block's size is due end the stream.
    """
    data = bytes(data)
    if len(data) < len(HEADER) or not data.startswith(MAGIC):
        yield _uncompress(data, most)
        return
    at = len(HEADER)
    while at + 4 <= len(data):
        if data.startswith(MAGIC[:4], at):
            if data[at : at + len(HEADER)] != HEADER:
                raise UndecodablePayload("snappy: another header was begun and is broken")
            at += len(HEADER)
            continue
        size = int.from_bytes(data[at : at + 4], "big", signed=True)
        at += 4
        if not 0 < size <= len(data) - at:
            raise UndecodablePayload(f"snappy: a block of {size} bytes where {len(data) - at} are left")
        yield (block := _uncompress(data[at : at + size], most))
        most -= len(block)
        at += size


def _uncompress(block: bytes, left: int) -> bytes:
    """One raw block. It starts with its uncompressed size, and the library would allocate whatever that claims."""
    from snappy import UncompressError, decompress

    claimed = shift = 0
    for byte in block[:5]:
        claimed |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    # The densest element turns 3 bytes into 64.
    if claimed > min(left, len(block) * 64 // 3):
        wrong = PayloadTooLarge if claimed > left else UndecodablePayload
        raise wrong(f"snappy: {len(block)} bytes claim to become {claimed}")
    try:
        result: bytes = decompress(block)
    except UncompressError as e:
        raise UndecodablePayload("snappy: a block is broken") from e
    return result
