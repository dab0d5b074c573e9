"""Where a broker listens, and how: `listeners`, `advertised.listeners`, `listener.security.protocol.map`.

Host and port of `FakeKafka` stand for the first listener unless `listeners` names one. Port 0 takes a free one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.ids import DurationMs
from fakekafka.security.jaas import login_modules
from fakekafka.security.listener import PLAINTEXT, Listener, SaslSettings
from fakekafka.security.sasl.authentication import JAVA_ORDER

if TYPE_CHECKING:
    from fakekafka.security.sasl.oauthbearer import Validate

PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
"""SecurityProtocol."""
NO_REAUTHENTICATION: Final = "0"
JAAS: Final = "sasl.jaas.config"
"""Brokers read it only with a mechanism before it (JaasContext)."""
NO_JAAS: Final = (
    "Could not find a 'KafkaServer' or '{listener}.KafkaServer' entry in the JAAS configuration."
    " System property 'java.security.auth.login.config' is not set"
)
OAUTHBEARER: Final = "OAUTHBEARER"
TOKEN_HANDLER: Final = "sasl.server.callback.handler.class"
KEYS_OF_TOKENS: Final = "sasl.oauthbearer.jwks.endpoint.url"


Property: TypeAlias = Callable[[str], str | None]
"""The text of a broker property; None where it is not set."""


def listeners(prop: Property, default: str = PLAINTEXT, *, has_users: bool = True) -> list[Listener]:
    """The listeners for clients that the properties name, in order; one of protocol `default` if they name none.
    `has_users`: somebody can log in even if no JAAS configuration names anybody.

    Raises `BrokerWillNotStart` with the broker's words, and `UsageError` for what is not supported.
    """
    text = prop("listeners")
    if not text:
        return [_with_sasl(Listener(default, default), prop, has_users=has_users)]
    protocols = protocol_map(prop("listener.security.protocol.map"))
    endpoints = [_endpoint(part.strip(), text, protocols) for part in text.split(",")]
    _check_unique(endpoints, text)
    controllers = {name.strip() for name in (prop("controller.listener.names") or "").split(",")}
    return [
        _with_sasl(listener, prop, has_users=has_users) for listener in endpoints if listener.name not in controllers
    ]


def advertised(prop: Property) -> dict[str, tuple[str, int]]:
    """Host and port that each listener tells its clients, by name. Raises `BrokerWillNotStart`."""
    text = prop("advertised.listeners") or ""
    protocols = protocol_map(prop("listener.security.protocol.map"))
    endpoints = [_endpoint(part.strip(), text, protocols) for part in text.split(",") if part.strip()]
    return {listener.name: (listener.host, listener.port) for listener in endpoints}


def protocol_map(text: str | None) -> dict[str, str]:
    """Protocols by listener name. Raises `BrokerWillNotStart`."""
    if not text:
        return {name: name for name in PROTOCOLS}
    protocols = {}
    for pair in text.split(","):
        name, _, protocol = pair.strip().rpartition(":")
        if protocol.upper() not in PROTOCOLS and protocol.upper() != "TRACE":
            raise BrokerWillNotStart(
                f"No enum constant org.apache.kafka.common.security.auth.SecurityProtocol.{protocol}"
            )
        protocols[name.upper()] = protocol.upper()
    return protocols


def _endpoint(text: str, whole: str, protocols: Mapping[str, str]) -> Listener:
    name, scheme, address = text.partition("://")
    host, colon, port = address.rpartition(":")
    if not (name and scheme and colon and port.isascii() and port.isdigit()):
        raise BrokerWillNotStart(
            f"Error creating broker listeners from '{whole}': Unable to parse {text} to a broker endpoint"
        )
    if name.upper() not in protocols:
        words = f"No security protocol defined for listener {name.upper()}"
        raise BrokerWillNotStart(f"Error creating broker listeners from '{whole}': {words}")
    return Listener(name.upper(), protocols[name.upper()], host.removeprefix("[").removesuffix("]"), int(port))


def _check_unique(endpoints: Iterable[Listener], text: str) -> None:
    names = [listener.name for listener in endpoints]
    ports = [listener.port for listener in endpoints if listener.port]
    if len(set(names)) < len(names):
        raise BrokerWillNotStart(f"requirement failed: Each listener must have a different name, listeners: {text}")
    if len(set(ports)) < len(ports):
        raise BrokerWillNotStart(f"requirement failed: Each listener must have a different port, listeners: {text}")


def _with_sasl(listener: Listener, prop: Property, *, has_users: bool) -> Listener:
    if not listener.protocol.startswith("SASL"):
        return listener
    of_listener = listener_property(prop, listener.name)
    names = (of_listener("sasl.enabled.mechanisms") or "GSSAPI").split(",")
    mechanisms = tuple(name.strip() for name in names if name.strip())
    for name in mechanisms:
        if name not in JAVA_ORDER:
            raise UsageError(
                f"listener {listener.name}: SASL mechanism {name} is not played; sasl.enabled.mechanisms may name"
                f" {', '.join(JAVA_ORDER)}"
            )
        if not has_users and of_listener(f"{name.lower()}.{JAAS}") is None:
            raise BrokerWillNotStart(NO_JAAS.format(listener=listener.name.lower()))
    plain_users(prop, listener.name)  # a configuration that cannot be read is refused now
    validate = _token_check(of_listener) if OAUTHBEARER in mechanisms else None
    return listener._replace(sasl=SaslSettings(mechanisms, _lifetimes(mechanisms, of_listener), validate))


def _token_check(of_listener: Property) -> "Validate | None":
    """What checks tokens of OAUTHBEARER; None: they are unsecured. Raises `BrokerWillNotStart`, `UsageError`."""

    def prop(name: str) -> str | None:
        own = of_listener(f"{OAUTHBEARER.lower()}.{name}")
        return of_listener(name) if own is None else own

    handler = prop(TOKEN_HANDLER)
    if handler is None or handler.endswith(".OAuthBearerUnsecuredValidatorCallbackHandler"):
        return None
    if not handler.endswith(".OAuthBearerValidatorCallbackHandler"):
        raise UsageError(f"{TOKEN_HANDLER}={handler} is not played: only Kafka's own validators of tokens are")
    url = prop(KEYS_OF_TOKENS)
    if url is None:
        raise BrokerWillNotStart(f"The OAuth configuration option {KEYS_OF_TOKENS} value must be non-null")
    from fakekafka.security.sasl.jwks import KeySet  # few listeners have signed tokens
    from fakekafka.security.sasl.signed_tokens import SignedTokens, TokenRules

    return SignedTokens(TokenRules.of(prop), KeySet(url).find).validated


def _lifetimes(mechanisms: Iterable[str], of_listener: Property) -> dict[str, DurationMs]:
    lifetimes = {}
    for name in mechanisms:
        own = of_listener(f"{name.lower()}.connections.max.reauth.ms") or of_listener("connections.max.reauth.ms")
        if (lifetime_ms := int(own or NO_REAUTHENTICATION)) > 0:
            lifetimes[name] = lifetime_ms
    return lifetimes


def listener_property(prop: Property, listener: str) -> Property:
    """The value of a property for one listener: its own, or the broker's (KIP-103)."""

    def read(name: str) -> str | None:
        own = prop(f"listener.name.{listener.lower()}.{name}")
        return prop(name) if own is None else own

    return read


def plain_users(prop: Property, listener: str) -> dict[str, str]:
    """The users of PLAIN that a listener's JAAS configuration names, with their passwords."""
    of_listener = listener_property(prop, listener)
    text = of_listener(f"plain.{JAAS}") or ""
    return {name: secret for module in login_modules(text) for name, secret in module.users.items()}
