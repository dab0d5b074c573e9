"""OffsetFetch (key 9): read the offsets that a group has committed.

Up to v7 the request is about one group, from v8 on about a list of them: two sets of structs. v0 is gone from 4.0 on
(KIP-896).

v0   0.8.1    from ZooKeeper
v1   0.8.2    from __consumer_offsets
v2   0.10.2   null asks for all topics; error code for the whole response (KIP-88)
v3   0.11.0   throttle time (KIP-124)
v4   2.0      a client over its quota is answered at once and then muted (KIP-219)
v5   2.1      leader epoch of each offset (KIP-320)
v6   2.4      flexible (KIP-482)
v7   2.5      require_stable: UNSTABLE_OFFSET_COMMIT while a transaction is open (KIP-447)
v8   3.0      several groups in one request (KIP-709)
v9   3.7      member id and epoch of the new consumer groups (KIP-848)
v10  4.2      topic ids instead of names (KIP-848)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string, uuid


class OffsetFetchRequestTopic(Struct):
    name: string = field("0-7")
    partition_indexes: list[int32] = field("0-7")


class OffsetFetchRequestTopics(Struct):
    name: string = field("8-9")
    topic_id: uuid = field("10+")
    partition_indexes: list[int32] = field("8+")


class OffsetFetchRequestGroup(Struct):
    group_id: string = field("8+")
    member_id: string | None = field("9+", default=None)
    member_epoch: int32 = field("9+", default=-1)  # -1: not checked
    topics: list[OffsetFetchRequestTopics] | None = field("8+")  # null: all topics


class OffsetFetchRequest(Request, key=9, versions="0-10", flexible="6+"):
    group_id: string = field("0-7")
    topics: list[OffsetFetchRequestTopic] | None = field("0-7", nullable="2-7")  # null: all topics
    groups: list[OffsetFetchRequestGroup] = field("8+")
    require_stable: boolean = field("7+")


class OffsetFetchResponsePartition(Struct):
    partition_index: int32 = field("0-7")
    committed_offset: int64 = field("0-7")  # -1: none
    committed_leader_epoch: int32 = field("5-7", default=-1)  # -1: unknown
    metadata: string | None = field("0-7")
    error_code: int16 = field("0-7")


class OffsetFetchResponseTopic(Struct):
    name: string = field("0-7")
    partitions: list[OffsetFetchResponsePartition] = field("0-7")


class OffsetFetchResponsePartitions(Struct):
    partition_index: int32 = field("8+")
    committed_offset: int64 = field("8+")  # -1: none
    committed_leader_epoch: int32 = field("8+", default=-1)  # -1: unknown
    metadata: string | None = field("8+")
    error_code: int16 = field("8+")


class OffsetFetchResponseTopics(Struct):
    name: string = field("8-9")
    topic_id: uuid = field("10+")
    partitions: list[OffsetFetchResponsePartitions] = field("8+")


class OffsetFetchResponseGroup(Struct):
    group_id: string = field("8+")
    topics: list[OffsetFetchResponseTopics] = field("8+")
    error_code: int16 = field("8+")


class OffsetFetchResponse(Response, key=9, versions="0-10", flexible="6+"):
    throttle_time_ms: int32 = field("3+")
    topics: list[OffsetFetchResponseTopic] = field("0-7")
    error_code: int16 = field("2-7")
    groups: list[OffsetFetchResponseGroup] = field("8+")
