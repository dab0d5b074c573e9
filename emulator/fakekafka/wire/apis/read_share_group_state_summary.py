"""ReadShareGroupStateSummary (key 87): the group coordinator reads start offsets of share partitions.

The early access of 3.9 and 4.0 had no leader epoch in the response of v0.

v0   4.1      early access in 3.9 and 4.0, then declared stable, unchanged (KIP-932)
v1   4.2      number of records whose delivery is complete (KIP-1226)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class PartitionData(Struct):
    partition: int32 = field("0+")
    leader_epoch: int32 = field("0+")


class ReadStateSummaryData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class ReadShareGroupStateSummaryRequest(Request, key=87, versions="0-1", flexible="0+"):
    group_id: string = field("0+")
    topics: list[ReadStateSummaryData] = field("0+")


class PartitionResult(Struct):
    partition: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    state_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")
    delivery_complete_count: int32 = field("1+", default=-1)  # -1: unknown


class ReadStateSummaryResult(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionResult] = field("0+")


class ReadShareGroupStateSummaryResponse(Response, key=87, versions="0-1", flexible="0+"):
    results: list[ReadStateSummaryResult] = field("0+")
