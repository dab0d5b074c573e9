"""consumer_offsets"""

from fakekafka.wire.message import Message, Struct, binary, field, int8, int16, int32, int64, string, uint16, uuid


class LegacyOffsetCommitKey(Message, versions="0"):
    group: string = field("0+")
    topic: string = field("0+")
    partition: int32 = field("0+")


class LegacyOffsetCommitValue(Message, versions="0"):
    offset: int64 = field("0+")
    metadata: string = field("0+")
    commit_timestamp: int64 = field("0+")


class OffsetCommitKey(Message, versions="0"):
    group: string = field("0+")
    topic: string = field("0+")
    partition: int32 = field("0+")


class OffsetCommitValue(Message, versions="0-4", flexible="4+"):
    offset: int64 = field("0+")
    leader_epoch: int32 = field("3+", default=-1)
    metadata: string = field("0+")
    commit_timestamp: int64 = field("0+")
    expire_timestamp: int64 = field("1", default=-1)
    topic_id: uuid = field("4+", tag=0)


class GroupMetadataKey(Message, versions="0"):
    group: string = field("0+")


class MemberMetadata(Struct):
    member_id: string = field("0+")
    group_instance_id: string | None = field("3+", default=None)
    client_id: string = field("0+")
    client_host: string = field("0+")
    rebalance_timeout: int32 = field("1+", default=-1)
    session_timeout: int32 = field("0+")
    subscription: binary = field("0+")
    assignment: binary = field("0+")


class GroupMetadataValue(Message, versions="0-4", flexible="4+"):
    protocol_type: string = field("0+")
    generation: int32 = field("0+")
    protocol: string | None = field("0+")
    leader: string | None = field("0+")
    current_state_timestamp: int64 = field("2+", default=-1)
    members: list[MemberMetadata] = field("0+")


class ConsumerGroupMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class ConsumerGroupMetadataValue(Message, versions="0", flexible="0+"):
    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+", tag=0)


class ConsumerGroupPartitionMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class PartitionMetadata(Struct):
    partition: int32 = field("0+")
    racks: list[string] = field("0+")


class TopicMetadata(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    num_partitions: int32 = field("0+")
    partition_metadata: list[PartitionMetadata] = field("0+")


class ConsumerGroupPartitionMetadataValue(Message, versions="0", flexible="0+"):
    topics: list[TopicMetadata] = field("0+")


class ConsumerGroupMemberMetadataKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class ClassicProtocol(Struct):
    name: string = field("0+")
    metadata: binary = field("0+")


class ClassicMemberMetadata(Struct):
    session_timeout_ms: int32 = field("0+")
    supported_protocols: list[ClassicProtocol] = field("0+")


class ConsumerGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    instance_id: string | None = field("0+")
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")
    subscribed_topic_regex: string | None = field("0+")
    rebalance_timeout_ms: int32 = field("0+", default=-1)
    server_assignor: string | None = field("0+")
    classic_member_metadata: ClassicMemberMetadata | None = field("0+", tag=0)


class ConsumerGroupTargetAssignmentMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class ConsumerGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)


class ConsumerGroupTargetAssignmentMemberKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartition(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ConsumerGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    topic_partitions: list[TopicPartition] = field("0+")


class ConsumerGroupCurrentMemberAssignmentKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")
    assignment_epochs: list[int32] | None = field("0+", tag=0)


class ConsumerGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")
    state: int8 = field("0+")
    assigned_partitions: list[TopicPartitions] = field("0+")
    partitions_pending_revocation: list[TopicPartitions] = field("0+")


class ShareGroupPartitionMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class ShareGroupPartitionMetadataValue(Message, versions="0", flexible="0+"):
    topics: list[TopicMetadata] = field("0+")


class ShareGroupMemberMetadataKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class ShareGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")


class ShareGroupMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class ShareGroupMetadataValue(Message, versions="0", flexible="0+"):
    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+")


class ShareGroupTargetAssignmentMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class ShareGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)


class ShareGroupTargetAssignmentMemberKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class ShareGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    topic_partitions: list[TopicPartition] = field("0+")


class ShareGroupCurrentMemberAssignmentKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class ShareGroupCurrentMemberAssignmentValueTopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ShareGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")
    state: int8 = field("0+")
    assigned_partitions: list[ShareGroupCurrentMemberAssignmentValueTopicPartitions] = field("0+")


class ShareGroupStatePartitionMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class TopicPartitionsInfo(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    partitions: list[int32] = field("0+")


class TopicInfo(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")


class ShareGroupStatePartitionMetadataValue(Message, versions="0", flexible="0+"):
    initializing_topics: list[TopicPartitionsInfo] = field("0+")
    initialized_topics: list[TopicPartitionsInfo] = field("0+")
    deleting_topics: list[TopicInfo] = field("0+")


class ConsumerGroupRegularExpressionKey(Message, versions="0"):
    group_id: string = field("0+")
    regular_expression: string = field("0+")


class ConsumerGroupRegularExpressionValue(Message, versions="0", flexible="0+"):
    topics: list[string] = field("0+")
    version: int64 = field("0+")
    timestamp: int64 = field("0+")


class StreamsGroupMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class LastAssignmentConfig(Struct):
    key: string = field("0+")
    value: string = field("0+")


class StreamsGroupMetadataValue(Message, versions="0", flexible="0+"):
    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+")
    validated_topology_epoch: int32 = field("0+", default=-1, tag=0)
    last_assignment_configs: list[LastAssignmentConfig] | None = field("0+", tag=1)
    stored_description_topology_epoch: int32 = field("0+", default=-1, tag=2)
    failed_description_topology_epoch: int32 = field("0+", default=-1, tag=3)


class StreamsGroupMemberMetadataKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class Endpoint(Struct):
    host: string = field("0+")
    port: uint16 = field("0+")


class KeyValue(Struct):
    key: string = field("0+")
    value: string = field("0+")


class StreamsGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    instance_id: string | None = field("0+")
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    rebalance_timeout_ms: int32 = field("0+", default=-1)
    topology_epoch: int32 = field("0+")
    process_id: string = field("0+")
    user_endpoint: Endpoint | None = field("0+")
    client_tags: list[KeyValue] = field("0+")


class StreamsGroupTargetAssignmentMetadataKey(Message, versions="0"):
    group_id: string = field("0+")


class StreamsGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)


class StreamsGroupTargetAssignmentMemberKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class TaskIds(Struct):
    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")


class StreamsGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    active_tasks: list[TaskIds] = field("0+")
    standby_tasks: list[TaskIds] = field("0+")
    warmup_tasks: list[TaskIds] = field("0+")


class StreamsGroupCurrentMemberAssignmentKey(Message, versions="0"):
    group_id: string = field("0+")
    member_id: string = field("0+")


class StreamsGroupCurrentMemberAssignmentValueTaskIds(Struct):
    subtopology_id: string = field("0+")
    partitions: list[int32] = field("0+")
    assignment_epochs: list[int32] | None = field("0+", tag=0)


class StreamsGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
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
    group_id: string = field("0+")


class TopicConfig(Struct):
    key: string = field("0+")
    value: string = field("0+")


class StreamsGroupTopologyValueTopicInfo(Struct):
    name: string = field("0+")
    partitions: int32 = field("0+")
    replication_factor: int16 = field("0+")
    topic_configs: list[TopicConfig] = field("0+")


class CopartitionGroup(Struct):
    source_topics: list[int16] = field("0+")
    source_topic_regex: list[int16] = field("0+")
    repartition_source_topics: list[int16] = field("0+")


class Subtopology(Struct):
    subtopology_id: string = field("0+")
    source_topics: list[string] = field("0+")
    source_topic_regex: list[string] = field("0+")
    state_changelog_topics: list[StreamsGroupTopologyValueTopicInfo] = field("0+")
    repartition_sink_topics: list[string] = field("0+")
    repartition_source_topics: list[StreamsGroupTopologyValueTopicInfo] = field("0+")
    copartition_groups: list[CopartitionGroup] = field("0+")


class StreamsGroupTopologyValue(Message, versions="0", flexible="0+"):
    epoch: int32 = field("0+")
    subtopologies: list[Subtopology] = field("0+")
