"""Records of the new consumer groups in __consumer_offsets (KIP-848). Framing and record types: `consumer_offsets.py`.

The coordinator keeps the group's epoch, its members, the target assignment that the assignor made for an epoch, and
what each member really has: reconciliation takes a member from what it has to its target. The layouts here are those
from 3.8 on; those of 3.7 are in `early_consumer_group_records.py`.
"""

from fakekafka.wire.message import Message, Struct, binary, field, int8, int32, int64, string, uuid


class ConsumerGroupMetadataKey(Message, versions="0"):
    """Type 3."""

    group_id: string = field("0+")


class ConsumerGroupMetadataValue(Message, versions="0", flexible="0+"):
    """Type 3: the group itself."""

    epoch: int32 = field("0+")
    metadata_hash: int64 = field("0+", tag=0)  # since 4.1; 0: not computed yet


class ConsumerGroupPartitionMetadataKey(Message, versions="0"):
    """Type 4."""

    group_id: string = field("0+")


class PartitionMetadata(Struct):
    partition: int32 = field("0+")
    racks: list[string] = field("0+")  # not used after 4.0


class TopicMetadata(Struct):
    topic_id: uuid = field("0+")
    topic_name: string = field("0+")
    num_partitions: int32 = field("0+")
    partition_metadata: list[PartitionMetadata] = field("0+")


class ConsumerGroupPartitionMetadataValue(Message, versions="0", flexible="0+"):
    """Type 4: the topics as the last assignment saw them. From 4.1 on a hash in type 3 takes its place (KIP-1101)."""

    topics: list[TopicMetadata] = field("0+")


class ConsumerGroupMemberMetadataKey(Message, versions="0"):
    """Type 5."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class ClassicProtocol(Struct):
    name: string = field("0+")
    metadata: binary = field("0+")


class ClassicMemberMetadata(Struct):
    session_timeout_ms: int32 = field("0+")
    supported_protocols: list[ClassicProtocol] = field("0+")


class ConsumerGroupMemberMetadataValue(Message, versions="0", flexible="0+"):
    """Type 5: what a member said about itself."""

    instance_id: string | None = field("0+")
    rack_id: string | None = field("0+")
    client_id: string = field("0+")
    client_host: string = field("0+")
    subscribed_topic_names: list[string] = field("0+")
    subscribed_topic_regex: string | None = field("0+")
    rebalance_timeout_ms: int32 = field("0+", default=-1)  # -1: not given
    server_assignor: string | None = field("0+")  # null: the default
    # since 3.8; null: speaks the consumer protocol
    classic_member_metadata: ClassicMemberMetadata | None = field("0+", tag=0)


class ConsumerGroupTargetAssignmentMetadataKey(Message, versions="0"):
    """Type 6."""

    group_id: string = field("0+")


class ConsumerGroupTargetAssignmentMetadataValue(Message, versions="0", flexible="0+"):
    """Type 6: which epoch the target assignment is for."""

    assignment_epoch: int32 = field("0+")
    assignment_timestamp: int64 = field("0+", tag=0)  # since 4.3, milliseconds


class ConsumerGroupTargetAssignmentMemberKey(Message, versions="0"):
    """Type 7."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartition(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ConsumerGroupTargetAssignmentMemberValue(Message, versions="0", flexible="0+"):
    """Type 7: what a member should have."""

    topic_partitions: list[TopicPartition] = field("0+")


class ConsumerGroupCurrentMemberAssignmentKey(Message, versions="0"):
    """Type 8."""

    group_id: string = field("0+")
    member_id: string = field("0+")


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")
    assignment_epochs: list[int32] | None = field("0+", tag=0)  # since 4.3


class ConsumerGroupCurrentMemberAssignmentValue(Message, versions="0", flexible="0+"):
    """Type 8: what a member has."""

    member_epoch: int32 = field("0+")
    previous_member_epoch: int32 = field("0+")  # also accepted: the member may not have seen the newer one
    state: int8 = field("0+")  # 0 stable, 1 must revoke partitions, 2 waits for partitions of others
    assigned_partitions: list[TopicPartitions] = field("0+")
    partitions_pending_revocation: list[TopicPartitions] = field("0+")


class ConsumerGroupRegularExpressionKey(Message, versions="0"):
    """Type 16, since 4.0."""

    group_id: string = field("0+")
    regular_expression: string = field("0+")


class ConsumerGroupRegularExpressionValue(Message, versions="0", flexible="0+"):
    """Type 16: the topics that a subscribed regular expression matches."""

    topics: list[string] = field("0+")
    version: int64 = field("0+")  # offset of the metadata image that was used
    timestamp: int64 = field("0+")  # milliseconds
