"""Sessions of members at a broker (ShareSession, KIP-932): which partitions a member reads from there.

Epoch 0 opens a session, each request has the next epoch, -1 ends it.
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, Uuid

FIRST: Final = 0
FINAL: Final = -1
MAX_EPOCH: Final = 2**31 - 1

Spot = tuple[Uuid, PartitionIndex]


class ShareSession:
    """The partitions that one member reads, in the order of asking."""

    def __init__(self) -> None:
        self.epoch = 1
        """Of the next request."""
        self.spots: dict[Spot, None] = {}


class ShareSessions:
    """All sessions at one broker, by group and member."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._sessions: dict[tuple[str, str], ShareSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, group_id: str, member_id: str, spots: Iterable[Spot]) -> ShareSession:
        """A new session, in place of one that there is. Raises `ApiError` if there are too many."""
        key = (group_id, member_id)
        self._sessions.pop(key, None)
        if len(self._sessions) >= self._limit:
            raise ApiError(ErrorCode.SHARE_SESSION_LIMIT_REACHED)
        session = self._sessions[key] = ShareSession()
        session.spots = dict.fromkeys(spots)
        return session

    def go_on(self, group_id: str, member_id: str, epoch: int) -> ShareSession:
        """The session, one epoch further. Raises `ApiError`."""
        session = self.check(group_id, member_id)
        if epoch != session.epoch:
            raise ApiError(ErrorCode.INVALID_SHARE_SESSION_EPOCH)
        session.epoch = 1 if epoch == MAX_EPOCH else epoch + 1
        return session

    def close(self, group_id: str, member_id: str) -> ShareSession:
        """End a session, whatever its epoch. Raises `ApiError`."""
        session = self.check(group_id, member_id)
        del self._sessions[group_id, member_id]
        return session

    def check(self, group_id: str, member_id: str) -> ShareSession:
        """The session as it is. Raises `ApiError`."""
        session = self._sessions.get((group_id, member_id))
        if session is None:
            raise ApiError(ErrorCode.SHARE_SESSION_NOT_FOUND)
        return session

    def clear(self) -> None:
        """Forget everything."""
        self._sessions.clear()
