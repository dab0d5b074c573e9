"""AlterPartitionReassignments, key 45: give partitions other replicas, or cancel a reassignment (KIP-455).

Behaviour: each partition is handled separately. See `admin/reassignments.py`.
Versions: 0 - 1.
v1: the client may insist on the replication factor (KIP-860).
"""

from fakekafka.admin.reassignments import reassign
from fakekafka.errors import ApiError, ErrorCode
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
        return AlterPartitionReassignmentsResponse(error_code=ErrorCode.NOT_CONTROLLER, error_message=None)
    return AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=request.allow_replication_factor_change,
        error_message=call.profile.admin.no_reassignment_message if request.topics else "",
        responses=[
            ReassignableTopicResponse(
                name=topic.name,
                partitions=[_reassign(topic.name, partition, same_factor, call) for partition in topic.partitions],
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
