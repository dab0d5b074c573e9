"""InitProducerId for a transactional id: its producer gets an id and a new epoch, so that no other one can go on.

What the one before left open is aborted first. That answer is 51, so the producer asks once more, and its epoch has
risen by two. From 2.5 on a producer may tell who it is, to go on after an error without fencing itself (KIP-360).
"""

from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.transactions.ending import fence
from fakekafka.coordinators.transactions.states import PREPARING, State
from fakekafka.coordinators.transactions.transaction import ENDLESS, LAST_EPOCH, ProducerIdAndEpoch, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    DurationMs,
    ProducerEpoch,
    ProducerId,
)

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator


class Initialised(NamedTuple):
    """What a producer gets."""

    error: ErrorCode
    producer_id: ProducerId = NO_PRODUCER_ID
    epoch: ProducerEpoch = NO_PRODUCER_EPOCH


def initialise(
    on: "TransactionCoordinator", transactional_id: str, timeout_ms: DurationMs | None, known: ProducerIdAndEpoch | None
) -> Initialised:
    """A new epoch for the producer of `transactional_id`.

    `timeout_ms`: of its transactions; None if they may take for ever (KIP-939). `known`: what it says that it has.
    """
    if timeout_ms is None:
        timeout_ms = ENDLESS
    elif not 0 < timeout_ms <= on.config.int("transaction.max.timeout.ms"):
        return Initialised(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    status = on.status(transactional_id)
    if status is not ErrorCode.NONE:
        return Initialised(status)
    if transactional_id in on.stuck:
        return Initialised(ErrorCode.CONCURRENT_TRANSACTIONS)
    transaction = on.transactions.get(transactional_id) or _first(on, transactional_id, timeout_ms)
    if known is not None and not _may_be(transaction, known):
        return Initialised(on.rules.fenced)
    if transaction.state in PREPARING:
        return Initialised(ErrorCode.CONCURRENT_TRANSACTIONS)
    if transaction.state is State.ONGOING:
        return Initialised(fence(on, transaction) or ErrorCode.CONCURRENT_TRANSACTIONS)
    return _next(on, transaction, timeout_ms, known)


def _first(on: "TransactionCoordinator", transactional_id: str, timeout_ms: DurationMs) -> Transaction:
    """An id that nobody has used. It is kept at once: if writing it down fails, the next try has the same producer."""
    new = Transaction(transactional_id, on.broker.producer_ids.next(), timeout_ms, on.now)
    on.transactions[transactional_id] = new
    return new


def _may_be(transaction: Transaction, known: ProducerIdAndEpoch) -> bool:
    """Can this be the producer? Its epoch is looked at later. The id that it had before counts with its last epoch."""
    is_new = transaction.epoch == NO_PRODUCER_EPOCH
    was_replaced = known.id == transaction.previous_producer_id and known.epoch >= LAST_EPOCH
    return is_new or known.id == transaction.producer_id or was_replaced


def _next(
    on: "TransactionCoordinator", transaction: Transaction, timeout_ms: DurationMs, known: ProducerIdAndEpoch | None
) -> Initialised:
    """The next epoch; if there is none, another producer id; for one who asks again, what it was to have already."""
    producer_id, epoch, last_epoch = transaction.producer_id, transaction.epoch + 1, NO_PRODUCER_EPOCH
    if transaction.is_exhausted and (known is None or known.epoch == transaction.epoch):
        producer_id, epoch = on.broker.producer_ids.next(), 0
        last_epoch = NO_PRODUCER_EPOCH if known is None else transaction.epoch
    elif transaction.is_exhausted:
        return Initialised(ErrorCode.UNKNOWN_SERVER_ERROR)  # nobody asks for this epoch (IllegalStateException)
    elif known is not None and transaction.epoch != NO_PRODUCER_EPOCH:
        if known.epoch == transaction.epoch:
            last_epoch = transaction.epoch
        elif known.epoch == transaction.last_epoch:
            epoch, last_epoch = transaction.epoch, transaction.last_epoch
        else:
            return Initialised(on.rules.fenced)
    new = transaction._replace(
        state=transaction.to(State.EMPTY),
        producer_id=producer_id,
        epoch=epoch,
        last_epoch=last_epoch,
        previous_producer_id=transaction.producer_id,
        timeout_ms=timeout_ms,
        started_at=transaction.started_at if on.rules.empty_keeps_start else NO_TIMESTAMP,
        updated_at=on.now,
    )
    error = on.write(new)
    return Initialised(error) if error else Initialised(ErrorCode.NONE, new.producer_id, new.epoch)
