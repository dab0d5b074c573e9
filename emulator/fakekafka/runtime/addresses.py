"""Where the brokers of a cluster listen: hosts and ports by listener. A restart keeps those whose properties still say
the same.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.errors import UsageError

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.ids import BrokerId
    from fakekafka.security.listener import Listener
    from fakekafka.security.tls import Encryption
    from fakekafka.server.tcp import TcpServer
    from fakekafka.settings.tls import Tls

MAX_PORT: Final = 65535
EVERYWHERE: Final = ("0.0.0.0", "::")
"""Hosts by which a socket listens on every address of the machine."""


class Addresses:
    """The addresses of `brokers` brokers. `ports`: the first broker's, or each one's; 0 becomes the bound port.

    `tls`: the certificates for listeners whose properties name none. Raises `UsageError` for impossible ports.
    """

    def __init__(self, host: str, ports: int | Sequence[int], brokers: int, tls: "Tls | None") -> None:
        self.host = host
        self.ports = [ports, *[0] * (brokers - 1)] if isinstance(ports, int) else list(ports)
        """The port of each broker's first listener."""
        self.hosts = [host] * len(self.ports)
        """Where clients reach each broker's first listener."""
        self._wanted = tuple(self.ports)
        self._bound: dict[tuple[BrokerId, str], tuple[str, int]] = {}  # hosts and ports by listener
        self._said: dict[tuple[BrokerId, str], tuple[str, int]] = {}  # by the properties, when these were bound
        self._tls = tls
        if len(self.ports) != brokers:
            raise UsageError(f"port: {len(self.ports)} for {brokers} brokers; give one, or one for each")
        for port in self.ports:
            if not 0 <= port <= MAX_PORT:
                raise UsageError(f"port {port}: a port is from 0, for a free one, to {MAX_PORT}")

    def servers(self, listener: str | None = None) -> str:
        """ "host:port" of every broker, separated by commas; None: of its first listener."""
        if listener is None:
            there = list(zip(self.hosts, self.ports))
        else:
            bound = [at for (_, name), at in sorted(self._bound.items()) if name == listener]
            there = [(self._reached(host), port) for host, port in bound]
        return ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in there)

    def tell(self, broker: "Broker", place: int) -> None:
        """Have the `place`-th broker claim to listen there, although it has no sockets yet."""
        broker.listen_on(self.host, self.ports[place])

    def listen(self, server: "TcpServer", broker: "Broker", place: int) -> None:
        """Bind every listener of a broker where its properties say, or where `FakeKafka` does. A port that `FakeKafka`
        names takes precedence for the first listener.
        """
        bound = {}
        for n, listener in enumerate(broker.listeners):
            at, said = (broker.node_id, listener.name), (listener.host, listener.port)
            if self._said.get(at) == said:
                host, port = self._bound[at]
            elif n:
                host, port = listener.host or self.host, listener.port
            else:
                host, port = listener.host or self.host, self._wanted[place] or listener.port or self.ports[place]
            tls = self._encryption(broker, listener) if listener.is_encrypted else None
            port = server.listen(broker.node_id, host, port, listener.name, tls)
            bound[listener.name] = self._bound[at] = host, port
            self._said[at] = said
        host, self.ports[place] = bound[broker.listeners[0].name]
        self.hosts[place] = self._reached(host)
        if len(bound) > 1:
            broker.listen_on_several(bound)
        else:
            broker.listen_on(host, self.ports[place])

    def _reached(self, host: str) -> str:
        return self.host if host in EVERYWHERE else host

    def _encryption(self, broker: "Broker", listener: "Listener") -> "Encryption":
        """How a listener speaks TLS: with the certificates of its properties, or with our own."""
        from fakekafka.state.tls_config import encryption_of

        own = None if self._tls is None else self._tls.server_context
        encryption = broker.encryption[listener.name] = encryption_of(broker.config, listener, broker.profile.tls, own)
        return encryption
