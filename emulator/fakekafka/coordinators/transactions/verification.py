"""What an append asks the transaction coordinator: whether this partition is in the transaction (KIP-890).

Without it, a late batch opens a transaction that never ends, and readers of committed data wait for ever
(KAFKA-14417). Newer clients leave it to the broker to add the partition (AddPartitionsToTxnManager).
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from fakekafka.cluster.internal_topics import partition_count, partition_for
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import INVALID_REQUEST, ErrorCode
from fakekafka.ids import Sequence as SequenceNumber
from fakekafka.ids import TopicPartition
from fakekafka.state.topics import TRANSACTION_STATE

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator

ADDING_VERSION: Final = 2
"""The transaction version of clients that leave it to the broker."""


class Verification(Enum):
    """What a client's request makes the broker ask the coordinator."""

    OLD = auto()
    """Check that the partition is in the transaction. The client does not know error 120 and gets 48."""
    CHECK = auto()
    """Check that the partition is in the transaction; if not, error 120."""
    ADD = auto()
    """Add the partition."""


NOT_ADDED: Final = "Partition was not added to the transaction"
UNABLE: Final = "Unable to verify the partition has been added to the transaction. Underlying error: {}"
NOT_SURE: Final = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
"""Errors after which older producers would not try again, so they get 19 instead."""
WORDS: Final = {
    ErrorCode.UNSUPPORTED_VERSION: "The version of API is not supported.",
    ErrorCode.INVALID_REQUEST: INVALID_REQUEST,
    ErrorCode.INVALID_PRODUCER_EPOCH: "Producer attempted to produce with an old epoch.",
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: "The producer attempted to use a producer id which is not currently assigned"
    " to its transactional id.",
}
"""The messages of 3.6 for errors that have none in later releases."""


def refused_records(
    broker: "Broker",
    transactional_id: str,
    producer: ProducerIdAndEpoch,
    first_sequences: Mapping[TopicPartition, SequenceNumber],
    verification: Verification,
) -> dict[TopicPartition, tuple[ErrorCode, str | None]]:
    """The partitions that records may not be written to, with Produce's errors and messages.

    `first_sequences`: the first sequences of the records, by partition. All of them are led here.
    """
    if not _is_asked(broker, verification):
        return {}
    from_zero = verification is Verification.ADD and broker.profile.transactions.added_begin_at == "0"
    for place, first in first_sequences.items():
        attempts = broker.partitions[place].log.producers.attempts
        attempts.note(producer.id, producer.epoch, first, from_zero, broker.cluster.clock.now_ms)
    errors = verify(broker, transactional_id, producer, tuple(first_sequences), verification)
    return {place: _of_produce(broker, error, verification) for place, error in errors.items()}


def _is_asked(broker: "Broker", verification: Verification) -> bool:
    """Whether the broker asks; releases without the config ask if a quirk says so."""
    return verification is Verification.ADD or broker.config.bool("transaction.partition.verification.enable", True)


def _of_produce(broker: "Broker", error: ErrorCode, verification: Verification) -> tuple[ErrorCode, str | None]:
    if error in NOT_SURE and not (error is ErrorCode.CONCURRENT_TRANSACTIONS and verification is Verification.ADD):
        return ErrorCode.NOT_ENOUGH_REPLICAS, UNABLE.format(error.name)
    if error is ErrorCode.INVALID_TXN_STATE:
        return error, NOT_ADDED
    return error, WORDS.get(error) if broker.profile.transactions.refusal_words == "always" else None


def verify(
    broker: "Broker",
    transactional_id: str,
    producer: ProducerIdAndEpoch,
    places: Sequence[TopicPartition],
    verification: Verification,
) -> Mapping[TopicPartition, ErrorCode]:
    """The partitions that may not be written to, with the errors for the client."""
    if not _is_asked(broker, verification):
        return {}
    coordinator = coordinator_of(broker, transactional_id)
    if coordinator is None:
        return dict.fromkeys(places, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    if not coordinator.is_allowed:
        return dict.fromkeys(places, ErrorCode.UNSUPPORTED_VERSION)
    if verification is Verification.ADD:
        error = coordinator.add_partitions(transactional_id, producer, places, ADDING_VERSION)
        errors: Mapping[TopicPartition, ErrorCode] = dict.fromkeys(places, error)
    else:
        errors = coordinator.check_partitions(transactional_id, producer, places)
    return {place: _client_error(error, verification) for place, error in errors.items() if error is not ErrorCode.NONE}


def _client_error(error: ErrorCode, verification: Verification) -> ErrorCode:
    if error is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if error is ErrorCode.TRANSACTION_ABORTABLE and verification is Verification.OLD:
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
    return None if leader is None else coordinators_of(leader).transactions
