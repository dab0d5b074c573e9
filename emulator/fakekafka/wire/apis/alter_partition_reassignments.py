"""AlterPartitionReassignments (key 45): begin or cancel reassignments of partitions to brokers.

v0   2.4      first version (KIP-455)
v1   4.1      the client may insist on the replication factor (KIP-860)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string


class ReassignablePartition(Struct):
    partition_index: int32 = field("0+")
    replicas: list[int32] | None = field("0+", default=None)  # null: cancel


class ReassignableTopic(Struct):
    name: string = field("0+")
    partitions: list[ReassignablePartition] = field("0+")


class AlterPartitionReassignmentsRequest(Request, key=45, versions="0-1", flexible="0+"):
    timeout_ms: int32 = field("0+", default=60000)
    allow_replication_factor_change: boolean = field("1+", default=True)
    topics: list[ReassignableTopic] = field("0+")


class ReassignablePartitionResponse(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")


class ReassignableTopicResponse(Struct):
    name: string = field("0+")
    partitions: list[ReassignablePartitionResponse] = field("0+")


class AlterPartitionReassignmentsResponse(Response, key=45, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    allow_replication_factor_change: boolean = field("1+", default=True)
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    responses: list[ReassignableTopicResponse] = field("0+")
