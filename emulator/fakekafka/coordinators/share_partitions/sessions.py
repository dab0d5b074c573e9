"""Sessions of members at a broker (ShareSession, ShareSessionCache, KIP-932): which partitions a member reads there.

Epoch 0 opens a session, each request has the next epoch, -1 ends it. It also ends with the connection that opened it,
if that connection has not opened another one since; other connections may use it meanwhile.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicIdPartition

FIRST: Final = 0
FINAL: Final = -1
MAX_EPOCH: Final = 2**31 - 1


class ShareSession:
    """The partitions that one member reads: as they were asked for, but those that gave records come later."""

    def __init__(self, group_id: str, member_id: str, tps: Iterable[TopicIdPartition] = ()) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.epoch = 1
        """The epoch of the next request."""
        self.tps: dict[TopicIdPartition, None] = dict.fromkeys(tps)

        self.unshown: set[TopicIdPartition] = set()
        """Those that were asked for later, and have not been in an answer yet."""

    def add(self, tps: Iterable[TopicIdPartition]) -> None:
        """Read these partitions as well."""
        for tp in tps:
            if tp not in self.tps:
                self.tps[tp] = None
                self.unshown.add(tp)

    def forget(self, tp: TopicIdPartition) -> None:
        """Read a partition no more."""
        self.tps.pop(tp, None)
        self.unshown.discard(tp)

    def move_to_end(self, tps: Iterable[TopicIdPartition]) -> None:
        """Put partitions that have given records behind the others (ShareSessionContext)."""
        for tp in tps:
            if tp in self.tps:
                del self.tps[tp]
                self.tps[tp] = None


class Disconnected(NamedTuple):
    """The session that ends with a connection."""

    group_id: str
    session: ShareSession | None
    is_last: bool
    """Whether the group has no other session here."""


class ShareSessions:
    """All sessions at one broker, by group and member. `keeps_renewed`: whether a session that was reopened over
    another connection stays when the first connection ends.
    """

    def __init__(self, limit: int, *, keeps_renewed: bool = True) -> None:
        self._limit = limit
        self._keeps_renewed = keeps_renewed
        self._sessions: dict[tuple[str, str], ShareSession] = {}
        self._by_connection: dict[int, ShareSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, group_id: str, member_id: str, tps: Iterable[TopicIdPartition], connection_id: int) -> ShareSession:
        """Open a session, replacing an existing one. Raises `ApiError` if there are too many."""
        key = (group_id, member_id)
        self._sessions.pop(key, None)
        if len(self._sessions) >= self._limit:
            raise ApiError(ErrorCode.SHARE_SESSION_LIMIT_REACHED)
        session = self._sessions[key] = self._by_connection[connection_id] = ShareSession(group_id, member_id, tps)
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
        """The current session. Raises `ApiError`."""
        session = self._sessions.get((group_id, member_id))
        if session is None:
            raise ApiError(ErrorCode.SHARE_SESSION_NOT_FOUND)
        return session

    def disconnected(self, connection_id: int) -> Disconnected | None:
        """What ends with a connection, or None if it has opened no session."""
        opened = self._by_connection.pop(connection_id, None)
        if opened is None:
            return None
        session = self._sessions.get((opened.group_id, opened.member_id))
        if session is not opened and self._keeps_renewed:
            session = None
        if session is not None:
            self.close(session.group_id, session.member_id)
        is_last = all(group_id != opened.group_id for group_id, _ in self._sessions)
        return Disconnected(opened.group_id, session, is_last)

    def clear(self) -> None:
        """Forget everything."""
        self._sessions.clear()
        self._by_connection.clear()
