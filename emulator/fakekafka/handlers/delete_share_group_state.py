"""DeleteShareGroupState, key 86: forget the state of share partitions (KIP-932).

Behaviour: `coordinators.share_partitions`. Brokers send it to each other; real ones answer clients, too.
Versions: 0; the early access of 3.9 and 4.0 is not served.
"""

from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.coordinators.share_partitions.state_requests import StateRequests, answers
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.delete_share_group_state import (
    DeleteShareGroupStateRequest,
    DeleteShareGroupStateResponse,
    DeleteStateResult,
    PartitionResult,
)


@stepwise
def handle(request: DeleteShareGroupStateRequest, call: Call) -> Stepwise[Result]:
    """Delete states."""
    answered = yield from answers(request.group_id, request.topics, lambda place, _: _answered(call, place))
    return DeleteShareGroupStateResponse(
        results=[DeleteStateResult(topic_id=topic, partitions=rows) for topic, rows in answered]
    )


def _answered(call: Call, place: SharePartitionKey) -> PartitionResult:
    done = StateRequests(call.share).delete(place)
    return PartitionResult(partition=place.partition, error_code=done.error, error_message=done.words)
