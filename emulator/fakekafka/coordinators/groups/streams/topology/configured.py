"""The topology of a streams group, and its configuration with the existing topics (StreamsTopology,
InternalTopicManager, ConfiguredTopology).

A topology is what the first member of a group said, as stored in the group's record. It is complete ("ready") once
every source topic exists, the partition counts fit, and the internal topics exist as well: those for
repartitioning, and the changelogs of state stores.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.cluster.topic_creation.new_topics import UNSET, NewTopic
from fakekafka.coordinators.groups.streams.topology.partition_counts import Incomplete, PartitionCounts, copartitioned
from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue, Subtopology, TopicInfo

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster

MISSING_SOURCE_TOPICS: Final = 1
INCORRECTLY_PARTITIONED_TOPICS: Final = 2
MISSING_INTERNAL_TOPICS: Final = 3
SHOWN: Final = 3
"""How many topics are named in a status; the rest are only counted."""


class Status(NamedTuple):
    """What a member is told besides its tasks: a code (StreamsGroupHeartbeatResponse.Status) and a message."""

    code: int
    words: str


class Part(NamedTuple):
    """A subtopology that is configured."""

    tasks: int
    """The number of tasks: the largest number of partitions of its source topics."""
    source: Subtopology
    repartition: tuple[TopicInfo, ...]
    changelogs: tuple[TopicInfo, ...]
    """Internal topics with their partition counts, in the order of the broker's map."""


class ConfiguredTopology(NamedTuple):
    """A topology, configured with the topics of a certain moment."""

    metadata_hash: int
    """The hash of those topics."""
    parts: Mapping[str, Part] | None
    """The subtopologies by id, sorted; None if something other than internal topics is missing."""
    to_create: tuple[NewTopic, ...] = ()
    problem: Status | None = None

    @property
    def is_ready(self) -> bool:
        return self.problem is None


def parts(topology: StreamsGroupTopologyValue) -> dict[str, Subtopology]:
    """The subtopologies by id, in the order of the coordinator's map. Raises `ApiError` -1 for a duplicate id."""
    by_id = {part.subtopology_id: part for part in topology.subtopologies}
    _check(len(by_id) == len(topology.subtopologies))
    return {id: by_id[id] for id in grown_map_order(by_id)}


def source_topics(part: Subtopology) -> list[TopicName]:
    """What a subtopology reads: topics of others, and repartition topics."""
    return [*part.source_topics, *(topic.name for topic in part.repartition_source_topics)]


def source_map(by_id: Mapping[str, Subtopology]) -> dict[TopicName, str]:
    """Which subtopology reads a topic."""
    return {name: id for id, part in by_id.items() for name in source_topics(part)}


def required_topics(by_id: Mapping[str, Subtopology]) -> list[TopicName]:
    """All topics of a topology, in the order of the broker's set."""
    changelogs = (topic.name for part in by_id.values() for topic in part.state_changelog_topics)
    return grown_map_order([*source_map(by_id), *changelogs])


def configure(cluster: "Cluster", topology: StreamsGroupTopologyValue, metadata_hash: int) -> ConfiguredTopology:
    """Configure the topology with the current topics. Raises `ApiError` 130 for an impossible one."""
    by_id = parts(topology)
    groups = copartitioned(by_id)
    existing = {name: len(topic.partitions) for name, topic in cluster.topics.items()}
    absent = sorted({name for part in by_id.values() for name in part.source_topics if name not in existing})
    if absent:
        status = Status(MISSING_SOURCE_TOPICS, f"Source topics {_named(absent)} are missing.")
        return ConfiguredTopology(metadata_hash, None, problem=status)
    try:
        counts = PartitionCounts(by_id, groups, existing)
        configured = {id: _part(by_id[id], counts) for id in sorted(by_id)}
        to_create = _missing(configured, by_id, existing)
    except Incomplete as wrong:
        status = Status(INCORRECTLY_PARTITIONED_TOPICS, str(wrong))
        return ConfiguredTopology(metadata_hash, None, problem=status)
    if not to_create:
        return ConfiguredTopology(metadata_hash, configured)
    words = f"Internal topics are missing: {_named([topic.name for topic in to_create])}"
    return ConfiguredTopology(metadata_hash, configured, to_create, Status(MISSING_INTERNAL_TOPICS, words))


def _named(topics: list[TopicName]) -> str:
    """The names of some topics, for a message."""
    rest = len(topics) - SHOWN
    return ", ".join(topics[:SHOWN]) + (f" and {rest} additional topics" if rest > 0 else "")


def _part(part: Subtopology, counts: PartitionCounts) -> Part:
    repartition = _counted(part.repartition_source_topics, counts)
    return Part(counts.most(source_topics(part)), part, repartition, _counted(part.state_changelog_topics, counts))


def _counted(topics: list[TopicInfo], counts: PartitionCounts) -> tuple[TopicInfo, ...]:
    """Internal topics with partition counts and configs, in the order of the broker's maps."""
    by_name = {topic.name: topic for topic in topics}
    _check(len(by_name) == len(topics))
    return tuple(_with_count(by_name[name], counts) for name in grown_map_order(by_name))


def _with_count(topic: TopicInfo, counts: PartitionCounts) -> TopicInfo:
    configs = {config.key: config for config in topic.topic_configs}
    partitions = topic.partitions or counts.decided[topic.name]
    _check(partitions > 0 and len(configs) == len(topic.topic_configs))
    return TopicInfo(
        name=topic.name,
        partitions=partitions,
        replication_factor=topic.replication_factor,
        topic_configs=[configs[key] for key in grown_map_order(configs)],
    )


def _check(sound: bool) -> None:
    """Raises `ApiError` -1 for a topology that brokers do not expect."""
    if not sound:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)


def _missing(
    configured: Mapping[str, Part], by_id: Mapping[str, Subtopology], existing: Mapping[TopicName, int]
) -> tuple[NewTopic, ...]:
    """The internal topics that do not exist. Raises `Incomplete` for one that exists with another count."""
    wanted = {topic.name: topic for part in configured.values() for topic in (*part.repartition, *part.changelogs)}
    for name in required_topics(by_id):
        if name in wanted and name in existing and existing[name] != wanted[name].partitions:
            expected = wanted[name].partitions
            raise Incomplete(
                f"Existing topic {name} has different number of partitions: expected {expected}, found {existing[name]}"
            )
    return tuple(_new_topic(wanted[name]) for name in grown_map_order(wanted) if name not in existing)


def _new_topic(topic: TopicInfo) -> NewTopic:
    configs = tuple((config.key, config.value) for config in topic.topic_configs)
    return NewTopic(topic.name, topic.partitions, topic.replication_factor or UNSET, configs=configs)
