"""ElectLeaders (key 43)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class TopicPartitions(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class ElectLeadersRequest(Request, key=43, versions="0-2", flexible="2+"):
    election_type: int8 = field("1+")
    topic_partitions: list[TopicPartitions] | None = field("0+")
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
