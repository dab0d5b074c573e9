"""In which order the maps of Java and Scala give back their entries, from the hash codes of the keys.

Each function takes the entries in the order in which they were put in. Equal places keep that order, or reverse it, as
the map does; that tables are only ever as large as these entries make them is assumed.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

K = TypeVar("K")
Hashed: TypeAlias = tuple[int, K]
"""A key behind its hash code, in 32 bits without sign."""

MASK: Final = 0xFFFFFFFF
LEVEL_BITS: Final = 5
FIRST_TABLE: Final = 16


def trie(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """The immutable HashMap of Scala up to 2.12: 32 branches a level, by the lowest bits first."""

    def path(entry: "Hashed[K]") -> list[int]:
        value = _improved(entry[0])
        return [value >> shift & 31 for shift in range(0, 32, LEVEL_BITS)]

    return [key for _, key in sorted(hashed, key=path)]


def champ(hashed: "Sequence[Hashed[K]]", shift: int = 0) -> list[K]:
    """The immutable HashMap of Scala 2.13: in each node first its own entries, then its branches."""
    nodes = _grouped(hashed, lambda value: _improved(value) >> shift & 31)
    entries = [key for node in nodes if len(node) == 1 for _, key in node]
    for node in nodes:
        if len(node) > 1:
            entries += champ(node, shift + LEVEL_BITS) if shift < 32 else [key for _, key in node]
    return entries


def buckets(hashed: "Sequence[Hashed[K]]", count: int | None = None) -> list[K]:
    """HashMap of Java and the mutable one of Scala 2.13. `count`: how many entries there are, if these are not all."""
    size = FIRST_TABLE
    while (len(hashed) if count is None else count) >= size * 3 // 4:
        size *= 2
    return [key for bucket in _grouped(hashed, lambda value: (value ^ value >> 16) & size - 1) for _, key in bucket]


def concurrent(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """ConcurrentHashMap of Java. When it grows, each bucket is split; what is before its last run goes to the front."""
    table: list[list[Hashed[K]]] = [[] for _ in range(FIRST_TABLE)]
    for count, (value, key) in enumerate(hashed, 1):
        spread = value ^ value >> 16
        table[spread & len(table) - 1].append((spread, key))
        if count >= len(table) * 3 // 4:
            halves = [_split(bucket, len(table)) for bucket in table]
            table = [low for low, _ in halves] + [high for _, high in halves]
    return [key for bucket in table for _, key in bucket]


def _split(bucket: "list[Hashed[K]]", bit: int) -> "tuple[list[Hashed[K]], list[Hashed[K]]]":
    run = len(bucket)
    while run > 0 and bucket[run - 1][0] & bit == bucket[-1][0] & bit:
        run -= 1
    moved = [*reversed(bucket[:run]), *bucket[run:]]
    return [entry for entry in moved if not entry[0] & bit], [entry for entry in moved if entry[0] & bit]


def old_buckets(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """The mutable HashMap of Scala up to 2.12: by the highest bits of a mixed hash code, the last bucket first."""
    bits = FIRST_TABLE.bit_length() - 1
    while len(hashed) > (1 << bits) * 3 // 4:
        bits += 1

    def place(value: int) -> int:
        mixed = value * 0x9E3775CD & MASK
        mixed = int.from_bytes(mixed.to_bytes(4, "big"), "little") * 0x9E3775CD & MASK
        return _rotated_right(mixed, bits) >> 32 - bits

    return [key for _, key in reversed([entry for bucket in _grouped(hashed, place) for entry in bucket])]


def timeline(hashed: "Sequence[Hashed[K]]", count: int | None = None) -> list[K]:
    """TimelineHashMap of Kafka: slots by Fibonacci hashing, each from its end. `count`: as in `buckets`."""
    size, total = 2, len(hashed) if count is None else count
    while total * 0.75 > size:
        size *= 2
    shift = 64 - (size.bit_length() - 1)

    def place(value: int) -> int:
        signed = value - 2**32 if value >= 2**31 else value
        return (signed * -7046029254386353131 & 2**64 - 1) >> shift

    return [key for slot in _grouped(hashed, place) for _, key in reversed(slot)]


def _grouped(hashed: "Sequence[Hashed[K]]", place: Callable[[int], int]) -> "list[list[Hashed[K]]]":
    """The entries by place, in order."""
    found: dict[int, list[Hashed[K]]] = {}
    for entry in hashed:
        found.setdefault(place(entry[0]), []).append(entry)
    return [found[at] for at in sorted(found)]


def _improved(value: int) -> int:
    """Hashing.improve of Scala: spreads hash codes before they choose a branch."""
    value = (value + ~(value << 9)) & MASK
    value ^= value >> 14
    value = (value + (value << 4)) & MASK
    return value ^ value >> 10


def _rotated_right(value: int, by: int) -> int:
    return (value >> by | value << 32 - by) & MASK
