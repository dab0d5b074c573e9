"""Creating topics and adding partitions: the requests and their results.

Under ZooKeeper the broker that is the controller decides (`zookeeper_rules`); under KRaft the controllers do
(`kraft_rules`), with other messages and another order of checks. Each topic is planned before anything is changed.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fakekafka.cluster.failed_controller import check_controller, check_names
from fakekafka.cluster.topic_creation import kraft_rules, zookeeper_rules
from fakekafka.cluster.topic_creation.new_topics import NewTopic, Plan
from fakekafka.cluster.topic_creation.request_bounds import Room, check_asked, check_own_limit, check_plans
from fakekafka.cluster.topic_creation.topic_names import check_no_metadata_topic
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, TopicName
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.pieces import FEW_PER_STEP, Stepwise
from fakekafka.state.topics import Topic

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


Count: TypeAlias = Callable[[int], None]
"""Counts partitions that are created or deleted. Raises `ApiError` 89 if they are too many (KIP-599)."""


class Created(NamedTuple):
    """A topic that was created, or could be."""

    plan: Plan
    topic: Topic | None
    """None if the topic was only validated."""

    @property
    def is_ready(self) -> bool:
        """Whether every partition has a leader."""
        return self.topic is None or all(state.leader >= 0 for state in self.topic.partitions)


def create_topics(
    broker: "Broker",
    asked: list[NewTopic],
    client_id: str | None,
    *,
    validate_only: bool,
    count: Count = lambda partitions: None,
) -> Stepwise[list[Created | ApiError]]:
    """Create topics, or only check whether that could be done, in the order of the request. Raises `ApiError` if the
    request as a whole is refused.
    """
    named = Counter(new.name for new in asked)
    twice = texts_in_order((name for name, count in named.items() if count > 1), MapKind.JAVA)
    check_controller(broker)
    check_asked(broker, (new for new in asked if new.name not in twice))
    check_names(broker, (new.name for new in asked))
    words = broker.profile.words.named_twice.format(client=client_id, names=",".join(twice))
    refused = ApiError(ErrorCode.INVALID_REQUEST, words)
    plans: Iterable[Plan | ApiError] = (refused if new.name in twice else _plan_once(broker, new) for new in asked)
    if broker.profile.admin.by_controllers:
        plans = list(plans)  # all are planned before the first is created: they do not see each other
        check_plans(broker, plans)
    made: list[Created | ApiError] = []
    for new, plan in zip(asked, plans, strict=True):
        made.append(_carried_out(broker, new, plan, count, validate_only))
        if not len(made) % FEW_PER_STEP:
            yield
    return made


def _plan_once(broker: "Broker", new: NewTopic) -> Plan | ApiError:
    try:
        check_no_metadata_topic(broker, new.name)
        return plan_topic(broker, new)
    except ApiError as refused:
        return refused


def _carried_out(
    broker: "Broker", new: NewTopic, plan: Plan | ApiError, count: Count, validate_only: bool
) -> Created | ApiError:
    if isinstance(plan, ApiError):
        return plan
    try:
        _count(broker, count, len(plan.replicas), validate_only)
    except ApiError as refused:
        return refused
    return Created(plan, None if validate_only else create_planned(broker, new.name, plan, at_once=False))


def _count(broker: "Broker", count: Count, partitions: int, validate_only: bool) -> None:
    """Count new partitions. A controller of KRaft also counts those that it only validates. Raises `ApiError` 89."""
    if not validate_only or broker.profile.admin.by_controllers:
        count(partitions)


def plan_topic(broker: "Broker", new: NewTopic) -> Plan:
    """The plan for creating a topic. Raises `ApiError`."""
    if broker.profile.admin.by_controllers:
        return kraft_rules.plan_topic(broker, new)
    return zookeeper_rules.plan_topic(broker, new)


def create_planned(broker: "Broker", name: TopicName, plan: Plan, *, at_once: bool) -> Topic:
    """Create a topic as planned. `at_once`: in any pace, see `ClusterOf.new_topic`."""
    overrides = dict(plan.overrides)
    return broker.cluster.new_topic(name, plan.replicas, overrides, broker.has_topic_ids, at_once=at_once)


def add_partitions(
    broker: "Broker",
    name: TopicName,
    count: int,
    assignments: list[list[BrokerId]] | None,
    count_new: Count,
    room: Room,
    *,
    validate_only: bool,
) -> Topic:
    """Bring a topic to `count` partitions, as far as the request's `room` goes. Raises `ApiError`."""
    topic = broker.cluster.topics.get(name)
    if broker.cluster.absent_replicas.is_being_deleted(name):
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, "The topic is queued for deletion.")
    if topic is None:
        raise _no_topic(broker, name)
    by_controller = broker.profile.admin.by_controllers
    plan = kraft_rules.plan_partitions if by_controller else zookeeper_rules.plan_partitions
    check_own_limit(broker, count - len(topic.partitions))
    replicas, refused = room.take(plan(broker, topic, count, assignments))
    _count(broker, count_new, len(replicas), validate_only)
    if replicas and not validate_only:
        broker.cluster.add_partitions(topic, dict(enumerate(replicas, len(topic.partitions))))
    if refused is not None:
        raise refused
    return topic


def _no_topic(broker: "Broker", name: TopicName) -> ApiError:
    if broker.profile.admin.by_controllers:
        return ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{name}' does not exist.")
