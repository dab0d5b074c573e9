"""Records of __transaction_state: one for each change of a transactional id.

    key     int16 record type, always 0 | TransactionLogKey
    value   int16 version               | TransactionLogValue       an empty value deletes the transactional id

v0 is written up to 3.8, v1 from 4.0 on, once the cluster's transaction.version is at least 1 (KIP-890).
"""

from fakekafka.wire.message import Message, Struct, field, int8, int16, int32, int64, string


class TransactionLogKey(Message, versions="0"):
    """Type 0."""

    transactional_id: string = field("0+")


class PartitionsSchema(Struct):
    topic: string = field("0+")
    partition_ids: list[int32] = field("0+")


class TransactionLogValue(Message, versions="0-1", flexible="1+"):
    """Type 0. v1 is flexible."""

    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    transaction_timeout_ms: int32 = field("0+")
    # 0 empty, 1 ongoing, 2 prepare commit, 3 prepare abort, 4 complete commit, 5 complete abort, 6 dead,
    # 7 prepare epoch fence
    transaction_status: int8 = field("0+")
    transaction_partitions: list[PartitionsSchema] | None = field("0+")  # null when empty
    transaction_last_update_timestamp_ms: int64 = field("0+")
    transaction_start_timestamp_ms: int64 = field("0+")  # -1: none has begun
    previous_producer_id: int64 = field("1+", default=-1, tag=0)  # of the last commit, to answer a retry of it
    next_producer_id: int64 = field("1+", default=-1, tag=1)  # for when the epoch is exhausted
    client_transaction_version: int16 = field("1+", tag=2)
    next_producer_epoch: int16 = field("1+", default=-1, tag=3)  # since 4.1


RECORDS: dict[int, tuple[type[Message], type[Message]]] = {0: (TransactionLogKey, TransactionLogValue)}
"""Record type -> (key, value)."""
