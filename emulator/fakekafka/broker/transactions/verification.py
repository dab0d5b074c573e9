"""The question that an append asks the transaction coordinator: is this partition in the transaction (KIP-890)?

Without it, what a producer sends late opens a transaction that nobody ends, and readers of committed data wait for ever
(KAFKA-14417). Newer clients leave it to the broker to take the partition into the transaction (AddPartitionsToTxnManager).
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from fakekafka.broker.internal_topics import partition_count, partition_for
from fakekafka.broker.topics import TRANSACTION_STATE
from fakekafka.broker.transactions.adding import add_partitions, check_partitions
from fakekafka.broker.transactions.transaction import Place, ProducerIdAndEpoch
from fakekafka.errors import ErrorCode

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker
    from fakekafka.broker.transactions.coordinator import TransactionCoordinator

ADDING_VERSION: Final = 2
"""The transaction version of clients that leave it to the broker."""


class Ask(Enum):
    """What the client's request asks of the coordinator."""

    OLD = auto()
    """Is the partition in the transaction? The client does not know error 120 and gets 48."""
    CHECK = auto()
    """The same, with 120."""
    ADD = auto()
    """Take it in."""


def verify(
    broker: "Broker", transactional_id: str, producer: ProducerIdAndEpoch, places: Sequence[Place], ask: Ask
) -> Mapping[Place, ErrorCode]:
    """The partitions that may not be written to, and why: as the client is told."""
    if ask is not Ask.ADD and not broker.config.bool("transaction.partition.verification.enable"):
        return {}
    coordinator = coordinator_of(broker, transactional_id)
    if coordinator is None:
        return dict.fromkeys(places, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    if ask is Ask.ADD:
        error = add_partitions(coordinator, transactional_id, producer, places, ADDING_VERSION)
        errors: Mapping[Place, ErrorCode] = dict.fromkeys(places, error)
    else:
        errors = check_partitions(coordinator, transactional_id, producer, places)
    return {place: _told(error, ask) for place, error in errors.items() if error is not ErrorCode.NONE}


def _told(error: ErrorCode, ask: Ask) -> ErrorCode:
    if error is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if error is ErrorCode.TRANSACTION_ABORTABLE and ask is Ask.OLD:
        return ErrorCode.INVALID_TXN_STATE
    return error


def coordinator_of(broker: "Broker", transactional_id: str) -> "TransactionCoordinator | None":
    """The coordinator of an id, on whichever broker it is."""
    cluster = broker.cluster
    topic = cluster.topics.get(TRANSACTION_STATE)
    state = None
    if topic is not None:
        state = topic.partition(partition_for(transactional_id, partition_count(broker, TRANSACTION_STATE)))
    leader = None if state is None else cluster.brokers.get(state.leader)
    return None if leader is None else leader.transactions
