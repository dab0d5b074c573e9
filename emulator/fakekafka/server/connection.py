"""One client connection, without its socket: bytes in, requests out; answers in, bytes out.

    connection.receive(data)                 # or: space() to receive into, then received(count)
    while connection.has_request:
        frame = connection.next_request()    # OPEN -> BUSY
        connection.send(pieces)              # no answer, one, or several
        connection.done()                    # BUSY -> OPEN
    buffers = connection.data_to_send(MAX_SENT)      # after sending: sent(count)

A connection has one request in flight at a time (a real broker mutes the channel): later frames wait in the inbox until
`done`, so answers leave in the order of the requests. A client that does not read its answers is no longer served:
with more than `MAX_UNSENT` bytes to send, no request is taken, and the transport reads nothing more.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import Piece
from fakekafka.security.principal import ANONYMOUS, Principal
from fakekafka.server.inbox import Inbox, SpareBuffers
from fakekafka.server.outbox import Outbox
from fakekafka.state.client_software import UNNAMED

if TYPE_CHECKING:
    from fakekafka.faults.pace import Pace
    from fakekafka.security.sasl.authentication import Authentication

MAX_UNSENT: Final = 1 << 16
"""Bytes of answers that may be unsent when the next request is taken."""

MAX_SENT: Final = 1 << 19
"""Bytes that are sent before another connection gets its turn."""


class State(Enum):
    """What a connection does next."""

    HELD = "is connected, and not served yet"
    OPEN = "takes the next request"
    BUSY = "has a request that is handled, or waits"
    HUNG = "neither answers nor takes requests, as brokers do that have lost track of a channel"
    CLOSING = "closes once everything is sent"
    CLOSED = "is gone"

    __hash__ = object.__hash__  # an enum's own hash is Python code, and every request uses the table


class Event(Enum):
    """What happens to a connection."""

    HOLD = "its turn to be served has not come"
    ADMIT = "it is served from now on"
    REQUEST = "a request is taken"
    DONE = "the request needs no more answers"
    HANG = "the request is never answered"
    CLOSE = "the broker wants to close"
    GONE = "the transport has closed"

    __hash__ = object.__hash__


O, B, H, C, X = State.OPEN, State.BUSY, State.HUNG, State.CLOSING, State.CLOSED  # noqa: E741 - a table's letters
L = State.HELD
TRANSITIONS: Final[Mapping[Event, Mapping[State, State]]] = {
    Event.HOLD: {O: L},
    Event.ADMIT: {L: O},
    Event.REQUEST: {O: B},
    Event.DONE: {B: O, C: C, X: X},  # the broker may have stopped while it handled the request
    Event.HANG: {O: H, B: H, H: H, C: C, X: X},
    Event.CLOSE: {L: C, O: C, B: C, H: C, C: C, X: X},
    Event.GONE: {L: X, O: X, B: X, H: X, C: X, X: X},
}
"""The state after each event. An event that is missing is a defect of the caller: `WrongState`."""


class WrongState(Exception):
    """An event that cannot happen in the connection's state."""


class Connection:
    """State of one connection. `id` is unique during the life of a server; `host` and `port` are the client's."""

    def __init__(
        self,
        id: int,
        node_id: BrokerId,
        host: str,
        port: int,
        max_frame_bytes: int,
        spare: SpareBuffers,
        listener: str = "",
    ) -> None:
        self.listener = listener
        """The name of the listener that accepted the connection."""
        self.principal: Principal = ANONYMOUS
        """The principal of the client, once it has logged in."""
        self.authentication: Authentication | None = None
        """The login that must be completed before a request is handled; None if there is none."""
        self.id = id
        self.node_id = node_id
        """The broker whose listener accepted the connection."""
        self.host = host
        self.port = port
        self.state = State.OPEN
        self.client_id = ""
        """The client id of the last request."""
        self.software = UNNAMED
        """What the client has said about its software in ApiVersions (KIP-511)."""
        self.pace: Pace | None = None
        """How the next answer is sent; None: as fast as possible."""
        self.resets = False
        """Whether the connection ends with a RST."""
        self.unfinished: Callable[[], None] | None = None
        """The next step of the request that is in flight, if it is handled in steps."""
        self.has_ended = False
        """Whether the client will send nothing more."""
        self._inbox = Inbox(max_frame_bytes, spare)
        self.outbox = Outbox()
        """The bytes for the client. Transports only ask for their number."""
        self.space: Callable[[], memoryview] = self._inbox.space
        """Where to receive next, while `wants_bytes`."""
        self.data_to_send: Callable[[int], list[Buffer]] = self.outbox.ready
        """At most this many bytes to send next; the same bytes again until `sent`. Makes at most one chunk. Raises
        `BreaksOff`.
        """
        self.sent: Callable[[int], None] = self.outbox.sent
        """Note that the first bytes of `data_to_send` have left."""

    def trust(self, max_frame_bytes: int) -> None:
        """Accept frames up to this size from now on: the client is identified."""
        self._inbox.trust(max_frame_bytes)

    def distrust(self, max_frame_bytes: int) -> None:
        """Accept frames up to this size, but buffer only the start of one: the client is not identified yet."""
        self._inbox.distrust(max_frame_bytes)

    # ---- what the client sends

    def received(self, count: int) -> None:
        """Note that `count` bytes were written into the last `space()`; 0: the client sends no more."""
        self._inbox.received(count)
        self.has_ended = self.has_ended or not count

    def nothing_came(self) -> None:
        """Note that the client has sent nothing to write into the last `space()`."""
        self._inbox.nothing_came()

    def receive(self, data: Buffer) -> int:
        """Accept bytes that the client sent, and return how many there was room for."""
        space = self.space()
        count = min(len(space), len(data))
        space[:count] = memoryview(data)[:count]
        self._inbox.received(count)
        return count

    @property
    def wants_bytes(self) -> bool:
        """Whether to read from the client now."""
        state = self.state
        return (state is O or state is B) and self.outbox.size <= MAX_UNSENT and self._inbox.has_room

    @property
    def has_request(self) -> bool:
        """Whether `next_request` would return or raise something, or a request has `unfinished` steps."""
        if self.state is O:
            return self._inbox.has_frame and self.outbox.size <= MAX_UNSENT
        return self.unfinished is not None and self.state is B

    def next_request(self) -> bytearray | None:
        """The next frame, if one is whole and may be handled now. Raises `FrameRefused`."""
        if self.state is not O or self.outbox.size > MAX_UNSENT:
            return None
        frame = self._inbox.next_frame()
        if frame is not None:
            self.state = B
        return frame

    # ---- whether it is served

    def hold(self) -> None:
        """Read nothing before `admit`."""
        self._on(Event.HOLD)

    def admit(self) -> None:
        """Serve the connection from now on."""
        self._on(Event.ADMIT)

    @property
    def is_held(self) -> bool:
        """Whether the connection is waiting to be served."""
        return self.state is L

    @property
    def is_known(self) -> bool:
        """Whether the client has logged in, or need not."""
        return self.authentication is None or self.authentication.has_succeeded

    # ---- answers to a request

    def send(self, pieces: Sequence[Piece]) -> None:
        """Queue an answer. An answer that comes too late, when the connection is closing, is dropped."""
        if self.state is B:
            self.outbox.put(pieces)
        elif self.state not in (C, X):
            raise WrongState(f"an answer without a request: the connection is {self.state.name}")

    def done(self) -> None:
        """Note that the request has its answers, or needs none."""
        if self.state is B:  # written out for speed; the table says the same
            self.state = O
        else:
            self._on(Event.DONE)

    def hang(self) -> None:
        """Never answer the request, and read nothing more."""
        self._on(Event.HANG)

    def fall_silent(self) -> None:
        """Send nothing more, not even what is queued, and read nothing more; the connection stays open."""
        self.outbox.clear()
        self._on(Event.HANG)

    def close(self) -> None:
        """Close after what is queued has been sent."""
        self._on(Event.CLOSE)

    def abort(self) -> None:
        """Close without sending what is queued."""
        self.outbox.clear()
        self._on(Event.CLOSE)

    def closed(self) -> None:
        """Note that the transport has closed: nothing can be sent or received any more."""
        self.outbox.clear()
        self._inbox.clear()
        self.unfinished = None
        self._on(Event.GONE)

    @property
    def is_closing(self) -> bool:
        """Whether no more requests are taken because the connection is closing or closed."""
        return self.state in (C, X)

    @property
    def is_over(self) -> bool:
        """Whether the transport has to close now: the broker wants to, or the client has left and is owed nothing."""
        return (self.state is C and not self.outbox.size) or (self.has_ended and not self.has_request)

    def _on(self, event: Event) -> None:
        try:
            self.state = TRANSITIONS[event][self.state]
        except KeyError:
            raise WrongState(f"{event.value}: not while the connection is {self.state.name}") from None
