"""How a broker asks another one: a request goes to the other's own handler, as one from a client would.

No bytes are made of it, nothing waits, and the journal of requests does not show it. What may be asked, and what comes
of a version that the other does not have, is the other's manner.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

Exchange: TypeAlias = Callable[["Broker", Request, int, str], Response | None]
"""Asks a broker, in a version, under a client id. None: it closes the connection, or never answers."""


def nobody_answers(broker: "Broker", request: Request, version: int, client_id: str) -> None:
    """The exchange of a cluster whose brokers hear nothing of each other."""
    return
