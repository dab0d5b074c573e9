"""ShareFetch (key 78): acquire records for a member of a share group, and acknowledge earlier ones.

v0   3.9      early access in 3.9 and 4.0, only with unstable.api.versions.enable (KIP-932)
v1   4.1      stable: limits in records instead of bytes of a partition (KIP-932)
v2   4.2      strict limit of records (KIP-1206); locks can be renewed (KIP-1222)
"""

from fakekafka.ids import MAX_INT32
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
    last_offset: int64 = field("0+")  # included
    # 0 gap, 1 accept, 2 release, 3 reject, 4 renew (v2); one for all, or one for each offset
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
    share_session_epoch: int32 = field("0+")  # 0 opens a session, -1 closes it; otherwise counted up
    max_wait_ms: int32 = field("0+")
    min_bytes: int32 = field("0+")
    max_bytes: int32 = field("0+", default=MAX_INT32)
    max_records: int32 = field("1+")
    batch_size: int32 = field("1+")
    share_acquire_mode: int8 = field("2+")  # 0 whole batches, 1 not more than max_records
    is_renew_ack: boolean = field("2+")
    topics: list[FetchTopic] = field("0+")
    forgotten_topics_data: list[ForgottenTopic] = field("0+")


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")


class AcquiredRecords(Struct):
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # included
    delivery_count: int16 = field("0+")  # how often the records were delivered, this time included


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
