"""ListTransactions, key 66: the transactional ids that this coordinator knows (KIP-664).

Versions: 0 - 2.

Behaviour
* Filters by state, by producer id, by age, by pattern: an id must pass all of them. The answer names unknown states.
* 14 while any of them is being loaded.

Version notes
* 1: only transactions that began longer ago than `duration_filter` ms (KIP-994). Ids without a transaction began at -1.
* 2: only ids that a pattern (`jvm.re2`) matches as a whole (KIP-1152); an invalid one gets 128, a very large one -1.

Not done: nothing.
"""

from fakekafka.coordinators.transactions.transaction import BY_LABEL, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.jvm.re2 import BadPattern, PatternTooLarge, compiled
from fakekafka.wire.apis.list_transactions import ListTransactionsRequest, ListTransactionsResponse, TransactionState


def handle(request: ListTransactionsRequest, call: Call) -> ListTransactionsResponse:
    """List what passes the filters."""
    coordinator = call.transactions
    if coordinator.loading:
        return _refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    matching = [t for ids in coordinator.by_partition().values() for t in ids if _passes(t, request, call)]
    if request.transactional_id_pattern:
        try:
            pattern = compiled(request.transactional_id_pattern, call.profile.consumer_groups.regex_library)
        except BadPattern:
            return _refused(ErrorCode.INVALID_REGULAR_EXPRESSION)
        except PatternTooLarge:
            return _refused(ErrorCode.UNKNOWN_SERVER_ERROR)
        matching = [t for t in matching if pattern.fullmatch(t.id)]
    return ListTransactionsResponse(
        unknown_state_filters=list(dict.fromkeys(state for state in request.state_filters if state not in BY_LABEL)),
        transaction_states=[
            TransactionState(transactional_id=t.id, producer_id=t.producer_id, transaction_state=t.state.label)
            for t in matching
        ],
    )


def _refused(error: ErrorCode) -> ListTransactionsResponse:
    return ListTransactionsResponse(error_code=error, unknown_state_filters=[], transaction_states=[])


def _passes(transaction: Transaction, request: ListTransactionsRequest, call: Call) -> bool:
    if request.producer_id_filters and transaction.producer_id not in request.producer_id_filters:
        return False
    if request.state_filters and transaction.state.label not in request.state_filters:
        return False
    return request.duration_filter < 0 or call.now - transaction.started_at > request.duration_filter
