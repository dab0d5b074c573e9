"""Topics with sizes and formats."""

from collections.abc import Iterator
from typing import NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import BrokerId, Magic, Offset, PartitionIndex, TopicName
from fakekafka.state.topics import Topic


class PartitionOverview(NamedTuple):
    """One partition as its leader has it. Without a leader, its offsets are -1 and its size is 0."""

    partition: PartitionIndex
    leader: BrokerId
    """-1 if there is no leader."""
    replicas: list[BrokerId]
    isr: list[BrokerId]
    start_offset: Offset
    end_offset: Offset
    high_watermark: Offset
    last_stable_offset: Offset
    """The offset below which no transaction is open."""
    size: int
    """The bytes of all segments."""
    segments: int
    message_format: Magic
    """The format in which the partition stores records: 0, 1 or 2."""


class TopicOverview(NamedTuple):
    """One topic."""

    name: TopicName
    internal: bool
    config: dict[str, str]
    """The topic's own configs."""
    partitions: list[PartitionOverview]


def topics_of(cluster: Cluster) -> list[TopicOverview]:
    """Every topic, by name, internal ones last."""
    topics = sorted(cluster.topics.values(), key=lambda topic: (topic.is_internal, topic.name))
    return [
        TopicOverview(topic.name, topic.is_internal, dict(topic.overrides), list(_partitions(cluster, topic)))
        for topic in topics
    ]


def _partitions(cluster: Cluster, topic: Topic) -> Iterator[PartitionOverview]:
    for state in topic.partitions:
        leader = cluster.brokers.get(state.leader)
        partition = None if leader is None else leader.partition(topic.name, state.index)
        replicas, isr = list(state.replicas), list(state.isr)
        if partition is None:
            yield PartitionOverview(
                partition=state.index,
                leader=-1,
                replicas=replicas,
                isr=isr,
                start_offset=-1,
                end_offset=-1,
                high_watermark=-1,
                last_stable_offset=-1,
                size=0,
                segments=0,
                message_format=-1,
            )
            continue
        log = partition.log
        yield PartitionOverview(
            partition=state.index,
            leader=state.leader,
            replicas=replicas,
            isr=isr,
            start_offset=partition.log_start_offset,
            end_offset=log.log_end_offset,
            high_watermark=partition.high_watermark,
            last_stable_offset=partition.last_stable_offset,
            size=log.size,
            segments=len(log.segments),
            message_format=log.config.message_format,
        )


def end_offset(cluster: Cluster, topic: TopicName, index: PartitionIndex) -> Offset | None:
    """The end offset for readers of a partition; None if it does not exist, or has no leader."""
    existing = cluster.topics.get(topic)
    state = None if existing is None else existing.partition(index)
    leader = None if state is None else cluster.brokers.get(state.leader)
    partition = None if leader is None else leader.partition(topic, index)
    return None if partition is None else partition.high_watermark
