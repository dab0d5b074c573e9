"""The order in which the maps of Java and Scala give back their entries, from the hash codes of the keys.

Each function takes the entries in the order in which they were put in. Entries in the same bucket keep that order, or
reverse it, as the map does. It is assumed that nothing was ever removed: a table that has grown stays large.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from struct import pack, unpack
from typing import Final, TypeAlias, TypeVar

from fakekafka.ids import MAX_INT32
from fakekafka.jvm.hashes import MASK, java_hash

K = TypeVar("K")
Hashed: TypeAlias = tuple[int, K]
"""A key, preceded by its hash code as an unsigned 32-bit number."""

SMALL: Final = 4
"""Immutable maps and sets of Scala with up to this many entries are not hash maps."""
LEVEL_BITS: Final = 5
FIRST_TABLE: Final = 16
LOAD: Final = 0.75
"""How full Java's tables get."""
FIRST_BITS: Final = 4
SIGN: Final = 1 << 31
"""The bit that, turned, has unsigned numbers compare as Java compares signed ones."""
FIRST_HASHTABLE: Final = 11
MIXER: Final = 0x9E3775CD
"""The multiplier of scala.util.hashing.byteswap32."""


class MapKind(Enum):
    """A kind of map, or of set."""

    JAVA = "HashMap of Java, filled one by one"
    JAVA_COMPUTED = "HashMap of Java, filled one by one with computeIfAbsent"
    JAVA_GROUPED = "HashMap of Java, filled with computeIfAbsent, which was also called for the last keys again"
    JAVA_SIZED = "HashMap of Java, made for as many entries as are put in"
    JAVA_COPY = "HashMap of Java, copied from another collection"
    JAVA_PUT_ALL = "HashMap of Java, filled at once with another map"
    JAVA_CONCURRENT = "ConcurrentHashMap of Java"
    JAVA_TREE = "TreeMap of Java, whose keys are in order"
    SCALA_2_12 = "immutable HashMap of Scala up to 2.12"
    SCALA_2_12_MAP = "immutable Map of Scala up to 2.12, which keeps the order of insertion while it is small"
    SCALA_2_12_MUTABLE = "mutable HashMap of Scala up to 2.12"
    SCALA_2_13 = "immutable HashMap of Scala 2.13"
    SCALA_2_13_MAP = "immutable Map of Scala 2.13, which keeps the order of insertion while it is small"
    SCALA_2_13_MUTABLE = "mutable HashMap of Scala 2.13"
    SCALA_ANY_REF = "AnyRefMap of Scala, copied from another one"
    SCALA_LONG = "LongMap of Scala, made for as many entries as are put in"
    TIMELINE = "TimelineHashMap of Kafka"
    PERSISTENT = "HashTreePMap of PCollections"


def in_order(hashed: "Sequence[Hashed[K]]", kind: MapKind) -> list[K]:
    """The keys as a map of this kind gives them back."""
    place = sorting(kind, len(hashed))
    if place is not None:
        return _sorted(hashed, place)
    match kind:
        case MapKind.JAVA_COMPUTED:  # puts an entry before the others in its bucket, and grows before that
            return buckets(hashed[::-1], len(hashed) - 2)
        case MapKind.JAVA_GROUPED:  # grows when it is called again
            return buckets(hashed[::-1], len(hashed) - 1)
        case MapKind.JAVA_CONCURRENT:
            return concurrent(hashed)
        case MapKind.JAVA_TREE:
            return sorted(key for _, key in hashed)  # type: ignore[type-var]
        case MapKind.SCALA_2_12_MAP | MapKind.SCALA_2_13_MAP if len(hashed) <= SMALL:
            return [key for _, key in hashed]
        case MapKind.SCALA_2_12_MUTABLE:
            return old_buckets(hashed)
        case MapKind.SCALA_2_13 | MapKind.SCALA_2_13_MAP:
            return champ(hashed)
        case MapKind.SCALA_ANY_REF | MapKind.SCALA_LONG:
            return _open(hashed, is_long=kind is MapKind.SCALA_LONG)
        case MapKind.TIMELINE:
            return timeline(hashed)
        case _:
            raise AssertionError(kind)


def sorting(kind: MapKind, count: int) -> "Callable[[int], int] | None":
    """What sorts the keys of such a map with `count` entries, from their hash codes; None if more matters."""
    match kind:
        case MapKind.JAVA:
            return _bucket(count - 1)
        case MapKind.JAVA_COPY:
            return _bucket(count)
        case MapKind.JAVA_SIZED:
            return _sized_bucket(count, count)
        case MapKind.JAVA_PUT_ALL:
            return _sized_bucket(count, int(count / LOAD + 1))
        case MapKind.SCALA_2_12:
            return _path
        case MapKind.SCALA_2_12_MAP if count > SMALL:
            return _path
        case MapKind.SCALA_2_13_MUTABLE:
            return _sorted_bucket(count)
        case MapKind.PERSISTENT:
            return lambda code: code ^ SIGN
        case _:
            return None


def _sorted(hashed: "Sequence[Hashed[K]]", place: Callable[[int], int]) -> list[K]:
    return [key for _, key in sorted(hashed, key=lambda entry: place(entry[0]))]


def _bucket(count: int, first: int = FIRST_TABLE) -> Callable[[int], int]:
    """The bucket of a hash code in a HashMap of Java with `count` entries."""
    size = first
    while count >= size * 3 // 4:
        size *= 2
    last = size - 1
    return lambda code: (code ^ code >> 16) & last  # `_spread`, written out for speed


def _sorted_bucket(count: int) -> Callable[[int], int]:
    """As `_bucket`, for the mutable HashMap of Scala 2.13, each of whose buckets is sorted by its hash codes."""
    bucket = _bucket(count)
    return lambda code: bucket(code) << 32 | _spread(code) ^ SIGN


def _sized_bucket(count: int, planned: int) -> Callable[[int], int]:
    size = 1 << max(0, planned - 1).bit_length()
    while count > size * 3 / 4:
        size *= 2
    last = size - 1
    return lambda code: (code ^ code >> 16) & last


def _open(hashed: "Sequence[Hashed[K]]", *, is_long: bool) -> list[K]:
    from fakekafka.jvm.open_maps import any_ref_map, long_map  # only metadata from 2.1 on, without KRaft, are in these

    return long_map(hashed, len(hashed)) if is_long else any_ref_map(hashed)


def texts_in_order(texts: Iterable[str], kind: MapKind) -> list[str]:
    """The texts as a map of this kind, whose keys they are, gives them back."""
    return in_order([(java_hash(text) & MASK, text) for text in texts], kind)


def trie(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """The immutable HashMap of Scala up to 2.12: 32 branches a level, by the lowest bits first."""
    return _sorted(hashed, _path)


def _path(code: int) -> int:
    """The branches on the way to an entry with this hash code, five bits each."""
    v = _improved(code)
    lowest = (v & 31) << 30 | (v >> 5 & 31) << 25 | (v >> 10 & 31) << 20 | (v >> 15 & 31) << 15
    return lowest | (v >> 20 & 31) << 10 | (v >> 25 & 31) << 5 | v >> 30


def champ(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """The immutable HashMap of Scala 2.13."""
    return _champ([(_improved(code), key) for code, key in hashed], 0)


def _champ(hashed: "Sequence[Hashed[K]]", shift: int) -> list[K]:
    """A node of that map: first its own entries, then its branches."""
    branches: dict[int, list[Hashed[K]]] = {}
    for entry in hashed:
        branches.setdefault(entry[0] >> shift & 31, []).append(entry)
    nodes = [branches[at] for at in sorted(branches)]
    entries = [node[0][1] for node in nodes if len(node) == 1]
    for node in nodes:
        if len(node) > 1:
            entries += _champ(node, shift + LEVEL_BITS) if shift < 32 else [key for _, key in node]
    return entries


def buckets(hashed: "Sequence[Hashed[K]]", count: int | None = None, first: int = FIRST_TABLE) -> list[K]:
    """HashMap of Java, copied, or the mutable one of Scala 2.13. `count`: the number of all entries, if these are only
    some of them. `first`: the size of its first table, a power of two.
    """
    return _sorted(hashed, _bucket(len(hashed) if count is None else count, first))


def mutable(hashed: "Sequence[Hashed[K]]", most: int = 0) -> list[K]:
    """The mutable HashMap of Scala 2.13. `most`: how many entries it has ever had, if it was cleared since."""
    return _sorted(hashed, _sorted_bucket(max(most, len(hashed))))


def sized(hashed: "Sequence[Hashed[K]]", planned: int) -> list[K]:
    """HashMap of Java that was made for `planned` entries: as many buckets, rounded up to a power of 2."""
    return _sorted(hashed, _sized_bucket(len(hashed), planned))


def hashtable(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """Hashtable of Java, as it is enumerated: from its last bucket to its first, the newest entry first."""
    size = FIRST_HASHTABLE
    table: list[list[Hashed[K]]] = [[] for _ in range(size)]
    for count, entry in enumerate(hashed):
        if count >= size * 3 // 4:
            entries = [one for bucket in reversed(table) for one in bucket]
            size = 2 * size + 1
            table = [[] for _ in range(size)]
            for one in entries:
                table[(one[0] & MAX_INT32) % size].insert(0, one)
        table[(entry[0] & MAX_INT32) % size].insert(0, entry)
    return [key for bucket in reversed(table) for _, key in bucket]


def concurrent(hashed: "Sequence[Hashed[K]]", most: int = 0) -> list[K]:
    """ConcurrentHashMap of Java. When it grows, each bucket is split; the entries before its last run go to the
    front. `most`: how many entries it has ever had, if it has lost some.
    """
    table: list[list[Hashed[K]]] = [[] for _ in range(FIRST_TABLE)]
    for count, (value, key) in enumerate(hashed, 1):
        spread = _spread(value)
        table[spread & len(table) - 1].append((spread, key))
        if count >= len(table) * 3 // 4:
            table = _doubled(table)
    while most >= len(table) * 3 // 4:
        table = _doubled(table)
    return [key for bucket in table for _, key in bucket]


def _doubled(table: "list[list[Hashed[K]]]") -> "list[list[Hashed[K]]]":
    halves = [_split(bucket, len(table)) for bucket in table]
    return [low for low, _ in halves] + [high for _, high in halves]


def _split(bucket: "list[Hashed[K]]", bit: int) -> "tuple[list[Hashed[K]], list[Hashed[K]]]":
    run = len(bucket)
    while run > 0 and bucket[run - 1][0] & bit == bucket[-1][0] & bit:
        run -= 1
    moved = [*reversed(bucket[:run]), *bucket[run:]]
    return [entry for entry in moved if not entry[0] & bit], [entry for entry in moved if entry[0] & bit]


def old_buckets(hashed: "Sequence[Hashed[K]]") -> list[K]:
    """The mutable HashMap of Scala up to 2.12: by the highest bits of a mixed hash code, the last bucket first.

    The newest entry is first in its bucket, and growing reverses the buckets: so where an entry comes in its bucket
    follows from its number, and from how often the table has grown before and after it.
    """
    size, bits, turn = FIRST_TABLE, FIRST_BITS, -1
    ages = []
    for number in range(1, len(hashed) + 1):
        ages.append(turn * number)
        if number > size * 3 // 4:
            size, bits, turn = size * 2, bits + 1, -turn
    turned = _turned([code for code, _ in hashed])
    places = [((MASK ^ place) >> 32 - bits << 32) - turn * age for place, age in zip(turned, ages, strict=True)]
    return [hashed[n][1] for n in sorted(range(len(hashed)), key=places.__getitem__)]


def _turned(codes: Iterable[int]) -> list[int]:
    """Hash codes, mixed and rotated, whose highest bits are their places (HashTable.index of Scala 2.12).

    They are rotated by the bits of the first table's places, however large the table is now.
    """
    return [code >> FIRST_BITS | code << 32 - FIRST_BITS & MASK for code in swapped(codes)]


def swapped(codes: Iterable[int]) -> list[int]:
    """byteswap32 of Scala up to 2.12, of each hash code: spreads them."""
    mixed = [code * MIXER & MASK for code in codes]
    turned = unpack(f"<{len(mixed)}I", pack(f">{len(mixed)}I", *mixed))
    return [code * MIXER & MASK for code in turned]


def timeline(hashed: "Sequence[Hashed[K]]", count: int | None = None) -> list[K]:
    """TimelineHashMap of Kafka: slots by Fibonacci hashing, each read from its end. `count`: as in `buckets`."""
    size, total = 2, len(hashed) if count is None else count
    while total * 0.75 > size:
        size *= 2
    shift = 64 - (size.bit_length() - 1)

    def place(value: int) -> int:
        return (_signed(value) * -7046029254386353131 & 2**64 - 1) >> shift

    return [key for slot in _grouped(hashed, place) for _, key in reversed(slot)]


def _grouped(hashed: "Sequence[Hashed[K]]", place: Callable[[int], int]) -> "list[list[Hashed[K]]]":
    """The entries by place, in order."""
    groups: dict[int, list[Hashed[K]]] = {}
    for entry in hashed:
        groups.setdefault(place(entry[0]), []).append(entry)
    return [groups[at] for at in sorted(groups)]


def _spread(value: int) -> int:
    """HashMap.hash of Java and HashMap.improveHash of Scala 2.13: folds the upper half onto the lower one."""
    return value ^ value >> 16


def _signed(value: int) -> int:
    """A hash code as Java compares it."""
    return value - 2**32 if value >= 2**31 else value


def _improved(value: int) -> int:
    """Hashing.improve of Scala: spreads hash codes before they choose a branch."""
    value = (value + ~(value << 9)) & MASK
    value ^= value >> 14
    value = (value + (value << 4)) & MASK
    return value ^ value >> 10
