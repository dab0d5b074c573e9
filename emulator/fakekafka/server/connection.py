"""One client connection, without its socket: bytes in, answers out.

A connection has one request in flight at a time (a real broker mutes the channel): later frames wait in the inbox
until the answer is sent, so answers leave in the order of the requests.
"""

from collections.abc import Sequence

from fakekafka.ids import BrokerId
from fakekafka.pieces import Piece
from fakekafka.server.inbox import Inbox


class Connection:
    """State of one connection. `id` is unique in the life of a server; `host` and `port` are the client's."""

    def __init__(self, id: int, node_id: BrokerId, host: str, port: int, max_frame_bytes: int) -> None:
        self.id = id
        self.node_id = node_id
        """The broker whose listener accepted it."""
        self.host = host
        self.port = port
        self.inbox = Inbox(max_frame_bytes)
        self.in_flight = False
        """Whether a request waits for its answer. While true, no frame is taken."""
        self.silenced = False
        """The broker lost track of this channel (some do on bad bytes): open, but no more is read from it."""
        self.closing = False
        """Close as soon as the outbox is sent."""
        self.outbox: list[Piece] = []

    def next_frame(self) -> bytearray | None:
        """The next request, if one is whole and may be handled now. Raises `FrameRefused`."""
        if self.in_flight or self.closing or self.silenced:
            return None
        return self.inbox.next_frame()

    def send(self, pieces: Sequence[Piece]) -> None:
        """Queue an answer."""
        if not self.closing:
            self.outbox.extend(pieces)

    def close(self) -> None:
        """Close after what is queued has been sent."""
        self.closing = True

    def take_outbox(self) -> list[Piece]:
        """Everything queued; the transport sends it."""
        out, self.outbox = self.outbox, []
        return out
