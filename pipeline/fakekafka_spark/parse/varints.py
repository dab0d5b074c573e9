"""Zigzag varints, many at a time. One at a time they are read by `fakekafka.binary`.

All functions work on a buffer as an array of bytes and an array of positions in it. Positions beyond the end read the
last byte: the caller finds out by where the fields end. A varint is `raw` before its zigzag is undone: bit 0 is the
sign, so a length is null (negative) where `raw` is odd, and half of `raw` where it is even.
"""

import numpy as np
import numpy.typing as npt
from fakekafka.binary import MAX_VARINT_BYTES

from fakekafka_spark.parse.chunks import Longs

Bytes = npt.NDArray[np.uint8]

FAST_VARLONG_BYTES = 9
"""Longer ones have 64 bits or more, which do not fit into what is read here: they are left to the slow reader."""
HIGHEST_FIFTH_BYTE = 15
"""The longest varint of 32 bits."""
NONE: Longs = np.empty(0, np.int64)


def read(data: Bytes, at: Longs, most: int = MAX_VARINT_BYTES) -> tuple[Longs, Longs, Longs]:
    """The raw varints at `at`, the positions after them, and which of them are too big: more than 32 bits, or more
    than 9 bytes where `most` says 9.

    The second byte is read for all, as lengths of 64 and more are common; the bytes after it only where they are.
    """
    byte = data.take(at, mode="clip")
    raw, behind = byte.astype(np.int64), at + 1
    longer = byte >> 7
    if not longer.any():
        return raw, behind, NONE
    byte = data.take(behind, mode="clip")
    more = byte.astype(np.int64)
    more -= 1  # the bit of the first byte that said there was more
    more <<= 7
    more *= longer
    raw += more
    behind += longer
    unfinished = np.flatnonzero((byte > 127) & longer.view(bool))
    shift = 7
    while len(unfinished) and shift < 7 * (most - 1):
        shift += 7
        byte = data.take(behind[unfinished], mode="clip")
        behind[unfinished] += 1
        raw[unfinished] += (byte.astype(np.int64) - 1) << shift
        limit = HIGHEST_FIFTH_BYTE if shift == 28 and most == MAX_VARINT_BYTES else 127
        unfinished = unfinished[byte > limit]
    return raw, behind, unfinished


def signed(raw: Longs) -> Longs:
    """The numbers that raw varints stand for."""
    return (raw >> 1) ^ -(raw & 1)


def sizes(raw: Longs) -> Longs:
    """Raw lengths as sizes: -1 for null."""
    null = raw & 1
    return np.where(null, -1, raw >> 1) if null.any() else raw >> 1
