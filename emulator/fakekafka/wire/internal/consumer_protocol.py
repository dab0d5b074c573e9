"""consumer_protocol"""

from fakekafka.wire.message import Message, Struct, binary, field, int32, string


class TopicPartition(Struct):
    topic: string = field("1+")
    partitions: list[int32] = field("1+")


class ConsumerProtocolSubscription(Message, versions="0-3"):
    topics: list[string] = field("0+")
    user_data: binary | None = field("0+", default=None)
    owned_partitions: list[TopicPartition] = field("1+")
    generation_id: int32 = field("2+", default=-1)
    rack_id: string | None = field("3+", default=None)


class ConsumerProtocolAssignmentTopicPartition(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class ConsumerProtocolAssignment(Message, versions="0-3"):
    assigned_partitions: list[ConsumerProtocolAssignmentTopicPartition] = field("0+")
    user_data: binary | None = field("0+", default=None)
