"""Records of share groups in __consumer_offsets (KIP-932). Framing and record types: `consumer_offsets.py`.

Which records of a partition are acknowledged is not here but in __share_group_state: `share_group_state.py`.
"""

from fakekafka.wire.message import Message, Struct, field, int8, int32, int64, string, uuid


class ShareGroupPartitionMetadataKey(Message, versions="0"):
    """Type 9, only in 3.9 and 4.0 (early access)."""

    group_id: string = field("0+")


class PartitionMetadata(Struct):
    partition: int32 = field("0+")
    racks: list[string] = field("0+")


class TopicMetadata(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    num_partitions: int32 = field("0+")
    partition_metadata: list[PartitionMetadata] = field("0+")


class ShareGroupPartitionMetadataValue(Message, versions="0", flexible="0+"):
    """Type 9: the topics as the last assignment saw them."""

    topics: list[TopicMetadata] = field("0+")


class ShareGroupMemberMetadataKey(Message, versions="0"):
    """Type 10."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class ShareGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    """Type 10: what a member said about itself."""

    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")


class ShareGroupMetadataKey(Message, versions="0"):
    """Type 11."""

    group_id: string = field("0+")


class ShareGroupMetadataValue(Message, versions="0", flexible="0+"):
    """Type 11: the group itself."""

    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+")  # since 4.1


class ShareGroupTargetAssignmentMetadataKey(Message, versions="0"):
    """Type 12."""

    group_id: string = field("0+")


class ShareGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    """Type 12: which epoch the target assignment is for."""

    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)  # since 4.3, milliseconds


class ShareGroupTargetAssignmentMemberKey(Message, versions="0"):
    """Type 13."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartition(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ShareGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    """Type 13: what a member should have."""

    topic_partitions: list[TopicPartition] = field("0+")


class ShareGroupCurrentMemberAssignmentKey(Message, versions="0"):
    """Type 14."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ShareGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    """Type 14: what a member has."""

    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")
    state: int8 = field("0+")  # 0 stable
    assigned_partitions: list[TopicPartitions] = field("0+")


class ShareGroupStatePartitionMetadataKey(Message, versions="0"):
    """Type 15."""

    group_id: string = field("0+")


class TopicPartitionsInfo(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    partitions: list[int32] = field("0+")


class TopicInfo(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")


class ShareGroupStatePartitionMetadataValue(Message, versions="0", flexible="0+"):
    """Type 15: for which partitions the share coordinator keeps state."""

    initializing_topics: list[TopicPartitionsInfo] = field("0+")
    initialized_topics: list[TopicPartitionsInfo] = field("0+")
    deleting_topics: list[TopicInfo] = field("0+")
