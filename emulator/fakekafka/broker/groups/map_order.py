"""In which order the broker's maps give back the partitions of one commit: that is the order of their records.

A broker before 4.0 collects the partitions of an OffsetCommit in maps and writes them as the last map gives them back.
Small maps of Scala keep the order in which they were filled; from five entries on it follows from hash codes, which
are the same in every JVM:

    up to 0.9      Scala's map, keys hashed as a case class (MurmurHash3)
    0.10 to 2.2    first Java's HashMap, which decides the order of up to four
    2.3            Scala's map, filled in the request's order
    2.4 to 3.4     the same in Scala 2.13, whose tries give entries before branches
    3.5 to 3.9     first a mutable map of Scala 2.13

Nothing depends on this but bytes: which record of a commit comes first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from fakekafka.broker.internal_topics import java_hash
from fakekafka.ids import PartitionIndex, TopicName

Key: TypeAlias = tuple[TopicName, PartitionIndex]
_Hashed: TypeAlias = tuple[int, Key]

MASK: Final = 0xFFFFFFFF
SMALL: Final = 4
"""Maps of Scala up to this size keep the order in which they were filled."""
LEVEL_BITS: Final = 5
PRODUCT_SEED: Final = 0xCAFEBABE
NO_TOPIC_ID: Final = 31 * 31
"""What a TopicIdPartition without topic id adds to the hash code of its TopicPartition."""


def in_map_order(keys: Iterable[Key], order: str) -> list[Key]:
    """`keys` as the maps of `order` (`OffsetsBehaviour.map_order`) give them back."""
    filled = list(dict.fromkeys(keys))
    if order == "request" or len(filled) < 2:
        return filled
    if order == "scala":
        return filled if len(filled) <= SMALL else _trie([(_case_class(key), key) for key in filled])
    if len(filled) <= SMALL:
        if order == "java":
            return _buckets([(_topic_partition(key), key) for key in filled])
        return _buckets([(_topic_id_partition(key), key) for key in filled]) if order == "mutable" else filled
    if order == "mutable":
        return _champ([(_topic_id_partition(key), key) for key in filled])
    hashed = [(_topic_partition(key), key) for key in filled]
    return _champ(hashed) if order == "scala 2.13" else _trie(hashed)


# ---- hash codes


def _topic_partition(key: Key) -> int:
    """TopicPartition.hashCode."""
    return (31 * (31 + key[1]) + java_hash(key[0])) & MASK


def _topic_id_partition(key: Key) -> int:
    """TopicIdPartition.hashCode, with the topic id all zero."""
    return (NO_TOPIC_ID + _topic_partition(key)) & MASK


def _case_class(key: Key) -> int:
    """TopicAndPartition.hashCode: MurmurHash3.productHash of topic and partition."""
    value = PRODUCT_SEED
    for part in (java_hash(key[0]), key[1]):
        part = (part & MASK) * 0xCC9E2D51 & MASK
        part = _rotated(part, 15) * 0x1B873593 & MASK
        value = (_rotated(value ^ part, 13) * 5 + 0xE6546B64) & MASK
    value ^= 2
    value = (value ^ value >> 16) * 0x85EBCA6B & MASK
    value = (value ^ value >> 13) * 0xC2B2AE35 & MASK
    return value ^ value >> 16


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> 32 - by) & MASK


def _improved(value: int) -> int:
    """Hashing.improve of Scala: spreads hash codes before they choose a branch."""
    value = (value + ~(value << 9)) & MASK
    value ^= value >> 14
    value = (value + (value << 4)) & MASK
    return value ^ value >> 10


# ---- maps


def _trie(hashed: Sequence[_Hashed]) -> list[Key]:
    """HashTrieMap of Scala up to 2.12: 32 branches a level, by the lowest bits first."""

    def path(entry: _Hashed) -> list[int]:
        value = _improved(entry[0])
        return [value >> shift & 31 for shift in range(0, 32, LEVEL_BITS)]

    return [key for _, key in sorted(hashed, key=path)]


def _champ(hashed: Sequence[_Hashed], shift: int = 0) -> list[Key]:
    """HashMap of Scala 2.13: in each node first its own entries, then its branches."""
    nodes = _grouped(hashed, lambda value: _improved(value) >> shift & 31)
    entries = [key for node in nodes if len(node) == 1 for _, key in node]
    for node in nodes:
        if len(node) > 1:
            entries += _champ(node, shift + LEVEL_BITS) if shift < 32 else [key for _, key in node]
    return entries


def _buckets(hashed: Sequence[_Hashed]) -> list[Key]:
    """HashMap of Java, and the mutable one of Scala 2.13: 16 buckets, which is enough for the small maps asked here."""
    return [key for bucket in _grouped(hashed, lambda value: (value ^ value >> 16) & 15) for _, key in bucket]


def _grouped(hashed: Sequence[_Hashed], place: Callable[[int], int]) -> list[list[_Hashed]]:
    """The entries by place, in order."""
    found: dict[int, list[_Hashed]] = {}
    for entry in hashed:
        found.setdefault(place(entry[0]), []).append(entry)
    return [found[at] for at in sorted(found)]
