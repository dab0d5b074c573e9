"""InitProducerId for a transactional id: its producer gets an id and a new epoch, so that no other one can continue.
What its predecessor left open is aborted first. The answer is then 51, so the producer asks again, and its epoch has
risen by two. From 2.5 on a producer may send its id and epoch, to continue after an error without fencing itself
(KIP-360).
"""

from typing import NamedTuple

from fakekafka.coordinators.transactions.ending import Ending
from fakekafka.coordinators.transactions.state_manager import TransactionStateManager
from fakekafka.coordinators.transactions.transaction import (
    ENDLESS,
    LAST_EPOCH,
    PREPARING,
    ProducerIdAndEpoch,
    State,
    Transaction,
)
from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    DurationMs,
    ProducerEpoch,
    ProducerId,
)


class Initialised(NamedTuple):
    """What a producer gets."""

    error: ErrorCode
    producer_id: ProducerId = NO_PRODUCER_ID
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH


class Initialisation:
    """How producers get their epochs."""

    def __init__(self, states: TransactionStateManager, ending: Ending) -> None:
        self._states = states
        self._ending = ending

    def carry_out(
        self, transactional_id: str, timeout_ms: DurationMs | None, known: ProducerIdAndEpoch | None
    ) -> Initialised:
        """Give the producer of `transactional_id` a new epoch. `timeout_ms`: of its transactions; None for no limit
        (KIP-939). `known`: the id and epoch that it claims to have.
        """
        if timeout_ms is None:
            timeout_ms = ENDLESS
        elif not 0 < timeout_ms <= self._states.config.int("transaction.max.timeout.ms"):
            return Initialised(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
        status = self._states.status(transactional_id)
        if status is not ErrorCode.NONE:
            return Initialised(status)
        if transactional_id in self._states.stuck:
            return Initialised(ErrorCode.CONCURRENT_TRANSACTIONS)
        transaction = self._states.transactions.get(transactional_id) or self._first(transactional_id, timeout_ms)
        if known is not None and not _may_be(transaction, known):
            return Initialised(self._states.rules.fenced)
        if transaction.state in PREPARING:
            return Initialised(ErrorCode.CONCURRENT_TRANSACTIONS)
        if transaction.state is State.ONGOING:
            return Initialised(self._ending.fence(transaction) or ErrorCode.CONCURRENT_TRANSACTIONS)
        return self._next(transaction, timeout_ms, known)

    def _first(self, transactional_id: str, timeout_ms: DurationMs) -> Transaction:
        """Give the first producer of an unused transactional id its id. That is remembered even if it cannot be
        written: the next try gets the same one.
        """
        new = Transaction(transactional_id, self._states.broker.producer_ids.next(), timeout_ms, self._states.now)
        self._states.transactions[transactional_id] = new
        return new

    def _next(self, transaction: Transaction, timeout_ms: DurationMs, known: ProducerIdAndEpoch | None) -> Initialised:
        """The next epoch; another producer id if the epochs are used up; the same answer again for a repeated
        request.
        """
        producer_id, epoch, last_epoch = transaction.producer_id, transaction.epoch + 1, NO_PRODUCER_EPOCH
        if transaction.is_exhausted and (known is None or known.epoch == transaction.epoch):
            producer_id, epoch = self._states.broker.producer_ids.next(), 0
            last_epoch = NO_PRODUCER_EPOCH if known is None else transaction.epoch
        elif transaction.is_exhausted:
            return Initialised(ErrorCode.UNKNOWN_SERVER_ERROR)  # this epoch cannot be used (IllegalStateException)
        elif known is not None and transaction.epoch != NO_PRODUCER_EPOCH:
            if known.epoch == transaction.epoch:
                last_epoch = transaction.epoch
            elif known.epoch == transaction.last_epoch:
                epoch, last_epoch = transaction.epoch, transaction.last_epoch
            else:
                return Initialised(self._states.rules.fenced)
        new = transaction._replace(
            state=transaction.to(State.EMPTY),
            producer_id=producer_id,
            epoch=epoch,
            last_epoch=last_epoch,
            previous_producer_id=transaction.producer_id,
            timeout_ms=timeout_ms,
            started_at=transaction.started_at if self._states.rules.empty_keeps_start else NO_TIMESTAMP,
            updated_at=self._states.now,
        )
        error = self._states.write(new)
        return Initialised(error) if error else Initialised(ErrorCode.NONE, new.producer_id, new.epoch)


def _may_be(transaction: Transaction, known: ProducerIdAndEpoch) -> bool:
    """Whether this can be the producer, whatever its epoch. Its previous id counts with the last epoch."""
    is_new = transaction.epoch == NO_PRODUCER_EPOCH
    was_replaced = known.id == transaction.previous_producer_id and known.epoch >= LAST_EPOCH
    return is_new or known.id == transaction.producer_id or was_replaced
