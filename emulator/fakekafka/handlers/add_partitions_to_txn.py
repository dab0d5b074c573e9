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
from typing import Final

from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import TopicPartition
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
    ResponseAddPartitionsToTxnPartitionResult,
    ResponseAddPartitionsToTxnTopicResult,
)
from fakekafka.wire.message import Response

FIRST_WITH_FENCED: Final = 2
FIRST_OF_BROKERS: Final = 4
CLOSED_TOPICS: Final = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE})

Results = dict[TopicPartition, ErrorCode]


def handle(request: AddPartitionsToTxnRequest, call: Call) -> Response | Outcome:
    """Add the partitions of every transaction, or look them up."""
    is_allowed = call.transactions.is_allowed
    if call.version < FIRST_OF_BROKERS:
        return _old(request, call, is_allowed)
    if not is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    if not request.transactions:
        return Outcome.HANG
    return AddPartitionsToTxnResponse(results_by_transaction=[_result(asked, call) for asked in request.transactions])


def _old(request: AddPartitionsToTxnRequest, call: Call, is_allowed: bool) -> AddPartitionsToTxnResponse:
    """The only transaction of a client's request."""
    places = [(topic.name, index) for topic in request.v3_and_below_topics for index in topic.partitions]
    producer = ProducerIdAndEpoch(request.v3_and_below_producer_id, request.v3_and_below_producer_epoch)
    results = dict.fromkeys(places, ErrorCode.UNSUPPORTED_VERSION)
    if is_allowed:
        results = _add(request.v3_and_below_transactional_id, producer, places, call)
    return AddPartitionsToTxnResponse(results_by_topic_v3_and_below=_old_topics(results))


def _result(asked: AddPartitionsToTxnTransaction, call: Call) -> AddPartitionsToTxnResult:
    """One transaction of a request by a broker."""
    places = [(topic.name, index) for topic in asked.topics for index in topic.partitions]
    producer = ProducerIdAndEpoch(asked.producer_id, asked.producer_epoch)
    add = _check if asked.verify_only else _add
    results = add(asked.transactional_id, producer, places, call)
    return AddPartitionsToTxnResult(transactional_id=asked.transactional_id, topic_results=_topics(results))


def _add(transactional_id: str, producer: ProducerIdAndEpoch, places: Sequence[TopicPartition], call: Call) -> Results:
    results = _impossible(places, call)
    if not results:
        client_version = 0 if call.version < FIRST_OF_BROKERS else 2
        error = call.transactions.add_partitions(transactional_id, producer, places, client_version)
        if error is ErrorCode.PRODUCER_FENCED and call.version < FIRST_WITH_FENCED:
            error = ErrorCode.INVALID_PRODUCER_EPOCH
        results = dict.fromkeys(places, error)
    return results


def _check(
    transactional_id: str, producer: ProducerIdAndEpoch, places: Sequence[TopicPartition], call: Call
) -> Results:
    coordinator = call.transactions
    return _impossible(places, call) or dict(coordinator.check_partitions(transactional_id, producer, places))


def _impossible(places: Sequence[TopicPartition], call: Call) -> Results:
    """The error of each partition if one of them cannot be added; empty if all can."""
    errors = {place: _refusal(place, call) for place in places}
    if not any(errors.values()):
        return {}
    return {place: error or ErrorCode.OPERATION_NOT_ATTEMPTED for place, error in errors.items()}


def _refusal(place: TopicPartition, call: Call) -> ErrorCode:
    topic = call.broker.cluster.topics_known_to(call.broker.node_id).get(place[0])
    if call.version < FIRST_OF_BROKERS and place[0] in CLOSED_TOPICS:
        closed = ErrorCode.TOPIC_AUTHORIZATION_FAILED
        return closed if topic is None else call.profile.transactions.internal_topic_added
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ErrorCode.NONE if topic.partition(place[1]) else call.profile.transactions.unknown_partition_added


# ---- the answer


def _old_topics(results: Results) -> list[AddPartitionsToTxnTopicResult]:
    topics: dict[str, list[AddPartitionsToTxnPartitionResult]] = {}
    for (name, index), error in results.items():
        result = AddPartitionsToTxnPartitionResult(partition_index=index, partition_error_code=error)
        topics.setdefault(name, []).append(result)
    return [AddPartitionsToTxnTopicResult(name=name, results_by_partition=rows) for name, rows in topics.items()]


def _topics(results: Results) -> list[ResponseAddPartitionsToTxnTopicResult]:
    topics: dict[str, list[ResponseAddPartitionsToTxnPartitionResult]] = {}
    for (name, index), error in results.items():
        result = ResponseAddPartitionsToTxnPartitionResult(partition_index=index, partition_error_code=error)
        topics.setdefault(name, []).append(result)
    return [
        ResponseAddPartitionsToTxnTopicResult(name=name, results_by_partition=rows) for name, rows in topics.items()
    ]
