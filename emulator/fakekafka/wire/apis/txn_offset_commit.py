"""TxnOffsetCommit (key 28): commit a group's offsets as part of a transaction.

v6 is not released yet: known from the branch of 4.4.

v0   0.11.0   first version (KIP-98)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.1      leader epochs (KIP-320)
v3   2.5      generation, member and group instance, to fence zombies (KIP-447); flexible (KIP-482)
v4   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
v5   4.0      the group joins the transaction with this request: no AddOffsetsToTxn (KIP-890 part 2)
v6   4.4      topic ids instead of names; STALE_MEMBER_EPOCH, GROUP_ID_NOT_FOUND (KIP-1319)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string, uuid


class TxnOffsetCommitRequestPartition(Struct):
    partition_index: int32 = field("0+")
    committed_offset: int64 = field("0+")
    committed_leader_epoch: int32 = field("2+", default=-1)  # -1: unknown
    committed_metadata: string | None = field("0+")


class TxnOffsetCommitRequestTopic(Struct):
    name: string = field("0-5")
    topic_id: uuid = field("6+")
    partitions: list[TxnOffsetCommitRequestPartition] = field("0+")


class TxnOffsetCommitRequest(Request, key=28, versions="0-6", flexible="3+"):
    transactional_id: string = field("0+")
    group_id: string = field("0+")
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    generation_id_or_member_epoch: int32 = field("3+", default=-1)  # -1: not checked
    member_id: string = field("3+")
    group_instance_id: string | None = field("3+", default=None)
    topics: list[TxnOffsetCommitRequestTopic] = field("0+")


class TxnOffsetCommitResponsePartition(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")


class TxnOffsetCommitResponseTopic(Struct):
    name: string = field("0-5")
    topic_id: uuid = field("6+")
    partitions: list[TxnOffsetCommitResponsePartition] = field("0+")


class TxnOffsetCommitResponse(Response, key=28, versions="0-6", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    topics: list[TxnOffsetCommitResponseTopic] = field("0+")
