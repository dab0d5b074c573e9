"""Records of __consumer_offsets: committed offsets and the state of groups.

    key     int16 record type | key (version 0)
    value   int16 version     | value               an empty value deletes what the key names

Here are the records of offsets and classic groups. Those of the newer kinds of groups have their own files;
`RECORDS` names them all. Kafka's sources before 4.1 take the record type for the version of the key: the bytes are the
same.

Which version of a value a broker writes depends on its inter.broker.protocol.version (GroupMetadataManager,
GroupCoordinatorRecordHelpers):

                         offsets                              classic groups
    0.8.2                type 0, v0
    0.9.0, 0.10.0        type 1, v1                           v0
    0.10.1               v1                                   v1
    2.1                  v3; v1 with an expiry timestamp      v2
    2.3                  v3                                   v3
    4.1                  v4; v1 with an expiry timestamp      v3

v2 of an offset is written with 2.1-IV0 only. v4 of a group can be read and is not written yet.
"""

from fakekafka.wire.internal import consumer_group_records as consumer
from fakekafka.wire.internal import share_group_records as share
from fakekafka.wire.internal import streams_group_records as streams
from fakekafka.wire.message import Message, Struct, binary, field, int32, int64, string, uuid


class LegacyOffsetCommitKey(Message, versions="0"):
    """Type 0, only in 0.8.2."""

    group: string = field("0+")
    topic: string = field("0+")
    partition: int32 = field("0+")


class LegacyOffsetCommitValue(Message, versions="0"):
    """Type 0, only in 0.8.2."""

    offset: int64 = field("0+")
    metadata: string = field("0+")
    commit_timestamp: int64 = field("0+")  # milliseconds, as all timestamps here


class OffsetCommitKey(Message, versions="0"):
    """Type 1."""

    group: string = field("0+")
    topic: string = field("0+")
    partition: int32 = field("0+")


class OffsetCommitValue(Message, versions="0-4", flexible="4+"):
    """Type 1.

    v1   expiry timestamp
    v2   no expiry timestamp (KIP-211)
    v3   leader epoch (KIP-320)
    v4   flexible; topic id
    """

    offset: int64 = field("0+")
    leader_epoch: int32 = field("3+", default=-1)  # -1: unknown
    metadata: string = field("0+")
    commit_timestamp: int64 = field("0+")
    expire_timestamp: int64 = field("1", default=-1)  # -1: by the broker's retention
    topic_id: uuid = field("4+", tag=0)  # since 4.1


class GroupMetadataKey(Message, versions="0"):
    """Type 2."""

    group: string = field("0+")


class MemberMetadata(Struct):
    member_id: string = field("0+")
    group_instance_id: string | None = field("3+", default=None)
    client_id: string = field("0+")
    client_host: string = field("0+")
    rebalance_timeout: int32 = field("1+", default=-1)  # milliseconds; -1: the session timeout
    session_timeout: int32 = field("0+")  # milliseconds
    subscription: binary = field("0+")  # metadata of the chosen protocol
    assignment: binary = field("0+")


class GroupMetadataValue(Message, versions="0-4", flexible="4+"):
    """Type 2: a classic group at the end of a rebalance. In 0.9.0 and 0.10.0 nothing may be null.

    v1   rebalance timeout (KIP-62)
    v2   when the state changed (KIP-211)
    v3   group instance id (KIP-345)
    v4   flexible
    """

    protocol_type: string = field("0+")
    generation: int32 = field("0+")
    protocol: string | None = field("0+")
    leader: string | None = field("0+")
    current_state_timestamp: int64 = field("2+", default=-1)
    members: list[MemberMetadata] = field("0+")


RECORDS: dict[int, tuple[type[Message], type[Message]]] = {
    0: (LegacyOffsetCommitKey, LegacyOffsetCommitValue),
    1: (OffsetCommitKey, OffsetCommitValue),
    2: (GroupMetadataKey, GroupMetadataValue),
    3: (consumer.ConsumerGroupMetadataKey, consumer.ConsumerGroupMetadataValue),
    4: (consumer.ConsumerGroupPartitionMetadataKey, consumer.ConsumerGroupPartitionMetadataValue),
    5: (consumer.ConsumerGroupMemberMetadataKey, consumer.ConsumerGroupMemberMetadataValue),
    6: (consumer.ConsumerGroupTargetAssignmentMetadataKey, consumer.ConsumerGroupTargetAssignmentMetadataValue),
    7: (consumer.ConsumerGroupTargetAssignmentMemberKey, consumer.ConsumerGroupTargetAssignmentMemberValue),
    8: (consumer.ConsumerGroupCurrentMemberAssignmentKey, consumer.ConsumerGroupCurrentMemberAssignmentValue),
    9: (share.ShareGroupPartitionMetadataKey, share.ShareGroupPartitionMetadataValue),
    10: (share.ShareGroupMemberMetadataKey, share.ShareGroupMemberMetadataValue),
    11: (share.ShareGroupMetadataKey, share.ShareGroupMetadataValue),
    12: (share.ShareGroupTargetAssignmentMetadataKey, share.ShareGroupTargetAssignmentMetadataValue),
    13: (share.ShareGroupTargetAssignmentMemberKey, share.ShareGroupTargetAssignmentMemberValue),
    14: (share.ShareGroupCurrentMemberAssignmentKey, share.ShareGroupCurrentMemberAssignmentValue),
    15: (share.ShareGroupStatePartitionMetadataKey, share.ShareGroupStatePartitionMetadataValue),
    16: (consumer.ConsumerGroupRegularExpressionKey, consumer.ConsumerGroupRegularExpressionValue),
    17: (streams.StreamsGroupMetadataKey, streams.StreamsGroupMetadataValue),
    19: (streams.StreamsGroupMemberMetadataKey, streams.StreamsGroupMemberMetadataValue),
    20: (streams.StreamsGroupTargetAssignmentMetadataKey, streams.StreamsGroupTargetAssignmentMetadataValue),
    21: (streams.StreamsGroupTargetAssignmentMemberKey, streams.StreamsGroupTargetAssignmentMemberValue),
    22: (streams.StreamsGroupCurrentMemberAssignmentKey, streams.StreamsGroupCurrentMemberAssignmentValue),
    23: (streams.StreamsGroupTopologyKey, streams.StreamsGroupTopologyValue),
}
"""Record type -> (key, value). 18 was never released."""
