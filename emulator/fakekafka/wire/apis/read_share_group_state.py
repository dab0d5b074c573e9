"""ReadShareGroupState (key 84): a leader reads the state of share partitions from the share coordinator.

v0   4.1      early access in 3.9 and 4.0, then declared stable, unchanged (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, string, uuid


class PartitionData(Struct):
    partition: int32 = field("0+")
    leader_epoch: int32 = field("0+")


class ReadStateData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class ReadShareGroupStateRequest(Request, key=84, versions="0", flexible="0+"):
    group_id: string = field("0+")
    topics: list[ReadStateData] = field("0+")


class StateBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # included
    delivery_state: int8 = field("0+")  # 0 available, 2 acknowledged, 4 archived
    delivery_count: int16 = field("0+")


class PartitionResult(Struct):
    partition: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    state_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")  # -1: not initialized
    state_batches: list[StateBatch] = field("0+")


class ReadStateResult(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionResult] = field("0+")


class ReadShareGroupStateResponse(Response, key=84, versions="0", flexible="0+"):
    results: list[ReadStateResult] = field("0+")
