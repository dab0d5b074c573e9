"""Produce, key 0: append record sets.

Behaviour: thin thread only.
Versions: 0 - 13.
Not done: nearly everything.
"""

from fakekafka.handlers.call import Call
from fakekafka.wire.apis.produce import (
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceResponse,
)


def handle(request: ProduceRequest, call: Call) -> ProduceResponse | None:
    """Append to every partition."""
    responses = [
        TopicProduceResponse(
            name=t.name, topic_id=t.topic_id, partition_responses=[_append(t.name, p, call) for p in t.partition_data]
        )
        for t in request.topic_data
    ]
    return ProduceResponse(responses=responses) if request.acks else None


def _append(name: str, data: PartitionProduceData, call: Call) -> PartitionProduceResponse:
    partition = call.broker.partition(name, data.index)
    if partition is None:
        return PartitionProduceResponse(index=data.index, error_code=3, base_offset=-1)
    done = partition.append(data.records, call.now)
    call.broker.waiters.wake(partition.key)
    return PartitionProduceResponse(
        index=data.index,
        error_code=done.error,
        base_offset=done.first_offset,
        log_start_offset=partition.log_start_offset,
    )
