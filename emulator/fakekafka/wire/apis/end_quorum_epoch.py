"""EndQuorumEpoch (key 54): a KRaft leader resigns.

In 2.7, v0 had one more int32, a replica id, in front of the leader id; no fakekafka broker speaks it. On the
controller listener only.

v0   2.7      first version (KIP-595)
v1   3.9      flexible (KIP-482); candidates with directory ids, endpoints of the leader (KIP-853)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uint16, uuid


class ReplicaInfo(Struct):
    candidate_id: int32 = field("1+")
    candidate_directory_id: uuid = field("1+")


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    leader_id: int32 = field("0+")
    leader_epoch: int32 = field("0+")
    preferred_successors: list[int32] = field("0")  # in the order in which they should try
    preferred_candidates: list[ReplicaInfo] = field("1+")


class TopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[PartitionData] = field("0+")


class LeaderEndpoint(Struct):
    name: string = field("1+")
    host: string = field("1+")
    port: uint16 = field("1+")


class EndQuorumEpochRequest(Request, key=54, versions="0-1", flexible="1+"):
    cluster_id: string | None = field("0+", default=None)
    topics: list[TopicData] = field("0+")
    leader_endpoints: list[LeaderEndpoint] = field("1+")


class ResponsePartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")


class ResponseTopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[ResponsePartitionData] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("1+")
    host: string = field("1+")
    port: uint16 = field("1+")


class EndQuorumEpochResponse(Response, key=54, versions="0-1", flexible="1+"):
    error_code: int16 = field("0+")
    topics: list[ResponseTopicData] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("1+", tag=0)
