"""Where a broker listens, and how: `listeners`, `advertised.listeners`, `listener.security.protocol.map`.

Host and port of `FakeKafka` stand for what `listeners` leaves open; its port takes precedence for the first listener.
Port 0 takes a free one.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.ids import DurationMs
from fakekafka.security.between_brokers import CONTROLLERS, check_between_brokers
from fakekafka.security.jaas import login_modules
from fakekafka.security.listener import PLAINTEXT, Listener, Property, SaslSettings
from fakekafka.security.sasl.authentication import JAVA_ORDER

if TYPE_CHECKING:
    from fakekafka.releases.behaviours.listeners import ListenersBehaviour
    from fakekafka.security.sasl.oauthbearer import Validate

PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
"""SecurityProtocol."""
PROTOCOL_MAP: Final = "listener.security.protocol.map"
NO_REAUTHENTICATION: Final = "0"
JAAS: Final = "sasl.jaas.config"
"""Brokers read this property only with a mechanism before its name (JaasContext)."""
NO_JAAS: Final = (
    "Could not find a 'KafkaServer' or '{listener}.KafkaServer' entry in the JAAS configuration."
    " System property 'java.security.auth.login.config' is not set"
)
OAUTHBEARER: Final = "OAUTHBEARER"
TOKEN_HANDLER: Final = "sasl.server.callback.handler.class"
KEYS_OF_TOKENS: Final = "sasl.oauthbearer.jwks.endpoint.url"


def listeners(
    prop: Property, says: "ListenersBehaviour", default: str = PLAINTEXT, *, has_users: bool = True
) -> list[Listener]:
    """The listeners for clients that the properties name, in order; one of protocol `default` if they name none.
    `has_users`: whether somebody can log in even if no JAAS configuration names any user.

    Raises `BrokerWillNotStart` with the broker's words, and `UsageError` for what is not supported.
    """
    text, protocols = prop("listeners"), protocol_map(prop(PROTOCOL_MAP), says)
    endpoints = [Listener(default, default)] if text is None else _endpoints(text, protocols, says)
    if text is not None or default == PLAINTEXT:
        given = prop("advertised.listeners")
        told = endpoints if given is None else _endpoints(given, protocols, says)
        check_between_brokers(prop, _for_clients(prop, told), protocols, says)
    return [_with_sasl(listener, prop, has_users=has_users) for listener in _for_clients(prop, endpoints)]


def advertised(prop: Property, says: "ListenersBehaviour") -> dict[str, tuple[str, int]]:
    """Host and port that each listener gives its clients, by name. Raises `BrokerWillNotStart`."""
    endpoints = _endpoints(prop("advertised.listeners") or "", protocol_map(prop(PROTOCOL_MAP), says), says)
    return {listener.name: (listener.host, listener.port) for listener in endpoints}


def protocol_map(text: str | None, says: "ListenersBehaviour") -> dict[str, str]:
    """Protocols by listener name. Raises `BrokerWillNotStart`."""
    if not text or not says.have_names:
        return {name: name for name in PROTOCOLS}
    protocols = {}
    for pair in (each.strip() for each in text.split(",")):
        name, colon, protocol = pair.rpartition(":")
        if not colon:
            where = f"begin 0, end -1, length {len(pair)}"
            raise BrokerWillNotStart(f"Error parsing configuration property '{PROTOCOL_MAP}': {where}")
        if protocol.upper() not in PROTOCOLS and protocol.upper() != "TRACE":
            raise BrokerWillNotStart(says.unknown_protocol.format(name=protocol, config=PROTOCOL_MAP))
        protocols[name.upper()] = protocol.upper()
    return protocols


def _for_clients(prop: Property, endpoints: Iterable[Listener]) -> list[Listener]:
    controllers = {name.strip().upper() for name in (prop(CONTROLLERS) or "").split(",")}
    return [listener for listener in endpoints if listener.name not in controllers]


def _endpoints(text: str, protocols: Mapping[str, str], says: "ListenersBehaviour") -> list[Listener]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    shown = f"[{', '.join(parts)}]" if says.shown_as == "list" else text
    endpoints = [_endpoint(part, shown, protocols, says) for part in parts]
    names = [listener.name for listener in endpoints]
    if len(set(names)) < len(names):
        raise BrokerWillNotStart(says.same_name.format(shown=shown))
    for port in {listener.port for listener in endpoints if listener.port}:
        there = [listener.host for listener in endpoints if listener.port == port]
        families = [":" in host for host in there]
        if len(there) > 1 and not (says.one_port_for_two_families and sorted(families) == [False, True]):
            raise BrokerWillNotStart(says.same_port.format(shown=shown, port=port))
    return endpoints


def _endpoint(text: str, shown: str, protocols: Mapping[str, str], says: "ListenersBehaviour") -> Listener:
    name, scheme, address = text.partition("://")
    host, colon, port = address.rpartition(":")
    if not (name and scheme and colon and port.isascii() and port.isdigit()):
        words = f"Unable to parse {text} to a broker endpoint"
    elif name.upper() not in protocols:
        words = says.unknown_listener.format(name=name.upper())
    else:
        return Listener(name.upper(), protocols[name.upper()], host.removeprefix("[").removesuffix("]"), int(port))
    raise BrokerWillNotStart(f"Error creating broker listeners from '{shown}': {words}")


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
    """The check of OAUTHBEARER tokens; None: they are unsecured. Raises `BrokerWillNotStart`, `UsageError`."""

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
