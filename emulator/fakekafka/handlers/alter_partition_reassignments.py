"""AlterPartitionReassignments, key 45: give partitions other replicas, or cancel a reassignment (KIP-455).

Behaviour: each partition is handled separately. See `admin/reassignments.py`. Under ZooKeeper the request is kept as a
map (`as_map`; recorded from 2.7.2 and 2.8.0: odd_requests).
Versions: 0 - 1.
v1: the client may insist on the replication factor (KIP-860).
"""

from fakekafka.admin.reassignments import reassign
from fakekafka.errors import NOT_THE_CONTROLLER, ApiError, ErrorCode
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicName
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)


def handle(request: AlterPartitionReassignmentsRequest, call: Call) -> AlterPartitionReassignmentsResponse:
    """Reassign what can be reassigned."""
    same_factor = not request.allow_replication_factor_change
    if not call.reaches_controller:
        return AlterPartitionReassignmentsResponse(
            error_code=ErrorCode.NOT_CONTROLLER, error_message=NOT_THE_CONTROLLER
        )
    if request.topics and call.is_too_late(request.timeout_ms):
        return _all_too_late(request)
    asked = [(topic.name, list(topic.partitions)) for topic in request.topics]
    if not call.profile.admin.by_controllers:
        asked = as_map(asked, lambda one: one.partition_index)
    return AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=request.allow_replication_factor_change or not request.topics,
        error_message=call.profile.admin.no_reassignment_message if request.topics else "",
        responses=[
            ReassignableTopicResponse(
                name=name,
                partitions=[_reassign(name, partition, same_factor, call) for partition in partitions],
            )
            for name, partitions in asked
        ],
    )


def _all_too_late(request: AlterPartitionReassignmentsRequest) -> AlterPartitionReassignmentsResponse:
    error = ErrorCode.REQUEST_TIMED_OUT
    return AlterPartitionReassignmentsResponse(
        error_code=error,
        error_message=None,
        responses=[
            ReassignableTopicResponse(
                name=topic.name,
                partitions=[
                    ReassignablePartitionResponse(
                        partition_index=p.partition_index, error_code=error, error_message=None
                    )
                    for p in topic.partitions
                ],
            )
            for topic in request.topics
        ],
    )


def _reassign(
    name: TopicName, asked: ReassignablePartition, same_factor: bool, call: Call
) -> ReassignablePartitionResponse:
    result = ReassignablePartitionResponse(partition_index=asked.partition_index, error_message=None)
    replicas = None if asked.replicas is None else list(asked.replicas)
    try:
        reassign(call.broker, name, asked.partition_index, replicas, same_factor=same_factor)
    except ApiError as refused:
        result.error_code, result.error_message = refused.code, refused.message
    return result
