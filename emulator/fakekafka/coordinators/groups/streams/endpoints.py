"""Where partitions are: for interactive queries, members are told the endpoints of all members
(EndpointToPartitionsManager).
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.streams.group import Endpoint, StreamsGroup, StreamsMember, TaskId, by_subtopology
from fakekafka.coordinators.groups.streams.topology.configured import ConfiguredTopology, Part, source_topics
from fakekafka.coordinators.hash_order import grown_map_order, partition_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import PartitionIndex, TopicName

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster

Partitions = list[tuple[TopicName, list[PartitionIndex]]]


class EndpointPartitions(NamedTuple):
    """What can be queried at an endpoint."""

    endpoint: Endpoint
    active: Partitions
    standby: Partitions


def endpoint_partitions(
    cluster: "Cluster", group: StreamsGroup, asking: StreamsMember, topology: ConfiguredTopology
) -> list[EndpointPartitions]:
    """What all members serve; the requesting one comes last. Raises `ApiError` -1 while source topics are missing."""
    others = [member for member in group.ordered_members() if member.id != asking.id]
    endpoints = []
    for member in [*others, asking]:
        if member.endpoint is not None:
            known = topology.parts
            if known is None:
                raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
            active = _partitions(cluster, known, member.assigned.tasks.active)
            endpoints.append(
                EndpointPartitions(member.endpoint, active, _partitions(cluster, known, member.assigned.standby))
            )
    return endpoints


def _partitions(cluster: "Cluster", parts: Mapping[str, Part], tasks: Collection[TaskId]) -> Partitions:
    """The partitions of source topics that tasks read. Brokers name the subtopologies in random order."""
    partitions: Partitions = []
    for id, numbers in by_subtopology(tasks).items():
        for name in grown_map_order(source_topics(parts[id].source)):
            topic = cluster.topics.get(name)
            if topic is None:
                raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
            is_short = len(topic.partitions) < len(numbers)
            partitions.append((name, numbers[: len(topic.partitions)] if is_short else partition_order(numbers)))
    return partitions
