"""The order of a transaction's partitions in a value of `__transaction_state` and when their markers are written, and
the order in which the coordinator goes through its transactional ids.

Brokers keep them in sets and maps, so it follows from hash codes (`jvm.maps`), and from the kinds of sets,
which change with the release. Bytes depend on it, and in some releases what a fetch reads that waits for several
markers.
"""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from fakekafka.ids import PartitionIndex, TopicName, TopicPartition
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import FIRST_TABLE, Hashed, K, buckets, champ, concurrent, old_buckets, swapped, trie
from fakekafka.releases.behaviours.transactions import LoggedOrder

SMALL: Final = 4
"""Immutable sets and maps of Scala up to this size keep the order in which they were filled."""
FLAT_BITS: Final = 5
"""How many bits number the 32 slots of a mutable set of Scala 2.12 with few entries."""


def logged_order(
    partitions: Sequence[TopicPartition], order: LoggedOrder, held: int
) -> list[tuple[TopicName, list[PartitionIndex]]]:
    """Topics with their partitions as the release (`TransactionsBehaviour.logged_order`) writes them.

    `held`: how many partitions were in the transaction before this change.
    """
    places = [(_place_hash(place), place) for place in partitions]
    by_topic: dict[TopicName, list[PartitionIndex]] = {}
    for topic, index in _set_order(places, order, held):
        by_topic.setdefault(topic, []).append(index)
    names = [(java_hash(topic) & MASK, topic) for topic in by_topic]
    match order:
        case "java":
            kept = True
        case "scala 2.13 of java":
            kept = False
        case "scala 2.12" | "scala 2.13":
            kept = len(partitions) <= SMALL
        case _:
            assert_never(order)
    return [
        (topic, by_topic[topic] if kept else _indexes_order(by_topic[topic], order))
        for topic in _topics_order(names, order)
    ]


def marked_order(partitions: Sequence[TopicPartition], order: LoggedOrder) -> list[TopicPartition]:
    """The partitions of a decided transaction, as their markers are written."""
    return _set_order([(_place_hash(place), place) for place in partitions], order, 0)


def ids_order(ids: Iterable[str]) -> list[str]:
    """The transactional ids of one partition. Every release keeps them in a ConcurrentHashMap."""
    return concurrent([(java_hash(one) & MASK, one) for one in ids])


def _set_order(hashed: Sequence[Hashed[TopicPartition]], order: LoggedOrder, held: int) -> list[TopicPartition]:
    """All partitions, as the release goes through them."""
    few = len(hashed) <= SMALL
    match order:
        case "scala 2.12":
            return _flat(hashed) if few else trie(hashed)
        case "java":
            return _java(hashed, held)
        case "scala 2.13" | "scala 2.13 of java":
            return buckets(hashed) if few else champ(hashed)
        case _:
            assert_never(order)


def _topics_order(names: Sequence[Hashed[TopicName]], order: LoggedOrder) -> list[TopicName]:
    match order:
        case "scala 2.12":
            return old_buckets(names) if len(names) <= SMALL else trie(names)
        case "java":
            return _java(names[::-1], 0)  # computeIfAbsent puts a key before those in the same bucket
        case "scala 2.13" | "scala 2.13 of java":
            return champ(names)
        case _:
            assert_never(order)


def _indexes_order(indexes: Sequence[PartitionIndex], order: LoggedOrder) -> list[PartitionIndex]:
    """The partitions of one topic, in the order of their set."""
    hashed = [(index, index) for index in sorted(indexes)]
    match order:
        case "scala 2.13 of java":
            return buckets(hashed)
        case "scala 2.12":
            return trie(hashed)
        case "scala 2.13" | "java":
            return champ(hashed)
        case _:
            assert_never(order)


def _java(hashed: Sequence[Hashed[K]], held: int) -> list[K]:
    """HashMap and HashSet of Java. `held`: the number of entries that were copied from another collection, which sets
    its size.
    """
    size = FIRST_TABLE
    while size < held / 0.75 + 1 or size * 0.75 < len(hashed):
        size *= 2
    return [key for _, key in sorted(hashed, key=lambda entry: (entry[0] ^ entry[0] >> 16) & size - 1)]


def _flat(hashed: Sequence[Hashed[K]]) -> list[K]:
    """The mutable HashSet of Scala up to 2.12, while it is small: each entry in the next slot that is free."""
    slots: dict[int, K] = {}
    for mixed, (_, key) in zip(swapped(code for code, _ in hashed), hashed, strict=True):
        slot = (mixed >> FLAT_BITS | mixed << 32 - FLAT_BITS & MASK) >> 32 - FLAT_BITS
        while slot in slots:
            slot = (slot + 1) % (1 << FLAT_BITS)
        slots[slot] = key
    return [slots[slot] for slot in sorted(slots)]


def _place_hash(place: TopicPartition) -> int:
    """TopicPartition.hashCode."""
    return (31 * (31 + place[1]) + java_hash(place[0])) & MASK
