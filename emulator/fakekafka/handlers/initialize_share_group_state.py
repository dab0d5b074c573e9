"""InitializeShareGroupState, key 83: create or reset the state of share partitions (KIP-932).

Behaviour: `coordinators.share_partitions`. Brokers send it to each other; real ones answer clients, too.
Versions: 0; the early access of 3.9 and 4.0 is not served.
"""

from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.coordinators.share_partitions.state_requests import StateRequests, answers
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
    InitializeShareGroupStateResponse,
    InitializeStateResult,
    PartitionData,
    PartitionResult,
)


@stepwise
def handle(request: InitializeShareGroupStateRequest, call: Call) -> Stepwise[Result]:
    """Initialize states."""
    answered = yield from answers(request.group_id, request.topics, lambda place, row: _answered(call, place, row))
    return InitializeShareGroupStateResponse(
        results=[InitializeStateResult(topic_id=topic, partitions=rows) for topic, rows in answered]
    )


def _answered(call: Call, place: SharePartitionKey, row: PartitionData) -> PartitionResult:
    done = StateRequests(call.share).initialize(place, row.state_epoch, row.start_offset)
    return PartitionResult(partition=place.partition, error_code=done.error, error_message=done.words)
