"""One client connection, without its socket: bytes in, requests out; answers in, bytes out.

    connection.receive(data)                 # or: space() to receive into, then received(count)
    while connection.has_request:
        frame = connection.next_request()    # OPEN -> BUSY
        connection.send(pieces)              # no answer, one, or several
        connection.done()                    # BUSY -> OPEN
    buffers = connection.data_to_send(MAX_SENT)      # after sending: sent(count)

A connection has one request in flight at a time (a real broker mutes the channel): later frames wait in the inbox until
`done`, so answers leave in the order of the requests. A client that does not read its answers is not served on: with
more than `MAX_UNSENT` bytes to send, no request is taken, and the transport reads no more of them.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import Piece
from fakekafka.security.principal import ANONYMOUS, Principal
from fakekafka.server.inbox import Inbox, SpareBuffers
from fakekafka.server.outbox import Outbox

if TYPE_CHECKING:
    from fakekafka.security.sasl.authentication import Authentication

MAX_UNSENT: Final = 1 << 16
"""Bytes of answers that may be unsent when the next request is taken."""

MAX_SENT: Final = 1 << 19
"""Bytes that are sent before it is another connection's turn."""


class State(Enum):
    """What a connection does next."""

    OPEN = "takes the next request"
    BUSY = "has a request that is handled, or waits"
    HUNG = "neither answers nor takes requests, as brokers do that have lost track of a channel"
    CLOSING = "closes once everything is sent"
    CLOSED = "is gone"

    __hash__ = object.__hash__  # an enum's own is Python code, and every request looks into the table


class Event(Enum):
    """What happens to a connection."""

    REQUEST = "a request is taken"
    DONE = "the request needs no more answers"
    HANG = "the request is never answered"
    CLOSE = "the broker wants to close"
    GONE = "the transport has closed"

    __hash__ = object.__hash__


O, B, H, C, X = State.OPEN, State.BUSY, State.HUNG, State.CLOSING, State.CLOSED  # noqa: E741 - a table's letters
TRANSITIONS: Final[Mapping[Event, Mapping[State, State]]] = {
    Event.REQUEST: {O: B},
    Event.DONE: {B: O, C: C, X: X},  # the broker may have stopped while it handled the request
    Event.HANG: {B: H, C: C, X: X},
    Event.CLOSE: {O: C, B: C, H: C, C: C, X: X},
    Event.GONE: {O: X, B: X, H: X, C: X, X: X},
}
"""The state after each event. What is missing is a defect of the caller's: `WrongState`."""


class WrongState(Exception):
    """The connection was told of something that cannot happen in its state."""


class Connection:
    """State of one connection. `id` is unique in the life of a server; `host` and `port` are the client's."""

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
        """The name of the listener that accepted it."""
        self.principal: Principal = ANONYMOUS
        """Who has logged in."""
        self.authentication: Authentication | None = None
        """What must be passed before a request is handled; None: nothing."""
        self.id = id
        self.node_id = node_id
        """The broker whose listener accepted it."""
        self.host = host
        self.port = port
        self.state = State.OPEN
        self.unfinished: Callable[[], None] | None = None
        """The next step of the request that is in flight, if it is handled in steps."""
        self.has_ended = False
        """Whether the client will send no more."""
        self._inbox = Inbox(max_frame_bytes, spare)
        self._outbox = Outbox()
        self.space: Callable[[], memoryview] = self._inbox.space
        """Where to receive next, while `wants_bytes`."""
        self.data_to_send: Callable[[int], list[Buffer]] = self._outbox.ready
        """What to send next, so many bytes of it; the same again until `sent` says that it has left. Makes at most one
        chunk. Raises `BreaksOff`.
        """
        self.sent: Callable[[int], None] = self._outbox.sent
        """So many bytes of `data_to_send` have left."""

    def limit_frames(self, max_frame_bytes: int) -> None:
        """Take frames up to that size from here on."""
        self._inbox.limit(max_frame_bytes)

    # ---- what the client sends

    def received(self, count: int) -> None:
        """`count` bytes were written into the last `space()`; 0: the client sends no more."""
        self._inbox.received(count)
        self.has_ended = self.has_ended or not count

    def receive(self, data: Buffer) -> int:
        """Take bytes that the client sent; how many there was room for."""
        space = self.space()
        count = min(len(space), len(data))
        space[:count] = memoryview(data)[:count]
        self._inbox.received(count)
        return count

    @property
    def wants_bytes(self) -> bool:
        """Whether to read from the client now."""
        state = self.state
        return (state is O or state is B) and self._outbox.size <= MAX_UNSENT and self._inbox.has_room()

    @property
    def has_request(self) -> bool:
        """Whether `next_request` has something to give, or to raise, or a request has `unfinished` steps."""
        if self.state is O:
            return self._inbox.has_frame and self._outbox.size <= MAX_UNSENT
        return self.unfinished is not None and self.state is B

    def next_request(self) -> bytearray | None:
        """The next frame, if one is whole and may be handled now. Raises `FrameRefused`."""
        if self.state is not O or self._outbox.size > MAX_UNSENT:
            return None
        frame = self._inbox.next_frame()
        if frame is not None:
            self.state = B
        return frame

    # ---- what becomes of a request

    def send(self, pieces: Sequence[Piece]) -> None:
        """Queue an answer. One that comes too late, to a connection that closes, is dropped."""
        if self.state is B:
            self._outbox.put(pieces)
        elif self.state not in (C, X):
            raise WrongState(f"an answer without a request: the connection is {self.state.name}")

    def done(self) -> None:
        """The request has its answers, or needs none."""
        if self.state is B:  # as the table says, and every request comes by
            self.state = O
        else:
            self._on(Event.DONE)

    def hang(self) -> None:
        """The request is never answered, and nothing more is read."""
        self._on(Event.HANG)

    def close(self) -> None:
        """Close after what is queued has been sent."""
        self._on(Event.CLOSE)

    def abort(self) -> None:
        """Close without sending what is queued."""
        self._outbox.clear()
        self._on(Event.CLOSE)

    def closed(self) -> None:
        """The transport has closed; nothing can be sent or received any more."""
        self._outbox.clear()
        self._inbox.clear()
        self.unfinished = None
        self._on(Event.GONE)

    @property
    def is_closing(self) -> bool:
        """Whether no request is taken any more because it closes or has closed."""
        return self.state in (C, X)

    @property
    def is_over(self) -> bool:
        """Whether the transport has to close now: the broker wants to, or the client has left and is owed nothing."""
        return (self.state is C and not self._outbox.size) or (self.has_ended and not self.has_request)

    def _on(self, event: Event) -> None:
        try:
            self.state = TRANSITIONS[event][self.state]
        except KeyError:
            raise WrongState(f"{event.value}: not while the connection is {self.state.name}") from None

    # ---- what the client is sent

    @property
    def unsent(self) -> int:
        """How many bytes there are to send, including those that are not made yet."""
        return self._outbox.size
