"""In which order records lie that a broker collected in maps: the partitions of one commit, and the tombstones of one
check for expiry.

It follows from hash codes, which are the same in every JVM, and from the kind of map, which is not the same in every
release. Small maps of Scala keep the order in which they were filled. Nothing depends on this but bytes.

The real maps are filled in an order that is not kept here: where two partitions share a place in a map of 4.x, the one
with the larger number goes first.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.jvm.hashes import MASK, java_hash, product_hash, topic_partition_hash
from fakekafka.jvm.maps import Hashed, buckets, champ, concurrent, old_buckets, timeline, trie

Place: TypeAlias = tuple[TopicName, PartitionIndex]
GroupPlace: TypeAlias = tuple[str, TopicName, PartitionIndex]
"""A group and a place where it has an offset."""

SMALL: Final = 4
"""Immutable maps of Scala up to this size keep the order in which they were filled."""
MANY: Final = 1000
"""From so many groups on their order is not worth the time it takes."""
MAPS: Final = ("map", "map of 2.12", "map of 2.13")
NO_TOPIC_ID: Final = 31 * 31
"""What a TopicIdPartition without topic id adds to the hash code of its TopicPartition."""


def committed_order(keys: Iterable[Place], order: str) -> list[Place]:
    """The partitions of one commit as the maps of `order` (`OffsetsBehaviour.map_order`) give them back."""
    filled = list(dict.fromkeys(keys))
    if order == "request" or len(filled) < 2:
        return filled
    if order == "scala":
        return filled if len(filled) <= SMALL else trie([(_case_class(key), key) for key in filled])
    if order == "mutable":
        hashed = [(_topic_id_partition(key), key) for key in filled]
        return buckets(hashed) if len(filled) <= SMALL else champ(hashed)
    hashed = [(_topic_partition(key), key) for key in filled]
    if len(filled) <= SMALL:
        return buckets(hashed) if order == "java" else filled
    return champ(hashed) if order == "scala 2.13" else trie(hashed)


def expired_order(places: Sequence[Place], order: str) -> list[Place]:
    """What goes of one group at once, in `order` (`OffsetsBehaviour.expired_order`)."""
    if order == "by topic":
        topics = timeline([(_text(topic), topic) for topic in dict.fromkeys(topic for topic, _ in places)])
        return [
            (topic, p) for topic in topics for p in timeline([(p & MASK, p) for name, p in places if name == topic])
        ]
    hashed = [(_topic_partition(place), place) for place in places]
    if order == "map of 2.13":
        return champ(hashed) if len(places) > SMALL else buckets(hashed)
    return trie(hashed) if order == "map of 2.12" and len(places) > SMALL else old_buckets(hashed)


def expired_order_of_all(places: Sequence[GroupPlace], count: int, *, case_class: bool) -> list[GroupPlace]:
    """What goes of all groups at once up to 0.10.0, out of one map of `count` offsets. `case_class`: up to 0.9."""
    hash_of = _case_class if case_class else _topic_partition
    return buckets([(product_hash(_text(place[0]), hash_of(place[1:])), place) for place in places], count)


def groups_order(group_ids: Sequence[str], order: str) -> list[str]:
    """The order in which groups are looked at for expiry."""
    if len(group_ids) > MANY:
        return list(group_ids)
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    return timeline(hashed) if order == "by topic" else concurrent(hashed)


def loaded_order(group_ids: Sequence[str], order: str) -> list[str]:
    """The order in which groups that have only offsets come to be when they are loaded."""
    if order not in MAPS or len(group_ids) > MANY:
        return list(group_ids)
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    return champ(hashed) if order == "map of 2.13" else trie(hashed)


def deleted_order(group_ids: Sequence[str], order: str) -> list[str]:
    """The order in which groups go that one request names (`OffsetsBehaviour.deleted_order`)."""
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    few = len(hashed) <= SMALL
    if order == "java set" or (order == "set of 2.12" and few):
        return buckets(hashed)
    if order == "request" or few:
        return list(group_ids)
    return champ(hashed) if order == "set of 2.13" else trie(hashed)


# ---- hash codes


def _text(text: str) -> int:
    return java_hash(text) & MASK


def _topic_partition(key: Place) -> int:
    return topic_partition_hash(*key)


def _topic_id_partition(key: Place) -> int:
    """TopicIdPartition.hashCode, with the topic id all zero."""
    return (NO_TOPIC_ID + _topic_partition(key)) & MASK


def _case_class(key: Place) -> int:
    """TopicAndPartition.hashCode."""
    return product_hash(java_hash(key[0]), key[1])
