"""Deleting topics, by name or by id.

A ZooKeeper broker checks each item on its own; a KRaft controller refuses what is named twice, and says why.
"""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.cluster.known_topics import known_topic
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import ZERO_UUID, TopicName, Uuid
from fakekafka.state.topics import Topic

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class Target(NamedTuple):
    """One topic to delete: by name, or by id if there is no name."""

    name: TopicName | None
    id: Uuid = ZERO_UUID


class ResolvedTarget(NamedTuple):
    """The outcome for one target, as the answer names it."""

    name: TopicName | None
    id: Uuid
    result: Topic | ApiError
    """The topic to delete, or why it cannot be deleted."""


def look_up(broker: "Broker", targets: list[Target]) -> list[ResolvedTarget]:
    """Find the topics that are meant, without deleting them. Raises `ApiError` if the request as a whole is refused."""
    if broker.profile.admin.by_controllers:
        return _by_controller(broker, targets)
    if any(target.name is not None and target.id != ZERO_UUID for target in targets):
        raise ApiError(ErrorCode.INVALID_REQUEST)
    return [_by_broker(broker, target) for target in targets]


def _by_broker(broker: "Broker", target: Target) -> ResolvedTarget:
    """KafkaApis.handleDeleteTopicsRequest."""
    cluster = broker.cluster
    if target.id == ZERO_UUID:
        if target.name is None:
            return ResolvedTarget(None, ZERO_UUID, ApiError(broker.profile.topics.deleted_without_name))
        unknown = ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return ResolvedTarget(target.name, ZERO_UUID, known_topic(broker, target.name) or unknown)
    if broker.profile.topics.deleting_needs_protocol and not broker.has_topic_ids:
        words = "Topic IDs are not supported on the server."
        return ResolvedTarget(None, target.id, ApiError(ErrorCode.UNSUPPORTED_VERSION, words))
    topic = cluster.topic_with_id(target.id)
    if topic is None:
        return ResolvedTarget(None, target.id, ApiError(ErrorCode.UNKNOWN_TOPIC_ID))
    return ResolvedTarget(topic.name, target.id, topic)


def _by_controller(broker: "Broker", targets: list[Target]) -> list[ResolvedTarget]:
    """ControllerApis.deleteTopics. The real one shuffles its answer."""
    by_id = {target.id for target in targets if target.name is None}
    outcomes: list[ResolvedTarget] = []
    for target, count in Counter(targets).items():
        outcome, by_one = _looked_up(broker, target), (target.name is None) != (target.id == ZERO_UUID)
        if by_one and count > 1:
            outcomes.append(_refused_twice(target))
        elif target.name is not None and isinstance(outcome.result, Topic) and outcome.id in by_id:
            outcomes.append(_refused_by_name(outcome))
        else:
            outcomes += [outcome] * count
    return _without_refused(outcomes)


def _refused_twice(target: Target) -> ResolvedTarget:
    words = "Duplicate topic name." if target.name is not None else "Duplicate topic id."
    return ResolvedTarget(target.name, target.id, ApiError(ErrorCode.INVALID_REQUEST, words))


def _refused_by_name(outcome: ResolvedTarget) -> ResolvedTarget:
    words = "The provided topic name maps to an ID that was already supplied."
    return outcome._replace(result=ApiError(ErrorCode.INVALID_REQUEST, words))


def _without_refused(outcomes: list[ResolvedTarget]) -> list[ResolvedTarget]:
    """A topic that is named by name and by id in one request is not deleted; only its name is answered."""
    refused = {each.id for each in outcomes if each.name is not None and isinstance(each.result, ApiError)}
    return [each for each in outcomes if isinstance(each.result, ApiError) or each.id not in refused]


def _looked_up(broker: "Broker", target: Target) -> ResolvedTarget:
    cluster = broker.cluster
    if target.name is not None and target.id != ZERO_UUID:
        words = "You may not specify both topic name and topic id."
        return ResolvedTarget(target.name, target.id, ApiError(ErrorCode.INVALID_REQUEST, words))
    if target.name is not None:
        topic = cluster.topics.get(target.name)
        if topic is not None:
            return ResolvedTarget(topic.name, topic.id, topic)
        words = "This server does not host this topic-partition."
        return ResolvedTarget(target.name, ZERO_UUID, ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, words))
    if target.id == ZERO_UUID:
        words = "Neither topic name nor id were specified."
        return ResolvedTarget(None, ZERO_UUID, ApiError(broker.profile.topics.deleted_without_name, words))
    topic = cluster.topics_by_id.get(target.id)
    if topic is not None:
        return ResolvedTarget(topic.name, topic.id, topic)
    return ResolvedTarget(
        None, target.id, ApiError(ErrorCode.UNKNOWN_TOPIC_ID, "This server does not host this topic ID.")
    )
