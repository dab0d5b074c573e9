"""OffsetCommit (key 8): store the offsets that a group has consumed.

v0-1 are gone from 4.0 on (KIP-896).

v0   0.8.1    into ZooKeeper
v1   0.8.2    into __consumer_offsets; generation, member, and a timestamp for each offset
v2   0.9.0    retention time of the whole request instead of the timestamps
v3   0.11.0   throttle time (KIP-124)
v4   2.0      a client over its quota is answered at once and then muted (KIP-219)
v5   2.1      no retention time: the broker's offsets.retention.minutes applies, once the group is empty (KIP-211)
v6   2.1      leader epoch of the last consumed record (KIP-320)
v7   2.3      group instance id: static members (KIP-345)
v8   2.4      flexible (KIP-482)
v9   3.7      usable by the new consumer groups: the generation is a member epoch; STALE_MEMBER_EPOCH,
              GROUP_ID_NOT_FOUND (KIP-848)
v10  4.2      topic ids instead of names (KIP-848)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class OffsetCommitRequestPartition(Struct):
    partition_index: int32 = field("0+")
    committed_offset: int64 = field("0+")
    commit_timestamp: int64 = field("1", default=-1)  # -1: now
    committed_leader_epoch: int32 = field("6+", default=-1)  # -1: unknown
    committed_metadata: string | None = field("0+")


class OffsetCommitRequestTopic(Struct):
    name: string = field("0-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetCommitRequestPartition] = field("0+")


class OffsetCommitRequest(Request, key=8, versions="0-10", flexible="8+"):
    group_id: string = field("0+")
    generation_id_or_member_epoch: int32 = field("1+", default=-1)  # -1: not a member, offsets are managed by hand
    member_id: string = field("1+")
    retention_time_ms: int64 = field("2-4", default=-1)  # -1: the broker's setting
    group_instance_id: string | None = field("7+", default=None)  # null: not a static member
    topics: list[OffsetCommitRequestTopic] = field("0+")


class OffsetCommitResponsePartition(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class OffsetCommitResponseTopic(Struct):
    name: string = field("0-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetCommitResponsePartition] = field("0+")


class OffsetCommitResponse(Response, key=8, versions="0-10", flexible="8+"):
    throttle_time_ms: int32 = field("3+")
    topics: list[OffsetCommitResponseTopic] = field("0+")
