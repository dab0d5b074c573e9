"""The order in which a coordinator's maps give back members, topics, subtopologies and assignors.

It follows from the hash codes of Java and decides two visible things: which member gets which partitions, and the order
of records in one append.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fakekafka.ids import PartitionIndex, TopicName, Uuid
from fakekafka.jvm.hashes import MASK, java_hash, uuid_hash
from fakekafka.jvm.maps import buckets, timeline

if TYPE_CHECKING:
    from fakekafka.state.topics import Topic


def hash_map_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of a HashMap that was copied from a map of the coordinator."""
    return buckets([(java_hash(text) & MASK, text) for text in timeline_order(texts)])


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


def topic_order(ids: Iterable[Uuid]) -> list[Uuid]:
    """Topic ids in the order of a HashMap."""
    return buckets([(uuid_hash(topic_id), topic_id) for topic_id in ids])


def partition_order(partitions: Iterable[PartitionIndex]) -> list[PartitionIndex]:
    """Partition numbers in the order of a HashSet."""
    return buckets([(partition, partition) for partition in sorted(partitions)])


def named_partitions(
    assigned: Mapping[Uuid, Iterable[PartitionIndex]], topics: Mapping[Uuid, "Topic"]
) -> list[tuple[Uuid, TopicName, list[PartitionIndex]]]:
    """An assignment with the names of its topics, in the order of HashMaps; deleted topics are left out."""
    return [(id, topics[id].name, partition_order(assigned[id])) for id in topic_order(assigned) if id in topics]
