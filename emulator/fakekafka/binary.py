"""Integers of variable length and checksums, on plain bytes.

Two families of varints must not be mixed up: *unsigned* ones (the protocol's flexible versions, lengths and tags)
and *zigzag* ones (inside records of message format 2), where 0, -1, 1, -2 are written as 0, 1, 2, 3.
All functions take a buffer and a position and return the value and the position after it; a buffer that ends too
early raises `IndexError`, a varint that is too long `MalformedBytes`.
"""

from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from struct import unpack

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer

MAX_VARINT_BYTES = 5
MAX_VARLONG_BYTES = 10


def read_uvarint(buffer: Buffer, at: int) -> tuple[int, int]:
    """An unsigned 32-bit varint and the position after it."""
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


def varint(value: int) -> bytes:
    """`value` (a signed 32-bit number) as a zigzag varint."""
    return uvarint((value << 1 ^ value >> 31) & 0xFFFFFFFF)


def read_uvarlong(buffer: Buffer, at: int) -> tuple[int, int]:
    """An unsigned 64-bit varint and the position after it."""
    value = shift = 0
    for n in range(MAX_VARLONG_BYTES):
        byte = buffer[at + n]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at + n + 1
        shift += 7
    raise MalformedBytes(f"varlong of more than {MAX_VARLONG_BYTES} bytes at {at}")


def varlong(value: int) -> bytes:
    """`value` (a signed 64-bit number) as a zigzag varint."""
    return uvarint((value << 1 ^ value >> 63) & 0xFFFFFFFFFFFFFFFF)


def crc32(data: Buffer) -> int:
    """CRC-32 of IEEE 802.3: message formats 0 and 1."""
    return crc32_function()(data)


@cache
def crc32_function() -> Callable[[Buffer], int]:
    """The function behind `crc32`, for loops: isal's, which is several times faster, where isal is installed; otherwise
    zlib's. Either is loaded when it is first needed, which it never is for many brokers.
    """
    try:
        from isal import isal_zlib
    except ImportError:
        import zlib

        return zlib.crc32
    function: Callable[[Buffer], int] = isal_zlib.crc32
    return function


def crc32c(data: Buffer, before: int = 0) -> int:
    """CRC-32C (Castagnoli): message format 2, producer snapshots. `before`: the checksum of the preceding bytes."""
    return _crc32c_function()(data, before)


@cache
def _crc32c_function() -> Callable[[Buffer, int], int]:
    """The function of the package's extension module, which is loaded alone: `import crc32c` looks its own version up
    in the installed packages, which takes 40 ms.
    """
    package = PathFinder.find_spec("crc32c")
    spec = package and PathFinder.find_spec("crc32c._crc32c", package.submodule_search_locations)
    if spec is None or spec.loader is None:
        from crc32c import crc32c as function  # in a bundle, or another release of the package

        return function
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[Buffer, int], int] = module.crc32c
    return found


def xxh32(data: Buffer) -> int:
    """xxHash32 with seed 0: the checksums inside LZ4 frames. Slow (a microsecond per 4 bytes), and rarely needed."""
    data = bytes(data)
    size = len(data)
    words = unpack(f"<{size // 4}I", data[: size & ~3])
    lanes = size // 16 * 4
    if lanes:
        sums = [_XXH_1 + _XXH_2 & _MASK, _XXH_2, 0, -_XXH_1 & _MASK]
        for n in range(lanes):
            sums[n & 3] = _rotate(sums[n & 3] + words[n] * _XXH_2, 13) * _XXH_1 & _MASK
        total = sum(_rotate(one, by) for one, by in zip(sums, (1, 7, 12, 18)))
    else:
        total = _XXH_5
    total += size
    for word in words[lanes:]:
        total = _rotate(total + word * _XXH_3, 17) * _XXH_4
    for byte in data[size & ~3 :]:
        total = _rotate(total + byte * _XXH_5, 11) * _XXH_1
    total &= _MASK
    total = (total ^ total >> 15) * _XXH_2 & _MASK
    total = (total ^ total >> 13) * _XXH_3 & _MASK
    return total ^ total >> 16


def _rotate(value: int, by: int) -> int:
    value &= _MASK
    return (value << by | value >> 32 - by) & _MASK


_MASK = 0xFFFFFFFF
_XXH_1, _XXH_2, _XXH_3, _XXH_4, _XXH_5 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1
_ONE_BYTE = tuple(bytes([n]) for n in range(0x80))
