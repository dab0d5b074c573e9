"""FetchSnapshot (key 59): read a KRaft snapshot from the leader.

On the controller listener only.

v0   2.8      first version (KIP-630)
v1   3.9      directory id of the replica; response: leader endpoints (KIP-853)
"""

from fakekafka.ids import MAX_INT32
from fakekafka.wire.message import (
    Request,
    Response,
    Struct,
    field,
    int16,
    int32,
    int64,
    record_set,
    string,
    uint16,
    uuid,
)


class SnapshotId(Struct):
    end_offset: int64 = field("0+")
    epoch: int32 = field("0+")


class PartitionSnapshot(Struct):
    partition: int32 = field("0+")
    current_leader_epoch: int32 = field("0+")  # -1: unknown
    snapshot_id: SnapshotId = field("0+")
    position: int64 = field("0+")  # byte position in the snapshot
    replica_directory_id: uuid = field("1+", tag=0)


class TopicSnapshot(Struct):
    name: string = field("0+")
    partitions: list[PartitionSnapshot] = field("0+")


class FetchSnapshotRequest(Request, key=59, versions="0-1", flexible="0+"):
    replica_id: int32 = field("0+", default=-1)
    max_bytes: int32 = field("0+", default=MAX_INT32)
    topics: list[TopicSnapshot] = field("0+")
    cluster_id: string | None = field("0+", default=None, tag=0)


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("0+")  # -1: unknown
    leader_epoch: int32 = field("0+")


class ResponsePartitionSnapshot(Struct):
    index: int32 = field("0+")
    error_code: int16 = field("0+")
    snapshot_id: SnapshotId = field("0+")
    size: int64 = field("0+")  # bytes of the whole snapshot
    position: int64 = field("0+")
    unaligned_records: record_set = field("0+")  # may begin and end within a batch
    current_leader: LeaderIdAndEpoch = field("0+", tag=0)


class ResponseTopicSnapshot(Struct):
    name: string = field("0+")
    partitions: list[ResponsePartitionSnapshot] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("1+")
    host: string = field("1+")
    port: uint16 = field("1+")


class FetchSnapshotResponse(Response, key=59, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    topics: list[ResponseTopicSnapshot] = field("0+")
    node_endpoints: list[NodeEndpoint] = field("1+", tag=0)
