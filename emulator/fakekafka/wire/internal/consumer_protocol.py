"""What consumers put into JoinGroup and SyncGroup when the protocol type is "consumer". Brokers do not parse it.

    int16 version | ConsumerProtocolSubscription      metadata of a protocol in JoinGroup
    int16 version | ConsumerProtocolAssignment        a member's assignment in SyncGroup

A reader treats a version above its own as its newest, and ignores the bytes that it does not know.

v0   topics, user data
v1   partitions that the member owns, for cooperative rebalancing (KIP-429)
v2   the generation in which it got them (KIP-792)
v3   rack (KIP-881)
"""

from fakekafka.wire.message import Message, Struct, binary, field, int32, string


class TopicPartition(Struct):
    topic: string = field("1+")
    partitions: list[int32] = field("1+")


class ConsumerProtocolSubscription(Message, versions="0-3"):
    topics: list[string] = field("0+")
    user_data: binary | None = field("0+", default=None)
    owned_partitions: list[TopicPartition] = field("1+")
    generation_id: int32 = field("2+", default=-1)  # -1: none
    rack_id: string | None = field("3+", default=None)


class ConsumerProtocolAssignmentTopicPartition(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class ConsumerProtocolAssignment(Message, versions="0-3"):
    """Equal in all versions."""

    assigned_partitions: list[ConsumerProtocolAssignmentTopicPartition] = field("0+")
    user_data: binary | None = field("0+", default=None)
