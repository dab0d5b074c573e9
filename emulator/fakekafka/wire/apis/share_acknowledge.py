"""ShareAcknowledge (key 79)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, int64, string, uuid


class AcknowledgementBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")
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
    share_session_epoch: int32 = field("0+")
    is_renew_ack: boolean = field("2+")
    topics: list[AcknowledgeTopic] = field("0+")


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("0+")
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
