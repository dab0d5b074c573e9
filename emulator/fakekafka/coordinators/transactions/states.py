"""The states of a transactional id, and which may follow which (TransactionState)."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class State(IntEnum):
    """With the numbers that stand in `__transaction_state`."""

    EMPTY = 0
    """A producer has its id, and no transaction yet."""
    ONGOING = 1
    PREPARE_COMMIT = 2
    """Decided: markers are being written."""
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    """About to be forgotten."""
    PREPARE_EPOCH_FENCE = 7
    """The coordinator is about to abort by itself, so that the producer cannot go on."""

    @property
    def label(self) -> str:
        """As DescribeTransactions and ListTransactions call it: "PrepareCommit"."""
        return self.name.title().replace("_", "")


BY_LABEL: Final[Mapping[str, State]] = {state.label: state for state in State}

RESTING: Final = frozenset({State.EMPTY, State.COMPLETE_COMMIT, State.COMPLETE_ABORT})
"""Nothing is open. Ids in these states expire, and their producers may begin a transaction or get a new epoch."""
PREPARING: Final = frozenset({State.PREPARE_COMMIT, State.PREPARE_ABORT})

COMES_FROM: Final[Mapping[State, frozenset[State]]] = {
    State.EMPTY: RESTING,
    State.ONGOING: RESTING | {State.ONGOING},
    State.PREPARE_COMMIT: frozenset({State.ONGOING}),
    # From the resting ones under transaction.version 2 only: a producer that is in doubt may abort nothing (KIP-890).
    State.PREPARE_ABORT: RESTING | {State.ONGOING, State.PREPARE_EPOCH_FENCE},
    State.COMPLETE_COMMIT: frozenset({State.PREPARE_COMMIT}),
    State.COMPLETE_ABORT: frozenset({State.PREPARE_ABORT}),
    State.DEAD: RESTING,
    State.PREPARE_EPOCH_FENCE: frozenset({State.ONGOING}),
}
"""State -> those that it may follow."""
