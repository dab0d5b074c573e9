"""What the KRaft controllers check before they create a topic or add partitions (ReplicationControlManager).

Names first, then whether the topic exists, then its configs, then counts or assignment.
"""

from typing import TYPE_CHECKING

from fakekafka.cluster.topic_creation.new_topics import UNSET, NewTopic, Plan
from fakekafka.cluster.topic_creation.topic_configs import check_topic_configs, null_config_refused
from fakekafka.cluster.topic_creation.topic_names import check_no_metadata_topic, check_topic_name, colliding
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, PartitionIndex

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.state.topics import Topic

FENCED = "All brokers are currently fenced."


def plan_topic(broker: "Broker", new: NewTopic) -> Plan:
    """The replicas of a new topic's partitions. Raises `ApiError`."""
    check_no_metadata_topic(broker, new.name)
    topics, rules = broker.cluster.topics, broker.profile.topics
    if new.name in topics:
        words = broker.profile.words.existing_topic.format(name=new.name)
        raise ApiError(ErrorCode.TOPIC_ALREADY_EXISTS, words)
    check_topic_name(broker.profile, new.name)
    others = colliding(new.name, topics) if rules.collisions_refused else []
    if others:
        words = f"Topic '{new.name}' collides with existing topic: {others[0]}"
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, words)
    if new.configs and new.null_configs and rules.null_config is not ErrorCode.NONE:
        raise null_config_refused(broker, new)
    overrides = new.overrides
    if rules.configs_checked:
        check_topic_configs(broker, overrides, rules.invalid_config)
    replicas = _by_hand(broker, new) if new.assignment else _placed(broker, new)
    return Plan(replicas, overrides)


def _by_hand(broker: "Broker", new: NewTopic) -> dict[PartitionIndex, list[BrokerId]]:
    if new.counts_and_assignment:
        given = "replication factor" if new.replication_factor != UNSET else "numPartitions"
        words = f"A manual partition assignment was specified, but {given} was not set to -1."
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
    replicas: dict[PartitionIndex, list[BrokerId]] = {}
    factor: int | None = None
    for index, nodes in new.assignment:
        if index in replicas:
            raise _bad_assignment(f"Found multiple manual partition assignments for partition {index}")
        check_assignment(broker, nodes, factor)
        _check_presence(broker, index, nodes)
        replicas[index], factor = nodes, len(nodes)
    if broker.profile.topics.indexes_checked and sorted(replicas) != list(range(len(replicas))):
        raise _bad_assignment("partitions should be a consecutive 0-based integer sequence")
    if 0 not in replicas:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    return replicas


def _placed(broker: "Broker", new: NewTopic) -> dict[PartitionIndex, list[BrokerId]]:
    """Replicas spread over the brokers."""
    cluster, partitions, factor = broker.cluster, new.partitions, new.replication_factor
    words = broker.profile.words
    if factor == 0 or factor < UNSET:
        raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, words.impossible_factor)
    if partitions == 0 or partitions < UNSET:
        problem = "Number of partitions was set to an invalid non-positive value."
        raise ApiError(ErrorCode.INVALID_PARTITIONS, problem)
    if partitions == UNSET:
        partitions = broker.config.int("num.partitions", 1)
    if factor == UNSET:
        factor = broker.config.int("default.replication.factor", 1)
    there = len(cluster.assignable)
    if factor > there or not cluster.registered:
        problem = words.too_many_replicas.format(factor=factor, brokers=there) if factor > there > 0 else FENCED
        problem = words.no_room_for_replicas.format(factor=factor, problem=problem)
        raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, problem)
    return dict(enumerate(cluster.assign(partitions, factor)))


def check_assignment(broker: "Broker", nodes: list[BrokerId], factor: int | None) -> None:
    """Raises `ApiError` 39 for impossible replicas, or if their number is not `factor`."""
    manual, said = "The manual partition assignment includes", broker.profile.words
    if not nodes and broker.profile.topics.empty_assignment is ErrorCode.UNKNOWN_SERVER_ERROR:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    if not nodes:
        raise _bad_assignment(f"{manual} an empty replica list.")
    seen: set[BrokerId] = set()
    there = broker.cluster.assignable
    for node in sorted(nodes):
        if node not in there:
            raise _bad_assignment(said.assigned_to_unknown.format(node=node))
        if node in seen:
            raise _bad_assignment(said.assigned_twice.format(node=node))
        seen.add(node)
    if factor is not None and len(nodes) != factor:
        words = f"{manual} a partition with {len(nodes)} replica(s), but this is not consistent with previous "
        raise _bad_assignment(f"{words}partitions, which have {factor} replica(s).")


def plan_partitions(
    broker: "Broker", topic: "Topic", count: int, assignments: list[list[BrokerId]] | None
) -> list[list[BrokerId]]:
    """Replicas of the partitions that bring `topic` to `count`. Raises `ApiError`."""
    existing = len(topic.partitions)
    if count == existing:
        raise ApiError(ErrorCode.INVALID_PARTITIONS, f"Topic already has {existing} partition(s).")
    if count < existing:
        words = f"The topic {topic.name} currently has {existing} partition(s); {count} would not be an increase."
        raise ApiError(ErrorCode.INVALID_PARTITIONS, words)
    factor = len(topic.partitions[0].replicas)
    if assignments is None:
        return broker.cluster.assign(count - existing, factor, first=existing)
    if len(assignments) != count - existing:
        words = f"Attempted to add {count - existing} additional partition(s), but only {len(assignments)} "
        raise _bad_assignment(f"{words}assignment(s) were specified.")
    for index, nodes in enumerate(assignments, existing):
        check_assignment(broker, nodes, factor)
        _check_presence(broker, index, nodes)
    return assignments


def _check_presence(broker: "Broker", index: PartitionIndex, nodes: list[BrokerId]) -> None:
    """Raises `ApiError` 39 if no replica is on a broker that runs."""
    if not any(node in broker.cluster.registered for node in nodes):
        raise _bad_assignment(broker.profile.words.assigned_to_absent.format(index=index))


def _bad_assignment(words: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, words)
