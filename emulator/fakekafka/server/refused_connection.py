"""A connection that the broker has closed, or never served, because of the client at the other end."""

from typing import NamedTuple

from fakekafka.escaping import escaped
from fakekafka.ids import BrokerId, TimestampMs


class RefusedConnection(NamedTuple):
    """A refused connection. It prints as one line and holds no secret."""

    at_ms: TimestampMs
    """When the connection was refused, on the broker's wall clock."""
    broker: BrokerId
    listener: str
    host: str
    """The client's address."""
    why: str

    def __str__(self) -> str:
        return f"broker {self.broker}, listener {self.listener}: {self.host} was turned away: {escaped(self.why)}"
