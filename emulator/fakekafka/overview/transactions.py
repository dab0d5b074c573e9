"""Transactional ids with their last transactions."""

from typing import NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.transaction import Transaction
from fakekafka.ids import BrokerId, DurationMs, ProducerEpoch, ProducerId, TimestampMs
from fakekafka.state.topics import TRANSACTION_STATE


class TransactionOverview(NamedTuple):
    """A transactional id: its producer, and its last transaction."""

    id: str
    state: str
    """ "Empty", "Ongoing", "PrepareCommit", "CompleteAbort" …"""
    producer_id: ProducerId
    producer_epoch: ProducerEpoch
    timeout_ms: DurationMs
    started_at_ms: TimestampMs
    """-1 if none has begun."""
    updated_at_ms: TimestampMs
    partitions: list[str]
    """The partitions in the transaction, such as "orders-0"; once it is decided, those that still lack their marker."""
    coordinator: BrokerId


def transactions_of(cluster: Cluster) -> list[TransactionOverview]:
    """Every transactional id, by name. Empty for a cluster without their topic."""
    if TRANSACTION_STATE not in cluster.topics:
        return []
    return sorted(
        _overview(transaction, broker.node_id)
        for broker in cluster.brokers.values()
        for several in coordinators_of(broker).transactions.by_partition().values()
        for transaction in several
    )


def _overview(transaction: Transaction, coordinator: BrokerId) -> TransactionOverview:
    return TransactionOverview(
        id=transaction.id,
        state=transaction.state.label,
        producer_id=transaction.producer_id,
        producer_epoch=transaction.epoch,
        timeout_ms=transaction.timeout_ms,
        started_at_ms=transaction.started_at,
        updated_at_ms=transaction.updated_at,
        partitions=[f"{topic}-{index}" for topic, index in transaction.partitions],
        coordinator=coordinator,
    )
