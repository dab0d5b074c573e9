"""What classic consumers put into JoinGroup and SyncGroup, as the coordinator reads and writes it for them when they
are members of a consumer group (ConsumerProtocol).
"""

import struct
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.coordinators.groups.consumer.reconciliation import Partitions
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.errors import MalformedBytes
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolAssignmentTopicPartition,
    ConsumerProtocolSubscription,
)

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster

NEWEST = 3
_VERSION = struct.Struct(">h")


def subscription(metadata: bytes) -> ConsumerProtocolSubscription:
    """What a member subscribes to. Raises `MalformedBytes`."""
    return decode(ConsumerProtocolSubscription, version_of(metadata), metadata, _VERSION.size)[0]


def version_of(data: bytes) -> int:
    """The version of a member's metadata, at most the newest known one. Raises `MalformedBytes`."""
    if len(data) < _VERSION.size:
        raise MalformedBytes("no version")
    version: int = _VERSION.unpack_from(data)[0]
    if version < 0:
        raise MalformedBytes(f"version {version}")
    return min(version, NEWEST)


def owned_partitions(cluster: "Cluster", assignment: bytes) -> Partitions:
    """The partitions of an assignment whose topics exist. Raises `MalformedBytes`."""
    if not assignment:
        return {}
    found = decode(ConsumerProtocolAssignment, version_of(assignment), assignment, _VERSION.size)[0]
    topics = cluster.topics
    return {topics[t.topic].id: frozenset(t.partitions) for t in found.assigned_partitions if t.topic in topics}


def reported_partitions(cluster: "Cluster", wanted: ConsumerProtocolSubscription) -> Partitions:
    """The partitions that a member claims to have."""
    topics = cluster.topics
    return {topics[t.topic].id: frozenset(t.partitions) for t in wanted.owned_partitions if t.topic in topics}


def packed_assignment(cluster: "Cluster", target: Assignment, metadata: bytes) -> bytes:
    """An assignment in the version of the member's own metadata. Raises `MalformedBytes`."""
    version = version_of(metadata)
    by_id = cluster.topics_by_id
    rows = [
        ConsumerProtocolAssignmentTopicPartition(topic=by_id[topic].name, partitions=partition_order(target[topic]))
        for topic in topic_order(target)
        if topic in by_id
    ]
    value = ConsumerProtocolAssignment(assigned_partitions=rows, user_data=None)
    return _VERSION.pack(version) + encode_bytes(value, version)
