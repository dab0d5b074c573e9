"""ReadShareGroupStateSummary, key 87: where share partitions start, for the group coordinator (KIP-932).

Behaviour: `coordinators.share_partitions`. Brokers send it to each other; real ones answer clients, too.
Versions: 0 - 1; the number of finished records from 1 on (KIP-1226); the early access of 3.9 and 4.0 is not served.
"""

from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.coordinators.share_partitions.state_requests import StateRequests, answers
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.read_share_group_state_summary import (
    PartitionResult,
    ReadShareGroupStateSummaryRequest,
    ReadShareGroupStateSummaryResponse,
    ReadStateSummaryResult,
)


@stepwise
def handle(request: ReadShareGroupStateSummaryRequest, call: Call) -> Stepwise[Result]:
    """Read the start offsets of states."""
    answered = yield from answers(request.group_id, request.topics, lambda place, _: _answered(call, place))
    return ReadShareGroupStateSummaryResponse(
        results=[ReadStateSummaryResult(topic_id=topic, partitions=rows) for topic, rows in answered]
    )


def _answered(call: Call, place: SharePartitionKey) -> PartitionResult:
    reply = StateRequests(call.share).summarize(place)
    return PartitionResult(
        partition=place.partition,
        error_code=reply.error,
        error_message=reply.words,
        state_epoch=reply.state.epoch,
        leader_epoch=reply.state.leader_epoch,
        start_offset=reply.state.start,
        delivery_complete_count=reply.state.complete,
    )
