"""What time does to transactional ids: transactions that take too long are aborted, ids that are not used forgotten.

Both are looked at at regular intervals, so it happens a little late. A transaction's timeout runs on the wall clock.
"""

from typing import TYPE_CHECKING

from fakekafka.coordinators.transactions.ending import fence
from fakekafka.coordinators.transactions.records import log_key
from fakekafka.coordinators.transactions.states import RESTING, State
from fakekafka.coordinators.transactions.transaction import ENDLESS, Transaction
from fakekafka.errors import ErrorCode

if TYPE_CHECKING:
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator


def abort_timed_out(on: "TransactionCoordinator") -> bool:
    """Abort what is open for longer than its timeout. Its producer is fenced by it. False: there is nothing open."""
    if any(_is_late(on, transaction) for transaction in on.transactions.values()):
        for transactions in on.by_partition().values():
            for transaction in transactions:
                if _is_late(on, transaction) and on.status(transaction.id) is ErrorCode.NONE:
                    fence(on, transaction)
    return any(transaction.state is State.ONGOING for transaction in on.transactions.values())


def _is_late(on: "TransactionCoordinator", transaction: Transaction) -> bool:
    if transaction.state is not State.ONGOING or transaction.id in on.stuck:
        return False
    if transaction.timeout_ms == ENDLESS and on.rules.endless_timeout:
        return False
    return transaction.started_at + transaction.timeout_ms < on.now


def remove_expired(on: "TransactionCoordinator") -> bool:
    """Forget ids whose last record is older than transactional.id.expiration.ms and that have nothing open.

    False: there are no more ids.
    """
    latest = on.now - on.config.int("transactional.id.expiration.ms")
    for index, transactions in on.by_partition().items():
        if index in on.loading:
            continue
        old = [t for t in transactions if t.state in RESTING and t.updated_at <= latest]
        dead = [t._replace(state=t.to(State.DEAD)) for t in old]
        if dead and on.append(index, [(log_key(t.id), None) for t in dead]) is ErrorCode.NONE:
            for transaction in dead:
                del on.transactions[transaction.id]
    return bool(on.transactions)
