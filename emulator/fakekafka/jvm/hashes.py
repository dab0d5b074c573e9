"""Hash codes of Java's and Scala's classes, and murmur2. Unsigned and 32 bits wide, except `java_hash`."""

from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from struct import unpack
from typing import Final

MASK: Final = 0xFFFFFFFF
_SEED: Final = 0x9747B28C
_M: Final = 0x5BD1E995
_PRODUCT_SEED: Final = 0xCAFEBABE


@lru_cache(maxsize=4096)
def java_hash(text: str) -> int:
    """String.hashCode of Java: over UTF-16 units, signed, 32 bits wide."""
    units = text.encode() if text.isascii() else _units(text)
    value: int = sum(map(mul, units, _powers(len(units)))) & MASK
    return value - 2**32 if value >= 2**31 else value


def _units(text: str) -> tuple[int, ...]:
    data = text.encode("utf-16-be", "surrogatepass")
    return unpack(f">{len(data) // 2}H", data)


@lru_cache(maxsize=256)
def _powers(count: int) -> tuple[int, ...]:
    """The weights of this many units in String.hashCode: powers of 31, the lowest one last."""
    falling = accumulate(repeat(31, count - 1), lambda power, base: power * base & MASK, initial=1)
    return tuple(falling)[::-1] if count else ()


def long_hash(number: int) -> int:
    """Long.hashCode. (Scala hashes negative numbers differently, but ids are not negative.)"""
    return (number ^ number >> 32) & MASK


def uuid_hash(uuid: bytes) -> int:
    """Uuid.hashCode."""
    mixed = int.from_bytes(uuid[:8], "big") ^ int.from_bytes(uuid[8:], "big")
    return (mixed >> 32 ^ mixed) & MASK


def topic_partition_hash(topic: str, partition: int) -> int:
    """TopicPartition.hashCode."""
    return (31 * (31 + partition) + java_hash(topic)) & MASK


def hosted_partition_hash(topic: str, partition: int) -> int:
    """Partition.hashCode, of the broker's own class for a partition that it hosts."""
    return (31 + java_hash(topic) + 17 * partition) & MASK


def product_hash(*parts: int) -> int:
    """MurmurHash3.productHash of Scala: the hash code of a case class whose fields have these hash codes."""
    value = _PRODUCT_SEED
    for part in parts:
        part = (part & MASK) * 0xCC9E2D51 & MASK
        part = _rotated(part, 15) * 0x1B873593 & MASK
        value = (_rotated(value ^ part, 13) * 5 + 0xE6546B64) & MASK
    value ^= len(parts)
    value = (value ^ value >> 16) * 0x85EBCA6B & MASK
    value = (value ^ value >> 13) * 0xC2B2AE35 & MASK
    return value ^ value >> 16


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> 32 - by) & MASK


def murmur2(data: bytes) -> int:
    """The 32-bit murmur2 of `data` as Utils.murmur2 computes it, unsigned."""
    h = (_SEED ^ len(data)) & 0xFFFFFFFF
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        k = int.from_bytes(data[at : at + 4], "little") * _M & 0xFFFFFFFF
        k = (k ^ k >> 24) * _M & 0xFFFFFFFF
        h = (h * _M & 0xFFFFFFFF) ^ k
    tail = data[whole:]
    if tail:
        h = (h ^ int.from_bytes(tail, "little")) * _M & 0xFFFFFFFF
    h = (h ^ h >> 13) * _M & 0xFFFFFFFF
    return h ^ h >> 15
