"""What a coordinator knows of a transactional id (TransactionMetadata), as a value: each change makes another one.

A change counts when its record is in `__transaction_state`; see `coordinator.TransactionCoordinator.write`.
"""

from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.transactions.states import COMES_FROM, State
from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    DurationMs,
    PartitionIndex,
    ProducerEpoch,
    ProducerId,
    TimestampMs,
    TopicName,
)

Place: TypeAlias = tuple[TopicName, PartitionIndex]

LAST_EPOCH: Final = 2**15 - 2
"""The last epoch that a producer gets; the one behind it is left for fencing it."""

ENDLESS: Final[DurationMs] = 2**31 - 1
"""The timeout of a transaction with two phases (KIP-939)."""


class ProducerIdAndEpoch(NamedTuple):
    """Who a producer says it is."""

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
    """-1 until the first InitProducerId is written down."""
    state: State = State.EMPTY
    partitions: tuple[Place, ...] = ()
    """Those in the transaction; once it is decided, those that still lack their marker."""
    started_at: TimestampMs = NO_TIMESTAMP
    """Of the transaction. In state EMPTY -1, or still that of the one before; in the log -1."""
    last_epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    """The epoch from which the producer came to its own: with it, it may ask once more (KIP-360). Not in the log."""
    previous_producer_id: ProducerId = NO_PRODUCER_ID
    next_producer_id: ProducerId = NO_PRODUCER_ID
    """Set while a transaction is decided that used up the epochs; the producer goes on under it."""
    client_version: int = 0
    """Transaction version of the client that made the last change: 2 for those that count on epochs to rise."""

    def to(self, state: State) -> State:
        """`state`, which must be one that may follow: the next value is made by `_replace`."""
        assert self.state in COMES_FROM[state], f"{self.id}: {state.label} cannot follow {self.state.label}"
        return state

    @property
    def is_exhausted(self) -> bool:
        """Has the producer had all its epochs?"""
        return self.epoch >= LAST_EPOCH
