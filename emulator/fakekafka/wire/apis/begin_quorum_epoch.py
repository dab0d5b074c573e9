"""BeginQuorumEpoch (key 53): a new KRaft leader announces itself to the voters.

On the controller listener only.

v0   2.7      first version (KIP-595)
v1   3.9      flexible (KIP-482); directory ids of voters, endpoints of the leader (KIP-853)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uint16, uuid


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    voter_directory_id: uuid = field("1+")
    leader_id: int32 = field("0+")
    leader_epoch: int32 = field("0+")


class TopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[PartitionData] = field("0+")


class LeaderEndpoint(Struct):
    name: string = field("1+")
    host: string = field("1+")
    port: uint16 = field("1+")


class BeginQuorumEpochRequest(Request, key=53, versions="0-1", flexible="1+"):
    cluster_id: string | None = field("0+", default=None)
    voter_id: int32 = field("1+", default=-1)
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


class BeginQuorumEpochResponse(Response, key=53, versions="0-1", flexible="1+"):
    error_code: int16 = field("0+")
    topics: list[ResponseTopicData] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("1+", tag=0)
