"""Which partition a keyed record goes to: the Java client's choice (BuiltInPartitioner, DefaultPartitioner)."""

_SEED = 0x9747B28C
_M = 0x5BD1E995


def partition_of(key: bytes, partitions: int) -> int:
    """The partition that Java producers send `key` to."""
    return (murmur2(key) & 0x7FFFFFFF) % partitions


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
