"""DeleteTopics, key 20: delete topics with their records (KIP-4).

Behaviour: a topic is gone at once; its directories are removed later (`storage/deletion.py`). If delete.topic.enable is
off, nothing is deleted; nor is it under KRaft if the client gives no time.
Versions: 0 - 6.
v3: a separate error code if deletion is off (KIP-322). v5: error messages. v6: topics by id, too (KIP-516).
v5: a client that deletes too many partitions gets 89 (KIP-599); older versions wait.
Not done: a real broker answers a little before it forgets the topic's id.
"""

from fakekafka.admin.deletion import ResolvedTarget, Target, look_up
from fakekafka.admin.mutation_quota import MutationQuota
from fakekafka.aside import aside
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, Wait, stepwise
from fakekafka.pieces import FEW_PER_STEP, Stepwise, in_turn
from fakekafka.state.topics import Topic
from fakekafka.wire.apis.delete_topics import DeletableTopicResult, DeleteTopicsRequest, DeleteTopicsResponse

FIRST_WITH_CODE_FOR_DISABLED = 3
FIRST_WITH_IDS = 6
FIRST_REFUSED = 5


@stepwise
def handle(request: DeleteTopicsRequest, call: Call) -> Stepwise[Result]:
    """Delete what can be deleted."""
    size = len(request.topic_names) + len(request.topics)
    targets = yield from aside(lambda: _targets(request, call), size)
    if call.reaches_controller and not call.broker.config.bool("delete.topic.enable"):
        return _while_disabled(request, targets, call)
    try:
        if not call.reaches_controller:
            raise ApiError(ErrorCode.NOT_CONTROLLER)
        if call.is_too_late(request.timeout_ms):
            raise ApiError(ErrorCode.REQUEST_TIMED_OUT)
        found = yield from aside(lambda: look_up(call.broker, targets), size)
        if call.broker.cluster.controller_has_failed and any(isinstance(each.result, Topic) for each in found):
            raise ApiError(ErrorCode.NOT_CONTROLLER)
    except ApiError as refused:
        error = refused.code
        return (yield from aside(lambda: _all_refused(targets, error), size))
    quota = call.mutation_quota(FIRST_REFUSED)
    resolved = yield from in_turn(lambda each: each._replace(result=_unless_too_many(each.result, quota)), found)
    call.throttle_ms = quota.wait_ms
    cluster = call.broker.cluster
    topics = list({each.result.name: each.result for each in resolved if isinstance(each.result, Topic)}.values())
    for n in range(0, len(topics), FEW_PER_STEP):
        cluster.remove_topics(
            topic for topic in topics[n : n + FEW_PER_STEP] if cluster.topics.get(topic.name) is topic
        )
        if n + FEW_PER_STEP < len(topics):
            yield
    hurried = _waits(call) and request.timeout_ms <= 0
    return (yield from aside(lambda: _response(resolved, hurried=hurried), size))


def _unless_too_many(result: Topic | ApiError, quota: MutationQuota) -> Topic | ApiError:
    """Count the partitions of a topic that is to be deleted."""
    if isinstance(result, ApiError):
        return result
    try:
        quota.use(len(result.partitions))
    except ApiError as refused:
        return refused
    return result


def _targets(request: DeleteTopicsRequest, call: Call) -> list[Target]:
    if call.version < FIRST_WITH_IDS:
        return [Target(name) for name in request.topic_names]
    return [Target(topic.name, topic.topic_id) for topic in request.topics]


def _waits(call: Call) -> bool:
    """Whether the answer waits until the topic is gone, if the client gives it time."""
    return not call.profile.admin.by_controllers


def _while_disabled(request: DeleteTopicsRequest, targets: list[Target], call: Call) -> DeleteTopicsResponse | Wait:
    if call.profile.topics.deletion_disabled == "refused":
        has_code = call.version >= FIRST_WITH_CODE_FOR_DISABLED
        return _all_refused(targets, ErrorCode.TOPIC_DELETION_DISABLED if has_code else ErrorCode.INVALID_REQUEST)
    targeted = look_up(call.broker, targets)
    if request.timeout_ms > 0 and any(isinstance(each.result, Topic) for each in targeted):
        return Wait((), request.timeout_ms, lambda call, expired: _response(targeted, hurried=True))
    return _response(targeted, hurried=True)


def _all_refused(targets: list[Target], error: ErrorCode) -> DeleteTopicsResponse:
    return _response([ResolvedTarget(target.name, target.id, ApiError(error)) for target in targets], hurried=False)


def _response(resolved: list[ResolvedTarget], *, hurried: bool) -> DeleteTopicsResponse:
    """`hurried`: whether the client's time ran out before the topics were gone."""
    return DeleteTopicsResponse(responses=[_result(each, hurried) for each in resolved])


def _result(resolved: ResolvedTarget, hurried: bool) -> DeletableTopicResult:
    error = resolved.result if isinstance(resolved.result, ApiError) else None
    if error is None and hurried:
        error = ApiError(ErrorCode.REQUEST_TIMED_OUT)
    result = DeletableTopicResult(name=resolved.name, topic_id=resolved.id)
    if error is not None:
        result.error_code, result.error_message = error.code, error.message
    return result
