"""CreateTopics, key 19: create topics, or check whether that could be done (KIP-4, KIP-108).

Behaviour: each topic is handled separately. Under ZooKeeper the broker that is the controller creates and then waits
until every partition has a leader; without time, or without leaders, the error is 7 although the topic exists. Under
KRaft the controllers decide and nothing waits; without time they do nothing, and the error is 7.
Versions: 0 - 7.
v0: no error messages. v1: error messages; `validate_only`.
v5: what was created: partitions, replicas and all configs of the topic (KIP-525).
v6: a client that creates too many gets 89 (KIP-599); older versions wait.
v7: the topic's id (KIP-516); under KRaft also for a topic that was only validated.
Not done: policies.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeAlias

from fakekafka.admin.config_view import ConfigEntry, topic_entries
from fakekafka.aside import aside
from fakekafka.cluster.topic_creation.creation import Created, create_topics
from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import WAIT_ON, Call, Outcome, Result, Wait, stepwise
from fakekafka.ids import ZERO_UUID, DurationMs, TopicName, Uuid
from fakekafka.jvm.chains import texts_through
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.create_topics import (
    CreatableTopic,
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsRequest,
    CreateTopicsResponse,
)

FIRST_WITH_DETAILS = 5
FIRST_REFUSED = 6
ShowConfigs: TypeAlias = Callable[[tuple[tuple[str, str], ...]], list[CreatableTopicConfigs]]


@stepwise
def handle(request: CreateTopicsRequest, call: Call) -> Stepwise[Result]:
    """Create what can be created."""
    size = sum(1 + len(topic.assignments) + len(topic.configs) for topic in request.topics)
    asked = yield from aside(lambda: list(map(_new_topic, request.topics)), size)
    rules = call.profile.topics
    validate_only = request.validate_only and rules.validate_only_heeded
    if not rules.null_configs_read and any(new.null_configs for new in asked):
        return Outcome.CLOSE
    if not call.reaches_controller:
        elsewhere = ApiError(ErrorCode.NOT_CONTROLLER, call.profile.admin.creation_elsewhere)
        return CreateTopicsResponse(topics=[_refused(new.name, elsewhere) for new in asked])
    if call.is_too_late(request.timeout_ms):
        too_late = ApiError(ErrorCode.REQUEST_TIMED_OUT)
        return CreateTopicsResponse(topics=[_refused(new.name, too_late) for new in asked])
    quota = call.mutation_quota(FIRST_REFUSED)
    unique = asked if rules.named_twice_refused else list({new.name: new for new in asked}.values())
    turns = yield from aside(lambda: _turns(unique, call), size)
    ordered = [unique[n] for n in turns]
    try:
        made = yield from create_topics(
            call.broker, ordered, call.client_id, validate_only=validate_only, count=quota.use
        )
    except ApiError as refused:
        return CreateTopicsResponse(topics=[_refused(new.name, refused) for new in asked])
    call.throttle_ms = quota.wait_ms
    done = [one for _, one in sorted(zip(turns, made, strict=True), key=itemgetter(0))]
    results = list(zip([new.name for new in unique], done, strict=True))
    if rules.created_twice == "once":
        results = list(dict(results).items())
    if not rules.named_twice_refused:
        results += _refused_again(dict(results), [new.name for new in asked])
    waits = not call.profile.admin.by_controllers
    if waits and request.timeout_ms > 0 and not _are_ready(done):
        return _until_ready(results, request.timeout_ms)
    if not waits and call.broker.cluster.pace is not None and not _are_ready(done):
        return _until_ready(results, None)  # brokers know about the topic by the time the controllers answer
    return _response(results, call, hurried=waits and request.timeout_ms <= 0)


def _turns(topics: Sequence[NewTopic], call: Call) -> list[int]:
    """The numbers of the topics in the order in which these are created."""
    names = dict.fromkeys(new.name for new in topics)
    if len(names) > 1:
        names = dict.fromkeys(texts_through(call.profile.admin_orders.creation, names))
    places = {name: place for place, name in enumerate(names)}
    return sorted(range(len(topics)), key=lambda n: places[topics[n].name])


def _refused_again(
    done: Mapping[TopicName, Created | ApiError], names: list[TopicName]
) -> list[tuple[TopicName, Created | ApiError]]:
    """The refusals of topics that are named more than once."""
    seen: set[TopicName] = set()
    again = []
    for name in names:
        if name in seen and isinstance(done[name], ApiError):
            again.append((name, done[name]))
        seen.add(name)
    return again


def _are_ready(done: Iterable[Created | ApiError]) -> bool:
    return all(isinstance(one, ApiError) or one.is_ready for one in done)


def _until_ready(results: list[tuple[TopicName, Created | ApiError]], timeout_ms: DurationMs | None) -> Wait:
    """Wait until every partition has a leader."""
    done = [one for _, one in results]

    def resume(call: Call, expired: bool) -> Result:
        return _response(results, call, hurried=False) if expired or _are_ready(done) else WAIT_ON

    keys = tuple(one.topic for one in done if isinstance(one, Created) and one.topic is not None)
    return Wait(keys, timeout_ms, resume)


def _new_topic(topic: CreatableTopic) -> NewTopic:
    return NewTopic(
        topic.name,
        topic.num_partitions,
        topic.replication_factor,
        tuple((assignment.partition_index, list(assignment.broker_ids)) for assignment in topic.assignments),
        tuple((config.name, config.value) for config in topic.configs),
    )


def _response(
    results: list[tuple[TopicName, Created | ApiError]], call: Call, *, hurried: bool
) -> CreateTopicsResponse:
    """`hurried`: whether the client gave no time to wait for leaders."""
    topics = []
    configs = cache(lambda overrides: _configs(dict(overrides), call))
    for name, done in results:
        if isinstance(done, ApiError):
            topics.append(_refused(name, done))
            if (
                done.code is ErrorCode.TOPIC_AUTHORIZATION_FAILED
                and call.profile.authorization.refused_topic_has_config_error
            ):
                topics[-1].topic_config_error_code = done.code
        elif (not done.is_ready and not call.profile.admin.by_controllers) or (hurried and done.topic is not None):
            topics.append(_refused(name, ApiError(ErrorCode.REQUEST_TIMED_OUT), _topic_id(done, call)))
        else:
            topics.append(_created(name, done, call, configs))
    return CreateTopicsResponse(topics=topics)


def _refused(name: TopicName, refused: ApiError, topic_id: Uuid = ZERO_UUID) -> CreatableTopicResult:
    return CreatableTopicResult(
        name=name, topic_id=topic_id, error_code=refused.code, error_message=refused.message, configs=[]
    )


def _created(name: TopicName, done: Created, call: Call, configs: ShowConfigs) -> CreatableTopicResult:
    """`configs`: shows those of a topic, which many have in common."""
    result = CreatableTopicResult(name=name, topic_id=_topic_id(done, call), error_message=None)
    if call.version >= FIRST_WITH_DETAILS:
        result.num_partitions = len(done.plan.replicas)
        result.replication_factor = len(next(iter(done.plan.replicas.values())))
        shown = call.profile.topics.created_configs_shown
        result.configs = configs(tuple(done.plan.overrides.items())) if shown else []
    return result


def _configs(overrides: Mapping[str, str], call: Call) -> list[CreatableTopicConfigs]:
    as_given = overrides if call.profile.admin.by_controllers else {}
    entries = topic_entries(call.broker, overrides, hidden=call.profile.topics.hidden_configs_shown)
    return [_config(entry, as_given.get(entry.name, entry.value)) for entry in entries]


def _topic_id(done: Created, call: Call) -> Uuid:
    if done.topic is not None:
        return done.topic.id
    return call.broker.cluster.random.randbytes(16) if call.profile.admin.by_controllers else ZERO_UUID


def _config(entry: ConfigEntry, value: str | None) -> CreatableTopicConfigs:
    return CreatableTopicConfigs(
        name=entry.name,
        value=value,
        read_only=entry.read_only,
        config_source=entry.source,
        is_sensitive=entry.sensitive,
    )
