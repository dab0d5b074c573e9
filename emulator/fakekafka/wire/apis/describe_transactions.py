"""DescribeTransactions (key 65): state of transactions, by transactional id.

v0   3.0      first version (KIP-664)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class DescribeTransactionsRequest(Request, key=65, versions="0", flexible="0+"):
    transactional_ids: list[string] = field("0+")


class TopicData(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class TransactionState(Struct):
    error_code: int16 = field("0+")
    transactional_id: string = field("0+")
    transaction_state: string = field("0+")
    transaction_timeout_ms: int32 = field("0+")
    transaction_start_time_ms: int64 = field("0+")  # -1: none has begun
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    topics: list[TopicData] = field("0+")  # only those whose marker is not written yet


class DescribeTransactionsResponse(Response, key=65, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    transaction_states: list[TransactionState] = field("0+")
