"""The section of the handle on clients: where they connect, with which settings, and how much they may."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fakekafka.errors import UsageError
from fakekafka.handle.section import Section
from fakekafka.runtime.runtime import Life, NotStarted
from fakekafka.server.memory import MemoryClient

if TYPE_CHECKING:
    from fakekafka.client_configs import Client, ClientConfig, Login
    from fakekafka.ids import BrokerId
    from fakekafka.impatience.quick_settings import Role
    from fakekafka.settings.oauth import TokenIssuer
    from fakekafka.settings.tls import Tls


class Clients(Section):
    """How clients reach the cluster."""

    @property
    def bootstrap_servers(self) -> str:
        """ "host:port" of every broker, separated by commas. The hosts are IPv4 literals, so nothing is resolved."""
        if self._runtime.life is not Life.SERVING:
            raise NotStarted
        return self._runtime.addresses.servers()

    @property
    def host(self) -> str:
        """Where clients reach the first broker."""
        return self._runtime.addresses.hosts[0]

    @property
    def port(self) -> int:
        """The first broker's port."""
        return self._runtime.addresses.ports[0]

    def set_quotas(
        self,
        quotas: Mapping[str, float | None],
        *,
        user: str | None = None,
        client_id: str | None = None,
        ip: str | None = None,
    ) -> None:
        """Limit clients as `kafka-configs.sh` does, from 0.9 on: a broker that a client exceeds throttles it, in the
        manner of its release and on its clock.

        `quotas`: by name, {"producer_byte_rate": 1000}; None removes one. "consumer_byte_rate",
        "request_percentage" (0.11), "controller_mutation_rate" (2.7), and "connection_creation_rate" of an address
        (2.8) are the others. `user`, `client_id`: who is limited, together or alone; `ip`: clients of an address.
        "<default>": all for whom there is none of their own. Raises `UsageError` for quotas and entities that the
        release does not have, with the broker's words.
        """
        from fakekafka.admin import direct

        named = {"user": user, "client-id": client_id, "ip": ip}
        entity = {kind: name for kind, name in named.items() if name is not None}
        self._on_loop(lambda: direct.set_quotas(self._running.cluster, entity, quotas))

    def client_config(
        self,
        client: "Client",
        user: str | None = None,
        *,
        mechanism: str | None = None,
        listener: str | None = None,
        quick: "bool | Role" = False,
    ) -> "ClientConfig":
        """Ready settings for a client library: keyword arguments or properties, as the library takes them.

        `user`: one of `users` or of a JAAS configuration, who logs in by `mechanism`; None: the first that the listener
        enables and for which there are passwords. `listener`: the name of the one to connect to; None: the first where
        that user can log in. `quick`: True adds settings with which a consumer hurries, "producer" or "admin" settings
        for such clients; `quick_settings` explains each of them. Raises `UsageError` for a client, user, mechanism or
        listener that is not known.
        """
        from fakekafka.client_configs import client_config

        login = self._login(user, mechanism, listener)
        servers = self.bootstrap_servers if login is None else self._runtime.addresses.servers(login.listener)
        config = client_config(client, servers, self._runtime.blueprint.release, login)
        if quick is False:
            return config
        from fakekafka.impatience.quick_settings import quick_config

        return config | quick_config(client, quick)

    def _login(self, user: str | None, mechanism: str | None, listener: str | None) -> "Login | None":
        """How a client connects to a listener that is not plain."""
        from fakekafka.client_configs import login_of
        from fakekafka.security.listeners import plain_users

        brokers = self._running.cluster.brokers
        if not brokers:
            return None  # all brokers are down, and will be back
        broker = min(brokers.items())[1]
        ca_file = None if self._runtime.tls is None else str(self._runtime.tls.ca_file)
        issuer, security = self._runtime.security.issuer, self._runtime.security
        issue = None if issuer is None else lambda: (issuer.token(user or ""), issuer.lifetime_s)
        users = dict(security.users)
        for one in broker.listeners:
            users = plain_users(broker.config.static.get, one.name) | users
        if user in users and user not in security.users:
            mechanism = mechanism or "PLAIN"  # PLAIN: the user is in a JAAS configuration
        return login_of(broker.listeners, users, user, mechanism, listener, ca_file, issue)

    @property
    def tls(self) -> "Tls":
        """The certificates of a broker with `tls=True`. Raises `UsageError` if it has none."""
        if self._runtime.tls is None:
            raise UsageError("this broker has no certificates: use FakeKafka(tls=True)")
        return self._runtime.tls

    @property
    def oauth(self) -> "TokenIssuer":
        """The signer of the tokens for a broker with `oauth=True`. Raises `UsageError` if it takes no signed tokens."""
        issuer = self._runtime.security.issuer
        if issuer is None:
            raise UsageError("this broker takes no signed tokens: say FakeKafka(oauth=True)")
        return issuer

    def connect(
        self, node_id: "BrokerId | None" = None, *, listener: str | None = None, host: str = "127.0.0.1"
    ) -> MemoryClient:
        """A connection without a socket, in the caller's thread: only for a broker that was booted, not started.

        `node_id` None: the first broker. `listener`: the name of one of its listeners; None: the first. `host`: the
        client's address. Raises `UsageError` if the broker was started.
        """
        if self._runtime.life is Life.SERVING:
            raise UsageError("connect() is for boot(): clients of a started broker use bootstrap_servers")
        cluster = self._running.cluster
        broker = cluster.running(min(cluster.brokers) if node_id is None else node_id)
        return MemoryClient(self._running, broker.node_id, listener, host)
