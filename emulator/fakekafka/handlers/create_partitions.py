"""CreatePartitions, key 37: give topics more partitions (KIP-195).

Behaviour: each topic is handled separately; one that is named twice is refused. Waits for leaders as CreateTopics does,
and has no effect where that has none. Under ZooKeeper a name that cannot be looked up fails the whole request: what
came before it is done, and the answer does not tell.
Versions: 0 - 3.
v3: a client that creates too many gets 89 (KIP-599); older versions wait.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from fakekafka.cluster.topic_creation.creation import Count, add_partitions
from fakekafka.cluster.topic_creation.request_bounds import Room
from fakekafka.cluster.topic_creation.zookeeper_paths import path_refused
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Wait
from fakekafka.ids import TopicName
from fakekafka.jvm.maps import MapKind, texts_in_order
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
    done = _added(request, call)
    if isinstance(done, ApiError):
        return _all_refused(request.topics, done, call)
    if request.validate_only or call.profile.admin.by_controllers:
        return _response(done)
    if request.timeout_ms > 0 and any(map(_lacks_leader, done.values())):
        return Wait((), request.timeout_ms, lambda call, expired: _response(done, too_late=_lacks_leader))
    return _response(done, too_late=lambda result: request.timeout_ms <= 0)


def _added(request: CreatePartitionsRequest, call: Call) -> dict[TopicName, Topic | ApiError] | ApiError:
    """What became of each topic, or why the whole request fails."""
    only_validates = request.validate_only and call.profile.topics.growth_validated
    named = Counter(topic.name for topic in request.topics)
    twice = ApiError(ErrorCode.INVALID_REQUEST, call.profile.words.same_topic_twice)
    quota, room = call.mutation_quota(FIRST_REFUSED), Room(call.broker)
    done: dict[TopicName, Topic | ApiError] = {}
    for topic in _in_order(request.topics, call):
        if named[topic.name] > 1:
            done[topic.name] = twice
            continue
        if not call.profile.admin.by_controllers and (failed := path_refused(call.broker, topic.name)) is not None:
            return failed
        done[topic.name] = _add(topic, quota.use, room, only_validates, call)
    call.throttle_ms = quota.wait_ms
    return done


def _in_order(topics: Sequence[CreatePartitionsTopic], call: Call) -> list[CreatePartitionsTopic]:
    """The topics in the order in which they are handled; of those with one name, only one."""
    by_name = {topic.name: topic for topic in topics}
    match call.profile.topics.growth_kept:
        case "as a map":
            return [by_name[name] for name in texts_in_order(by_name, MapKind.JAVA)]
        case "as a list":
            return list(by_name.values())
        case how:
            assert_never(how)


def _all_refused(topics: Sequence[CreatePartitionsTopic], refused: ApiError, call: Call) -> CreatePartitionsResponse:
    """The answer to a request that fails as a whole."""
    names = [topic.name for topic in topics]
    listed = dict.fromkeys(names) if call.profile.topics.growth_kept == "as a map" else names
    return CreatePartitionsResponse(results=[_refused(name, refused) for name in listed])


def _refused(name: TopicName, refused: ApiError) -> CreatePartitionsTopicResult:
    return CreatePartitionsTopicResult(name=name, error_code=refused.code, error_message=refused.message)


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
        results.append(_refused(name, error))
    return CreatePartitionsResponse(results=results)
