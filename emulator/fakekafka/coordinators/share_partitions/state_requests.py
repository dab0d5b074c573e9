"""The share coordinator's answers to requests for the state of a share partition, which real brokers send each other
(ShareCoordinatorService, ShareCoordinatorShard).

A real broker serves these requests on every listener, to everyone with the right to CLUSTER_ACTION; without an
authorizer that is everyone.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, Protocol, TypeVar

from fakekafka.cluster.internal_topics import partition_count, partition_for
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.coordinators.share_partitions.hosting import ShareHosting
from fakekafka.coordinators.share_partitions.refusals import ANY_EPOCH, refused, uninitialized
from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, Change, SharePartitionKey, State
from fakekafka.errors import ErrorCode
from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, Uuid
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.state.topics import SHARE_GROUP_STATE

NO_STATE: Final = State(0, 0, UNKNOWN_START, (), -1, 0)


class Answered(NamedTuple):
    """The result of a request for one share partition. `state`: as it was read."""

    error: ErrorCode = ErrorCode.NONE
    words: str | None = None
    state: State = NO_STATE._replace(start=0)


DONE: Final = Answered()


class StateRequests:
    """What a broker answers to requests for the states of share partitions."""

    def __init__(self, hosting: ShareHosting) -> None:
        self._broker = hosting.broker
        self._configs = hosting.configs
        self._states = hosting.states

    def initialize(self, place: SharePartitionKey, epoch: int, start: Offset) -> Answered:
        """InitializeShareGroupState."""
        refused = self._refusal(place, "initialize share group state")
        if refused is not None:
            return refused
        state = self._states.read(place)
        if state is not None and epoch < state.epoch:
            return _refused(ErrorCode.FENCED_STATE_EPOCH)
        if not self._states.has_partition(place):
            return _refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        self._states.initialize(place, epoch, start)
        return DONE

    def read(self, place: SharePartitionKey, leader_epoch: LeaderEpoch) -> Answered:
        """ReadShareGroupState: a newer leader epoch is stored."""
        refused = self._refusal(place, "read share group state")
        if refused is not None:
            return refused
        state = self._states.read(place)
        if state is None:
            return Answered(*uninitialized("Read"))
        tells = leader_epoch != ANY_EPOCH or not self._broker.profile.share_groups.reads_without_epoch
        if tells and leader_epoch < state.fence:
            return _refused(ErrorCode.FENCED_LEADER_EPOCH)
        if not self._states.has_partition(place):
            return _refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        self._states.claim(place, leader_epoch)
        return Answered(state=state)

    def write(self, place: SharePartitionKey, change: Change, leader_epoch: LeaderEpoch, epoch: int) -> Answered:
        """WriteShareGroupState."""
        refused = self._refusal(place, "write share group state")
        if refused is not None:
            return refused
        failed = self._states.write(place, change, leader_epoch, epoch)
        return DONE if failed is None else Answered(*failed)

    def delete(self, place: SharePartitionKey) -> Answered:
        """DeleteShareGroupState; deleting a missing state succeeds."""
        refused = self._refusal(place, "delete share group state")
        if refused is not None:
            return refused
        if not self._states.has_partition(place):
            return _refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        self._states.delete(place)
        return DONE

    def summarize(self, place: SharePartitionKey) -> Answered:
        """ReadShareGroupStateSummary; there may be no state."""
        refused = self._refusal(place, "read share group state summary")
        if refused is not None:
            return refused
        if not self._states.has_partition(place):
            return _refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return Answered(state=self._states.read(place) or NO_STATE)

    def _refusal(self, place: SharePartitionKey, deed: str) -> Answered | None:
        count = partition_count(self._broker, SHARE_GROUP_STATE)
        if (
            not self._configs.is_on
            or self._broker.partition(SHARE_GROUP_STATE, partition_for(place.key, count)) is None
        ):
            words = f"Unable to {deed}: This is not the correct coordinator."
            return Answered(ErrorCode.NOT_COORDINATOR, words)
        if place.partition < 0:
            return Answered(ErrorCode.INVALID_REQUEST, "The partition id cannot be a negative number.")
        return None


def _refused(error: ErrorCode) -> Answered:
    return Answered(*refused(error))


# ---- several at once


class Row(Protocol):
    """A request for one partition."""

    partition: PartitionIndex


R_co = TypeVar("R_co", bound=Row, covariant=True)
A = TypeVar("A")


class Rows(Protocol[R_co]):
    """The requests for one topic."""

    topic_id: Uuid

    @property
    def partitions(self) -> Iterable[R_co]: ...


def answers(
    group: str, topics: Iterable[Rows[R_co]], ask: Callable[[SharePartitionKey, R_co], A]
) -> Stepwise[list[tuple[Uuid, list[A]]]]:
    """The answers, in the order of hash maps; nothing for a group without a name."""
    asked = [(topic.topic_id, row) for topic in topics for row in topic.partitions] if group else []
    made = yield from in_turn(lambda one: ask(SharePartitionKey(group, one[0], one[1].partition), one[1]), asked)
    results: dict[Uuid, dict[PartitionIndex, A]] = {}
    for (topic_id, row), answer in zip(asked, made):
        results.setdefault(topic_id, {})[row.partition] = answer
    return [(t, [results[t][p] for p in partition_order(results[t])]) for t in topic_order(results)]
