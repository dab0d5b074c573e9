"""ConsumerGroupHeartbeat (key 68): everything that a member of the new consumer groups does: join, stay, get its
assignment, leave.

Fields that did not change since the member's last heartbeat are null. The early access in 3.5 and 3.6 had another v0.

v0   3.7      the coordinator makes up the member id (KIP-848)
v1   4.0      subscription by regular expression; the client makes up its member id (KIP-1082)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ConsumerGroupHeartbeatRequest(Request, key=68, versions="0-1", flexible="0+"):
    group_id: string = field("0+")
    member_id: string = field("0+")
    member_epoch: int32 = field("0+")  # 0 join, -1 leave, -2 leave as a static member that will be back
    instance_id: string | None = field("0+", default=None)
    rack_id: string | None = field("0+", default=None)
    rebalance_timeout_ms: int32 = field("0+", default=-1)  # -1: unchanged
    subscribed_topic_names: list[string] | None = field("0+", default=None)
    subscribed_topic_regex: string | None = field("1+", default=None)
    server_assignor: string | None = field("0+", default=None)
    topic_partitions: list[TopicPartitions] | None = field("0+", default=None)  # what the member owns


class Assignment(Struct):
    topic_partitions: list[TopicPartitions] = field("0+")


class ConsumerGroupHeartbeatResponse(Response, key=68, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    member_id: string | None = field("0+", default=None)
    member_epoch: int32 = field("0+")
    heartbeat_interval_ms: int32 = field("0+")
    assignment: Assignment | None = field("0+")  # null: unchanged
