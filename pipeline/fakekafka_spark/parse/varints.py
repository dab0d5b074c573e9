"""Zigzag varints, many at a time. One at a time they are read by `fakekafka.binary`.

All functions work on a buffer as an array of bytes and an array of positions in it. Positions beyond the end read the
last byte: whoever calls finds out by where the fields end. A varint is `raw` before its zigzag is undone: bit 0 is the
sign, so a length is null (negative) where `raw` is odd, and half of `raw` where it is even.
"""

import numpy as np
import numpy.typing as npt
from fakekafka.binary import MAX_VARINT_BYTES

from fakekafka_spark.parse.chunks import Longs

Bytes = npt.NDArray[np.uint8]

FAST_VARLONG_BYTES = 9
"""Longer ones have 64 bits or more, which do not fit into what is read here: they are left to the slow reader."""


def read(data: Bytes, at: Longs, most: int = MAX_VARINT_BYTES) -> tuple[Longs, Longs, Longs]:
    """The raw varints at `at`, the positions behind them, and which of them have more than `most` bytes."""
    byte = data.take(at, mode="clip")
    raw = byte.astype(np.int64)
    behind = at + 1
    unfinished = np.flatnonzero(byte > 127)
    shift = 0
    while len(unfinished) and shift < 7 * (most - 1):
        shift += 7
        byte = data.take(behind[unfinished], mode="clip")
        behind[unfinished] += 1
        raw[unfinished] += (byte.astype(np.int64) - 1) << shift  # less 1: the bit that said there was more
        unfinished = unfinished[byte > 127]
    return raw, behind, unfinished


def signed(raw: Longs) -> Longs:
    """The numbers that raw varints stand for."""
    return (raw >> 1) ^ -(raw & 1)


def sizes(raw: Longs) -> Longs:
    """Raw lengths as sizes: -1 for null."""
    return np.where(raw & 1, -1, raw >> 1)
