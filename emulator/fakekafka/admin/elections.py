"""Electing leaders on request: the preferred one, or any if no replica in sync is running (KIP-183, KIP-460)."""

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId, PartitionIndex, TopicName
from fakekafka.state.topics import NO_LEADER, PartitionState

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class ElectionType(IntEnum):
    """Which leader is wanted."""

    PREFERRED = 0
    UNCLEAN = 1


NO_CANDIDATE: Final = {
    ElectionType.PREFERRED: (
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        "PreferredReplicaPartitionLeaderElectionStrategy",
        "The preferred leader was not available.",
    ),
    ElectionType.UNCLEAN: (
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        "OfflinePartitionLeaderElectionStrategy(true)",
        "Eligible topic partition leaders are not available.",
    ),
}
"""The error if the wanted leader is not available, and a word of its message."""


def election_type(broker: "Broker", number: int) -> ElectionType:
    """The election type with this number. Raises `ApiError` if it is unknown."""
    if number in (ElectionType.PREFERRED, ElectionType.UNCLEAN):
        return ElectionType(number)
    words, code = broker.profile.words, broker.profile.topics.unknown_election
    silent = code is ErrorCode.UNKNOWN_SERVER_ERROR and not words.unknown_error_explained
    raise ApiError(code, None if silent else words.unknown_election.format(number=number))


def elect(broker: "Broker", kind: ElectionType, name: TopicName, index: PartitionIndex) -> None:
    """Elect a leader, if another one is wanted and available. Raises `ApiError`."""
    topic, words = broker.cluster.topics.get(name), broker.profile.words
    if topic is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, words.no_topic_to_elect_for.format(name=name))
    state = topic.partition(index)
    if state is None:
        problem = words.no_partition_to_elect_for.format(name=name, index=index)
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, problem)
    if _is_needless(state, kind):
        code = broker.profile.topics.needless_election
        raise ApiError(code, None if code is ErrorCode.NONE else words.needless_election)
    candidate = _candidate(broker, state, kind)
    if candidate is None:
        code, strategy, general = NO_CANDIDATE[kind]
        raise ApiError(code, words.no_candidate.format(name=name, index=index, strategy=strategy, general=general))
    broker.cluster.change(topic, state, leader=candidate, isr=state.isr if candidate in state.isr else [candidate])


def _is_needless(state: PartitionState, kind: ElectionType) -> bool:
    if kind is ElectionType.UNCLEAN:
        return state.leader != NO_LEADER
    return bool(state.replicas) and state.leader == state.replicas[0]


def _candidate(broker: "Broker", state: PartitionState, kind: ElectionType) -> BrokerId | None:
    there = [node for node in state.replicas if node in broker.cluster.brokers]
    if kind is ElectionType.UNCLEAN:
        return there[0] if there else None
    preferred = state.replicas[0] if state.replicas else NO_LEADER
    return preferred if preferred in there and preferred in state.isr else None
