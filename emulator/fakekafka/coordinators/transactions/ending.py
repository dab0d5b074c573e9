"""A transaction ends: EndTxn, and the coordinator's own aborts.

First the decision is written down (PREPARE_COMMIT, PREPARE_ABORT); from then on it stands, whatever happens. Then the
markers are written (`markers`), and that it is done. The producer is answered after the first step.

With EndTxn 5 the epoch rises with every transaction (KIP-890), so that what a producer sent late cannot join the next
one. Then an epoch that is one behind says that a request is repeated, and a producer in doubt may abort nothing.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fakekafka.coordinators.transactions.markers import write_markers
from fakekafka.coordinators.transactions.states import State
from fakekafka.coordinators.transactions.transaction import LAST_EPOCH, ProducerIdAndEpoch, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, ProducerEpoch, ProducerId

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator

EPOCHS_RISE: Final = 2
"""The transaction version with which they do."""


class Step(Enum):
    """What an EndTxn leads to."""

    END = auto()
    DONE = auto()
    """It was ended that way before: success."""
    WAIT = auto()
    """It is being ended that way: 51."""
    WRONG = auto()
    """48."""


Table: TypeAlias = Mapping[State, tuple[Step, Step]]
"""State -> the step for a commit, and for an abort. A state that is missing fences the producer."""

WITH_ITS_EPOCH: Final[Table] = {
    State.EMPTY: (Step.WRONG, Step.WRONG),
    State.ONGOING: (Step.END, Step.END),
    State.PREPARE_COMMIT: (Step.WAIT, Step.WRONG),
    State.PREPARE_ABORT: (Step.WRONG, Step.WAIT),
    State.COMPLETE_COMMIT: (Step.DONE, Step.WRONG),
    State.COMPLETE_ABORT: (Step.WRONG, Step.DONE),
}
"""A producer whose epoch stays."""
RISING: Final[Table] = {
    State.EMPTY: (Step.WRONG, Step.END),
    State.ONGOING: (Step.END, Step.END),
    State.COMPLETE_COMMIT: (Step.WRONG, Step.END),
    State.COMPLETE_ABORT: (Step.WRONG, Step.END),
}
"""A producer whose epoch rises."""
RISING_AGAIN: Final[Table] = {
    State.PREPARE_COMMIT: (Step.WAIT, Step.WRONG),
    State.PREPARE_ABORT: (Step.WRONG, Step.WAIT),
    State.COMPLETE_COMMIT: (Step.DONE, Step.WRONG),
    State.COMPLETE_ABORT: (Step.WRONG, Step.DONE),
}
"""The same with the epoch before: it did not hear the answer."""


class Ended(NamedTuple):
    """The answer; a producer whose epoch rises goes on with what it says."""

    error: ErrorCode
    producer_id: ProducerId = NO_PRODUCER_ID
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH


def end(
    on: "TransactionCoordinator", transactional_id: str, producer: ProducerIdAndEpoch, commit: bool, rises: bool
) -> Ended:
    """A producer ends its transaction. `rises`: its epoch rises by it."""
    found = on.find(transactional_id)
    if isinstance(found, ErrorCode):
        return Ended(found)
    lost = rises and _lost_answer(found, producer)
    if found.producer_id != producer.id and not lost:
        return Ended(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    steps = _table(on, found, producer.epoch, lost) if rises else _table_of_old(on, found, producer.epoch)
    if found.state not in steps:
        return Ended(on.rules.fenced)
    if transactional_id in on.stuck:
        return Ended(ErrorCode.CONCURRENT_TRANSACTIONS)
    step = steps[found.state][0 if commit else 1]
    if step is Step.DONE:
        return Ended(ErrorCode.NONE, found.producer_id, found.epoch)
    if step is not Step.END:
        return Ended(ErrorCode.CONCURRENT_TRANSACTIONS if step is Step.WAIT else ErrorCode.INVALID_TXN_STATE)
    decided = _decided(on, found, commit, rises)
    error = on.write(decided)
    if error is not ErrorCode.NONE:
        return Ended(error)
    if producer.epoch > found.epoch:  # taken all the same: see `epoch_ahead`
        return Ended(on.rules.fenced)
    write_markers(on, decided)
    if decided.next_producer_id != NO_PRODUCER_ID:
        return Ended(ErrorCode.NONE, decided.next_producer_id, 0)
    return Ended(ErrorCode.NONE, decided.producer_id, decided.epoch)


def _lost_answer(found: Transaction, producer: ProducerIdAndEpoch) -> bool:
    """Did the producer get another id by ending its transaction, and never hear of it?"""
    return producer == (found.previous_producer_id, LAST_EPOCH) and found.epoch == 0


def _table(on: "TransactionCoordinator", found: Transaction, epoch: ProducerEpoch, lost: bool) -> Table:
    if lost or epoch == found.epoch - 1:
        return RISING_AGAIN
    return RISING if epoch == found.epoch else {}


def _table_of_old(on: "TransactionCoordinator", found: Transaction, epoch: ProducerEpoch) -> Table:
    ahead = epoch > found.epoch and on.rules.epoch_ahead == "by state"
    return WITH_ITS_EPOCH if ahead or epoch == found.epoch else {}


def _decided(on: "TransactionCoordinator", found: Transaction, commit: bool, rises: bool) -> Transaction:
    decided = found._replace(
        state=found.to(State.PREPARE_COMMIT if commit else State.PREPARE_ABORT),
        updated_at=on.now,
        previous_producer_id=on.previous_producer_id(found),
        client_version=EPOCHS_RISE if rises else 0,
    )
    if not rises:
        return decided
    return decided._replace(
        epoch=found.epoch + 1,
        last_epoch=found.epoch,
        next_producer_id=on.broker.producer_ids.next() if found.is_exhausted else NO_PRODUCER_ID,
        started_at=found.started_at if found.state is State.ONGOING else on.now,
    )


def fence(on: "TransactionCoordinator", found: Transaction) -> ErrorCode:
    """Abort a transaction without its producer, which cannot go on with its epoch: that rises."""
    rises = on.version >= EPOCHS_RISE
    twice = rises and on.rules.fence_at_version_2 == "epoch rises twice"
    keeps = not twice if rises else on.rules.fence_keeps_epoch
    epoch = found.epoch + (2 if twice else 1)
    if epoch > LAST_EPOCH + 1:  # KAFKA-19367: the transaction is stuck
        return ErrorCode.UNKNOWN_SERVER_ERROR
    last = found.epoch if keeps else found.epoch + 1 if twice else NO_PRODUCER_EPOCH
    fenced = found._replace(state=found.to(State.PREPARE_EPOCH_FENCE))
    decided = _decided(on, fenced, commit=False, rises=False)._replace(
        epoch=epoch, last_epoch=last, client_version=EPOCHS_RISE if rises else 0
    )
    error = on.write(decided)
    if error is ErrorCode.NONE:
        write_markers(on, decided)
    return error
