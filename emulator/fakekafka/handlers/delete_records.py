"""DeleteRecords, key 21: move the log start offset of partitions forward (KIP-107).

Behaviour: each partition is handled separately; -1 means the high watermark. Without an error the answer has the new
log start, which may be past the offset asked for. It waits for replicas whose replication is paused, and has error 7 if
they do not follow in time. Every release keeps the request as a map (`as_map`; recorded from 1.1.1 to 4.3.1:
odd_requests).
Versions: 0 - 2, all alike.
"""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from fakekafka.admin.record_deletion import Deletion, delete_records
from fakekafka.aside import aside
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.as_map import as_map, count_named
from fakekafka.handlers.call import WAIT_ON, Call, Result, Wait, stepwise
from fakekafka.ids import TopicName
from fakekafka.pieces import Stepwise, groups_in_turn
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)


class _Row(NamedTuple):
    """A partition, as it is answered unless it changes while the request waits."""

    result: DeleteRecordsPartitionResult
    deletion: Deletion | None = None

    def is_done(self, call: Call) -> bool:
        """Whether every replica that can has followed."""
        return self.deletion is None or self.deletion.low_watermark(call.broker) >= self.deletion.offset


@stepwise
def handle(request: DeleteRecordsRequest, call: Call) -> Stepwise[Result]:
    """Delete what can be deleted."""
    size = count_named(request.topics)
    asked = yield from aside(lambda: _asked(request), size)
    topics = yield from groups_in_turn(lambda name, partition: _delete(name, partition, call), asked)
    waiting = [row for _, rows in topics for row in rows if not row.is_done(call)]
    if not waiting:
        settled = yield from groups_in_turn(lambda _, row: _settled(row, call), topics)
        return (yield from aside(lambda: _response(settled), size))

    def resume(call: Call, expired: bool) -> DeleteRecordsResponse | Wait:
        if not (expired or all(row.is_done(call) for row in waiting)):
            return WAIT_ON
        return _response([(name, [_settled(row, call) for row in rows]) for name, rows in topics])

    keys = chain.from_iterable(row.deletion.keys for row in waiting if row.deletion is not None)
    return Wait(tuple(keys), max(0, request.timeout_ms), resume)


def _asked(request: DeleteRecordsRequest) -> list[tuple[TopicName, list[DeleteRecordsPartition]]]:
    return as_map(((topic.name, topic.partitions) for topic in request.topics), lambda one: one.partition_index)


def _delete(topic: TopicName, asked: DeleteRecordsPartition, call: Call) -> _Row:
    index = asked.partition_index
    try:
        deletion = delete_records(call.broker, topic, index, asked.offset)
    except ApiError as refused:
        return _Row(DeleteRecordsPartitionResult(partition_index=index, low_watermark=-1, error_code=refused.code))
    low_watermark = deletion.low_watermark(call.broker)
    return _Row(DeleteRecordsPartitionResult(partition_index=index, low_watermark=low_watermark), deletion)


def _response(topics: Iterable[tuple[TopicName, list[DeleteRecordsPartitionResult]]]) -> DeleteRecordsResponse:
    return DeleteRecordsResponse(
        topics=[DeleteRecordsTopicResult(name=name, partitions=partitions) for name, partitions in topics]
    )


def _settled(row: _Row, call: Call) -> DeleteRecordsPartitionResult:
    """The result in the end (DelayedDeleteRecords)."""
    result, deletion = row
    if deletion is None:
        return result
    if not deletion.partition.leads:
        result.low_watermark, result.error_code = -1, ErrorCode.NOT_LEADER_OR_FOLLOWER
    elif row.is_done(call):
        result.low_watermark = deletion.low_watermark(call.broker)
    else:
        result.error_code = ErrorCode.REQUEST_TIMED_OUT
    return result
