"""The server without sockets, in the caller's thread: for tests of everything above the network.

    client = MemoryClient(core)
    answers = client.send(request_frame(...))      # whole frames, sizes included

Time stands where the cluster's clock stands. A parked request is answered when the clock moves, or by `expire`.
"""

from collections.abc import Callable
from typing import TypeVar

from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import BreaksOff
from fakekafka.server.connection import MAX_SENT, Connection
from fakekafka.server.core import Core

T = TypeVar("T")


class MemoryServer:
    """The counterpart of `TcpServer` without sockets: runs calls, and serves connections that were answered after
    waiting.
    """

    def __init__(self, core: Core) -> None:
        self.core = core

    def call(self, action: Callable[[], T]) -> T:
        """Run `action`, then what it woke; returns what it returns."""
        result: list[T] = []
        self.core.run(lambda: result.append(action()))
        handle_waiting(self.core)
        return result[0]


class MemoryClient:
    """One client connection to broker `node_id`, to one of its listeners (None: the first), from an address."""

    def __init__(self, core: Core, node_id: BrokerId = 0, listener: str | None = None, host: str = "127.0.0.1") -> None:
        self.core = core
        self.connection: Connection = core.connect(node_id, host, 0, listener)
        self._received: list[Buffer] = []
        self._unread = b""  # sent while the connection was not served yet
        self.closed = False
        """Whether the broker has closed the connection."""

    def send(self, data: Buffer) -> bytes:
        """Send bytes; returns what the broker sends back at once. Raises `UsageError` where a socket would block."""
        connection, rest = self.connection, memoryview(data)
        while len(rest) and connection.wants_bytes:
            rest = rest[connection.receive(rest) :]
            self._serve()
        if len(rest):
            if connection.is_held:
                self._unread += bytes(rest)
            elif not connection.is_closing:
                raise UsageError("the broker reads no more before the request that waits is answered")
        return self.receive()

    def receive(self) -> bytes:
        """What the broker has sent since."""
        if self.core.answered:
            handle_waiting(self.core)
        if self._unread and not self.connection.is_held:
            unread, self._unread = self._unread, b""
            return self.send(unread)
        self._serve()
        received, self._received = self._received, []
        return b"".join(received)

    def _serve(self) -> None:
        """Take the answers, and have every request handled that can be handled."""
        connection = self.connection
        while True:
            try:
                while connection.outbox.size and (buffers := connection.data_to_send(MAX_SENT)):
                    self._received += buffers
                    connection.sent(sum(map(len, buffers)))
            except BreaksOff:
                connection.abort()
            if not connection.has_request:
                break
            self.core.step(connection)
        if connection.is_over and not self.closed:
            self.disconnect()

    def expire(self) -> bytes:
        """Let the parked request of this connection run out of patience; returns the answer."""
        self.core.run(lambda: self.core.router.parked.expire(self.connection))
        return self.receive()

    def disconnect(self) -> None:
        """Close the connection."""
        self.closed = True
        self.core.disconnect(self.connection)


def handle_waiting(core: Core) -> None:
    """Handle requests that arrived while an earlier one, now answered, was waiting on the same connection."""
    while answered := core.take_answered():
        for connection in answered:
            while connection.has_request:
                core.step(connection)
