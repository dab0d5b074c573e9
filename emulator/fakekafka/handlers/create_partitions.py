"""CreatePartitions, key 37: give topics more partitions (KIP-195).

Behaviour: each topic stands for itself; one that is named twice is refused. Waits for leaders as CreateTopics does.
Versions: 0 - 3, all alike.
Not done: quotas on creation (KIP-599).
"""

from collections import Counter
from collections.abc import Callable, Mapping

from fakekafka.cluster.topic_creation.creation import add_partitions
from fakekafka.cluster.topic_creation.request_bounds import Room
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Wait
from fakekafka.ids import TopicName
from fakekafka.state.topics import NO_LEADER, Topic
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreatePartitionsTopicResult,
)


def handle(request: CreatePartitionsRequest, call: Call) -> CreatePartitionsResponse | Wait:
    """Add the partitions that can be added."""
    if not call.reaches_controller:
        refused = ApiError(ErrorCode.NOT_CONTROLLER)
        return _response({topic.name: refused for topic in request.topics})
    named = Counter(topic.name for topic in request.topics)
    twice = ApiError(ErrorCode.INVALID_REQUEST, call.profile.words.same_topic_twice)
    room = Room(call.broker)
    done = {
        topic.name: twice if named[topic.name] > 1 else _add(topic, room, request.validate_only, call)
        for topic in request.topics
    }
    if request.validate_only or call.profile.admin.by_controllers:
        return _response(done)
    if request.timeout_ms > 0 and any(map(_lacks_leader, done.values())):
        return Wait((), request.timeout_ms, lambda call, expired: _response(done, too_late=_lacks_leader))
    return _response(done, too_late=lambda result: request.timeout_ms <= 0)


def _add(topic: CreatePartitionsTopic, room: Room, validate_only: bool, call: Call) -> Topic | ApiError:
    assignments = None if topic.assignments is None else [list(a.broker_ids) for a in topic.assignments]
    try:
        return add_partitions(call.broker, topic.name, topic.count, assignments, room, validate_only=validate_only)
    except ApiError as refused:
        return refused


def _lacks_leader(result: Topic | ApiError) -> bool:
    return isinstance(result, Topic) and any(state.leader == NO_LEADER for state in result.partitions)


def _response(
    done: Mapping[TopicName, Topic | ApiError], too_late: Callable[[Topic], bool] = lambda topic: False
) -> CreatePartitionsResponse:
    """`too_late`: had the client no time to wait for this topic?"""
    results = []
    for name, result in done.items():
        error = ApiError(ErrorCode.NONE) if isinstance(result, Topic) else result
        if isinstance(result, Topic) and too_late(result):
            error = ApiError(ErrorCode.REQUEST_TIMED_OUT)
        results.append(CreatePartitionsTopicResult(name=name, error_code=error.code, error_message=error.message))
    return CreatePartitionsResponse(results=results)
