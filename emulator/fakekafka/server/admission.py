"""What a new connection must pass before its requests are handled: on a listener with SASL, this is a login."""

from typing import TYPE_CHECKING, Final

from fakekafka.cluster.broker import Broker
from fakekafka.security.listener import Listener
from fakekafka.server.connection import Connection

if TYPE_CHECKING:
    from fakekafka.security.sasl.mechanism import Mechanism

LIMITS: Final = ("max.connections", "max.connections.per.ip", "max.connection.creation.rate")
UNLIMITED: Final = 0x7FFFFFFF
OVERRIDES: Final = "max.connections.per.ip.overrides"


def limits_connections(broker: Broker) -> bool:
    """Whether a broker limits how many connections it has, or how fast they arrive (`connection_limits.py`)."""
    config = broker.config
    if config.text(OVERRIDES) or any(config.int(name, UNLIMITED) != UNLIMITED for name in LIMITS):
        return True
    if any(entity[0][0] == "ip" for entity in broker.cluster.settings.quotas):
        return True
    named = (*config.static, *config.dynamic, *config.dynamic_defaults)
    return any(name.endswith(LIMITS) for name in named)


def admit(broker: Broker, connection: Connection) -> None:
    """Set up what the listener of the connection requires."""
    if broker.listeners[0].name == connection.listener and broker.listeners[0].sasl is None:
        return
    listener = next(one for one in broker.listeners if one.name == connection.listener)
    if listener.sasl is None:
        return
    from fakekafka.security.sasl.authentication import Authentication

    rules = broker.profile.sasl
    connection.authentication = Authentication(rules, listener.sasl, lambda name: _mechanism(broker, listener, name))
    connection.distrust(broker.config.int("sasl.server.max.receive.size", rules.largest_frame))


def _mechanism(broker: Broker, listener: Listener, name: str) -> "Mechanism":
    """The server's side of a login. Modules are loaded when first needed."""
    from fakekafka.server import mechanisms

    return mechanisms.new(broker, listener, name)
