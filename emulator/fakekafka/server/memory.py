"""The server without sockets, in the caller's thread: for tests of everything above the network.

    client = MemoryClient(core)
    answers = client.send(request_frame(...))      # whole frames, sizes included

Time stands where the cluster's clock stands. A parked request is answered when the clock moves, or by `expire`.
"""

from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import BreaksOff, buffers
from fakekafka.server.connection import Connection
from fakekafka.server.core import Core


class MemoryClient:
    """One client connection to broker `node_id`."""

    def __init__(self, core: Core, node_id: BrokerId = 0) -> None:
        self.core = core
        self.connection: Connection = core.connect(node_id, "127.0.0.1", 0)
        self.closed = False
        """Whether the broker closed the connection."""

    def send(self, data: Buffer) -> bytes:
        """Send bytes; returns what the broker sends back at once."""
        rest = memoryview(data)
        while len(rest) and not self.closed:
            space = self.connection.inbox.space()
            count = min(len(space), len(rest))
            space[:count] = rest[:count]
            self.connection.inbox.received(count)
            rest = rest[count:]
            if self.connection.silenced:
                self.connection.inbox.drop()
            else:
                self.core.step(self.connection)
        return self.receive()

    def receive(self) -> bytes:
        """What the broker has sent since."""
        out: list[Buffer] = []
        try:
            out.extend(buffers(self.connection.take_outbox()))
        except BreaksOff:
            self.connection.close()
        if self.connection.closing and not self.closed:
            self.disconnect()
        return b"".join(out)

    def expire(self) -> bytes:
        """Let the parked request of this connection run out of patience; returns the answer."""
        self.core.run(lambda: self.core.router.expire(self.connection))
        return self.receive()

    def disconnect(self) -> None:
        """Close the connection."""
        self.closed = True
        self.core.disconnect(self.connection)
