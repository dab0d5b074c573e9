"""Produce (key 0): append record batches to partitions.

With acks 0 there is no response at all. Brokers from 4.0 on advertise v0-2 but refuse them: librdkafka needs to see
them (KAFKA-18659).

v0   0.8.0    acks, timeout and record sets by topic and partition; message format 0
v1   0.9.0    response: throttle time (KIP-13)
v2   0.10.0   response: log append time; message format 1 (KIP-32)
v3   0.11.0   transactional id (KIP-98); message format 2, which is the only one from here on
v4   1.0      KAFKA_STORAGE_ERROR may be answered (KIP-112)
v5   1.0      response: log start offset, so that a producer can tell lost from expired records (KAFKA-5793)
v6   2.0      a client over its quota is answered at once and then muted (KIP-219)
v7   2.1      records may be compressed with zstd (KIP-110)
v8   2.4      response: which records of a refused batch are at fault, and why (KIP-467)
v9   2.8      flexible (KIP-482)
v10  3.7      response: current leader and its endpoint, after NOT_LEADER_OR_FOLLOWER (KIP-951)
v11  3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
v12  4.0      partitions join the transaction with the first batch: no AddPartitionsToTxn (KIP-890 part 2)
v13  4.1      topic ids instead of names (KIP-516)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, record_set, string, uuid


class PartitionProduceData(Struct):
    index: int32 = field("0+")
    records: record_set | None = field("0+")  # null is legal here and refused by the broker


class TopicProduceData(Struct):
    name: string = field("0-12")
    topic_id: uuid = field("13+")
    partition_data: list[PartitionProduceData] = field("0+")


class ProduceRequest(Request, key=0, versions="0-13", flexible="9+"):
    transactional_id: string | None = field("3+", default=None)  # null: not transactional
    acks: int16 = field("0+")  # 0 none, 1 the leader, -1 all in-sync replicas
    timeout_ms: int32 = field("0+")
    topic_data: list[TopicProduceData] = field("0+")


class BatchIndexAndErrorMessage(Struct):
    batch_index: int32 = field("8+")  # number of the record in its batch
    batch_index_error_message: string | None = field("8+", default=None)


class LeaderIdAndEpoch(Struct):
    leader_id: int32 = field("10+", default=-1)
    leader_epoch: int32 = field("10+", default=-1)


class PartitionProduceResponse(Struct):
    index: int32 = field("0+")
    error_code: int16 = field("0+")
    base_offset: int64 = field("0+")  # offset of the first record; -1 after an error
    log_append_time_ms: int64 = field("2+", default=-1)  # -1 unless the topic has LogAppendTime
    log_start_offset: int64 = field("5+", default=-1)  # -1 after an error
    record_errors: list[BatchIndexAndErrorMessage] = field("8+")
    error_message: string | None = field("8+", default=None)
    current_leader: LeaderIdAndEpoch = field("10+", tag=0)  # since 3.7


class TopicProduceResponse(Struct):
    name: string = field("0-12")
    topic_id: uuid = field("13+")
    partition_responses: list[PartitionProduceResponse] = field("0+")


class NodeEndpoint(Struct):
    node_id: int32 = field("10+")
    host: string = field("10+")
    port: int32 = field("10+")
    rack: string | None = field("10+", default=None)


class ProduceResponse(Response, key=0, versions="0-13", flexible="9+"):
    responses: list[TopicProduceResponse] = field("0+")
    throttle_time_ms: int32 = field("1+")
    node_endpoints: list[NodeEndpoint] = field("10+", tag=0)
