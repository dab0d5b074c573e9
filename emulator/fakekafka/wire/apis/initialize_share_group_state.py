"""InitializeShareGroupState (key 83): the group coordinator has the share coordinator keep the state of new share
partitions.

v0   4.1      early access in 3.9 and 4.0, then declared stable, unchanged (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class PartitionData(Struct):
    partition: int32 = field("0+")
    state_epoch: int32 = field("0+")
    start_offset: int64 = field("0+")  # -1: not known yet


class InitializeStateData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class InitializeShareGroupStateRequest(Request, key=83, versions="0", flexible="0+"):
    group_id: string = field("0+")
    topics: list[InitializeStateData] = field("0+")


class PartitionResult(Struct):
    partition: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class InitializeStateResult(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionResult] = field("0+")


class InitializeShareGroupStateResponse(Response, key=83, versions="0", flexible="0+"):
    results: list[InitializeStateResult] = field("0+")
