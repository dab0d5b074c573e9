"""The order in which a coordinator's maps give back members, topics, subtopologies and assignors.

It follows from the hash codes of Java and decides two visible things: which member gets which partitions, and the order
of records in one append.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING

from fakekafka.ids import PartitionIndex, TopicName, Uuid
from fakekafka.jvm.hashes import MASK, java_hash, uuid_hash
from fakekafka.jvm.maps import buckets, timeline

if TYPE_CHECKING:
    from fakekafka.state.topics import Topic


def hash_map_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of a HashMap into which they were put one by one out of a map of the coordinator."""
    return grown_map_order(timeline_order(texts))


def hash_set_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of a HashSet."""
    return buckets([(java_hash(text) & MASK, text) for text in texts])


def grown_map_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of a HashMap into which they were put one by one, in this order: it grows after the
    twelfth.
    """
    known = dict.fromkeys(texts)
    return buckets([(java_hash(text) & MASK, text) for text in known], len(known) - 1)


def timeline_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of a TimelineHashMap."""
    return timeline([(java_hash(text) & MASK, text) for text in texts])


class Filled(IntEnum):
    """How a HashMap got its entries, and with which of them its first table grows."""

    COPIED = 12
    """From another collection."""
    PUT = 13
    """One by one."""
    COMPUTED = 14
    """One by one with computeIfAbsent, which looks before it adds."""


def topic_order(ids: Iterable[Uuid], filled: Filled = Filled.COPIED) -> list[Uuid]:
    """Topic ids in the order of a HashMap."""
    hashed = [(uuid_hash(topic_id), topic_id) for topic_id in ids]
    return buckets(hashed, len(hashed) - (filled - Filled.COPIED))


class SizedSet(frozenset[PartitionIndex]):
    """Partition numbers in a HashSet that was made for about `capacity` of them, so that its table may be small."""

    capacity = 16

    @classmethod
    def made_for(cls, capacity: int, partitions: Iterable[PartitionIndex]) -> "SizedSet":
        """The set of `new HashSet<>(capacity)`, filled one by one."""
        made = cls(partitions)
        made.capacity = capacity
        return made


def partition_order(partitions: Iterable[PartitionIndex]) -> list[PartitionIndex]:
    """Partition numbers in the order of a HashSet."""
    hashed = [(partition, partition) for partition in sorted(partitions)]
    if isinstance(partitions, SizedSet):
        return buckets(hashed, len(hashed) - 1, 1 << (partitions.capacity - 1).bit_length())
    return buckets(hashed)


def named_partitions(
    assigned: Mapping[Uuid, Iterable[PartitionIndex]], topics: Mapping[Uuid, "Topic"], filled: Filled = Filled.COPIED
) -> list[tuple[Uuid, TopicName, list[PartitionIndex]]]:
    """An assignment with the names of its topics, in the order of HashMaps; deleted topics are left out."""
    ordered = topic_order(assigned, filled)
    return [(id, topics[id].name, partition_order(assigned[id])) for id in ordered if id in topics]
