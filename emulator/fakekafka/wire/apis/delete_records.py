"""DeleteRecords (key 21): move the log start offset of partitions forward.

v0   0.11.0   first version (KIP-107)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.6      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class DeleteRecordsPartition(Struct):
    partition_index: int32 = field("0+")
    offset: int64 = field("0+")  # first offset that stays; -1: the high watermark


class DeleteRecordsTopic(Struct):
    name: string = field("0+")
    partitions: list[DeleteRecordsPartition] = field("0+")


class DeleteRecordsRequest(Request, key=21, versions="0-2", flexible="2+"):
    topics: list[DeleteRecordsTopic] = field("0+")
    timeout_ms: int32 = field("0+")


class DeleteRecordsPartitionResult(Struct):
    partition_index: int32 = field("0+")
    low_watermark: int64 = field("0+")  # smallest log start offset of all replicas; -1 after an error
    error_code: int16 = field("0+")


class DeleteRecordsTopicResult(Struct):
    name: string = field("0+")
    partitions: list[DeleteRecordsPartitionResult] = field("0+")


class DeleteRecordsResponse(Response, key=21, versions="0-2", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    topics: list[DeleteRecordsTopicResult] = field("0+")
