"""Sets of records that are wrong inside: under a right checksum, or within a payload that unpacks.

format 0, 1   8 offset | 4 size | 4 crc | 1 magic | 1 attributes [| 8 timestamp] | 4 -1 (no key) | 4 length | value
format 2      8 offset | 4 size | 4 epoch | 1 magic | 4 crc | 2 attributes | … 61: records
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from fakekafka.binary import crc32, crc32c
from fakekafka.records import v0, v1, v2
from fakekafka.records.compression import compress
from fakekafka.records.record import Record
from hypothesis import strategies as st

from tests.emulator.records.strategies import damaged as damaged_sets

BUILD: Final[tuple[Callable[..., bytes], ...]] = (v0.build, v1.build, v2.build)
NOW: Final = 1_600_000_000_000
FILLING: Final = 1 << 17
"""Bytes of one record in a set that unpacks to much more than it weighs."""
PREFIX, MAGIC_AT, BATCH_HEADER = 12, 16, 61


@cache
def right(magic: int, codec: int = 0, count: int = 2, filling: int = 1) -> bytes:
    """A set with nothing wrong."""
    headers = (("h", b"x"),) if magic == 2 else ()
    return BUILD[magic]([Record(n, NOW, 0, b"k", bytes(filling), headers) for n in range(count)], codec=codec)


def checked(data: bytes) -> bytes:
    """`data`, whatever it holds, with the right checksum for its first unit."""
    if len(data) <= MAGIC_AT + 5:
        return data
    if data[MAGIC_AT] == 2:
        return data[:17] + crc32c(data[21:]).to_bytes(4, "big") + data[21:]
    return data[:PREFIX] + crc32(data[16:]).to_bytes(4, "big") + data[16:]


def packed(magic: int, codec: int, inner: bytes) -> bytes:
    """`inner`, whatever it is, compressed into one unit with the right size and checksum."""
    value = compress(codec, inner)
    if magic == 2:
        rest = right(2, codec)[PREFIX:BATCH_HEADER] + value
    else:
        stamp = NOW.to_bytes(8, "big") if magic else b""
        rest = bytes(4) + bytes([magic, codec]) + stamp + b"\xff" * 4 + len(value).to_bytes(4, "big") + value
    return checked(bytes(8) + len(rest).to_bytes(4, "big") + rest)


def inside(magic: int) -> bytes:
    """What `packed` packs, with nothing wrong."""
    return right(2)[BATCH_HEADER:] if magic == 2 else right(magic)


@st.composite
def record_sets(draw: st.DrawFn) -> bytes:
    """Right, damaged under a right checksum or a wrong one, damaged and then compressed, or a bomb."""
    kind = draw(st.sampled_from(["right", "right", "checked", "packed", "damaged", "bomb", "any"]))
    magic = draw(st.integers(0, 2))
    codec = draw(st.integers(1, 4 if magic == 2 else 3))
    if kind == "right":
        return right(magic, draw(st.sampled_from([0, codec])), draw(st.integers(1, 3)))
    if kind == "packed":
        return packed(magic, codec, _with_a_wrong_byte(draw, inside(magic)))
    if kind == "bomb":
        return right(magic, codec, draw(st.integers(1, 3)), FILLING)
    if kind == "any":
        return draw(st.binary(max_size=80))
    data = draw(damaged_sets())
    return checked(data) if kind == "checked" else data


def _with_a_wrong_byte(draw: st.DrawFn, data: bytes) -> bytes:
    at = draw(st.integers(0, len(data) - 1))
    wrong = draw(st.sampled_from([b"\0", b"\x7f", b"\x80", b"\xff", b"\x7f\xff\xff\xff", b"\xfe\xff\xff\xff\x0f"]))
    return data[:at] + wrong + data[at + len(wrong) :]
