"""Fetch (key 1): read record batches: consumers, and followers that replicate.

v0-3 are gone from 4.0 on (KIP-896).

v0   0.8.0    offset and maximum bytes per partition; the broker waits until min_bytes are there or max_wait_ms have
              passed
v1   0.9.0    response: throttle time (KIP-13)
v2   0.10.0   message format 1 (KIP-32): same layout; v0-1 are answered in format 0
v3   0.10.1   maximum bytes of the whole response; partitions are filled in the order of the request (KIP-74)
v4   0.11.0   isolation level, last stable offset, aborted transactions (KIP-98); message format 2
v5   0.11.0   log start offset, of the follower and in the response (KIP-107)
v6   1.0      KAFKA_STORAGE_ERROR may be answered (KIP-112)
v7   1.1      fetch sessions: requests name only what changed (KIP-227)
v8   2.0      a client over its quota is answered at once and then muted (KIP-219)
v9   2.1      current leader epoch as the client knows it: FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH (KIP-320)
v10  2.1      records may be compressed with zstd (KIP-110): same layout; earlier versions get
              UNSUPPORTED_COMPRESSION_TYPE
v11  2.3      rack of the client, preferred read replica (KIP-392)
v12  2.7      flexible (KIP-482); epoch of the last fetched record, diverging epoch, current leader (KIP-595)
v13  3.1      topic ids instead of names (KIP-516)
v14  3.5      OFFSET_MOVED_TO_TIERED_STORAGE may be answered (KIP-405)
v15  3.5      followers say their broker epoch too: replica_state takes the place of replica_id (KIP-903)
v16  3.7      response: endpoints of the leaders named in the partitions (KIP-951)
v17  3.9      directory id of the replica (KIP-853)
v18  4.1      high watermark that the follower knows (KIP-1166)
"""

from fakekafka.ids import MAX_INT32
from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, record_set, string, uuid


class FetchPartition(Struct):
    partition: int32 = field("0+")
    current_leader_epoch: int32 = field("9+", default=-1)  # -1: not checked
    fetch_offset: int64 = field("0+")
    last_fetched_epoch: int32 = field("12+", default=-1)  # -1: nothing fetched yet, or a consumer
    log_start_offset: int64 = field("5+", default=-1)  # of the follower; consumers send -1
    partition_max_bytes: int32 = field("0+")
    replica_directory_id: uuid = field("17+", tag=0)
    # -1: unknown; the default: the follower cannot report it
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
    replica_id: int32 = field("0-14", default=-1)  # -1 consumer, -2 debugging consumer; from v15 on see replica_state
    max_wait_ms: int32 = field("0+")
    min_bytes: int32 = field("0+")
    max_bytes: int32 = field("3+", default=MAX_INT32)
    isolation_level: int8 = field("4+")  # 0 read uncommitted, 1 read committed
    session_id: int32 = field("7+")  # 0: no session yet
    session_epoch: int32 = field("7+", default=-1)  # -1 no session, 0 a new one, then counted up
    topics: list[FetchTopic] = field("0+")
    forgotten_topics_data: list[ForgottenTopic] = field("7+")
    rack_id: string = field("11+")
    cluster_id: string | None = field("12+", default=None, tag=0)  # between KRaft voters
    replica_state: ReplicaState = field("15+", tag=1)


class AbortedTransaction(Struct):
    producer_id: int64 = field("4+")
    first_offset: int64 = field("4+")


class EpochEndOffset(Struct):
    epoch: int32 = field("12+", default=-1)  # largest epoch of the leader that is not above the follower's
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
    last_stable_offset: int64 = field("4+", default=-1)  # -1 after an error; up to 2.0 also unless read committed
    log_start_offset: int64 = field("5+", default=-1)
    aborted_transactions: list[AbortedTransaction] | None = field("4+")  # null unless asked with read committed
    preferred_read_replica: int32 = field("11+", default=-1)  # -1: keep reading here
    records: record_set | None = field("0+")
    diverging_epoch: EpochEndOffset = field("12+", tag=0)
    current_leader: LeaderIdAndEpoch = field("12+", tag=1)
    snapshot_id: SnapshotId = field("12+", tag=2)  # since 2.8: the follower must fetch this snapshot first


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
    session_id: int32 = field("7+")  # 0: no session
    responses: list[FetchableTopicResponse] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("16+", tag=0)
