"""The order of records that a broker collected in maps: the partitions of one commit, and the tombstones of one
check for expiry.

It follows from hash codes, which are the same in every JVM, and from the kind of map, which is not the same in every
release. Small maps of Scala keep the order in which they were filled. Only bytes depend on this.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias, assert_never

from fakekafka.ids import PartitionIndex, TopicName, TopicPartition
from fakekafka.jvm.hashes import MASK, java_hash, product_hash, topic_partition_hash
from fakekafka.jvm.maps import Hashed, MapKind, buckets, champ, concurrent, old_buckets, texts_in_order, timeline, trie
from fakekafka.releases.behaviours.offsets import DeletedOrder, ExpiredOrder, MapOrder

GroupTopicPartition: TypeAlias = tuple[str, TopicName, PartitionIndex]
"""A group and a place where it has an offset."""

CommitOrder: TypeAlias = MapOrder | Literal["mutable of java", "2.13 of java"]
"""The maps of commits, with those of commits in transactions."""

SMALL: Final = 4
"""Immutable maps of Scala up to this size keep the order in which they were filled."""
MANY: Final = 1000
"""From this many groups on, their order is not worth the time it takes."""
NO_TOPIC_ID: Final = 31 * 31
"""What a TopicIdPartition without topic id adds to the hash code of its TopicPartition."""


def committed_order(keys: Iterable[TopicPartition], order: CommitOrder) -> list[TopicPartition]:
    """The partitions of one commit as the maps of `order` (`OffsetsBehaviour.map_order`) give them back."""
    filled = list(dict.fromkeys(keys))
    few = len(filled) <= SMALL
    if len(filled) < 2:
        return filled
    match order:
        case "request":
            return filled
        case "scala":
            return filled if few else trie([(_case_class(key), key) for key in filled])
        case "mutable":
            hashed = [(_topic_id_partition(key), key) for key in filled]
            return buckets(hashed) if few else champ(hashed)
        case "java":
            hashed = _hashed(filled)
            return buckets(hashed) if few else trie(hashed)
        case "mutable of java":
            through = old_buckets(_hashed(buckets(_hashed(filled))))
            return through if few else trie(_hashed(through))
        case "2.13 of java":
            through = buckets(_hashed(filled))
            return through if few else champ(_hashed(through))
        case "scala 2.12":
            return filled if few else trie(_hashed(filled))
        case "scala 2.13":
            return filled if few else champ(_hashed(filled))
        case _:
            assert_never(order)


def expired_order(partitions: Sequence[TopicPartition], order: ExpiredOrder) -> list[TopicPartition]:
    """The offsets that one group loses at once, in `order` (`OffsetsBehaviour.expired_order`)."""
    many = len(partitions) > SMALL
    match order:
        case "by topic":
            return _by_topic(partitions)
        case "map of 2.13":
            return champ(_hashed(partitions)) if many else buckets(_hashed(partitions))
        case "map of 2.12":
            return trie(_hashed(partitions)) if many else old_buckets(_hashed(partitions))
        case "map" | "offsets" | "old offsets":
            return old_buckets(_hashed(partitions))
        case _:
            assert_never(order)


def pending_order(keys: Iterable[GroupTopicPartition], order: ExpiredOrder) -> list[GroupTopicPartition]:
    """Offsets of a transaction as the maps that hold each group's give them back."""
    ordered: list[GroupTopicPartition] = []
    by_group: dict[str, list[TopicPartition]] = {}
    for group, topic, partition in keys:
        by_group.setdefault(group, []).append((topic, partition))
    for group, places in by_group.items():
        hashed = _hashed(places)
        in_map = buckets(hashed) if order == "map of 2.13" else old_buckets(hashed)
        ordered += [(group, topic, partition) for topic, partition in in_map]
    return ordered


def _by_topic(partitions: Sequence[TopicPartition]) -> list[TopicPartition]:
    topics = timeline([(_text(topic), topic) for topic in dict.fromkeys(topic for topic, _ in partitions)])
    return [
        (topic, p) for topic in topics for p in timeline([(p & MASK, p) for name, p in partitions if name == topic])
    ]


def order_of_all(places: Iterable[GroupTopicPartition], *, case_class: bool) -> list[GroupTopicPartition]:
    """All offsets of a broker up to 0.10.0, as the one map that has them (a Pool) gives them back. `places`: in the
    order in which they were put in; what is committed again keeps its place. `case_class`: up to 0.9.
    """
    hash_of = _case_class if case_class else _topic_partition
    return concurrent([(product_hash(_text(key[0]), hash_of(key[1:])), key) for key in places])


def groups_order(group_ids: Sequence[str], *, by_topic: bool) -> list[str]:
    """The order in which groups are checked for expiry. `by_topic`: by the coordinator in Java."""
    if len(group_ids) > MANY:
        return list(group_ids)
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    return timeline(hashed) if by_topic else concurrent(hashed)


def loaded_order(group_ids: Sequence[str], order: ExpiredOrder) -> list[str]:
    """The order in which groups that have only offsets are created by loading."""
    if len(group_ids) > MANY:
        return list(group_ids)
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    match order:
        case "map of 2.13":
            return champ(hashed)
        case "map" | "map of 2.12":
            return trie(hashed)
        case "by topic" | "offsets" | "old offsets":
            return list(group_ids)
        case _:
            assert_never(order)


def loaded_whole_order(group_ids: Iterable[str], order: ExpiredOrder) -> list[str]:
    """The order in which groups that have a record are created by loading."""
    match order:
        case "map of 2.13":
            return texts_in_order(group_ids, MapKind.SCALA_2_13_MUTABLE)
        case "map" | "map of 2.12" | "offsets" | "old offsets":
            return texts_in_order(group_ids, MapKind.SCALA_2_12_MUTABLE)
        case "by topic":
            return list(group_ids)
        case _:
            assert_never(order)


def deleted_order(group_ids: Sequence[str], order: DeletedOrder) -> list[str]:
    """The order in which groups named by one request are deleted (`OffsetsBehaviour.deleted_order`)."""
    hashed: list[Hashed[str]] = [(_text(group_id), group_id) for group_id in group_ids]
    few = len(hashed) <= SMALL
    match order:
        case "request":
            return list(group_ids)
        case "java set":
            return buckets(hashed)
        case "set of 2.12":
            return buckets(hashed) if few else trie(hashed)
        case "set of 2.13":
            return list(group_ids) if few else champ(hashed)
        case _:
            assert_never(order)


# ---- hash codes


def _text(text: str) -> int:
    return java_hash(text) & MASK


def _hashed(keys: Iterable[TopicPartition]) -> list[Hashed[TopicPartition]]:
    return [(_topic_partition(key), key) for key in keys]


def _topic_partition(key: TopicPartition) -> int:
    return topic_partition_hash(*key)


def _topic_id_partition(key: TopicPartition) -> int:
    """TopicIdPartition.hashCode, with the topic id all zero."""
    return (NO_TOPIC_ID + _topic_partition(key)) & MASK


def _case_class(key: TopicPartition) -> int:
    """TopicAndPartition.hashCode."""
    return product_hash(java_hash(key[0]), key[1])
