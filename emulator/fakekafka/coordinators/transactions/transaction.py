"""What a coordinator knows about a transactional id (TransactionMetadata), as a value: each change makes another one.
Also its states, and which may follow which (TransactionState).

A change counts when its record is in `__transaction_state`; see `TransactionStateManager.write`.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    DurationMs,
    ProducerEpoch,
    ProducerId,
    TimestampMs,
    TopicPartition,
)

LAST_EPOCH: Final = 2**15 - 2
"""The last epoch that a producer gets; the next one is reserved for fencing it."""

ENDLESS: Final[DurationMs] = 2**31 - 1
"""The timeout of a transaction with two phases (KIP-939)."""


class State(IntEnum):
    """The states, with their numbers in `__transaction_state`."""

    EMPTY = 0
    """A producer has its id, and no transaction yet."""
    ONGOING = 1
    PREPARE_COMMIT = 2
    """Decided; markers are being written."""
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    """About to be forgotten."""
    PREPARE_EPOCH_FENCE = 7
    """The coordinator is about to abort by itself, so that the producer cannot go on."""

    @property
    def label(self) -> str:
        """The name in DescribeTransactions and ListTransactions, such as "PrepareCommit"."""
        return self.name.title().replace("_", "")


BY_LABEL: Final[Mapping[str, State]] = {state.label: state for state in State}

RESTING: Final = frozenset({State.EMPTY, State.COMPLETE_COMMIT, State.COMPLETE_ABORT})
"""States in which nothing is open. Ids in these states expire, and their producers may begin a transaction or get a new
epoch.
"""
PREPARING: Final = frozenset({State.PREPARE_COMMIT, State.PREPARE_ABORT})

COMES_FROM: Final[Mapping[State, frozenset[State]]] = {
    State.EMPTY: RESTING,
    State.ONGOING: RESTING | {State.ONGOING},
    State.PREPARE_COMMIT: frozenset({State.ONGOING}),
    # From the resting ones under transaction.version 2 only: a producer in doubt may abort an empty transaction
    # (KIP-890).
    State.PREPARE_ABORT: RESTING | {State.ONGOING, State.PREPARE_EPOCH_FENCE},
    State.COMPLETE_COMMIT: frozenset({State.PREPARE_COMMIT}),
    State.COMPLETE_ABORT: frozenset({State.PREPARE_ABORT}),
    State.DEAD: RESTING,
    State.PREPARE_EPOCH_FENCE: frozenset({State.ONGOING}),
}
"""State -> the states that it may follow."""


class ProducerIdAndEpoch(NamedTuple):
    """How a producer identifies itself."""

    id: ProducerId
    epoch: ProducerEpoch


class Transaction(NamedTuple):
    """A transactional id: its producer, and the last transaction that it had."""

    id: str
    producer_id: ProducerId
    timeout_ms: DurationMs
    updated_at: TimestampMs
    """When the last record was written."""
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    """-1 until the first InitProducerId is stored."""
    state: State = State.EMPTY
    partitions: tuple[TopicPartition, ...] = ()
    """The partitions in the transaction; once it is decided, those that still lack their marker."""
    started_at: TimestampMs = NO_TIMESTAMP
    """When the transaction began. In state EMPTY -1, or still that of the previous one; in the log -1."""
    last_epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    """The producer's previous epoch, with which it may repeat its request (KIP-360). Not in the log."""
    previous_producer_id: ProducerId = NO_PRODUCER_ID
    next_producer_id: ProducerId = NO_PRODUCER_ID
    """Set while a decided transaction has used up the epochs; the producer continues with this id."""
    client_version: int = 0
    """Transaction version of the client that made the last change: 2 for those that rely on rising epochs."""

    def to(self, state: State) -> State:
        """Check that `state` may follow, and return it: the next value is made by `_replace`."""
        assert self.state in COMES_FROM[state], f"{self.id}: {state.label} cannot follow {self.state.label}"
        return state

    @property
    def is_exhausted(self) -> bool:
        """Whether the producer has used all its epochs."""
        return self.epoch >= LAST_EPOCH
