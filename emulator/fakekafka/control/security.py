"""Operations on connections that were turned away, and on requests that were refused for lack of a right."""

from fakekafka.control.desk import Desk
from fakekafka.server.refused_connection import RefusedConnection


def denials(desk: Desk) -> list[str]:
    """The last refusals, oldest first, each with the rule behind it and the smallest rule that would allow it."""
    return [str(denial) for denial in desk.kafka.why_denied()]


def refused_connections(desk: Desk) -> list[RefusedConnection]:
    """The last connections that were turned away, oldest first, each with the reason in words."""
    return desk.kafka.refused_connections
