"""WriteShareGroupState, key 85: a leader stores how far share partitions were delivered (KIP-932).

Behaviour: `coordinators.share_partitions`. Brokers send it to each other; real ones answer clients, too.
Versions: 0 - 1; the number of finished records from 1 on (KIP-1226); the early access of 3.9 and 4.0 is not served.
"""

from fakekafka.coordinators.share_partitions.state_records import Change, SharePartitionKey, Span
from fakekafka.coordinators.share_partitions.state_requests import StateRequests, answers
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.write_share_group_state import (
    PartitionData,
    PartitionResult,
    WriteShareGroupStateRequest,
    WriteShareGroupStateResponse,
    WriteStateResult,
)


@stepwise
def handle(request: WriteShareGroupStateRequest, call: Call) -> Stepwise[Result]:
    """Write states."""
    answered = yield from answers(request.group_id, request.topics, lambda place, row: _answered(call, place, row))
    return WriteShareGroupStateResponse(
        results=[WriteStateResult(topic_id=topic, partitions=rows) for topic, rows in answered]
    )


def _answered(call: Call, place: SharePartitionKey, row: PartitionData) -> PartitionResult:
    spans = tuple(
        Span(batch.first_offset, batch.last_offset, batch.delivery_state, batch.delivery_count)
        for batch in row.state_batches
    )
    change = Change(row.start_offset, spans, row.delivery_complete_count)
    done = StateRequests(call.share).write(place, change, row.leader_epoch, row.state_epoch)
    return PartitionResult(partition=place.partition, error_code=done.error, error_message=done.words)
