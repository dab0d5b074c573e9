"""Metadata, key 3: brokers, the controller, topics with their partitions and leaders.

Behaviour: a missing topic is created, with the broker's defaults, if the broker's configuration and the request allow
it; the answer that creates it has no partitions yet. Internal topics are created with the broker's settings
for them. Existing topics come first, then the others.
Versions: 0 - 13.
v0: an empty list asks for all topics; a partition with replicas on brokers that are not running has error 9.
v1: null asks for all topics.
v4: the client may forbid creation.
v6: a partition without a leader may have error 72.
v8-10: authorized operations on the cluster, if asked for; on topics, missing ones included, from 8 on (recorded from
2.3.1 to 4.3.1: odd_requests). Without an authorizer: all of them.
v10, v11: topic ids are refused: error 42 in the form of a failed request; 2.8.0 does not read them. v12: served; if
there is one id, topics given by name are ignored (KIP-516).

A very large answer is made in steps, between which other clients get their turn.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from fakekafka.admin.authorized import CLUSTER_OPERATIONS, TOPIC_OPERATIONS
from fakekafka.cluster.known_topics import known_partitions, known_topic, known_topics
from fakekafka.cluster.topic_creation.auto_creation import check_creation, create_missing
from fakekafka.cluster.topic_creation.topic_names import is_legal
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, in_steps
from fakekafka.handlers.orders.metadata import listed_brokers, listed_partitions
from fakekafka.ids import NO_EPOCH, ZERO_UUID, TopicName, Uuid
from fakekafka.pieces import Stepwise
from fakekafka.state.topics import NO_LEADER, PartitionState, Topic
from fakekafka.wire.apis.metadata import (
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

FIRST_OF_KIP_4 = 1
"""In lower versions, an empty list asks for all topics, and an offline replica is left out of its partition, which has
an error.
"""
FIRST_WITH_LISTENER_ERRORS = 6
FIRST_WITH_TOPIC_IDS = 12
PER_STEP: Final = 1000
"""How many partitions, or topics without any, are described in one step."""


def handle(request: MetadataRequest, call: Call) -> Result:
    """Answer the metadata of the requested topics."""
    asked = None if request.topics is None or (call.version < FIRST_OF_KIP_4 and not request.topics) else request.topics
    if asked is not None and call.version < FIRST_WITH_TOPIC_IDS and call.profile.metadata.early_ids == "ignored":
        if any(topic.name is None for topic in asked):
            return Outcome.HANG
        for topic in asked:
            topic.topic_id = ZERO_UUID
    if asked is not None and (error := _unreadable(asked, call.version)) is not None:
        return _refused(asked, error)
    return in_steps(_answered(request, asked, call))


def _answered(request: MetadataRequest, asked: list[MetadataRequestTopic] | None, call: Call) -> Stepwise[Result]:
    brokers = [] if _knows_no_brokers(call) else _brokers(call)
    topics = yield from _topics(request, asked, call)
    cluster, rules = call.broker.cluster, call.profile.metadata
    if rules.bad_name_spoils == "all" and any(t.error_code == ErrorCode.INVALID_TOPIC_EXCEPTION for t in topics):
        return _refused(asked or (), ErrorCode.INVALID_TOPIC_EXCEPTION)
    not_asked = rules.operations_not_asked_for
    return MetadataResponse(
        brokers=brokers,
        cluster_id=cluster.id,
        controller_id=cluster.shown_controller_id,
        topics=topics,
        cluster_authorized_operations=(
            CLUSTER_OPERATIONS if request.include_cluster_authorized_operations else not_asked
        ),
    )


# ---- what cannot be answered


def _unreadable(asked: Iterable[MetadataRequestTopic], version: int) -> ErrorCode | None:
    """The error of a request that makes the handler fail."""
    if version < FIRST_WITH_TOPIC_IDS:
        bad = any(topic.name is None or topic.topic_id != ZERO_UUID for topic in asked)
        return ErrorCode.INVALID_REQUEST if bad else None
    if any(topic.topic_id != ZERO_UUID for topic in asked):
        return None
    return ErrorCode.UNKNOWN_SERVER_ERROR if any(topic.name is None for topic in asked) else None


def _refused(asked: Iterable[MetadataRequestTopic], error: ErrorCode) -> MetadataResponse:
    """The form of a failed request (MetadataRequest.getErrorResponse)."""
    topics = [
        MetadataResponseTopic(error_code=error, name=t.name or "", topic_id=t.topic_id, partitions=[]) for t in asked
    ]
    return MetadataResponse(brokers=[], topics=topics, error_code=error)


# ---- brokers


def _knows_no_brokers(call: Call) -> bool:
    return not call.broker.cluster.topics and not call.profile.metadata.brokers_without_topics


def _brokers(call: Call) -> list[MetadataResponseBroker]:
    return [
        MetadataResponseBroker(node_id=b.node_id, **call.endpoint_of(b), rack=b.shown_rack)
        for b in listed_brokers(call)
    ]


# ---- topics


def _topics(
    request: MetadataRequest, asked: list[MetadataRequestTopic] | None, call: Call
) -> Stepwise[list[MetadataResponseTopic]]:
    if asked is None:
        return (yield from _described(list(known_topics(call.broker).values()), request, call))
    if any(topic.topic_id != ZERO_UUID for topic in asked):
        return (yield from _by_id([topic.topic_id for topic in asked if topic.topic_id != ZERO_UUID], request, call))
    names = dict.fromkeys(topic.name or "" for topic in asked)
    there = {name: topic for name in names if (topic := known_topic(call.broker, name)) is not None}
    missing = [name for name in names if name not in there]
    described = yield from _described(there.values(), request, call)
    return described + (yield from _all_missing(missing, request, call)) if missing else described


def _all_missing(
    names: Sequence[TopicName], request: MetadataRequest, call: Call
) -> Stepwise[list[MetadataResponseTopic]]:
    refused = _refusal_of_creation(names, call) if _creates(request, call) else None
    made = []
    for name in names:
        missing = _missing(name, request, call, refused)
        if request.include_topic_authorized_operations:
            missing.topic_authorized_operations = TOPIC_OPERATIONS
        made.append(missing)
        if len(made) % PER_STEP == 0:
            yield
    return made


def _creates(request: MetadataRequest, call: Call) -> bool:
    return request.allow_auto_topic_creation and call.broker.config.bool("auto.create.topics.enable")


def _refusal_of_creation(missing: Sequence[TopicName], call: Call) -> ErrorCode | None:
    """The error of all topics if there are too many to create; otherwise None."""
    try:
        check_creation(call.broker, missing)
    except ApiError as refused:
        return _seen(refused, call)
    return None


def _seen(refused: ApiError, call: Call) -> ErrorCode:
    """The error that the client sees: under KRaft the controllers refuse a topic after the answer has been given."""
    seen = not call.profile.admin.by_controllers or refused.code == ErrorCode.INVALID_TOPIC_EXCEPTION
    return refused.code if seen else call.profile.metadata.auto_created


def _by_id(ids: Iterable[Uuid], request: MetadataRequest, call: Call) -> Stepwise[list[MetadataResponseTopic]]:
    known = call.broker.cluster.topic_ids_known_to(call.broker.node_id)
    made: list[MetadataResponseTopic] = []
    for topic_id in ids:
        if (topic := known.get(topic_id)) is not None:
            made += yield from _described([topic], request, call)
        else:
            made.append(_without_partitions(None, ErrorCode.UNKNOWN_TOPIC_ID, call, topic_id))
        if len(made) % PER_STEP == 0:
            yield
    return made


def _missing(
    name: TopicName, request: MetadataRequest, call: Call, all_refused: ErrorCode | None
) -> MetadataResponseTopic:
    rules = call.profile.metadata
    legal = is_legal(call.profile, name)
    if all_refused is not None and legal:
        return _without_partitions(name, all_refused, call)
    if _creates(request, call) or (name in rules.internal_topics and rules.internal_always_created):
        try:
            create_missing(call.broker, name)
        except ApiError as refused:
            return _without_partitions(name, _seen(refused, call), call)
        return _without_partitions(name, rules.auto_created, call)
    error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if legal else rules.bad_name_not_created
    return _without_partitions(name, error, call)


def _without_partitions(
    name: TopicName | None, error: ErrorCode, call: Call, topic_id: bytes = ZERO_UUID
) -> MetadataResponseTopic:
    rules = call.profile.metadata
    return MetadataResponseTopic.fast({
        "error_code": error,
        "name": name,
        "topic_id": topic_id,
        "is_internal": name in rules.internal_topics,
        "partitions": [],
        "topic_authorized_operations": rules.operations_not_asked_for,
    })  # fmt: skip


def _described(topics: Iterable[Topic], request: MetadataRequest, call: Call) -> Stepwise[list[MetadataResponseTopic]]:
    made, left = [], PER_STEP
    orders = None  # is found once, and only if it matters
    for topic in topics:
        partitions = []
        for state in known_partitions(call.broker, topic):
            partitions.append(_partition(topic, state, call))
            left -= 1
            if not left:
                left = PER_STEP
                yield
        if len(partitions) > 1:
            orders = orders or call.profile.metadata_orders
            partitions = listed_partitions(topic, partitions, orders, call)
        made.append(_topic(topic, partitions, request, call))
    return made


def _topic(
    topic: Topic, partitions: list[MetadataResponsePartition], request: MetadataRequest, call: Call
) -> MetadataResponseTopic:
    rules = call.profile.metadata
    return MetadataResponseTopic.fast({
        "error_code": ErrorCode.NONE,
        "name": topic.name,
        "topic_id": topic.id,
        "is_internal": topic.name in rules.internal_topics,
        "partitions": partitions,
        "topic_authorized_operations": (
            TOPIC_OPERATIONS if request.include_topic_authorized_operations else rules.operations_not_asked_for
        ),
    })  # fmt: skip


def _partition(topic: Topic, state: PartitionState, call: Call) -> MetadataResponsePartition:
    cluster, rules, node_id = call.broker.cluster, call.profile.metadata, call.broker.node_id
    state = cluster.as_known_to(node_id, state)
    leads = cluster.leader_known_to(node_id, state) is not None
    offline = cluster.offline_replicas(node_id, topic.name, state)
    replicas = sorted(state.replicas) if rules.replicas_sorted else state.replicas
    error = ErrorCode.NONE
    isr = state.isr if rules.isr_shown == "current" else state.isr_of_epoch
    if not leads:
        error = rules.leaderless if call.version >= FIRST_WITH_LISTENER_ERRORS else ErrorCode.LEADER_NOT_AVAILABLE
        isr = isr if rules.leaderless_isr == "kept" else []
    elif offline and call.version < FIRST_OF_KIP_4:
        error = ErrorCode.REPLICA_NOT_AVAILABLE
    return MetadataResponsePartition.fast({
        "error_code": error,
        "partition_index": state.index,
        "leader_id": state.leader if leads else NO_LEADER,
        "leader_epoch": state.leader_epoch if leads or rules.leaderless_epoch else NO_EPOCH,
        "replica_nodes": [n for n in replicas if n not in offline] if call.version < FIRST_OF_KIP_4 else replicas,
        "isr_nodes": isr,
        "offline_replicas": offline,
    })  # fmt: skip
