"""ControlledShutdown (key 7)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class ControlledShutdownRequest(Request, key=7, versions="0-3", flexible="3+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("2+", default=-1)


class RemainingPartition(Struct):
    topic_name: string = field("0+")
    partition_index: int32 = field("0+")


class ControlledShutdownResponse(Response, key=7, versions="0-3", flexible="3+"):
    error_code: int16 = field("0+")
    remaining_partitions: list[RemainingPartition] = field("0+")
