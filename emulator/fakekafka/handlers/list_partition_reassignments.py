"""ListPartitionReassignments, key 46: which partitions are on their way to other brokers (KIP-455).

Behaviour: lists which of the requested partitions are being reassigned; null asks for all. Unknown partitions are not
an error. Versions: 0.
"""

from collections.abc import Iterable

from fakekafka.admin.reassignments import is_under_way
from fakekafka.errors import NOT_THE_CONTROLLER, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.state.topics import PartitionState, Topic
from fakekafka.wire.apis.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)


def handle(request: ListPartitionReassignmentsRequest, call: Call) -> ListPartitionReassignmentsResponse:
    """List the reassignments."""
    if not call.reaches_controller:
        return ListPartitionReassignmentsResponse(error_code=ErrorCode.NOT_CONTROLLER, error_message=NOT_THE_CONTROLLER)
    if call.profile.admin.listing_has_deadline and request.timeout_ms <= 0 and request.topics != []:
        return _too_late(request)
    under_way = [(topic, list(filter(is_under_way, states))) for topic, states in _asked(request, call)]
    return ListPartitionReassignmentsResponse(
        error_message=call.profile.admin.no_reassignment_message,
        topics=[
            OngoingTopicReassignment(name=topic.name, partitions=[_ongoing(state) for state in states])
            for topic, states in under_way
            if states
        ],
    )


def _too_late(request: ListPartitionReassignmentsRequest) -> ListPartitionReassignmentsResponse:
    return ListPartitionReassignmentsResponse(
        error_code=ErrorCode.REQUEST_TIMED_OUT,
        error_message=None,
        topics=[
            OngoingTopicReassignment(
                name=topic.name,
                partitions=[OngoingPartitionReassignment(partition_index=index) for index in topic.partition_indexes],
            )
            for topic in request.topics or ()
        ],
    )


def _asked(request: ListPartitionReassignmentsRequest, call: Call) -> Iterable[tuple[Topic, list[PartitionState]]]:
    topics = call.broker.cluster.topics
    if request.topics is None:
        return [(topic, topic.partitions) for topic in topics.values()]
    return [
        (topics[asked.name], [*filter(None, map(topics[asked.name].partition, sorted(set(asked.partition_indexes))))])
        for asked in request.topics
        if asked.name in topics
    ]


def _ongoing(state: PartitionState) -> OngoingPartitionReassignment:
    return OngoingPartitionReassignment(
        partition_index=state.index,
        replicas=state.replicas,
        adding_replicas=state.adding,
        removing_replicas=state.removing,
    )
