"""ShareAcknowledge (key 79): acknowledge records of a share group without fetching new ones.

v0   3.9      early access in 3.9 and 4.0, only with unstable.api.versions.enable (KIP-932)
v1   4.1      stable (KIP-932)
v2   4.2      locks can be renewed (KIP-1222)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class AcknowledgementBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # included
    # 0 gap, 1 accept, 2 release, 3 reject, 4 renew (v2); one for all, or one for each offset
    acknowledge_types: list[int8] = field("0+")


class AcknowledgePartition(Struct):
    partition_index: int32 = field("0+")
    acknowledgement_batches: list[AcknowledgementBatch] = field("0+")


class AcknowledgeTopic(Struct):
    topic_id: uuid = field("0+")
    partitions: list[AcknowledgePartition] = field("0+")


class ShareAcknowledgeRequest(Request, key=79, versions="0-2", flexible="0+"):
    group_id: string | None = field("0+", default=None)
    member_id: string | None = field("0+")
    share_session_epoch: int32 = field("0+")  # 0 opens a session, -1 closes it; otherwise counted up
    is_renew_ack: boolean = field("2+")
    topics: list[AcknowledgeTopic] = field("0+")


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    current_leader: LeaderIdAndEpoch = field("0+")


class ShareAcknowledgeTopicResponse(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("0+")
    host: string = field("0+")
    port: int32 = field("0+")
    rack: string | None = field("0+", default=None)


class ShareAcknowledgeResponse(Response, key=79, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    acquisition_lock_timeout_ms: int32 = field("2+")
    responses: list[ShareAcknowledgeTopicResponse] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("0+")
