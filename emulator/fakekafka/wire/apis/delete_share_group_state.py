"""DeleteShareGroupState (key 86): the group coordinator has the share coordinator forget share partitions.

v0   4.1      early access in 3.9 and 4.0, then declared stable, unchanged (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class PartitionData(Struct):
    partition: int32 = field("0+")


class DeleteStateData(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class DeleteShareGroupStateRequest(Request, key=86, versions="0", flexible="0+"):
    group_id: string = field("0+")
    topics: list[DeleteStateData] = field("0+")


class PartitionResult(Struct):
    partition: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class DeleteStateResult(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionResult] = field("0+")


class DeleteShareGroupStateResponse(Response, key=86, versions="0", flexible="0+"):
    results: list[DeleteStateResult] = field("0+")
