"""What a new connection must pass before its requests are handled: on a listener with SASL, a login."""

from typing import TYPE_CHECKING

from fakekafka.cluster.broker import Broker
from fakekafka.security.listener import Listener
from fakekafka.server.connection import Connection

if TYPE_CHECKING:
    from fakekafka.security.sasl.mechanism import Mechanism


def admit(broker: Broker, connection: Connection) -> None:
    """Set up what the listener of the connection asks for."""
    if broker.listeners[0].name == connection.listener and broker.listeners[0].sasl is None:
        return
    listener = next(one for one in broker.listeners if one.name == connection.listener)
    if listener.sasl is None:
        return
    from fakekafka.security.sasl.authentication import Authentication

    rules = broker.profile.sasl
    connection.authentication = Authentication(rules, listener.sasl, lambda name: _mechanism(broker, listener, name))
    connection.limit_frames(broker.config.int("sasl.server.max.receive.size", rules.largest_frame))


def _mechanism(broker: Broker, listener: Listener, name: str) -> "Mechanism":
    """The server's side of a login. Modules are loaded when first needed."""
    from fakekafka.server import mechanisms

    return mechanisms.new(broker, listener, name)
