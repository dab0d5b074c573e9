"""DescribeQuorum (key 55): state of the KRaft quorum.

v0   2.8      first version (KIP-595)
v1   3.3      when replicas last fetched and were caught up (KIP-836)
v2   3.9      error messages, directory ids, endpoints of the nodes (KIP-853)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uint16, uuid


class PartitionData(Struct):
    partition_index: int32 = field("0+")


class TopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[PartitionData] = field("0+")


class DescribeQuorumRequest(Request, key=55, versions="0-2", flexible="0+"):
    topics: list[TopicData] = field("0+")


class ReplicaState(Struct):
    replica_id: int32 = field("0+")
    replica_directory_id: uuid = field("2+")
    log_end_offset: int64 = field("0+")  # -1: unknown
    last_fetch_timestamp: int64 = field("1+", default=-1)  # by the leader's clock; -1: unknown, or the leader itself
    last_caught_up_timestamp: int64 = field("1+", default=-1)  # by the leader's clock; -1: unknown


class ResponsePartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("2+")
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")
    high_watermark: int64 = field("0+")
    current_voters: list[ReplicaState] = field("0+")
    observers: list[ReplicaState] = field("0+")


class ResponseTopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[ResponsePartitionData] = field("0+")


class Listener(Struct):
    name: string = field("2+")
    host: string = field("2+")
    port: uint16 = field("2+")


class Node(Struct):
    node_id: int32 = field("2+")
    listeners: list[Listener] = field("2+")


class DescribeQuorumResponse(Response, key=55, versions="0-2", flexible="0+"):
    error_code: int16 = field("0+")
    error_message: string | None = field("2+")
    topics: list[ResponseTopicData] = field("0+")
    nodes: list[Node] = field("2+")
