"""Integers of variable length and checksums, on plain bytes.

Two families of varints must not be mixed up: *unsigned* ones (the protocol's flexible versions, lengths and tags)
and *zigzag* ones (inside records of message format 2), where 0, -1, 1, -2 are written as 0, 1, 2, 3.
All functions take a buffer and a position and return the value and the position behind it; a buffer that ends too
early raises `IndexError`, a varint that is too long `MalformedBytes`.
"""

import zlib
from collections.abc import Callable
from functools import cache

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer

MAX_VARINT_BYTES = 5
MAX_VARLONG_BYTES = 10


def read_uvarint(buffer: Buffer, at: int) -> tuple[int, int]:
    """An unsigned 32-bit varint and the position behind it."""
    value = buffer[at]
    if value < 0x80:
        return value, at + 1
    value &= 0x7F
    for shift in (7, 14, 21, 28):
        at += 1
        byte = buffer[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFF, at + 1
    raise MalformedBytes(f"varint of more than {MAX_VARINT_BYTES} bytes at {at - 4}")


def uvarint(value: int) -> bytes:
    """`value` (0 to 2**32 - 1) as an unsigned varint."""
    if value < 0x80:
        return _ONE_BYTE[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(buffer: Buffer, at: int) -> tuple[int, int]:
    """A zigzag 32-bit varint and the position behind it."""
    value, at = read_uvarint(buffer, at)
    return (value >> 1) ^ -(value & 1), at


def varint(value: int) -> bytes:
    """`value` (a signed 32-bit number) as a zigzag varint."""
    return uvarint((value << 1 ^ value >> 31) & 0xFFFFFFFF)


def read_varlong(buffer: Buffer, at: int) -> tuple[int, int]:
    """A zigzag 64-bit varint and the position behind it."""
    value = shift = 0
    for n in range(MAX_VARLONG_BYTES):
        byte = buffer[at + n]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            value &= 0xFFFFFFFFFFFFFFFF
            return (value >> 1) ^ -(value & 1), at + n + 1
        shift += 7
    raise MalformedBytes(f"varlong of more than {MAX_VARLONG_BYTES} bytes at {at}")


def varlong(value: int) -> bytes:
    """`value` (a signed 64-bit number) as a zigzag varint."""
    return uvarint((value << 1 ^ value >> 63) & 0xFFFFFFFFFFFFFFFF)


def crc32(data: Buffer) -> int:
    """CRC-32 of IEEE 802.3: message formats 0 and 1."""
    return zlib.crc32(data)


def crc32c(data: Buffer) -> int:
    """CRC-32C (Castagnoli): message format 2, producer snapshots."""
    return _crc32c_function()(data)


@cache
def _crc32c_function() -> Callable[[Buffer], int]:
    from crc32c import crc32c as function  # imported on first use: it takes 40 ms in a bare interpreter

    return function


_ONE_BYTE = tuple(bytes([n]) for n in range(0x80))
