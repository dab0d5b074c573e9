"""OffsetCommit (key 8)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class OffsetCommitRequestPartition(Struct):
    partition_index: int32 = field("0+")
    committed_offset: int64 = field("0+")
    commit_timestamp: int64 = field("1", default=-1)
    committed_leader_epoch: int32 = field("6+", default=-1)
    committed_metadata: string | None = field("0+")


class OffsetCommitRequestTopic(Struct):
    name: string = field("0-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetCommitRequestPartition] = field("0+")


class OffsetCommitRequest(Request, key=8, versions="0-10", flexible="8+"):
    group_id: string = field("0+")
    generation_id_or_member_epoch: int32 = field("1+", default=-1)
    member_id: string = field("1+")
    retention_time_ms: int64 = field("2-4", default=-1)
    group_instance_id: string | None = field("7+", default=None)
    topics: list[OffsetCommitRequestTopic] = field("0+")


class OffsetCommitResponsePartition(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class OffsetCommitResponseTopic(Struct):
    name: string = field("0-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetCommitResponsePartition] = field("0+")


class OffsetCommitResponse(Response, key=8, versions="0-10", flexible="8+"):
    throttle_time_ms: int32 = field("3+")
    topics: list[OffsetCommitResponseTopic] = field("0+")
