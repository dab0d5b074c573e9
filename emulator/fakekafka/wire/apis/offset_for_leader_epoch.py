"""OffsetForLeaderEpoch (key 23): where an epoch of the leader ends: followers and consumers find the point to truncate
to.

v0-1 are gone from 4.0 on (KIP-896).

v0   0.11.0   between brokers (KIP-101)
v1   2.0      response: the epoch whose end this is (KIP-279)
v2   2.1      current leader epoch, for consumers too; throttle time (KIP-320)
v3   2.3      replica id (KIP-392)
v4   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class OffsetForLeaderPartition(Struct):
    partition: int32 = field("0+")
    current_leader_epoch: int32 = field("2+", default=-1)  # -1: not checked
    leader_epoch: int32 = field("0+")


class OffsetForLeaderTopic(Struct):
    topic: string = field("0+")
    partitions: list[OffsetForLeaderPartition] = field("0+")


class OffsetForLeaderEpochRequest(Request, key=23, versions="0-4", flexible="4+"):
    replica_id: int32 = field("3+", default=-2)  # -1 consumer, -2 unknown (also what v0-2 mean)
    topics: list[OffsetForLeaderTopic] = field("0+")


class EpochEndOffset(Struct):
    error_code: int16 = field("0+")
    partition: int32 = field("0+")
    leader_epoch: int32 = field("1+", default=-1)  # largest epoch that is not above the one asked for; -1: none
    end_offset: int64 = field("0+", default=-1)  # -1: none


class OffsetForLeaderTopicResult(Struct):
    topic: string = field("0+")
    partitions: list[EpochEndOffset] = field("0+")


class OffsetForLeaderEpochResponse(Response, key=23, versions="0-4", flexible="4+"):
    throttle_time_ms: int32 = field("2+")
    topics: list[OffsetForLeaderTopicResult] = field("0+")
