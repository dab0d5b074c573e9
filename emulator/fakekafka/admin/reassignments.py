"""Moving partitions to other brokers (KIP-455).

New replicas copy what the leader has (`cluster.replication.follower`); once all of them are in sync, the old ones are
removed. That is done after the request, in the same step, so a reassignment stays under way only if a new replica does
not run, is paused or cannot fetch; in a lifelike cluster, for the time that it takes there.
"""

from typing import TYPE_CHECKING, assert_never

from fakekafka.cluster.topic_creation.kraft_rules import check_assignment
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, PartitionIndex, TopicName
from fakekafka.state.topics import PartitionState, Topic

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def is_under_way(state: PartitionState) -> bool:
    return bool(state.adding or state.removing)


def reassign(
    broker: "Broker",
    name: TopicName,
    index: PartitionIndex,
    replicas: list[BrokerId] | None,
    *,
    same_factor: bool = False,
) -> None:
    """Give a partition these replicas; None cancels what is under way. Raises `ApiError`.

    `same_factor`: refuse to change the number of replicas (KIP-860).
    """
    if replicas is None:
        _cancel(broker, name, index)
        return
    if not broker.profile.admin.by_controllers:  # which look for the partition first
        _check_alive(broker, name, index, replicas)
    topic, state = _find(broker, name, index)
    if broker.profile.admin.by_controllers:
        check_assignment(broker, replicas, None)
    lasting = [node for node in state.replicas if node not in state.removing]
    before = [node for node in state.replicas if node not in state.adding]
    if same_factor and len(replicas) != len(lasting):
        words = f"The replication factor is changed from {len(lasting)} to {len(replicas)}"
        raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, words)
    known = state.replicas
    state.adding = [node for node in replicas if node not in before]
    state.removing = [node for node in before if node not in replicas]
    epochs = int(bool(state.adding))
    if broker.profile.topics.reassignment == "as one change":
        state.adding.sort()
        state.removing.sort()
        epochs = int(not {*known} <= {*replicas, *state.removing})
    state.replicas = [*replicas, *state.removing]
    pace = broker.cluster.pace
    if pace is not None and is_under_way(state):
        pace.move(state, broker.profile, lambda: _complete(broker, topic, state))
    broker.cluster.change(topic, state, epochs=epochs)
    complete_if_in_sync(broker, topic, state)


def _find(broker: "Broker", name: TopicName, index: PartitionIndex) -> tuple[Topic, PartitionState]:
    topic, words = broker.cluster.topics.get(name), broker.profile.words
    if topic is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, words.no_topic_to_reassign.format(name=name))
    state = topic.partition(index)
    if state is None:
        problem = words.no_partition_to_reassign.format(name=name, index=index)
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, problem)
    return topic, state


def _cancel(broker: "Broker", name: TopicName, index: PartitionIndex) -> None:
    nothing = ApiError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, broker.profile.words.no_reassignment)
    try:
        topic, state = _find(broker, name, index)
    except ApiError as unknown:
        by_controller = broker.profile.admin.by_controllers
        raise (unknown if by_controller else nothing) from None
    if not is_under_way(state):
        raise nothing
    if broker.cluster.pace is not None:
        broker.cluster.pace.being_moved.pop(state, None)
    added, epochs = state.adding, _epochs(broker, state, state.adding)
    state.replicas = [node for node in state.replicas if node not in added]
    state.adding, state.removing = [], []
    isr = [node for node in state.isr if node not in added]
    broker.cluster.change(topic, state, isr=isr, epochs=epochs)
    _drop(broker, topic, state, added)


def complete_if_in_sync(broker: "Broker", topic: Topic, state: PartitionState) -> None:
    """Once the new replicas have everything, remove the old ones. If the leader is removed, the first replica that
    stays leads.
    """
    pace, removed = broker.cluster.pace, state.removing
    if pace is not None and state in pace.being_moved:
        return
    lasting = [node for node in state.replicas if node not in removed]
    in_sync = [node for node in lasting if node in state.isr]
    if not in_sync or not set(state.adding) <= set(in_sync):
        return
    epochs = _epochs(broker, state, removed)
    state.replicas = lasting
    state.adding, state.removing = [], []
    leader = state.leader if state.leader in lasting else in_sync[0]
    isr = [node for node in state.isr if node in lasting]
    broker.cluster.change(topic, state, leader=leader, isr=isr, epochs=epochs)
    _drop(broker, topic, state, removed)


def _epochs(broker: "Broker", state: PartitionState, lost: list[BrokerId]) -> int:
    """How many leader epochs begin when a reassignment ends and these replicas go."""
    match broker.profile.topics.reassignment:
        case "in phases":
            return 1 + len([node for node in lost if node in state.isr])
        case "as one change":
            return int(bool(lost))
        case how:
            assert_never(how)


def _complete(broker: "Broker", topic: Topic, state: PartitionState) -> None:
    """Complete a reassignment whose time has passed, unless it was cancelled or the topic was deleted."""
    if is_under_way(state) and broker.cluster.topics.get(topic.name) is topic:
        complete_if_in_sync(broker, topic, state)


def _drop(broker: "Broker", topic: Topic, state: PartitionState, nodes: list[BrokerId]) -> None:
    for node in nodes:
        broker.cluster.drop_replica(topic, state.index, node)


def _check_alive(broker: "Broker", name: TopicName, index: PartitionIndex, replicas: list[BrokerId]) -> None:
    """Raises `ApiError` 39 for impossible replicas (KafkaController.validateReplicas). Recorded from 2.4.1 to 3.9.1:
    odd_admin.
    """
    there, topic = broker.cluster.brokers, broker.cluster.topics.get(name)
    state = None if topic is None else topic.partition(index)
    added = [node for node in replicas if state is None or node not in state.replicas]
    if not replicas:
        problem = "Empty replica list specified in partition reassignment."
    elif len(set(replicas)) < len(replicas):
        problem = f"Duplicate replica ids in partition reassignment replica list: {_buffer(replicas)}"
    elif any(node < 0 for node in replicas):
        problem = f"Invalid broker id in replica list: {_buffer(replicas)}"
    elif any(node not in there for node in added):
        problem = f"Replica assignment has brokers that are not alive. Replica list: {_buffer(added)}, "
        problem += f"live broker list: Set({', '.join(map(str, there))})"
    else:
        return
    raise ApiError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, broker.profile.words.bad_reassignment.format(problem=problem))


def _buffer(nodes: list[BrokerId]) -> str:
    """A list as Scala prints it."""
    return f"ArrayBuffer({', '.join(map(str, nodes))})"
