"""The plug-ins that are installed with this package, as examples. Others are found by the entry point group
`fakekafka.compression`.

    snappyPlugin      KIP-984's own example: Kafka's snappy, as a plug-in
    lzmaPlugin        LZMA, which Kafka never had, from the standard library
    runLengthPlugin   two plain functions: each run of a byte as its length and the byte
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from fakekafka.plugins.plugin import CompressionPlugin, Functions
from fakekafka.records.compression import SNAPPY, compress, decompress

LONGEST_RUN: Final = 255


class SnappyPlugin:
    """Snappy in Kafka's framing, so that its figures can be compared with those of the built-in codec."""

    def compress(self, data: bytes) -> bytes:
        return compress(SNAPPY, data)

    def decompress(self, data: bytes) -> bytes:
        return decompress(SNAPPY, data)


class LzmaPlugin:
    """An .xz stream of LZMA2."""

    def compress(self, data: bytes) -> bytes:
        import lzma

        return lzma.compress(data)

    def decompress(self, data: bytes) -> bytes:
        import lzma

        return lzma.decompress(data)


def shorten_runs(data: bytes) -> bytes:
    """Pairs of bytes: the length of a run, and the byte that is repeated."""
    out = bytearray()
    for byte, run in groupby(data):
        left = sum(1 for _ in run)
        while left:
            out += bytes((min(left, LONGEST_RUN), byte))
            left -= min(left, LONGEST_RUN)
    return bytes(out)


def lengthen_runs(data: bytes) -> bytes:
    """Restore what `shorten_runs` was given. Raises `ValueError` for half a pair."""
    if len(data) % 2:
        raise ValueError(f"{len(data)} bytes are not pairs")
    return b"".join(data[at + 1 : at + 2] * data[at] for at in range(0, len(data), 2))


SHIPPED: Final[Mapping[str, CompressionPlugin]] = {
    "snappyPlugin": SnappyPlugin(),
    "lzmaPlugin": LzmaPlugin(),
    "runLengthPlugin": Functions(shorten_runs, lengthen_runs),
}
"""The shipped plug-ins, by alias."""
