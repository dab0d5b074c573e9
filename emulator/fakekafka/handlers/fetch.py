"""Fetch, key 1: read record sets.

Behaviour: thin thread only: long poll, no sessions, no conversion.
Versions: 0 - 18.
Not done: nearly everything.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Wait
from fakekafka.wire.apis.fetch import (
    FetchableTopicResponse,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    PartitionData,
)


def handle(request: FetchRequest, call: Call) -> FetchResponse | Wait:
    """What the partitions hold, as soon as there is enough."""
    return _attempt(request, call, expired=request.max_wait_ms <= 0)


def _attempt(request: FetchRequest, call: Call, expired: bool) -> FetchResponse | Wait:
    responses = [_topic(topic, call) for topic in request.topics]
    size = sum(len(b) for t in responses for p in t.partitions for b in p.records or ())
    if size < request.min_bytes and not expired:
        keys = tuple(("log", t.topic, p.partition) for t in request.topics for p in t.partitions)
        return Wait(keys, request.max_wait_ms, lambda later, over: _attempt(request, later, over))
    return FetchResponse(responses=responses)


def _topic(topic: FetchTopic, call: Call) -> FetchableTopicResponse:
    return FetchableTopicResponse(
        topic=topic.topic, topic_id=topic.topic_id, partitions=[_read(topic.topic, p, call) for p in topic.partitions]
    )


def _read(name: str, asked: FetchPartition, call: Call) -> PartitionData:
    partition = call.broker.partition(name, asked.partition)
    if partition is None:
        return PartitionData(partition_index=asked.partition, error_code=3, high_watermark=-1, records=b"")
    end = partition.high_watermark
    found = partition.log.read(asked.fetch_offset, asked.partition_max_bytes, end, True)
    if isinstance(found, ErrorCode):
        return PartitionData(partition_index=asked.partition, error_code=found, high_watermark=-1, records=b"")
    return PartitionData(
        partition_index=asked.partition,
        error_code=0,
        high_watermark=end,
        last_stable_offset=end,
        log_start_offset=partition.log_start_offset,
        aborted_transactions=None,
        records=found.buffers,
    )
