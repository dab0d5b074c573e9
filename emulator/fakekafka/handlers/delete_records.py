"""DeleteRecords, key 21: move the log start offset of partitions forward (KIP-107).

Behaviour: each partition is handled separately; -1 means the high watermark. Without an error the answer has the new
log start, which may be past the offset asked for. Every release keeps the request as a map (`as_map`; recorded from
1.1.1 to 4.3.1: odd_requests).
Versions: 0 - 2, all alike.
Not done: waiting for replicas, which follow at once here.
"""

from fakekafka.admin.record_deletion import delete_records
from fakekafka.errors import ApiError
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicName
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)


def handle(request: DeleteRecordsRequest, call: Call) -> DeleteRecordsResponse:
    """Delete what can be deleted."""
    asked = as_map(((topic.name, topic.partitions) for topic in request.topics), lambda one: one.partition_index)
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(name=name, partitions=[_delete(name, partition, call) for partition in partitions])
            for name, partitions in asked
        ]
    )


def _delete(topic: TopicName, asked: DeleteRecordsPartition, call: Call) -> DeleteRecordsPartitionResult:
    index = asked.partition_index
    try:
        start = delete_records(call.broker, topic, index, asked.offset)
    except ApiError as refused:
        return DeleteRecordsPartitionResult(partition_index=index, low_watermark=-1, error_code=refused.code)
    return DeleteRecordsPartitionResult(partition_index=index, low_watermark=start)
