"""transaction_state"""

from fakekafka.wire.message import Message, Struct, field, int8, int16, int32, int64, string


class TransactionLogKey(Message, versions="0"):
    transactional_id: string = field("0+")


class PartitionsSchema(Struct):
    topic: string = field("0+")
    partition_ids: list[int32] = field("0+")


class TransactionLogValue(Message, versions="0-1", flexible="1+"):
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    transaction_timeout_ms: int32 = field("0+")
    transaction_status: int8 = field("0+")
    transaction_partitions: list[PartitionsSchema] | None = field("0+")
    transaction_last_update_timestamp_ms: int64 = field("0+")
    transaction_start_timestamp_ms: int64 = field("0+")
    previous_producer_id: int64 = field("1+", default=-1, tag=0)
    next_producer_id: int64 = field("1+", default=-1, tag=1)
    client_transaction_version: int16 = field("1+", tag=2)
    next_producer_epoch: int16 = field("1+", default=-1, tag=3)
