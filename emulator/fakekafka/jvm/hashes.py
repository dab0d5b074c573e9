"""Hash functions of Java and of Kafka's Java code."""

from functools import lru_cache
from typing import Final

_SEED: Final = 0x9747B28C
_M: Final = 0x5BD1E995


@lru_cache(maxsize=4096)
def java_hash(text: str) -> int:
    """String.hashCode of Java: over UTF-16 units, in 32 bits with sign."""
    data = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for n in range(0, len(data), 2):
        value = value * 31 + (data[n] << 8 | data[n + 1]) & 0xFFFFFFFF
    return value - 2**32 if value >= 2**31 else value


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
