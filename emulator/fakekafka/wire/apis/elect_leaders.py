"""ElectLeaders (key 43): have the controller elect leaders.

Named ElectPreferredLeaders in v0.

v0   2.2      preferred leaders only (KIP-183)
v1   2.4      election type; error code for the whole response (KIP-460)
v2   2.4      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class TopicPartitions(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class ElectLeadersRequest(Request, key=43, versions="0-2", flexible="2+"):
    election_type: int8 = field("1+")  # 0 preferred, 1 unclean
    topic_partitions: list[TopicPartitions] | None = field("0+")  # null: all
    timeout_ms: int32 = field("0+", default=60000)


class PartitionResult(Struct):
    partition_id: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")


class ReplicaElectionResult(Struct):
    topic: string = field("0+")
    partition_result: list[PartitionResult] = field("0+")


class ElectLeadersResponse(Response, key=43, versions="0-2", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("1+")
    replica_election_results: list[ReplicaElectionResult] = field("0+")
