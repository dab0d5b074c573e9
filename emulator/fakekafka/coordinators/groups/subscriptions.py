"""The topics that a group subscribes to, as the cluster has them: what an assignment is made from, and how a group
notices that they have changed (ModernGroup, Utils.computeTopicHash, KIP-1101).
"""

import struct
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.ids import PartitionIndex, TopicName, Uuid
from fakekafka.jvm.xxh3 import xxh3_64

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster
    from fakekafka.state.topics import Topic


class TopicMetadata(NamedTuple):
    """A subscribed topic as the last assignment saw it."""

    id: Uuid
    name: TopicName
    partitions: int
    racks: tuple[tuple[PartitionIndex, frozenset[str]], ...] = ()
    """The racks of the replicas of each partition that has any."""


_INT = struct.Struct("<i")
_LONG = struct.Struct("<Q")


def subscribed_topics(cluster: "Cluster", names: Iterable[TopicName]) -> dict[TopicName, TopicMetadata]:
    """The topics in `names` that exist."""
    topics = cluster.topics
    return {name: _metadata(cluster, topics[name]) for name in names if name in topics}


def _metadata(cluster: "Cluster", topic: "Topic") -> TopicMetadata:
    racks = []
    for state in topic.partitions:
        known = (cluster.brokers.get(replica) for replica in state.replicas)
        racks_of_partition = frozenset(
            broker.rack for broker in known if broker is not None and broker.rack is not None
        )
        if racks_of_partition:
            racks.append((state.index, racks_of_partition))
    return TopicMetadata(topic.id, topic.name, len(topic.partitions), tuple(racks))


def metadata_hash(topics: "Iterable[TopicMetadata]") -> int:
    """The hash of a group's topics, signed; 0 if there are none."""
    hashes = list(map(_topic_hash, sorted(topics, key=attrgetter("name"))))
    if not hashes:
        return 0
    value = xxh3_64(b"".join(map(_LONG.pack, hashes)))
    return value - 2**64 if value >= 2**63 else value


@lru_cache(maxsize=1024)
def _topic_hash(topic: TopicMetadata) -> int:
    """The hash of one topic: of a zero byte, the id in two halves, the name, and each partition's number and sorted
    racks.
    """
    racks = dict(topic.racks)
    parts = [b"\0", topic.id[7::-1], topic.id[:7:-1], _chars(topic.name), _INT.pack(topic.partitions)]
    for partition in range(topic.partitions):
        parts.append(_INT.pack(partition))
        for rack in sorted(racks.get(partition, ())):
            parts += [_INT.pack(len(rack)), _chars(rack)]
    return xxh3_64(b"".join(parts))


def _chars(text: str) -> bytes:
    """A text in the form that the hash takes: its UTF-16 units, then how many there are."""
    data = text.encode("utf-16-le", "surrogatepass")
    return data + _INT.pack(len(data) // 2)
