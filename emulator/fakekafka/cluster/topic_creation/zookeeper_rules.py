"""What a ZooKeeper broker checks before it creates a topic or adds partitions (AdminManager, AdminUtils).

The order of the checks is the broker's: whether the name collides with others is checked late, up to 2.3.0 also whether
the topic exists; from 2.7 on configs come last.
"""

from typing import TYPE_CHECKING

from fakekafka.cluster.known_topics import known_topic
from fakekafka.cluster.topic_creation.new_topics import UNSET, NewTopic, Plan
from fakekafka.cluster.topic_creation.topic_configs import check_topic_configs, null_config_refused
from fakekafka.cluster.topic_creation.topic_names import check_topic_name, colliding
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, PartitionIndex

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.state.topics import Topic


def plan_topic(broker: "Broker", new: NewTopic) -> Plan:
    """The replicas of a new topic's partitions. Raises `ApiError`."""
    rules = broker.profile.topics
    if rules.existing_first and known_topic(broker, new.name) is not None:
        raise _existing(new.name)
    if new.null_configs:
        raise null_config_refused(broker, new)
    if not rules.configs_last:
        check_topic_configs(broker, new.overrides, rules.invalid_config)
    if new.counts_and_assignment:
        words = "Both numPartitions or replicationFactor and replicasAssignments were set. "
        raise ApiError(ErrorCode.INVALID_REQUEST, words + "Both cannot be used at the same time.")
    replicas = dict(new.assignment) if new.assignment else _assigned(broker, new)
    check_topic_name(broker.profile, new.name)
    _check_not_deleted(broker, new.name)
    _check_new(broker, new.name)
    _check_collisions(broker, new.name)
    _check_replicas(broker, replicas)
    if rules.configs_last:
        check_topic_configs(broker, new.overrides, rules.invalid_config)
    if rules.partition_0_looked_up and 0 not in replicas:
        explained = broker.profile.words.unknown_error_explained
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, "key not found: 0" if explained else None)
    return Plan(replicas, new.overrides)


def _check_new(broker: "Broker", name: str) -> None:
    """ZooKeeper also has topics that no broker knows, since their replicas have never run."""
    if name in broker.cluster.topics:
        raise _existing(name)


def _existing(name: str) -> ApiError:
    return ApiError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")


def _check_not_deleted(broker: "Broker", name: str) -> None:
    """The topic may be marked for deletion: no broker knows it any more."""
    if broker.cluster.absent_replicas.is_being_deleted(name):
        words = broker.profile.words.topic_marked_for_deletion.format(name=name)
        raise ApiError(ErrorCode.TOPIC_ALREADY_EXISTS, words)


def _check_collisions(broker: "Broker", name: str) -> None:
    others = colliding(name, broker.cluster.topics)
    if others:
        words = f"Topic '{name}' collides with existing topics: {', '.join(others)}"
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, words)


def _assigned(broker: "Broker", new: NewTopic) -> dict[PartitionIndex, list[BrokerId]]:
    """Replicas spread over the brokers."""
    words, cluster = broker.profile.words, broker.cluster
    partitions, factor = new.partitions, new.replication_factor
    if broker.profile.topics.defaults_for_counts:
        partitions = broker.config.int("num.partitions", 1) if partitions == UNSET else partitions
        factor = broker.config.int("default.replication.factor", 1) if factor == UNSET else factor
    if partitions <= 0:
        raise ApiError(ErrorCode.INVALID_PARTITIONS, words.no_partitions)
    if factor <= 0:
        raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, words.no_replicas)
    if factor > len(cluster.brokers):
        problem = words.too_many_replicas.format(factor=factor, brokers=len(cluster.brokers))
        raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, problem)
    return dict(enumerate(cluster.assign(partitions, factor)))


def _check_replicas(broker: "Broker", replicas: dict[PartitionIndex, list[BrokerId]]) -> None:
    """This does not notice unknown brokers or empty lists of replicas."""
    if len({len(nodes) for nodes in replicas.values()}) != 1:
        raise _bad_assignment("All partitions should have the same number of replicas")
    if any(len(set(nodes)) < len(nodes) for nodes in replicas.values()):
        shown = ", ".join(f"{index} -> ArrayBuffer({', '.join(map(str, r))})" for index, r in replicas.items())
        raise _bad_assignment(f"Duplicate replica assignment found: {broker.profile.words.scala_map}({shown})")
    if broker.profile.topics.indexes_checked and sum(index for index in replicas if index > 0) != sum(
        range(len(replicas))
    ):
        raise _bad_assignment("partitions should be a consecutive 0-based integer sequence")


def plan_partitions(
    broker: "Broker", topic: "Topic", count: int, assignments: list[list[BrokerId]] | None
) -> list[list[BrokerId]]:
    """Replicas of the partitions that bring `topic` to `count`. Raises `ApiError`."""
    existing = len(topic.partitions)
    if any(state.adding or state.removing for state in topic.partitions):
        words = f"A partition reassignment is in progress for the topic '{topic.name}'."
        raise ApiError(ErrorCode.REASSIGNMENT_IN_PROGRESS, words)
    if count < existing:
        words = f"Topic currently has {existing} partitions, which is higher than the requested {count}."
        raise ApiError(ErrorCode.INVALID_PARTITIONS, words)
    if count == existing:
        raise ApiError(ErrorCode.INVALID_PARTITIONS, f"Topic already has {existing} partitions.")
    first = topic.partition(0)
    if first is None:
        explained = broker.profile.words.unknown_error_explained
        words = f"Unexpected existing replica assignment for topic '{topic.name}', partition id 0 is missing."
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, words if explained else None)
    factor = len(first.replicas)
    if assignments is None:
        return broker.cluster.assign(count - existing, factor, first.replicas[0], first=existing)
    _check_new_partitions(broker, existing, count - existing, factor, assignments)
    return assignments


def _check_new_partitions(
    broker: "Broker", existing: int, increase: int, factor: int, assignments: list[list[BrokerId]]
) -> None:
    unknown = {node for nodes in assignments for node in nodes} - broker.cluster.brokers.keys()
    if unknown:
        raise _bad_assignment(f"Unknown broker(s) in replica assignment: {', '.join(map(str, sorted(unknown)))}.")
    if len(assignments) != increase:
        words = f"Increasing the number of partitions by {increase} but {len(assignments)} assignments provided."
        raise _bad_assignment(words)
    for index, nodes in enumerate(assignments, existing):
        if not nodes:
            raise _bad_assignment(f"Cannot have replication factor of 0 for partition id {index}.")
        if len(set(nodes)) < len(nodes):
            shown = ", ".join(map(str, nodes))
            words = f"Duplicate brokers not allowed in replica assignment: {shown} for partition id {index}."
            raise _bad_assignment(words)
    odd = [(index, len(nodes)) for index, nodes in enumerate(assignments, existing) if len(nodes) != factor]
    if odd:
        indexes, factors = (", ".join(map(str, numbers)) for numbers in zip(*odd, strict=True))
        words = f"partition 0 has {factor} while partitions [{indexes}] have replication factors [{factors}]"
        raise _bad_assignment(f"Inconsistent replication factor between partitions, {words}, respectively.")


def _bad_assignment(words: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, words)
