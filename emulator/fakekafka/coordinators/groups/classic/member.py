"""One member of a classic group, and the answers that it gets (MemberMetadata, ClassicGroupMember)."""

from collections.abc import Collection
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, GenerationId
from fakekafka.waiting.timers import Timer
from fakekafka.waiting.waiters import Waiters

T = TypeVar("T")

Protocols: TypeAlias = tuple[tuple[str, bytes], ...]
"""Names and metadata of the protocols that a member speaks, the preferred one first."""


class JoinRequest(NamedTuple):
    """A JoinGroup request."""

    group_id: str
    member_id: str
    instance_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: DurationMs
    session_timeout_ms: DurationMs
    protocol_type: str
    protocols: Protocols
    needs_known_id: bool
    """Whether a new member must come back with the id that it gets (KIP-394)."""
    has_room_for_instances: bool
    """Whether the answer can name instance ids (KIP-345)."""
    can_skip_assignment: bool
    """Whether a static leader that comes back may be told that there is nothing to assign (KIP-814)."""


class Identity(NamedTuple):
    """How a member identifies itself."""

    member_id: str
    instance_id: str | None = None


class SyncRequest(NamedTuple):
    """A SyncGroup request."""

    group_id: str
    generation: GenerationId
    identity: Identity
    protocol_type: str | None
    """None in versions without it."""
    protocol_name: str | None
    assignments: dict[str, bytes]
    """Keyed by member id; only from the leader."""


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
    """For the leader: all members."""
    metadata: tuple[bytes, ...] = ()
    """The metadata of each for the chosen protocol."""
    skip_assignment: bool = False


class SyncResult(NamedTuple):
    """The answer to SyncGroup."""

    error: ErrorCode
    assignment: bytes = b""
    protocol_type: str | None = None
    protocol_name: str | None = None


class Reply(Generic[T]):
    """The slot for an answer that may come later, while its group is not ready. It is its own key for waiting:
    `Wait((reply,), ...)`.
    """

    __slots__ = ("_waiters", "value")

    def __init__(self, waiters: Waiters) -> None:
        self._waiters = waiters
        self.value: T | None = None
        """None until there is an answer."""

    def give(self, value: T) -> None:
        """Fill in the answer."""
        self.value = value
        self._waiters.wake(self)


class Member:
    """A member. Whether it still has to join or to sync is in `join_reply` and `sync_reply`."""

    __slots__ = (
        "assignment",
        "client_host",
        "client_id",
        "counts_as_static",
        "has_room_for_instances",
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
        *,
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
        """In Java's notation: "/127.0.0.1"."""
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.session_timeout_ms = session_timeout_ms
        self.protocols = protocols
        self.assignment = b""
        self.is_new = False
        """Whether it has yet to see the end of a rebalance."""
        self.counts_as_static = instance_id is not None
        self.has_room_for_instances = True
        """Whether the answer to its last JoinGroup can name instance ids."""
        self.join_reply: Reply[JoinResult] | None = None
        """Set while the member waits for the rebalance to end."""
        self.sync_reply: Reply[SyncResult] | None = None
        """Set while the member waits for the leader's assignment."""
        self.session_timer: Timer | None = None
        self.session_deadline_ms: DurationMs = 0
        """On the cluster's elapsed time. The timer may fire earlier; it is then set again."""

    def stop_session(self) -> None:
        """Stop the session timer: no sign of life is expected."""
        if self.session_timer is not None:
            self.session_timer.cancel()
            self.session_timer = None

    @property
    def names(self) -> frozenset[str]:
        """The names of the protocols that the member supports."""
        return frozenset(name for name, _ in self.protocols)

    def metadata(self, protocol: str) -> bytes:
        """The member's metadata for `protocol`."""
        return next((data for name, data in self.protocols if name == protocol), b"")

    def vote(self, candidates: Collection[str]) -> str | None:
        """The candidate that the member prefers."""
        return next((name for name, _ in self.protocols if name in candidates), None)
