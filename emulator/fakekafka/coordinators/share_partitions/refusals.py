"""Why the share coordinator refuses requests for states (ShareCoordinatorShard), and what leaders make of it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.coordinators.share_partitions.state_records import State
from fakekafka.errors import INVALID_REQUEST, ApiError, ErrorCode
from fakekafka.ids import LeaderEpoch

ANY_EPOCH: Final = -1
"""A leader epoch or state epoch that is not given."""
WORDS: Final[Mapping[ErrorCode, str]] = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "This server does not host this topic-partition.",
    ErrorCode.FENCED_LEADER_EPOCH: "The leader epoch in the request is older than the epoch on the broker.",
    ErrorCode.FENCED_STATE_EPOCH: (
        "The share coordinator rejected the request because the share-group state epoch did not match."
    ),
    ErrorCode.INVALID_REQUEST: INVALID_REQUEST,
}
SEEN_BY_LEADERS: Final = {
    ErrorCode.FENCED_LEADER_EPOCH: ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.FENCED_STATE_EPOCH: ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
}
"""What leaders tell members; anything else is an unknown error (SharePartition.fetchPersisterError)."""


class Refusal(NamedTuple):
    """An error, in words."""

    error: ErrorCode
    words: str

    def to_member(self, *, quoted: bool) -> ApiError:
        """The error for the member whose acknowledgement a leader could not store. `quoted`: in the words of the
        coordinator, not in those that the error always has.
        """
        code = SEEN_BY_LEADERS.get(self.error, ErrorCode.UNKNOWN_SERVER_ERROR)
        words = self.words if quoted else WORDS[self.error]
        return ApiError(code, f"Error in write state RPC. {words}")


def refused(error: ErrorCode) -> Refusal:
    """The error in the words of the release."""
    return Refusal(error, WORDS[error])


def uninitialized(deed: str) -> Refusal:
    """There is no state to read or to write."""
    words = f"{deed} operation on uninitialized share partition not allowed."
    return Refusal(ErrorCode.INVALID_REQUEST, words)


def refusal_of_write(state: State | None, leader_epoch: LeaderEpoch, epoch: int, *, exists: bool) -> Refusal | None:
    """Why a change of `state` is refused from a leader in these epochs. `exists`: whether the partition is there."""
    if state is None:
        return uninitialized("Write")
    if leader_epoch != ANY_EPOCH and leader_epoch < state.fence:
        return refused(ErrorCode.FENCED_LEADER_EPOCH)
    if epoch != ANY_EPOCH and epoch < state.epoch:
        return refused(ErrorCode.FENCED_STATE_EPOCH)
    return None if exists else refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
