"""What a broker's properties say about listeners and rights. Most brokers have neither, and load nothing for them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.profile import Profile
from fakekafka.security.acl_book import AclBook
from fakekafka.security.listener import PLAIN_ONLY, PLAINTEXT, Listener
from fakekafka.state.configs import BrokerConfig

if TYPE_CHECKING:
    from fakekafka.security.authorizer import Authorizer


Decision: TypeAlias = Callable[[Any, str, Any, str], bool]
"""See `security.authorizer.CustomAuthorizer`."""


class ClusterSecurity:
    """The security that all brokers of a cluster share: users, and the authorizer."""

    def __init__(self) -> None:
        self.users: Mapping[str, str] = {}
        """Passwords by name, on every listener with SASL."""
        self.authorizer: Decision | None = None
        self.default_protocol = "PLAINTEXT"
        """The protocol of the listener of a broker whose properties name none."""

    def __repr__(self) -> str:
        return f"<ClusterSecurity of {len(self.users)} users>"


AUTHORIZER: Final = "authorizer.class.name"
ABOUT_LISTENERS: Final = frozenset(
    {
        "listeners",
        "advertised.listeners",
        "listener.security.protocol.map",
        "inter.broker.listener.name",
        "security.inter.broker.protocol",
        "control.plane.listener.name",
        "early.start.listeners",
    }
)
"""Properties without which a broker has the one listener of Kafka's defaults."""
WHERE: Final = frozenset({"host.name", "port"})
"""Properties up to 2.8 that say where the one listener listens."""
LISTENER_PREFIX: Final = "listener.name."
OF_LOGINS: Final = ("sasl.jaas.config", "sasl.enabled.mechanisms")
OPEN_WITHOUT_RULES: Final = "allow.everyone.if.no.acl.found"


def properties_at_start(config: BrokerConfig) -> Mapping[str, str]:
    """The properties with which a broker opens its listeners, under ZooKeeper. Users and mechanisms that were set while
    it ran before count from now on (DynamicBrokerConfig.initialize). Recorded at 3.6.2 under ZooKeeper: random_users.
    """
    logins = {
        name: text
        for name, text in config.dynamic.items()
        if name.startswith(LISTENER_PREFIX) and name.endswith(OF_LOGINS)
    }
    return {**config.static, **logins}


def listeners_of(
    security: ClusterSecurity, config: BrokerConfig, given: Mapping[str, str], profile: Profile
) -> tuple[Listener, ...]:
    """The listeners for clients that a broker with the properties `given` opens. Raises `BrokerWillNotStart`, and
    `UsageError` for what is not played.
    """
    default = security.default_protocol
    if default == PLAINTEXT and ABOUT_LISTENERS.isdisjoint(config.static):
        if WHERE.isdisjoint(config.static):
            return PLAIN_ONLY
        is_told_apart = "advertised.host.name" in profile.broker_configs  # otherwise it may be the name for clients
        host = config.text("host.name") if is_told_apart else None
        return (Listener(PLAINTEXT, PLAINTEXT, host or "", int(config.static.get("port") or 0)),)
    from fakekafka.security.listeners import listeners

    has_users = bool(security.users) or default.startswith("SASL")
    return tuple(listeners(given.get, profile.listeners, default, has_users=has_users))


def endpoints_of(
    config: BrokerConfig, bound: Mapping[str, tuple[str, int]], profile: Profile
) -> dict[str, tuple[str, int]]:
    """What each listener tells its clients: where it is bound, unless `advertised.listeners` says otherwise."""
    if "advertised.listeners" not in config.static:
        return dict(bound)
    from fakekafka.security.listeners import advertised

    given = advertised(config.static.get, profile.listeners)
    return {
        name: (given.get(name, ("", 0))[0] or host, given.get(name, ("", 0))[1] or port)
        for name, (host, port) in bound.items()
    }


def asks_nobody(config: BrokerConfig, listener: Listener) -> bool:
    """Whether clients of a listener need neither log in nor have a certificate."""
    if listener.sasl is not None:
        return False
    own = config.sources(f"listener.name.{listener.name.lower()}.ssl.client.auth")
    required = (own[0][1] if own else config.text("ssl.client.auth")) == "required"
    return not (listener.is_encrypted and required)


def authorizer_of(
    security: ClusterSecurity, acls: AclBook, profile: Profile, config: BrokerConfig
) -> "Authorizer | None":
    """The authorizer to ask; None if security is off."""
    custom = security.authorizer
    if custom is None and not config.value(AUTHORIZER):
        return None
    from fakekafka.releases.authorizers import refused_authorizer
    from fakekafka.security.authorizer import Authorizer, super_users

    if (problem := refused_authorizer(config.text(AUTHORIZER), profile.release, profile.mode)) is not None:
        raise BrokerWillNotStart(problem)

    return Authorizer(
        profile.authorization,
        acls,
        super_users(config.static.get("super.users", "")),
        open_without_rules=config.static.get(OPEN_WITHOUT_RULES, "").lower() == "true",
        custom=custom,
    )
