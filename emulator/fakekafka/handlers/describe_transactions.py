"""DescribeTransactions, key 65: what the coordinator knows about transactional ids (KIP-664).

Versions: 0.

Behaviour
* Each requested id gets an answer: 105 if it was never used, 42 if it is empty.
* The partitions are those in an open transaction; in a decided one, those that lack their marker.

Version notes: none.

Not done: nothing.
"""

from fakekafka.coordinators.transactions.transaction import Transaction
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
    TopicData,
    TransactionState,
)


@stepwise
def handle(request: DescribeTransactionsRequest, call: Call) -> Stepwise[Result]:
    """Describe each id."""
    ids = request.transactional_ids
    asked = dict.fromkeys(ids)
    states = dict(zip(asked, (yield from in_turn(lambda transactional_id: _described(transactional_id, call), asked))))
    return DescribeTransactionsResponse(transaction_states=[states[transactional_id] for transactional_id in ids])


def _described(transactional_id: str, call: Call) -> TransactionState:
    transaction = call.transactions.find(transactional_id)
    if isinstance(transaction, ErrorCode):
        unknown = transaction is ErrorCode.INVALID_PRODUCER_ID_MAPPING
        error = ErrorCode.TRANSACTIONAL_ID_NOT_FOUND if unknown else transaction
        return TransactionState(error_code=error, transactional_id=transactional_id, topics=[])
    return TransactionState(
        transactional_id=transactional_id,
        transaction_state=transaction.state.label,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_start_time_ms=transaction.started_at,
        producer_id=transaction.producer_id,
        producer_epoch=transaction.epoch,
        topics=_topics(transaction),
    )


def _topics(transaction: Transaction) -> list[TopicData]:
    topics: dict[str, TopicData] = {}
    for name, index in transaction.partitions:
        topics.setdefault(name, TopicData(topic=name, partitions=[])).partitions.append(index)
    return list(topics.values())
