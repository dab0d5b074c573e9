"""Fetch (key 1)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, record_set, string, uuid


class FetchPartition(Struct):
    partition: int32 = field("0+")
    current_leader_epoch: int32 = field("9+", default=-1)
    fetch_offset: int64 = field("0+")
    last_fetched_epoch: int32 = field("12+", default=-1)
    log_start_offset: int64 = field("5+", default=-1)
    partition_max_bytes: int32 = field("0+")
    replica_directory_id: uuid = field("17+", tag=0)
    high_watermark: int64 = field("18+", default=9223372036854775807, tag=1)


class FetchTopic(Struct):
    topic: string = field("0-12")
    topic_id: uuid = field("13+")
    partitions: list[FetchPartition] = field("0+")


class ForgottenTopic(Struct):
    topic: string = field("7-12")
    topic_id: uuid = field("13+")
    partitions: list[int32] = field("7+")


class ReplicaState(Struct):
    replica_id: int32 = field("15+", default=-1)
    replica_epoch: int64 = field("15+", default=-1)


class FetchRequest(Request, key=1, versions="0-18", flexible="12+"):
    replica_id: int32 = field("0-14", default=-1)
    max_wait_ms: int32 = field("0+")
    min_bytes: int32 = field("0+")
    max_bytes: int32 = field("3+", default=2147483647)
    isolation_level: int8 = field("4+")
    session_id: int32 = field("7+")
    session_epoch: int32 = field("7+", default=-1)
    topics: list[FetchTopic] = field("0+")
    forgotten_topics_data: list[ForgottenTopic] = field("7+")
    rack_id: string = field("11+")
    cluster_id: string | None = field("12+", default=None, tag=0)
    replica_state: ReplicaState = field("15+", tag=1)


class AbortedTransaction(Struct):
    producer_id: int64 = field("4+")
    first_offset: int64 = field("4+")


class EpochEndOffset(Struct):
    epoch: int32 = field("12+", default=-1)
    end_offset: int64 = field("12+", default=-1)


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("12+", default=-1)
    leader_epoch: int32 = field("12+", default=-1)


class SnapshotId(Struct):
    end_offset: int64 = field("12+", default=-1)
    epoch: int32 = field("12+", default=-1)


class PartitionData(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    high_watermark: int64 = field("0+")
    last_stable_offset: int64 = field("4+", default=-1)
    log_start_offset: int64 = field("5+", default=-1)
    aborted_transactions: list[AbortedTransaction] | None = field("4+")
    preferred_read_replica: int32 = field("11+", default=-1)
    records: record_set | None = field("0+")
    diverging_epoch: EpochEndOffset = field("12+", tag=0)
    current_leader: LeaderIdAndEpoch = field("12+", tag=1)
    snapshot_id: SnapshotId = field("12+", tag=2)


class FetchableTopicResponse(Struct):
    topic: string = field("0-12")
    topic_id: uuid = field("13+")
    partitions: list[PartitionData] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("16+")
    host: string = field("16+")
    port: int32 = field("16+")
    rack: string | None = field("16+", default=None)


class FetchResponse(Response, key=1, versions="0-18", flexible="12+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("7+")
    session_id: int32 = field("7+")
    responses: list[FetchableTopicResponse] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("16+", tag=0)
