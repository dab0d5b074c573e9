"""Topologies of Kafka Streams applications, in the form of requests and answers, and in the form of records."""

from collections.abc import Sequence

from fakekafka.cluster.topic_creation.topic_names import is_legal
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.topology.configured import Part
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicName
from fakekafka.wire.apis import streams_group_describe as described
from fakekafka.wire.apis import streams_group_heartbeat as asked
from fakekafka.wire.internal import streams_group_records as records


def check_topics(topology: asked.Topology | None, call: Call) -> None:
    """Check the names of the topics of a topology. Raises `ApiError` 130 (KafkaApis)."""
    names = topic_names(topology)
    internal = [name for name in names if name in call.profile.metadata.internal_topics]
    if internal:
        words = f"Use of Kafka internal topics {','.join(internal)} in a Kafka Streams topology is prohibited."
        raise ApiError(ErrorCode.STREAMS_INVALID_TOPOLOGY, words)
    illegal = [name for name in names if not is_legal(call.profile, name)]
    if illegal:
        words = f"Topic names {','.join(illegal)} are not valid topic names."
        raise ApiError(ErrorCode.STREAMS_INVALID_TOPOLOGY, words)


def topic_names(topology: "asked.Topology | described.Topology | None") -> list[TopicName]:
    """All topics of a topology, each once; none if there is no topology."""
    names: list[TopicName] = []
    for part in () if topology is None else topology.subtopologies or ():
        names += [*part.source_topics, *part.repartition_sink_topics]
        names += [topic.name for topic in (*part.repartition_source_topics, *part.state_changelog_topics)]
    return list(dict.fromkeys(names))


# ---- from requests


def topology_of(topology: asked.Topology) -> records.StreamsGroupTopologyValue:
    """The stored form of a requested topology."""
    return records.StreamsGroupTopologyValue(
        epoch=topology.epoch, subtopologies=[_subtopology(part) for part in topology.subtopologies]
    )


def _subtopology(part: asked.Subtopology) -> records.Subtopology:
    return records.Subtopology(
        subtopology_id=part.subtopology_id,
        source_topics=part.source_topics,
        source_topic_regex=part.source_topic_regex,
        state_changelog_topics=[_topic_info(topic) for topic in part.state_changelog_topics],
        repartition_sink_topics=part.repartition_sink_topics,
        repartition_source_topics=[_topic_info(topic) for topic in part.repartition_source_topics],
        copartition_groups=[_copartition_group(group) for group in part.copartition_groups],
    )


def _topic_info(topic: asked.TopicInfo) -> records.TopicInfo:
    return records.TopicInfo(
        name=topic.name,
        partitions=topic.partitions,
        replication_factor=topic.replication_factor,
        topic_configs=[records.TopicConfig(key=config.key, value=config.value) for config in topic.topic_configs],
    )


def _copartition_group(group: asked.CopartitionGroup) -> records.CopartitionGroup:
    return records.CopartitionGroup(
        source_topics=group.source_topics,
        source_topic_regex=group.source_topic_regex,
        repartition_source_topics=group.repartition_source_topics,
    )


# ---- for answers


def described_topology(group: StreamsGroup) -> described.Topology:
    """A group's topology: with the partition counts of internal topics, if all topics exist."""
    assert group.topology is not None
    configured = group.configured
    if configured is not None and configured.is_ready:
        rows = [_configured_part(id, part) for id, part in (configured.parts or {}).items()]
    else:
        parts = sorted(group.topology.subtopologies, key=lambda part: part.subtopology_id)
        rows = [_plain_part(part) for part in parts]
    return described.Topology(epoch=group.topology.epoch, subtopologies=rows)


def _plain_part(part: records.Subtopology) -> described.Subtopology:
    return _described_part(part.subtopology_id, part, part.state_changelog_topics, part.repartition_source_topics)


def _configured_part(id: str, part: Part) -> described.Subtopology:
    return _described_part(id, part.source, part.changelogs, part.repartition)


def _described_part(
    id: str,
    part: records.Subtopology,
    changelogs: Sequence[records.TopicInfo],
    repartition: Sequence[records.TopicInfo],
) -> described.Subtopology:
    return described.Subtopology(
        subtopology_id=id,
        source_topics=sorted(part.source_topics),
        repartition_sink_topics=sorted(part.repartition_sink_topics),
        state_changelog_topics=_described_topics(changelogs),
        repartition_source_topics=_described_topics(repartition),
    )


def _described_topics(topics: Sequence[records.TopicInfo]) -> list[described.TopicInfo]:
    return [
        described.TopicInfo(
            name=topic.name,
            partitions=topic.partitions,
            replication_factor=topic.replication_factor,
            topic_configs=[described.KeyValue(key=config.key, value=config.value) for config in topic.topic_configs],
        )
        for topic in sorted(topics, key=lambda topic: topic.name)
    ]
