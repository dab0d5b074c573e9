"""OffsetDelete (key 47): delete committed offsets of a group, for topics that it does not consume.

Never flexible.

v0   2.4      first version (KIP-496)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class OffsetDeleteRequestPartition(Struct):
    partition_index: int32 = field("0+")


class OffsetDeleteRequestTopic(Struct):
    name: string = field("0+")
    partitions: list[OffsetDeleteRequestPartition] = field("0+")


class OffsetDeleteRequest(Request, key=47, versions="0"):
    group_id: string = field("0+")
    topics: list[OffsetDeleteRequestTopic] = field("0+")


class OffsetDeleteResponsePartition(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class OffsetDeleteResponseTopic(Struct):
    name: string = field("0+")
    partitions: list[OffsetDeleteResponsePartition] = field("0+")


class OffsetDeleteResponse(Response, key=47, versions="0"):
    error_code: int16 = field("0+")
    throttle_time_ms: int32 = field("0+")
    topics: list[OffsetDeleteResponseTopic] = field("0+")
