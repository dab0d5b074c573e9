"""The order in which a coordinator's maps give back members, topics, subtopologies and assignors.

It follows from the hash codes of Java and decides two things that can be seen: which member gets which partitions, and
where records lie inside one append.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fakekafka.ids import PartitionIndex, TopicName, Uuid
from fakekafka.jvm.hashes import MASK, java_hash, uuid_hash
from fakekafka.jvm.maps import buckets, timeline

if TYPE_CHECKING:
    from fakekafka.state.topics import Topic


def hash_map_order(texts: Iterable[str]) -> list[str]:
    """Texts as a HashMap keeps them that was filled from a map of the coordinator."""
    return buckets([(java_hash(text) & MASK, text) for text in timeline_order(texts)])


def hash_set_order(texts: Iterable[str]) -> list[str]:
    """Texts as a HashSet keeps them."""
    return buckets([(java_hash(text) & MASK, text) for text in texts])


def grown_map_order(texts: Iterable[str]) -> list[str]:
    """Texts as a HashMap keeps them that they were put into one by one, in this order: it grows behind the twelfth."""
    known = dict.fromkeys(texts)
    return buckets([(java_hash(text) & MASK, text) for text in known], len(known) - 1)


def timeline_order(texts: Iterable[str]) -> list[str]:
    """Texts as a TimelineHashMap keeps them."""
    return timeline([(java_hash(text) & MASK, text) for text in texts])


def topic_order(ids: Iterable[Uuid]) -> list[Uuid]:
    """Topic ids as a HashMap keeps them."""
    return buckets([(uuid_hash(topic_id), topic_id) for topic_id in ids])


def partition_order(partitions: Iterable[PartitionIndex]) -> list[PartitionIndex]:
    """Partition numbers as a HashSet keeps them."""
    return buckets([(partition, partition) for partition in sorted(partitions)])


def named_partitions(
    assigned: Mapping[Uuid, Iterable[PartitionIndex]], topics: Mapping[Uuid, "Topic"]
) -> list[tuple[Uuid, TopicName, list[PartitionIndex]]]:
    """An assignment with the names of its topics, as HashMaps keep it; topics that are gone are left out."""
    return [(id, topics[id].name, partition_order(assigned[id])) for id in topic_order(assigned) if id in topics]
