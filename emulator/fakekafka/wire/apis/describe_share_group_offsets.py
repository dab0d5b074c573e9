"""DescribeShareGroupOffsets (key 90): start offsets of share groups.

v0   4.1      first version (KIP-932)
v1   4.2      lag (KIP-1226)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class DescribeShareGroupOffsetsRequestTopic(Struct):
    topic_name: string = field("0+")
    partitions: list[int32] = field("0+")


class DescribeShareGroupOffsetsRequestGroup(Struct):
    group_id: string = field("0+")
    topics: list[DescribeShareGroupOffsetsRequestTopic] | None = field("0+")  # null: all


class DescribeShareGroupOffsetsRequest(Request, key=90, versions="0-1", flexible="0+"):
    groups: list[DescribeShareGroupOffsetsRequestGroup] = field("0+")


class DescribeShareGroupOffsetsResponsePartition(Struct):
    partition_index: int32 = field("0+")
    start_offset: int64 = field("0+")
    leader_epoch: int32 = field("0+")
    lag: int64 = field("1+", default=-1)  # -1: unknown
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class DescribeShareGroupOffsetsResponseTopic(Struct):
    topic_name: string = field("0+")
    topic_id: uuid = field("0+")
    partitions: list[DescribeShareGroupOffsetsResponsePartition] = field("0+")


class DescribeShareGroupOffsetsResponseGroup(Struct):
    group_id: string = field("0+")
    topics: list[DescribeShareGroupOffsetsResponseTopic] = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class DescribeShareGroupOffsetsResponse(Response, key=90, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    groups: list[DescribeShareGroupOffsetsResponseGroup] = field("0+")
