"""AddPartitionsToTxn, key 24: partitions join a transaction, or a broker asks whether they are in it.

Versions: 0 - 5.

Behaviour
* If one partition cannot be added, the others of its transaction get 55.
* Clients may not add internal topics: 29. A transaction begins even without topics.

Version notes
* 2: an old epoch gets 90 instead of 47 (KIP-588).
* 4: several transactions in one request, and verification; for brokers, so any topic is allowed (KIP-890). A request
  without transactions is never answered. 5: verification may be answered with 120.

Not done: nothing.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from fakekafka.aside import aside
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.as_map import count_named
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import PartitionIndex, TopicName, TopicPartition
from fakekafka.pieces import FEW_PER_STEP, Stepwise
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
    RequestAddPartitionsToTxnTopic,
    ResponseAddPartitionsToTxnPartitionResult,
    ResponseAddPartitionsToTxnTopicResult,
)

FIRST_WITH_FENCED: Final = 2
FIRST_OF_BROKERS: Final = 4
CLOSED_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE})

Results: TypeAlias = dict[TopicPartition, ErrorCode]
Rows: TypeAlias = list[tuple[TopicName, list[tuple[PartitionIndex, ErrorCode]]]]
"""An answer's topics, with the error of each partition."""
Topics: TypeAlias = Sequence[AddPartitionsToTxnTopic | RequestAddPartitionsToTxnTopic]


@stepwise
def handle(request: AddPartitionsToTxnRequest, call: Call) -> Stepwise[Result]:
    """Add the partitions of every transaction, or look them up."""
    is_allowed = call.transactions.is_allowed
    if call.version < FIRST_OF_BROKERS:
        return (yield from _old(request, call, is_allowed))
    if not is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    if not request.transactions:
        return Outcome.HANG
    try:
        results = []
        for number, asked in enumerate(request.transactions, 1):
            results.append((yield from _result(asked, call)))
            if not number % FEW_PER_STEP:
                yield
        return AddPartitionsToTxnResponse(results_by_transaction=results)
    except ApiError as refused:
        return refusal(request, call.version, refused.code)


def _old(request: AddPartitionsToTxnRequest, call: Call, is_allowed: bool) -> Stepwise[AddPartitionsToTxnResponse]:
    """The only transaction of a client's request."""
    topics = request.v3_and_below_topics
    producer = ProducerIdAndEpoch(request.v3_and_below_producer_id, request.v3_and_below_producer_epoch)
    if is_allowed:
        rows = yield from _add(request.v3_and_below_transactional_id, producer, topics, call)
    else:
        call.refused_as_a_whole = True
        rows = _by_topic(dict.fromkeys(_places(topics), ErrorCode.UNSUPPORTED_VERSION))
    return (yield from aside(lambda: _old_response(rows), count_named(topics)))


def _old_response(rows: Rows) -> AddPartitionsToTxnResponse:
    return AddPartitionsToTxnResponse(
        results_by_topic_v3_and_below=[
            AddPartitionsToTxnTopicResult(
                name=name,
                results_by_partition=[
                    AddPartitionsToTxnPartitionResult.fast({"partition_index": index, "partition_error_code": error})
                    for index, error in errors
                ],
            )
            for name, errors in rows
        ]
    )


def _result(asked: AddPartitionsToTxnTransaction, call: Call) -> Stepwise[AddPartitionsToTxnResult]:
    """One transaction of a request by a broker."""
    producer = ProducerIdAndEpoch(asked.producer_id, asked.producer_epoch)
    add = _check if asked.verify_only else _add
    rows = yield from add(asked.transactional_id, producer, asked.topics, call)
    return (yield from aside(lambda: _of_transaction(asked.transactional_id, rows), count_named(asked.topics)))


def _of_transaction(transactional_id: str, rows: Rows) -> AddPartitionsToTxnResult:
    return AddPartitionsToTxnResult(
        transactional_id=transactional_id,
        topic_results=[
            ResponseAddPartitionsToTxnTopicResult(
                name=name,
                results_by_partition=[
                    ResponseAddPartitionsToTxnPartitionResult.fast({"partition_index": n, "partition_error_code": code})
                    for n, code in errors
                ],
            )
            for name, errors in rows
        ],
    )


def _add(transactional_id: str, producer: ProducerIdAndEpoch, topics: Topics, call: Call) -> Stepwise[Rows]:
    places, refused = yield from aside(lambda: _looked_up(topics, call), count_named(topics))
    if refused:
        return refused
    client_version = 0 if call.version < FIRST_OF_BROKERS else 2
    error = call.transactions.add_partitions(transactional_id, producer, places, client_version)
    if error is ErrorCode.UNSUPPORTED_VERSION and call.version >= FIRST_OF_BROKERS:
        raise ApiError(error)  # for the whole request (recorded from 4.1.1: transactions)
    if error is ErrorCode.PRODUCER_FENCED and call.version < FIRST_WITH_FENCED:
        error = ErrorCode.INVALID_PRODUCER_EPOCH
    if call.profile.transactions.added_kept == "as a map":
        return (yield from aside(lambda: _by_topic(dict.fromkeys(places, error)), len(places)))
    return [(topic.name, [(index, error) for index in topic.partitions]) for topic in topics]


def _check(transactional_id: str, producer: ProducerIdAndEpoch, topics: Topics, call: Call) -> Stepwise[Rows]:
    places, refused = yield from aside(lambda: _looked_up(topics, call), count_named(topics))
    return refused or _by_topic(dict(call.transactions.check_partitions(transactional_id, producer, places)))


def _looked_up(topics: Topics, call: Call) -> tuple[list[TopicPartition], Rows]:
    """The partitions, each once, and their errors if one of them cannot be added."""
    places = list(dict.fromkeys(_places(topics)))
    return places, _by_topic(_impossible(places, call))


def _places(topics: Topics) -> list[TopicPartition]:
    return [(topic.name, index) for topic in topics for index in topic.partitions]


def _by_topic(results: Results) -> Rows:
    rows: dict[TopicName, list[tuple[PartitionIndex, ErrorCode]]] = {}
    for (name, index), error in results.items():
        rows.setdefault(name, []).append((index, error))
    return list(rows.items())


def _impossible(places: Sequence[TopicPartition], call: Call) -> Results:
    """The error of each partition if one of them cannot be added; empty if all can."""
    errors = {place: refusal_of_added(place, call) for place in places}
    if not any(errors.values()):
        return {}
    return {place: error or ErrorCode.OPERATION_NOT_ATTEMPTED for place, error in errors.items()}


def refusal_of_added(place: TopicPartition, call: Call) -> ErrorCode:
    """The error of a partition that cannot be added."""
    topic = call.broker.cluster.topics_known_to(call.broker.node_id).get(place[0])
    if call.version < FIRST_OF_BROKERS and place[0] in CLOSED_TOPICS:
        closed = ErrorCode.TOPIC_AUTHORIZATION_FAILED
        exists = topic is not None and topic.partition(place[1]) is not None
        return call.profile.transactions.internal_topic_added if exists else closed
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ErrorCode.NONE if topic.partition(place[1]) else call.profile.transactions.unknown_partition_added
