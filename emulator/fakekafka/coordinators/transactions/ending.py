"""A transaction ends: EndTxn, and the coordinator's own aborts.

First the decision is written (PREPARE_COMMIT, PREPARE_ABORT); from then on it is final. Then the markers are written
(`markers`), and the completion. The producer is answered after the first step.

With EndTxn 5 the epoch rises with every transaction (KIP-890), so that what a producer sent late cannot join the next
one. Then an epoch that is one behind shows a repeated request, and a producer in doubt may abort an empty transaction.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.transactions.markers import Markers
from fakekafka.coordinators.transactions.state_manager import TransactionStateManager
from fakekafka.coordinators.transactions.transaction import LAST_EPOCH, ProducerIdAndEpoch, State, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, ProducerEpoch, ProducerId

EPOCHS_RISE: Final = 2
"""The transaction version with which epochs rise."""


class Outcome(Enum):
    """The outcome of an EndTxn."""

    END = auto()
    DONE = auto()
    """The transaction was already ended that way: success."""
    WAIT = auto()
    """The transaction is being ended that way: 51."""
    WRONG = auto()
    """The transaction cannot be ended that way: 48."""


Table: TypeAlias = Mapping[State, tuple[Outcome, Outcome]]
"""State -> the outcome for a commit, and for an abort. A state that is missing fences the producer."""

WITH_ITS_EPOCH: Final[Table] = {
    State.EMPTY: (Outcome.WRONG, Outcome.WRONG),
    State.ONGOING: (Outcome.END, Outcome.END),
    State.PREPARE_COMMIT: (Outcome.WAIT, Outcome.WRONG),
    State.PREPARE_ABORT: (Outcome.WRONG, Outcome.WAIT),
    State.COMPLETE_COMMIT: (Outcome.DONE, Outcome.WRONG),
    State.COMPLETE_ABORT: (Outcome.WRONG, Outcome.DONE),
}
"""For a producer whose epoch stays."""
RISING: Final[Table] = {
    State.EMPTY: (Outcome.WRONG, Outcome.END),
    State.ONGOING: (Outcome.END, Outcome.END),
    State.COMPLETE_COMMIT: (Outcome.WRONG, Outcome.END),
    State.COMPLETE_ABORT: (Outcome.WRONG, Outcome.END),
}
"""For a producer whose epoch rises."""
RISING_AGAIN: Final[Table] = {
    State.PREPARE_COMMIT: (Outcome.WAIT, Outcome.WRONG),
    State.PREPARE_ABORT: (Outcome.WRONG, Outcome.WAIT),
    State.COMPLETE_COMMIT: (Outcome.DONE, Outcome.WRONG),
    State.COMPLETE_ABORT: (Outcome.WRONG, Outcome.DONE),
}
"""For a producer whose epoch rises, but which still has the previous epoch because it did not get the answer."""


class Ended(NamedTuple):
    """The answer; a producer whose epoch rises continues with the id and epoch in it."""

    error: ErrorCode
    producer_id: ProducerId = NO_PRODUCER_ID
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH


class Ending:
    """How transactions are ended."""

    def __init__(self, states: TransactionStateManager, markers: Markers) -> None:
        self._states = states
        self._markers = markers

    def end(
        self, transactional_id: str, producer: ProducerIdAndEpoch, commit: bool, rises: bool, *, is_late: bool = False
    ) -> Ended:
        """A producer ends its transaction. `rises`: whether that raises its epoch. `is_late`: see `fence`."""
        known = self._states.find(transactional_id)
        if isinstance(known, ErrorCode):
            return Ended(known)
        lost = rises and _lost_answer(known, producer)
        if known.producer_id != producer.id and not lost:
            return Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
        outcomes = self._table(known, producer.epoch, lost) if rises else self._table_of_old(known, producer.epoch)
        if known.state not in outcomes:
            return Ended(self._states.rules.fenced)
        if transactional_id in self._states.stuck:
            return Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
        outcome = outcomes[known.state][0 if commit else 1]
        if outcome is Outcome.DONE:
            return Ended(ErrorCode.NONE, known.producer_id, known.epoch)
        if outcome is not Outcome.END:
            return Ended(ErrorCode.CONCURRENT_TRANSACTIONS if outcome is Outcome.WAIT else ErrorCode.INVALID_TXN_STATE)
        decided = self._decided(known, commit, rises)
        error = self._states.write(decided)
        if error is not ErrorCode.NONE:
            return Ended(error)
        if producer.epoch > known.epoch:  # still accepted: see `epoch_ahead`
            return Ended(self._states.rules.fenced)
        if is_late:
            self._markers.write_later(decided)
        else:
            self._markers.write_soon(decided)
        if decided.next_producer_id != NO_PRODUCER_ID:
            return Ended(ErrorCode.NONE, decided.next_producer_id, 0)
        return Ended(ErrorCode.NONE, decided.producer_id, decided.epoch)

    @staticmethod
    def _table(known: Transaction, epoch: ProducerEpoch, lost: bool) -> Table:
        if lost or epoch == known.epoch - 1:
            return RISING_AGAIN
        return RISING if epoch == known.epoch else {}

    def _table_of_old(self, known: Transaction, epoch: ProducerEpoch) -> Table:
        ahead = epoch > known.epoch and self._states.rules.epoch_ahead == "by state"
        return WITH_ITS_EPOCH if ahead or epoch == known.epoch else {}

    def _decided(self, known: Transaction, commit: bool, rises: bool) -> Transaction:
        decided = known._replace(
            state=known.to(State.PREPARE_COMMIT if commit else State.PREPARE_ABORT),
            updated_at=self._states.now,
            previous_producer_id=self._states.previous_producer_id(known),
            client_version=EPOCHS_RISE if rises else 0,
        )
        if not rises:
            return decided
        return decided._replace(
            epoch=known.epoch + 1,
            last_epoch=known.epoch,
            next_producer_id=self._states.broker.producer_ids.next() if known.is_exhausted else NO_PRODUCER_ID,
            started_at=known.started_at if known.state is State.ONGOING else self._states.now,
        )

    def fence(self, known: Transaction, *, is_late: bool = False) -> ErrorCode:
        """Abort a transaction without its producer, which is fenced: its epoch rises. `is_late`: because it has been
        open for too long, maybe with others: all of them are decided before the first marker is written. Recorded from
        3.9.1: random_producers.
        """
        rises = self._states.version >= EPOCHS_RISE
        twice = rises and self._states.rules.fence_at_version_2 == "epoch rises twice"
        keeps = not twice if rises else self._states.rules.fence_keeps_epoch
        epoch = known.epoch + (2 if twice else 1)
        if epoch > LAST_EPOCH + 1:  # KAFKA-19367: the transaction is stuck
            return ErrorCode.UNKNOWN_SERVER_ERROR
        last = known.epoch if keeps else known.epoch + 1 if twice else NO_PRODUCER_EPOCH
        fenced = known._replace(state=known.to(State.PREPARE_EPOCH_FENCE))
        decided = self._decided(fenced, commit=False, rises=False)._replace(
            epoch=epoch, last_epoch=last, client_version=EPOCHS_RISE if rises else 0
        )
        error = self._states.write(decided)
        if error is ErrorCode.NONE and is_late:
            self._markers.write_later(decided)
        elif error is ErrorCode.NONE:
            self._markers.write(decided)
        return error


def _lost_answer(known: Transaction, producer: ProducerIdAndEpoch) -> bool:
    """Whether the producer got another id by ending its transaction, but never received it."""
    return producer == (known.previous_producer_id, LAST_EPOCH) and known.epoch == 0
