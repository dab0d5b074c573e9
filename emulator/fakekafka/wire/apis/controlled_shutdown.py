"""ControlledShutdown (key 7): a broker asks the controller to move its leaders away before it stops (ZooKeeper mode).

Between ZooKeeper brokers only: gone with 4.0.

v0   0.8.0    its request header has no client id
v1   0.9.0    ordinary request header
v2   2.2      broker epoch (KIP-380)
v3   2.4      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class ControlledShutdownRequest(Request, key=7, versions="0-3", flexible="3+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("2+", default=-1)  # -1: not checked


class RemainingPartition(Struct):
    topic_name: string = field("0+")
    partition_index: int32 = field("0+")


class ControlledShutdownResponse(Response, key=7, versions="0-3", flexible="3+"):
    error_code: int16 = field("0+")
    remaining_partitions: list[RemainingPartition] = field("0+")  # still led by the broker: it tries again
