"""Vote (key 52): a KRaft candidate asks a voter for its vote.

On the controller listener only.

v0   2.7      first version (KIP-595)
v1   3.9      directory ids of voters; response: leader endpoints (KIP-853)
v2   4.0      pre-vote; candidates are called replicas (KIP-996)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string, uint16, uuid


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    replica_epoch: int32 = field("0+")  # epoch that the candidate runs for
    replica_id: int32 = field("0+")
    replica_directory_id: uuid = field("1+")
    voter_directory_id: uuid = field("1+")
    last_offset_epoch: int32 = field("0+")  # last record of the candidate's log
    last_offset: int64 = field("0+")
    pre_vote: boolean = field("2+")


class TopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[PartitionData] = field("0+")


class VoteRequest(Request, key=52, versions="0-2", flexible="0+"):
    cluster_id: string | None = field("0+", default=None)
    voter_id: int32 = field("1+", default=-1)
    topics: list[TopicData] = field("0+")


class ResponsePartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")
    vote_granted: boolean = field("0+")


class ResponseTopicData(Struct):
    topic_name: string = field("0+")
    partitions: list[ResponsePartitionData] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("1+")
    host: string = field("1+")
    port: uint16 = field("1+")


class VoteResponse(Response, key=52, versions="0-2", flexible="0+"):
    error_code: int16 = field("0+")
    topics: list[ResponseTopicData] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("1+", tag=0)
