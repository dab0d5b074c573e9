"""One member of a classic group, and the answers that it gets (MemberMetadata, ClassicGroupMember)."""

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from fakekafka.coordinators.groups.classic.reply import Reply
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, GenerationId
from fakekafka.waiting.timers import Timer

Protocols: TypeAlias = tuple[tuple[str, bytes], ...]
"""Names and metadata of the protocols that a member speaks, the preferred one first."""


class JoinResult(NamedTuple):
    """The answer to JoinGroup."""

    error: ErrorCode
    member_id: str
    generation: GenerationId | None = None
    """None after an error."""
    protocol_type: str | None = None
    protocol_name: str | None = None
    leader: str = ""
    members: "tuple[Member, ...]" = ()
    """For the leader: everybody."""
    metadata: tuple[bytes, ...] = ()
    """What each of them said for the chosen protocol."""
    skip_assignment: bool = False


class SyncResult(NamedTuple):
    """The answer to SyncGroup."""

    error: ErrorCode
    assignment: bytes = b""
    protocol_type: str | None = None
    protocol_name: str | None = None


class Member:
    """A member. Whether it still has to join or to sync is in `join_reply` and `sync_reply`."""

    __slots__ = (
        "assignment",
        "client_host",
        "client_id",
        "counts_as_static",
        "id",
        "instance_id",
        "is_new",
        "join_reply",
        "protocols",
        "rebalance_timeout_ms",
        "session_deadline_ms",
        "session_timeout_ms",
        "session_timer",
        "sync_reply",
    )

    def __init__(
        self,
        id: str,
        instance_id: str | None,
        client_id: str,
        client_host: str,
        rebalance_timeout_ms: DurationMs,
        session_timeout_ms: DurationMs,
        protocols: Protocols,
    ) -> None:
        self.id = id
        self.instance_id = instance_id
        self.client_id = client_id
        self.client_host = client_host
        """As Java writes an address: "/127.0.0.1"."""
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.session_timeout_ms = session_timeout_ms
        self.protocols = protocols
        self.assignment = b""
        self.is_new = False
        """Has it not seen the end of a rebalance yet?"""
        self.counts_as_static = instance_id is not None
        self.join_reply: Reply[JoinResult] | None = None
        """While it waits for the rebalance to end."""
        self.sync_reply: Reply[SyncResult] | None = None
        """While it waits for the leader's assignment."""
        self.session_timer: Timer | None = None
        self.session_deadline_ms: DurationMs = 0
        """On the cluster's elapsed time. The timer may ring earlier: then it is set anew."""

    def stop_session(self) -> None:
        """Nothing is expected of it."""
        if self.session_timer is not None:
            self.session_timer.cancel()
            self.session_timer = None

    @property
    def names(self) -> frozenset[str]:
        """The protocols that it speaks."""
        return frozenset(name for name, _ in self.protocols)

    def metadata(self, protocol: str) -> bytes:
        """What it said for `protocol`."""
        return next((data for name, data in self.protocols if name == protocol), b"")

    def vote(self, candidates: Collection[str]) -> str | None:
        """The candidate that it likes best."""
        return next((name for name, _ in self.protocols if name in candidates), None)
