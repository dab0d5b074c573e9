"""Records of streams groups in __consumer_offsets (KIP-1071). Framing and record types: `consumer_offsets.py`."""

from fakekafka.wire.message import Message, Struct, field, int8, int16, int32, int64, string, uint16


class StreamsGroupMetadataKey(Message, versions="0"):
    """Type 17."""

    group_id: string = field("0+")


class LastAssignmentConfig(Struct):
    key: string = field("0+")
    value: string = field("0+")


class StreamsGroupMetadataValue(Message, versions="0", flexible="0+"):
    """Type 17: the group itself."""

    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+")
    validated_topology_epoch: int32 = field("0+", default=-1, tag=0)  # since 4.2
    last_assignment_configs: list[LastAssignmentConfig] | None = field("0+", tag=1)  # since 4.2
    stored_description_topology_epoch: int32 = field("0+", default=-1, tag=2)  # branch of 4.4 (KIP-1331)
    failed_description_topology_epoch: int32 = field("0+", default=-1, tag=3)  # branch of 4.4 (KIP-1331)


class StreamsGroupMemberMetadataKey(Message, versions="0"):
    """Type 19."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class Endpoint(Struct):
    host: string = field("0+")
    port: uint16 = field("0+")


class KeyValue(Struct):
    key: string = field("0+")
    value: string = field("0+")


class StreamsGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    """Type 19: what a member said about itself."""

    instance_id: string | None = field("0+")
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    rebalance_timeout_ms: int32 = field("0+", default=-1)  # -1: not given
    topology_epoch: int32 = field("0+")
    process_id: string = field("0+")
    user_endpoint: Endpoint | None = field("0+")  # for interactive queries
    client_tags: list[KeyValue] = field("0+")


class StreamsGroupTargetAssignmentMetadataKey(Message, versions="0"):
    """Type 20."""

    group_id: string = field("0+")


class StreamsGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    """Type 20: which epoch the target assignment is for."""

    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)  # since 4.3, milliseconds


class StreamsGroupTargetAssignmentMemberKey(Message, versions="0"):
    """Type 21."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class TaskIds(Struct):
    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")


class StreamsGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    """Type 21: the tasks that a member should have."""

    active_tasks: list[TaskIds] = field("0+")
    standby_tasks: list[TaskIds] = field("0+")
    warmup_tasks: list[TaskIds] = field("0+")


class StreamsGroupCurrentMemberAssignmentKey(Message, versions="0"):
    """Type 22."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class StreamsGroupCurrentMemberAssignmentValueTaskIds(Struct):
    """`TaskIds` with epochs."""

    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")
    assignment_epochs: list[int32] | None = field("0+", tag=0)  # since 4.2


class StreamsGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    """Type 22: the tasks that a member has."""

    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")
    state: int8 = field("0+")
    active_tasks: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")
    standby_tasks: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")
    warmup_tasks: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")
    active_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")
    standby_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")
    warmup_tasks_pending_revocation: list[StreamsGroupCurrentMemberAssignmentValueTaskIds] = field("0+")


class StreamsGroupTopologyKey(Message, versions="0"):
    """Type 23."""

    group_id: string = field("0+")


class TopicConfig(Struct):
    key: string = field("0+")
    value: string = field("0+")


class TopicInfo(Struct):
    name: string = field("0+")
    partitions: int32 = field("0+")  # 0: any number
    replication_factor: int16 = field("0+")  # 0: the default
    topic_configs: list[TopicConfig] = field("0+")


class CopartitionGroup(Struct):
    source_topics: list[int16] = field("0+")  # indexes into the lists of the subtopology
    source_topic_regex: list[int16] = field("0+")
    repartition_source_topics: list[int16] = field("0+")


class Subtopology(Struct):
    subtopology_id: string = field("0+")
    source_topics: list[string] = field("0+")
    source_topic_regex: list[string] = field("0+")
    state_changelog_topics: list[TopicInfo] = field("0+")
    repartition_sink_topics: list[string] = field("0+")
    repartition_source_topics: list[TopicInfo] = field("0+")
    copartition_groups: list[CopartitionGroup] = field("0+")


class StreamsGroupTopologyValue(Message, versions="0", flexible="0+"):
    """Type 23: the topology that the group was initialized with."""

    epoch: int32 = field("0+")
    subtopologies: list[Subtopology] = field("0+")
