"""ShareFetch (key 78)."""

from fakekafka.wire.message import (
    Request,
    Response,
    Struct,
    boolean,
    field,
    int8,
    int16,
    int32,
    int64,
    record_set,
    string,
    uuid,
)


class AcknowledgementBatch(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")
    acknowledge_types: list[int8] = field("0+")


class FetchPartition(Struct):
    partition_index: int32 = field("0+")
    partition_max_bytes: int32 = field("0")
    acknowledgement_batches: list[AcknowledgementBatch] = field("0+")


class FetchTopic(Struct):
    topic_id: uuid = field("0+")
    partitions: list[FetchPartition] = field("0+")


class ForgottenTopic(Struct):
    topic_id: uuid = field("0+")
    partitions: list[int32] = field("0+")


class ShareFetchRequest(Request, key=78, versions="0-2", flexible="0+"):
    group_id: string | None = field("0+", default=None)
    member_id: string | None = field("0+")
    share_session_epoch: int32 = field("0+")
    max_wait_ms: int32 = field("0+")
    min_bytes: int32 = field("0+")
    max_bytes: int32 = field("0+", default=2147483647)
    max_records: int32 = field("1+")
    batch_size: int32 = field("1+")
    share_acquire_mode: int8 = field("2+")
    is_renew_ack: boolean = field("2+")
    topics: list[FetchTopic] = field("0+")
    forgotten_topics_data: list[ForgottenTopic] = field("0+")


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("0+")
    leader_epoch: int32 = field("0+")


class AcquiredRecords(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")
    delivery_count: int16 = field("0+")


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    acknowledge_error_code: int16 = field("0+")
    acknowledge_error_message: string | None = field("0+", default=None)
    current_leader: LeaderIdAndEpoch = field("0+")
    records: record_set | None = field("0+", nullable="0")
    acquired_records: list[AcquiredRecords] = field("0+")


class ShareFetchableTopicResponse(Struct):
    topic_id: uuid = field("0+")
    partitions: list[PartitionData] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("0+")
    host: string = field("0+")
    port: int32 = field("0+")
    rack: string | None = field("0+", default=None)


class ShareFetchResponse(Response, key=78, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    acquisition_lock_timeout_ms: int32 = field("1+")
    responses: list[ShareFetchableTopicResponse] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("0+")
