"""AlterShareGroupOffsets (key 91): set start offsets of an empty share group.

v0   4.1      first version (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class AlterShareGroupOffsetsRequestPartition(Struct):
    partition_index: int32 = field("0+")
    start_offset: int64 = field("0+")


class AlterShareGroupOffsetsRequestTopic(Struct):
    topic_name: string = field("0+")
    partitions: list[AlterShareGroupOffsetsRequestPartition] = field("0+")


class AlterShareGroupOffsetsRequest(Request, key=91, versions="0", flexible="0+"):
    group_id: string = field("0+")
    topics: list[AlterShareGroupOffsetsRequestTopic] = field("0+")


class AlterShareGroupOffsetsResponsePartition(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class AlterShareGroupOffsetsResponseTopic(Struct):
    topic_name: string = field("0+")
    topic_id: uuid = field("0+")
    partitions: list[AlterShareGroupOffsetsResponsePartition] = field("0+")


class AlterShareGroupOffsetsResponse(Response, key=91, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    responses: list[AlterShareGroupOffsetsResponseTopic] = field("0+")
