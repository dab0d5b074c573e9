"""One client's socket and its connection: moves bytes in and out, and takes turns with other channels.

Every request passes through here, so the channel queries the connection as seldom as it can. A socket with TLS around
it is an `EncryptedChannel`, which changes how bytes are received and sent.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from fakekafka.ids import Buffer, DurationMs
from fakekafka.pieces import BreaksOff
from fakekafka.server.connection import MAX_SENT, Connection
from fakekafka.server.core import Core
from fakekafka.server.newcomers import Newcomers
from fakekafka.server.turns import Turns

if TYPE_CHECKING:
    from fakekafka.faults.pace import Pace

READ: Final = 1
WRITE: Final = 2
"""Events, numbered as in `selectors`."""
READS_PER_TURN: Final = 16
"""How often one connection is read before the others get their turn."""


class Socket(Protocol):
    """A socket that does not block."""

    def recv_into(self, space: memoryview, /) -> int: ...
    def send(self, data: Buffer, /) -> int: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class Server(Protocol):
    """The part of the server that a channel needs."""

    core: Core
    turns: Turns
    newcomers: Newcomers

    def serve_answered(self) -> None: ...
    def flush_later(self, channel: "Channel", /) -> None: ...
    def resume_later(self, channel: "Channel", ms: DurationMs, /) -> None: ...
    def reset(self, client: Socket, /) -> None: ...
    @property
    def elapsed_ms(self) -> DurationMs: ...
    def forget(self, connection: Connection, /) -> None: ...
    def watch(self, client: Socket, before: int, events: int, action: Callable[[int], None], /) -> None: ...


class Channel:
    """One client that is connected."""

    def __init__(self, server: Server, client: Socket, connection: Connection) -> None:
        self._server = server
        self._socket = client
        self._connection = connection
        self._outbox = connection.outbox
        self._send_buffers: Callable[[Sequence[Buffer]], int] = _sending(client)
        self._is_full = False  # the socket takes no more bytes
        self._is_paused = False  # until a timer resumes sending
        self._is_closed = False
        self._watched = 0
        self.used_ns = 0
        self.period = 0
        self.is_due = False
        self.is_new = not connection.is_known
        """Whether the client is not identified yet."""
        self._watch()

    def turn_away(self, why: str) -> None:
        """Close the connection of a client that is not identified yet."""
        self._server.core.refuse(self._connection, why)
        self.close()

    def _find_out_who_it_is(self) -> None:
        """Stop limiting the client's time once it is identified."""
        if self._connection.is_known:
            self.is_new = False
            self._server.newcomers.remove(self)

    def _watch(self) -> None:
        """Have the loop call when the socket is ready for what the connection needs."""
        connection = self._connection
        events = READ if connection.wants_bytes and not connection.has_ended else 0
        if self._is_full:
            events |= WRITE
        if events != self._watched:
            self._server.watch(self._socket, self._watched, events, self.ready)
            self._watched = events

    def ready(self, events: int) -> None:
        """Act on a socket that can be read or written."""
        if self._is_closed:
            return  # another event of the same pass has closed the channel
        if events & READ:
            self._read()
        if events & WRITE:
            self._is_full = False
            self._server.turns.add(self)
        elif self._connection.has_request:
            self._server.turns.add(self)

    def _read(self) -> None:
        connection = self._connection
        for _ in range(READS_PER_TURN):
            if not connection.wants_bytes:
                self._watch()
                return
            space = connection.space()
            try:
                count = self._socket.recv_into(space)
            except BlockingIOError:
                connection.nothing_came()
                return
            except OSError:
                self.close()
                return
            connection.received(count)
            if count < len(space):
                if not count:
                    self._end()
                return

    def take_turn(self) -> bool:
        """Do one step of a request, or send a part of what is queued."""
        connection, server = self._connection, self._server
        if self._is_closed or not connection.has_request:
            return self.flush()
        server.core.step(connection)
        if self.is_new:
            self._find_out_who_it_is()
        if server.core.answered:
            server.serve_answered()
        if connection.has_request:
            server.flush_later(self)
            return True
        return self._outbox.size > MAX_SENT or self.flush()  # a large answer gets a separate turn

    def resume(self) -> None:
        """Go on sending after a pause."""
        self._is_paused = False
        self._server.turns.add(self)

    def flush(self) -> bool:
        """Send what is queued, or a part of it if it is large. Returns whether there is more to do without waiting."""
        if self._is_closed:
            return False
        try:
            self._send()
        except Exception as e:
            self.close()
            if not isinstance(e, (OSError, BreaksOff)):
                raise  # a defect of the broker
            return False
        self._end()
        if self._is_closed:
            return False
        has_more = self._outbox.size > 0 and not self._is_full and not self._is_paused
        return has_more or self._connection.has_request

    def _send(self) -> None:
        pace, left = self._connection.pace, MAX_SENT
        if pace is not None:
            self._send_paced(pace)
            return
        while left > 0 and self._outbox.size:
            left -= self._send_part(left)
            if self._is_full:
                return

    def _send_part(self, most: int) -> int:
        """Send up to `most` bytes. Returns how many the socket took."""
        connection = self._connection
        buffers = connection.data_to_send(most)
        try:
            count = self._send_buffers(buffers)
        except BlockingIOError:
            count = 0
        connection.sent(count)
        self._is_full = count < sum(map(len, buffers))
        return count

    def _send_paced(self, pace: "Pace") -> None:
        """Send one piece of what a fault allows now."""
        if self._is_paused or not self._outbox.size:
            return
        elapsed_ms = self._server.elapsed_ms
        allowed = pace.allowed(elapsed_ms)
        if allowed.bytes:
            pace.sent(self._send_part(min(allowed.bytes, MAX_SENT)), elapsed_ms)
        else:
            self._is_paused = True
            self._server.resume_later(self, allowed.again_ms)
        if not self._outbox.size:
            self._connection.pace = None

    def _end(self) -> None:
        """Close if it is time to; otherwise keep watching."""
        if self._connection.is_over:
            self.close()
        elif not self._is_closed:
            self._watch()

    def close(self) -> None:
        """Close the socket and forget the connection."""
        if not self._is_closed:
            self._is_closed = True
            if self._watched:
                self._server.watch(self._socket, self._watched, 0, self.ready)
            if self._connection.resets:
                self._server.reset(self._socket)
            self._socket.close()
            self._server.newcomers.remove(self)
            self._server.forget(self._connection)


def _sending(client: Socket) -> Callable[[Sequence[Buffer]], int]:
    """The function that sends several buffers at once."""
    sendmsg: Callable[[Sequence[Buffer]], int] | None = getattr(client, "sendmsg", None)
    return sendmsg or (lambda buffers: client.send(b"".join(buffers)))  # Windows
