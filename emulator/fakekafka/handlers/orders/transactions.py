"""The order of answers about transactions."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.partitions import Names, arrange, by_topic
from fakekafka.jvm.chains import place_hash, through
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.add_partitions_to_txn import AddPartitionsToTxnRequest, AddPartitionsToTxnResponse
from fakekafka.wire.apis.describe_transactions import DescribeTransactionsRequest, DescribeTransactionsResponse

FIRST_OF_BROKERS: Final = 4
ADDED: Final = Names("name", "results_by_partition", "partition_index")
RANKS: Final = {ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: 1, ErrorCode.OPERATION_NOT_ATTEMPTED: 2}
"""If a partition cannot be added: of what is missing, and of what could be added. What is refused comes first."""
IN_PART: Final = frozenset({*RANKS, ErrorCode.TOPIC_AUTHORIZATION_FAILED})


def add_partitions_to_txn(request: AddPartitionsToTxnRequest, response: AddPartitionsToTxnResponse, call: Call) -> None:
    """The partitions of each transaction."""
    if call.version < FIRST_OF_BROKERS:
        _added(request.v3_and_below_topics, response.results_by_topic_v3_and_below, call)
        return
    asked = {transaction.transactional_id: transaction for transaction in request.transactions}
    for result in response.results_by_transaction:
        transaction = asked[result.transactional_id]
        _added(transaction.topics, result.topic_results, call, verified=transaction.verify_only)


def _added(asked: Any, topics: list[Any], call: Call, *, verified: bool = False) -> None:
    if not ADDED.is_long(topics):
        return
    errors = {row.partition_error_code for topic in topics for row in topic.results_by_partition}
    maps = _maps_of_added(call, in_part=bool(errors & IN_PART), verified=verified)
    if maps != AS_ASKED:
        places = [(topic.name, index) for topic in asked for index in topic.partitions]
        arrange(topics, places, maps, ADDED, place_hash, lambda _, row: RANKS.get(row.partition_error_code, 0))


def _maps_of_added(call: Call, *, in_part: bool, verified: bool) -> PartitionMaps:
    rules = call.profile.group_orders
    if call.refused_as_a_whole:
        return rules.added_refused
    if in_part:
        return rules.added_in_part
    return rules.verified if verified else rules.added


def describe_transactions(_: DescribeTransactionsRequest, response: DescribeTransactionsResponse, call: Call) -> None:
    """The partitions of each transaction."""
    maps = call.profile.group_orders.in_transaction
    for state in {state.transactional_id: state for state in response.transaction_states}.values():
        places = [(topic.topic, index) for topic in state.topics for index in topic.partitions]
        if len(places) < 2:
            continue
        by_name = {topic.topic: topic for topic in state.topics}
        ordered = by_topic(through(maps.asked, places, place_hash), maps, place_hash)
        state.topics[:] = [by_name[name] for name, _ in ordered]
        for topic, (_, indexes) in zip(state.topics, ordered):
            topic.partitions = list(indexes)
