"""The address that a broker tells its clients: where it listens, unless its configuration says otherwise.

`advertised.listeners` (from 0.9) overrides `advertised.host.name` and `advertised.port` (0.8.1 to 2.8), and these
override `host.name`, the only one that 0.8.0 has. Port 0 in `advertised.listeners` means the port that the broker is
bound to, and no host means its own (asked of 0.9.0.1, 2.3.1 and 4.3.1).
"""

from fakekafka.errors import BrokerWillNotStart
from fakekafka.state.configs import BrokerConfig


def advertised_address(config: BrokerConfig, host: str, port: int) -> tuple[str, int]:
    """The address of a broker that listens on `host` and `port`. Raises `BrokerWillNotStart`."""
    listeners = config.value("advertised.listeners")
    if listeners:
        advertised_host, advertised_port = _first(listeners if isinstance(listeners, tuple) else str(listeners))
        return advertised_host or host, advertised_port or port
    name = config.text("advertised.host.name") or config.text("host.name")
    return name or host, config.int("advertised.port") or port


def _first(listeners: str | tuple[str, ...]) -> tuple[str, int]:
    """Host and port of the first endpoint, "PLAINTEXT://host:port" (EndPoint.scala, SocketServerConfigs.java)."""
    text = (listeners.split(",") if isinstance(listeners, str) else listeners)[0].strip()
    _, scheme, address = text.partition("://")
    host, colon, port = address.rpartition(":")
    if scheme and colon and port.isascii() and port.isdigit():
        return host.removeprefix("[").removesuffix("]"), int(port)
    shown = listeners if isinstance(listeners, str) else f"[{', '.join(listeners)}]"
    raise BrokerWillNotStart(
        f"Error creating broker listeners from '{shown}': Unable to parse {text} to a broker endpoint"
    )
