"""Rights for idempotent and transactional producers."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.add_partitions_to_txn import refusal_of_added
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import (
    CLUSTER_ERROR,
    GROUP_ERROR,
    NONE,
    TRANSACTION_ERROR,
    may_group,
    may_transact,
    on_cluster,
    refuse,
    sees_topic,
    split,
    then,
)
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.message import Response

FIRST_OF_BROKERS: Final = 4
"""AddPartitionsToTxn: sent by brokers only."""
NO_PRODUCER: Final = -1


def init_producer_id(request: Any, call: Call, handle: Handle) -> Result:
    """Write on the transactional id; without one IdempotentWrite on the cluster; in later releases Write on any topic
    suffices.
    """
    if request.transactional_id is not None:
        allowed = may_transact(call, Operation.WRITE, request.transactional_id)
        return handle(request, call) if allowed else _no_producer(request, call, TRANSACTION_ERROR)
    any_topic = not call.profile.authorization.idempotence_needs_cluster
    if any_topic and call.authorized_on_any(Operation.WRITE, ResourceType.TOPIC):
        return handle(request, call)
    if call.authorized_on_cluster(Operation.IDEMPOTENT_WRITE):
        return handle(request, call)
    return _no_producer(request, call, CLUSTER_ERROR)


def _no_producer(request: Any, call: Call, error: ErrorCode) -> Response:
    answer: Any = refuse(request, call, error)
    answer.producer_id = NO_PRODUCER
    answer.producer_epoch = call.profile.authorization.epoch_of_refused_producer
    return answer  # type: ignore[no-any-return]


def add_partitions_to_txn(request: Any, call: Call, handle: Handle) -> Result:
    """Write on the transactional id and on every topic; the request of brokers needs ClusterAction alone."""
    if call.version >= FIRST_OF_BROKERS:
        return on_cluster(Operation.CLUSTER_ACTION)(request, call, handle)
    if not may_transact(call, Operation.WRITE, request.v3_and_below_transactional_id):
        call.refused_as_a_whole = True
        return _all_refused(request, call, TRANSACTION_ERROR)
    errors = {t.name: call.topic_refusal(Operation.WRITE, t.name) for t in request.v3_and_below_topics}
    if not any(errors.values()):
        return handle(request, call)
    answer: Any = _all_refused(request, call, NONE)
    for topic in answer.results_by_topic_v3_and_below:
        for row in topic.results_by_partition:
            missing = refusal_of_added((topic.name, row.partition_index), call)
            row.partition_error_code = errors[topic.name] or missing or ErrorCode.OPERATION_NOT_ATTEMPTED
    return answer  # type: ignore[no-any-return]


def _all_refused(request: Any, call: Call, error: ErrorCode) -> Response:
    from fakekafka.wire.apis.add_partitions_to_txn import (
        AddPartitionsToTxnPartitionResult,
        AddPartitionsToTxnResponse,
        AddPartitionsToTxnTopicResult,
    )

    topics = [
        AddPartitionsToTxnTopicResult(
            name=topic.name,
            results_by_partition=[
                AddPartitionsToTxnPartitionResult(partition_index=index, partition_error_code=error)
                for index in topic.partitions
            ],
        )
        for topic in request.v3_and_below_topics
    ]
    return AddPartitionsToTxnResponse(results_by_topic_v3_and_below=topics)


def add_offsets_to_txn(request: Any, call: Call, handle: Handle) -> Result:
    """Write on the transactional id, Read on the group."""
    if not may_transact(call, Operation.WRITE, request.transactional_id):
        return refuse(request, call, TRANSACTION_ERROR)
    if not may_group(call, Operation.READ, request.group_id):
        return refuse(request, call, GROUP_ERROR)
    return handle(request, call)


def end_txn(request: Any, call: Call, handle: Handle) -> Result:
    """Write on the transactional id."""
    if may_transact(call, Operation.WRITE, request.transactional_id):
        return handle(request, call)
    return refuse(request, call, TRANSACTION_ERROR)


def write_txn_markers(request: Any, call: Call, handle: Handle) -> Result:
    """ClusterAction on the cluster; in later releases Alter suffices."""
    if call.profile.authorization.markers_by_alter and call.would_allow_on_cluster(Operation.ALTER):
        return handle(request, call)
    return on_cluster(Operation.CLUSTER_ACTION)(request, call, handle)


def describe_transactions(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on each transactional id; only topics that may be described are listed."""

    def refusal_of(name: str) -> ErrorCode:
        return NONE if may_transact(call, Operation.DESCRIBE, name) else TRANSACTION_ERROR

    def finish(response: Any) -> Response:
        for row in response.transaction_states:
            row.topics = [topic for topic in row.topics if sees_topic(call, topic.topic)]
        return response  # type: ignore[no-any-return]

    return then(split(request, call, handle, "transactional_ids", "transaction_states", refusal_of), finish)


def list_transactions(request: Any, call: Call, handle: Handle) -> Result:
    """List the transactional ids that may be described."""

    def finish(response: Any) -> Response:
        kind = ResourceType.TRANSACTIONAL_ID
        rows = response.transaction_states
        response.transaction_states = [row for row in rows if call.sees(kind, row.transactional_id)]
        return response  # type: ignore[no-any-return]

    return then(handle(request, call), finish)
