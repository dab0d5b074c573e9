"""Transactional ids as a test sees them."""

from typing import NamedTuple

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import partition_for
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.transaction import BY_LABEL, State, Transaction
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import ProducerEpoch, ProducerId, TopicPartition
from fakekafka.state.topics import TRANSACTION_STATE
from fakekafka.watching.conditions import GetCluster


class TransactionState(NamedTuple):
    """A transactional id, and its last transaction."""

    id: str
    """The transactional id."""
    state: str
    """ "Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort" …"""
    producer_id: ProducerId
    """The number by which brokers know the producer."""
    producer_epoch: ProducerEpoch
    """Higher by one for each producer that takes over the id; older producers are fenced."""
    partitions: tuple[TopicPartition, ...]
    """The partitions in the transaction; once it is decided, those that still lack their marker."""


def transaction_state(cluster: Cluster, transactional_id: str) -> TransactionState | None:
    """A transactional id as its coordinator knows it; None if it is unknown."""
    topic = cluster.topics.get(TRANSACTION_STATE)
    if topic is None:
        return None
    state = topic.partition(partition_for(transactional_id, len(topic.partitions)))
    leader = None if state is None else cluster.brokers.get(state.leader)
    transaction = (
        ErrorCode.NOT_COORDINATOR if leader is None else coordinators_of(leader).transactions.find(transactional_id)
    )
    return None if isinstance(transaction, ErrorCode) else _shown(transaction)


def open_transactions(cluster: Cluster) -> list[TransactionState]:
    """The open transactions."""
    if TRANSACTION_STATE not in cluster.topics:
        return []
    known = (
        each
        for broker in cluster.brokers.values()
        for several in coordinators_of(broker).transactions.by_partition().values()
        for each in several
    )
    return [_shown(each) for each in known if each.state is State.ONGOING]


def _shown(transaction: Transaction) -> TransactionState:
    places = tuple((place[0], place[1]) for place in transaction.partitions)
    return TransactionState(transaction.id, transaction.state.label, transaction.producer_id, transaction.epoch, places)


class TransactionThere:
    """A transactional id in a state. Raises `UsageError` for a state that no transaction has."""

    def __init__(self, cluster: GetCluster, transactional_id: str, state: str) -> None:
        if state not in BY_LABEL:
            raise UsageError(f"there is no transaction state {state!r}: one of {', '.join(BY_LABEL)}")
        self._cluster = cluster
        self._id = transactional_id
        self._state = state

    def ask(self) -> TransactionState | None:
        state = transaction_state(self._cluster(), self._id)
        return state if state is not None and state.state == self._state else None

    def instead(self) -> str:
        state = transaction_state(self._cluster(), self._id)
        return f"transactional id {self._id!r} is {'not known' if state is None else state.state}"
