"""OffsetFetch (key 9)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string, uuid


class OffsetFetchRequestTopic(Struct):
    name: string = field("0-7")
    partition_indexes: list[int32] = field("0-7")


class OffsetFetchRequestTopics(Struct):
    name: string = field("8-9")
    topic_id: uuid = field("10+")
    partition_indexes: list[int32] = field("8+")


class OffsetFetchRequestGroup(Struct):
    group_id: string = field("8+")
    member_id: string | None = field("9+", default=None)
    member_epoch: int32 = field("9+", default=-1)
    topics: list[OffsetFetchRequestTopics] | None = field("8+")


class OffsetFetchRequest(Request, key=9, versions="0-10", flexible="6+"):
    group_id: string = field("0-7")
    topics: list[OffsetFetchRequestTopic] | None = field("0-7", nullable="2-7")
    groups: list[OffsetFetchRequestGroup] = field("8+")
    require_stable: boolean = field("7+")


class OffsetFetchResponsePartition(Struct):
    partition_index: int32 = field("0-7")
    committed_offset: int64 = field("0-7")
    committed_leader_epoch: int32 = field("5-7", default=-1)
    metadata: string | None = field("0-7")
    error_code: int16 = field("0-7")


class OffsetFetchResponseTopic(Struct):
    name: string = field("0-7")
    partitions: list[OffsetFetchResponsePartition] = field("0-7")


class OffsetFetchResponsePartitions(Struct):
    partition_index: int32 = field("8+")
    committed_offset: int64 = field("8+")
    committed_leader_epoch: int32 = field("8+", default=-1)
    metadata: string | None = field("8+")
    error_code: int16 = field("8+")


class OffsetFetchResponseTopics(Struct):
    name: string = field("8-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetFetchResponsePartitions] = field("8+")


class OffsetFetchResponseGroup(Struct):
    group_id: string = field("8+")
    topics: list[OffsetFetchResponseTopics] = field("8+")
    error_code: int16 = field("8+")


class OffsetFetchResponse(Response, key=9, versions="0-10", flexible="6+"):
    throttle_time_ms: int32 = field("3+")
    topics: list[OffsetFetchResponseTopic] = field("0-7")
    error_code: int16 = field("2-7")
    groups: list[OffsetFetchResponseGroup] = field("8+")
