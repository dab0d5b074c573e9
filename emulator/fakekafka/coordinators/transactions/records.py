"""The records of `__transaction_state`: one for each change of a transactional id (TransactionLog). The shapes are in
`wire.internal.transaction_state`.
"""

import struct

from fakekafka.coordinators.transactions.map_order import logged_order
from fakekafka.coordinators.transactions.transaction import State, Transaction
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_TIMESTAMP, TopicPartition
from fakekafka.releases.behaviours.transactions import LoggedOrder
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.transaction_state import PartitionsSchema, TransactionLogKey, TransactionLogValue

KEY_VERSION = 0
_VERSION = struct.Struct(">h")


def log_key(transactional_id: str) -> bytes:
    """The key of all records of a transactional id."""
    return _VERSION.pack(KEY_VERSION) + encode_bytes(TransactionLogKey(transactional_id=transactional_id), KEY_VERSION)


def log_value(transaction: Transaction, version: int, *, order: LoggedOrder, held: int, with_ids: bool) -> bytes:
    """The value that describes `transaction`. `order`: of its partitions; `held`: how many it had before the change
    (see `map_order`). `with_ids`: with the previous and the next producer id.
    """
    t, empty = transaction, transaction.state is State.EMPTY
    value = TransactionLogValue(
        producer_id=t.producer_id,
        producer_epoch=t.epoch,
        transaction_timeout_ms=t.timeout_ms,
        transaction_status=t.state,
        transaction_partitions=None if empty else _topics(t.partitions, order, held),
        transaction_last_update_timestamp_ms=t.updated_at,
        transaction_start_timestamp_ms=NO_TIMESTAMP if empty else t.started_at,
        client_transaction_version=t.client_version,
    )
    if with_ids:
        value.previous_producer_id, value.next_producer_id = t.previous_producer_id, t.next_producer_id
    return _VERSION.pack(version) + encode_bytes(value, version)


def _topics(partitions: tuple[TopicPartition, ...], order: LoggedOrder, held: int) -> list[PartitionsSchema]:
    topics = logged_order(partitions, order, held)
    return [PartitionsSchema(topic=topic, partition_ids=indexes) for topic, indexes in topics]


def read_key(data: bytes | None) -> str | None:
    """The transactional id that a record is about; None for a key of a newer kind. Raises `MalformedBytes`."""
    if data is None:
        raise MalformedBytes("a record without key")
    if _version(data) != KEY_VERSION:
        return None
    return decode(TransactionLogKey, KEY_VERSION, data, _VERSION.size)[0].transactional_id


def read_value(transactional_id: str, data: bytes, newest: int) -> Transaction:
    """What a record says about the transactional id. Raises `MalformedBytes`, also for versions above `newest`."""
    version = _version(data)
    if not 0 <= version <= newest:
        raise MalformedBytes(f"a transaction of version {version}")
    value = decode(TransactionLogValue, version, data, _VERSION.size)[0]
    if value.transaction_status not in list(State):
        raise MalformedBytes(f"a transaction in state {value.transaction_status}")
    topics = value.transaction_partitions or ()
    return Transaction(
        id=transactional_id,
        producer_id=value.producer_id,
        timeout_ms=value.transaction_timeout_ms,
        updated_at=value.transaction_last_update_timestamp_ms,
        epoch=value.producer_epoch,
        state=State(value.transaction_status),
        partitions=tuple((topic.topic, index) for topic in topics for index in topic.partition_ids),
        started_at=value.transaction_start_timestamp_ms,
        previous_producer_id=value.previous_producer_id,
        next_producer_id=value.next_producer_id,
        client_version=value.client_transaction_version,
    )


def _version(data: bytes) -> int:
    if len(data) < _VERSION.size:
        raise MalformedBytes("a record without version")
    version: int = _VERSION.unpack_from(data)[0]
    return version
