"""ReadShareGroupState, key 84: the state of share partitions, for a leader that begins to deliver (KIP-932).

Behaviour: `coordinators.share_partitions`. Brokers send it to each other; real ones answer clients, too.
Versions: 0; the early access of 3.9 and 4.0 is not served.
"""

from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.coordinators.share_partitions.state_requests import StateRequests, answers
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.read_share_group_state import (
    PartitionData,
    PartitionResult,
    ReadShareGroupStateRequest,
    ReadShareGroupStateResponse,
    ReadStateResult,
    StateBatch,
)


@stepwise
def handle(request: ReadShareGroupStateRequest, call: Call) -> Stepwise[Result]:
    """Read states."""
    answered = yield from answers(request.group_id, request.topics, lambda place, row: _answered(call, place, row))
    return ReadShareGroupStateResponse(
        results=[ReadStateResult(topic_id=topic, partitions=rows) for topic, rows in answered]
    )


def _answered(call: Call, place: SharePartitionKey, row: PartitionData) -> PartitionResult:
    reply = StateRequests(call.share).read(place, row.leader_epoch)
    return PartitionResult(
        partition=place.partition,
        error_code=reply.error,
        error_message=reply.words,
        state_epoch=reply.state.epoch,
        start_offset=reply.state.start,
        state_batches=[
            StateBatch(
                first_offset=span.first,
                last_offset=span.last,
                delivery_state=span.state,
                delivery_count=span.deliveries,
            )
            for span in reply.state.spans
        ],
    )
