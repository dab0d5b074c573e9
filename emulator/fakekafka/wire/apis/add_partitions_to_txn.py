"""AddPartitionsToTxn (key 24): add partitions to a transaction; between brokers, check that they are in it.

Clients use v0-3, brokers v4 and above: two sets of structs.

v0   0.11.0   first version (KIP-98)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.7      PRODUCER_FENCED instead of INVALID_PRODUCER_EPOCH (KIP-588)
v3   2.8      flexible (KIP-482)
v4   3.6      several transactions in one request, and verify_only: from brokers only (KIP-890)
v5   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class AddPartitionsToTxnTopic(Struct):
    name: string = field("0-3")
    partitions: list[int32] = field("0-3")


class RequestAddPartitionsToTxnTopic(Struct):
    name: string = field("4+")
    partitions: list[int32] = field("4+")


class AddPartitionsToTxnTransaction(Struct):
    transactional_id: string = field("4+")
    producer_id: int64 = field("4+")
    producer_epoch: int16 = field("4+")
    verify_only: boolean = field("4+")  # check, do not add
    topics: list[RequestAddPartitionsToTxnTopic] = field("4+")


class AddPartitionsToTxnRequest(Request, key=24, versions="0-5", flexible="3+"):
    v3_and_below_transactional_id: string = field("0-3")
    v3_and_below_producer_id: int64 = field("0-3")
    v3_and_below_producer_epoch: int16 = field("0-3")
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = field("0-3")
    transactions: list[AddPartitionsToTxnTransaction] = field("4+")


class AddPartitionsToTxnPartitionResult(Struct):
    partition_index: int32 = field("0-3")
    partition_error_code: int16 = field("0-3")


class AddPartitionsToTxnTopicResult(Struct):
    name: string = field("0-3")
    results_by_partition: list[AddPartitionsToTxnPartitionResult] = field("0-3")


class ResponseAddPartitionsToTxnPartitionResult(Struct):
    partition_index: int32 = field("4+")
    partition_error_code: int16 = field("4+")


class ResponseAddPartitionsToTxnTopicResult(Struct):
    name: string = field("4+")
    results_by_partition: list[ResponseAddPartitionsToTxnPartitionResult] = field("4+")


class AddPartitionsToTxnResult(Struct):
    transactional_id: string = field("4+")
    topic_results: list[ResponseAddPartitionsToTxnTopicResult] = field("4+")


class AddPartitionsToTxnResponse(Response, key=24, versions="0-5", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = field("0-3")
    error_code: int16 = field("4+")
    results_by_transaction: list[AddPartitionsToTxnResult] = field("4+")
