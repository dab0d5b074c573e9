"""A connection that the broker has closed, or never served, because of who is at its other end."""

from typing import NamedTuple

from fakekafka.escaping import escaped
from fakekafka.ids import BrokerId, TimestampMs


class RefusedConnection(NamedTuple):
    """One of them. Prints as one line; holds no secret."""

    at_ms: TimestampMs
    """On the broker's wall clock."""
    broker: BrokerId
    listener: str
    host: str
    """The client's address."""
    why: str

    def __str__(self) -> str:
        return f"broker {self.broker}, listener {self.listener}: {self.host} was turned away: {escaped(self.why)}"
