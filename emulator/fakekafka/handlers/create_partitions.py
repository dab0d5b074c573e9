"""CreatePartitions, key 37: give topics more partitions (KIP-195).

Behaviour: each topic is handled separately; one that is named twice is refused. Waits for leaders as CreateTopics does,
and has no effect where that has none.
Versions: 0 - 3.
v3: a client that creates too many gets 89 (KIP-599); older versions wait.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from fakekafka.cluster.topic_creation.creation import Count, add_partitions
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

FIRST_REFUSED = 3


def handle(request: CreatePartitionsRequest, call: Call) -> CreatePartitionsResponse | Wait:
    """Add the partitions that can be added."""
    if not call.reaches_controller:
        refused = ApiError(ErrorCode.NOT_CONTROLLER)
        return _response({topic.name: refused for topic in request.topics})
    if call.is_too_late(request.timeout_ms):
        too_late = ApiError(ErrorCode.REQUEST_TIMED_OUT)
        return _response({topic.name: too_late for topic in request.topics})
    named = Counter(topic.name for topic in request.topics)
    twice = ApiError(ErrorCode.INVALID_REQUEST, call.profile.words.same_topic_twice)
    quota, room = call.mutation_quota(FIRST_REFUSED), Room(call.broker)
    done = {
        topic.name: twice if named[topic.name] > 1 else _add(topic, quota.use, room, request.validate_only, call)
        for topic in request.topics
    }
    call.throttle_ms = quota.wait_ms
    if request.validate_only or call.profile.admin.by_controllers:
        return _response(done)
    if request.timeout_ms > 0 and any(map(_lacks_leader, done.values())):
        return Wait((), request.timeout_ms, lambda call, expired: _response(done, too_late=_lacks_leader))
    return _response(done, too_late=lambda result: request.timeout_ms <= 0)


def _add(
    topic: CreatePartitionsTopic, count_new: Count, room: Room, validate_only: bool, call: Call
) -> Topic | ApiError:
    wanted = None if topic.assignments is None else [list(a.broker_ids) for a in topic.assignments]
    try:
        return add_partitions(
            call.broker, topic.name, topic.count, wanted, count_new, room, validate_only=validate_only
        )
    except ApiError as refused:
        return refused


def _lacks_leader(result: Topic | ApiError) -> bool:
    return isinstance(result, Topic) and any(state.leader == NO_LEADER for state in result.partitions)


def _response(
    done: Mapping[TopicName, Topic | ApiError], too_late: Callable[[Topic], bool] = lambda topic: False
) -> CreatePartitionsResponse:
    """`too_late`: whether the client's time ran out before this topic had its leaders."""
    results = []
    for name, result in done.items():
        error = ApiError(ErrorCode.NONE) if isinstance(result, Topic) else result
        if isinstance(result, Topic) and too_late(result):
            error = ApiError(ErrorCode.REQUEST_TIMED_OUT)
        results.append(CreatePartitionsTopicResult(name=name, error_code=error.code, error_message=error.message))
    return CreatePartitionsResponse(results=results)
