"""WriteShareGroupState (key 85): a leader stores changes of share partitions with the share coordinator.

v0   4.1      early access in 3.9 and 4.0, then declared stable, unchanged (KIP-932)
v1   4.2      number of records whose delivery is complete (KIP-1226)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, string, uuid


class StateBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # included
    delivery_state: int8 = field("0+")  # 0 available, 2 acknowledged, 4 archived
    delivery_count: int16 = field("0+")


class PartitionData(Struct):
    partition: int32 = field("0+")
    state_epoch: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")  # -1: unchanged
    delivery_complete_count: int32 = field("1+", default=-1)  # -1: unknown
    state_batches: list[StateBatch] = field("0+")


class WriteStateData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class WriteShareGroupStateRequest(Request, key=85, versions="0-1", flexible="0+"):
    group_id: string = field("0+")
    topics: list[WriteStateData] = field("0+")


class PartitionResult(Struct):
    partition: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class WriteStateResult(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionResult] = field("0+")


class WriteShareGroupStateResponse(Response, key=85, versions="0-1", flexible="0+"):
    results: list[WriteStateResult] = field("0+")
