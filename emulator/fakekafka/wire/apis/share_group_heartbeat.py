"""ShareGroupHeartbeat (key 76): join, stay in and leave a share group.

v0   3.9      early access in 3.9 and 4.0, only with unstable.api.versions.enable (KIP-932)
v1   4.1      stable (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class ShareGroupHeartbeatRequest(Request, key=76, versions="0-1", flexible="0+"):
    group_id: string = field("0+")
    member_id: string = field("0+")
    member_epoch: int32 = field("0+")  # 0 join, -1 leave
    rack_id: string | None = field("0+", default=None)  # null: unchanged
    subscribed_topic_names: list[string] | None = field("0+", default=None)  # null: unchanged


class TopicPartitions(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class Assignment(Struct):
    topic_partitions: list[TopicPartitions] = field("0+")


class ShareGroupHeartbeatResponse(Response, key=76, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    member_id: string | None = field("0+", default=None)
    member_epoch: int32 = field("0+")
    heartbeat_interval_ms: int32 = field("0+")
    assignment: Assignment | None = field("0+")  # null: unchanged
