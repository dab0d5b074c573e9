"""What clients meet at listeners with TLS: one broker with many listeners, and questions to each of them.

The same questions were put to real brokers (`recorded.json`) and are put to the emulator (`test_manners.py`).
"""

import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

from cryptography import x509
from cryptography.x509.oid import NameOID
from fakekafka.errors import ErrorCode
from fakekafka.releases.release import Release
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.create_delegation_token import CreateDelegationTokenRequest, CreateDelegationTokenResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.sasl_authenticate import SaslAuthenticateRequest, SaslAuthenticateResponse
from fakekafka.wire.apis.sasl_handshake import SaslHandshakeRequest, SaslHandshakeResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

from tests.golden.tls.stores import PASSWORD, Authorities, minted, named, rdn

R = TypeVar("R", bound=Response)
Address = tuple[str, int]

BROKER: Final = 4
"""The type of a broker as a resource."""
PATIENCE_S: Final = 20
TLS_1_2, TLS_1_3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
SUITE: Final = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
OTHER_SUITE: Final = "ECDHE-ECDSA-AES128-GCM-SHA256"
LOGIN: Final = 'org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="wonderland";'
RULES: Final = r"RULE:^CN=(Svc-.*?),OU=shop$/$1/L"
"""A rule that most names do not match, with no DEFAULT after it."""
FRAMED: Final = Release.parse("1.0")
"""The first release in which the tokens of a login are in requests."""
TOKENS: Final = Release.parse("1.1")
"""The first release with delegation tokens."""
MAPPING: Final = Release.parse("2.2")
DN_CHANGES: Final = Release.parse("3.7")
INCREMENTAL: Final = Release.parse("2.3")
KEYS: Final = ("alpha", "beta", "gamma", "delta")

UNSEEN: Final = "unseen"
"""A topic on which nobody has rights."""

LISTENERS: Final[Mapping[str, str]] = {
    "TLS": "SSL",
    "OLDER": "SSL",
    "NEWER": "SSL",
    "SUITE": "SSL",
    "REQUIRED": "SSL",
    "REQUESTED": "SSL",
    "MAPPED": "SSL",
    "SUN": "SSL",
    "PKIX": "SSL",
    "FREE": "SSL",
    "LOGIN": "SASL_SSL",
    "BOTH": "SASL_SSL",
}
"""Listeners beside PLAINTEXT, with their protocols."""


def properties(release: Release, made: Authorities) -> dict[str, str]:
    """The broker's properties, without its listeners. The broker demands certificates, most listeners do not."""
    several = {alias: minted(named(f"CN={alias}"), made.known, 1, [f"{alias}.example"]) for alias in KEYS}
    key = "delegation.token.master.key" if release < Release.parse("2.8") else "delegation.token.secret.key"
    shared = {
        "ssl.keystore.location": made.broker_store("broker.jks"),
        "ssl.keystore.password": PASSWORD,
        "ssl.truststore.location": made.trust_store("trusted.jks"),
        "ssl.truststore.password": PASSWORD,
        "ssl.client.auth": "required",
        "sasl.enabled.mechanisms": "PLAIN",
        key: "key-of-tokens",
    }
    of_listener = {
        "tls.ssl.keystore.location": made.broker_store("renewed.jks"),
        "older.ssl.enabled.protocols": "TLSv1.2",
        "newer.ssl.enabled.protocols": "TLSv1.3",
        "suite.ssl.cipher.suites": SUITE,
        "requested.ssl.client.auth": "requested",
        "mapped.ssl.client.auth": "required",
        "sun.ssl.keystore.location": made.store("several.jks", several),
        "pkix.ssl.keystore.location": made.store("several.jks", several),
        "pkix.ssl.keymanager.algorithm": "PKIX",
        "free.ssl.keystore.location": made.broker_store("free.jks"),
        "login.plain.sasl.jaas.config": LOGIN,
        "both.plain.sasl.jaas.config": LOGIN,
        "both.ssl.client.auth": "required",
    }
    for name in ("tls", "older", "newer", "suite", "sun", "pkix", "free"):
        of_listener[f"{name}.ssl.client.auth"] = "none"
    if release >= MAPPING:
        of_listener["mapped.ssl.principal.mapping.rules"] = RULES
    if release >= DN_CHANGES:
        of_listener |= {"free.ssl.allow.dn.changes": "true", "free.ssl.allow.san.changes": "true"}
    return {name: str(value) for name, value in shared.items()} | {
        f"listener.name.{name}": str(value) for name, value in of_listener.items()
    }


class Broker(NamedTuple):
    """A broker that runs with `properties`, the addresses of its listeners, and the authorities of its clients."""

    release: Release
    addresses: Mapping[str, Address]
    made: Authorities
    last_refused: Callable[[Address], str] = str
    """The principal that the authorizer behind an address refused last."""


# ---- clients


def client(broker: Broker, name: str | x509.Name | None = None, *, by_stranger: bool = False) -> ssl.SSLContext:
    """A client, with a certificate if it has a name."""
    subject = named(name) if isinstance(name, str) else name
    return broker.made.client(subject, broker.made.stranger if by_stranger else None)


def bounded(context: ssl.SSLContext, lowest: ssl.TLSVersion, highest: ssl.TLSVersion) -> ssl.SSLContext:
    context.minimum_version, context.maximum_version = lowest, highest
    return context


def met(
    broker: Broker,
    listener: str,
    context: ssl.SSLContext,
    then: Callable[[ssl.SSLSocket], str],
    host: str | None = None,
) -> str:
    """What `then` finds on a new connection, or how the broker ended it."""
    raw = socket.create_connection(broker.addresses[listener], PATIENCE_S)
    try:
        with context.wrap_socket(raw, server_hostname=host) as secured:
            return then(secured)
    except ssl.SSLEOFError:
        return "closed"
    except ssl.SSLError as failure:
        return _words(failure.reason or "")
    except (ConnectionError, EOFError):
        return "closed"
    except TimeoutError:
        return "no answer"
    finally:
        raw.close()


def _words(reason: str) -> str:
    """ "alert: protocol version" for "TLSV1_ALERT_PROTOCOL_VERSION"."""
    _, is_alert, words = reason.partition("_ALERT_")
    return f"alert: {words.replace('_', ' ').lower()}" if is_alert else reason.replace("_", " ").lower()


def served(secured: ssl.SSLSocket) -> str:
    """The version of TLS over which a request is answered."""
    exchange(secured, MetadataRequest(topics=[]), 0, MetadataResponse)
    return f"served over {secured.version()}"


def refused_later(secured: ssl.SSLSocket) -> str:
    """Whether the client is refused: with TLS 1.3 it learns this only when it reads."""
    data = secured.recv(1)
    return "served" if data else "closed"


def serial(secured: ssl.SSLSocket) -> str:
    return str(shown(secured).serial_number)


def subject(secured: ssl.SSLSocket) -> str:
    return shown(secured).subject.rfc4514_string()


def shown(secured: ssl.SSLSocket) -> x509.Certificate:
    """The certificate of the broker."""
    der = secured.getpeercert(binary_form=True)
    assert der is not None
    return x509.load_der_x509_certificate(der)


def principal(broker: Broker) -> Callable[[ssl.SSLSocket], str]:
    """The principal of a client: the owner of a new delegation token, or the error if the client has no name; before
    there are such tokens, the principal that the authorizer refuses.
    """

    def refused(secured: ssl.SSLSocket) -> str:
        exchange(secured, MetadataRequest(topics=[MetadataRequestTopic(name=UNSEEN)]), 0, MetadataResponse)
        return broker.last_refused(secured.getpeername())

    def ask(secured: ssl.SSLSocket) -> str:
        version = 2 if broker.release >= Release.parse("2.8") else 0
        request = CreateDelegationTokenRequest(renewers=[], max_lifetime_ms=-1)
        answer = exchange(secured, request, version, CreateDelegationTokenResponse)
        name = f"{answer.principal_type}:{answer.principal_name}"
        return f"{name} {ErrorCode(answer.error_code).name}" if answer.error_code else name

    return ask if broker.release >= TOKENS else refused


def login(release: Release) -> Callable[[ssl.SSLSocket], str]:
    """The outcome of a login by PLAIN."""
    token = b"\0alice\0wonderland"

    def framed(secured: ssl.SSLSocket) -> str:
        exchange(secured, SaslHandshakeRequest(mechanism="PLAIN"), 1, SaslHandshakeResponse)
        answer = exchange(secured, SaslAuthenticateRequest(auth_bytes=token), 0, SaslAuthenticateResponse)
        return ErrorCode(answer.error_code).name

    def raw(secured: ssl.SSLSocket) -> str:
        exchange(secured, SaslHandshakeRequest(mechanism="PLAIN"), 0, SaslHandshakeResponse)
        secured.sendall(SIZE.pack(len(token)) + token)
        return ErrorCode.NONE.name if received(secured, SIZE.size) == SIZE.pack(0) else "another token"

    return framed if release >= FRAMED else raw


def exchange(connection: socket.socket, request: Request, version: int, kind: type[R]) -> R:
    """Ask and read the answer. Raises `EOFError`, `OSError`."""
    connection.sendall(request_frame(request, version, 1, "tls"))
    (size,) = SIZE.unpack(received(connection, SIZE.size))
    return read_response(kind, version, received(connection, size))[1]


def received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


# ---- questions


def manner(outcome: str) -> str:
    """An outcome as far as Kafka decides it: TLS libraries decide which bytes end a handshake, if any."""
    kept = outcome.startswith(("served", "closed", "User:", "CN=", "1503", "its own")) or outcome.isupper()
    return outcome if kept else "refused in the handshake"


def versions(broker: Broker) -> dict[str, str]:
    """Versions of TLS and suites, on both sides."""
    either, old, new = (TLS_1_2, TLS_1_3), (TLS_1_2, TLS_1_2), (TLS_1_3, TLS_1_3)
    asked = {
        "by default, either version": ("TLS", either),
        "by default, TLS 1.2": ("TLS", old),
        "only TLS 1.2, TLS 1.2": ("OLDER", old),
        "only TLS 1.2, TLS 1.3": ("OLDER", new),
        "only TLS 1.3, TLS 1.2": ("NEWER", old),
        "only TLS 1.3, TLS 1.3": ("NEWER", new),
        "one suite, any": ("SUITE", old),
        "one suite, TLS 1.3": ("SUITE", new),
    }
    found = {name: met(broker, at, bounded(client(broker), *range_), served) for name, (at, range_) in asked.items()}
    other = bounded(client(broker), *old)
    other.set_ciphers(OTHER_SUITE)
    return found | {"one suite, another": met(broker, "SUITE", other, served)}


def certificates(broker: Broker) -> dict[str, str]:
    """Certificates of clients that are missing, or signed by a stranger."""
    found = {}
    for listener in ("REQUIRED", "REQUESTED"):
        for which, range_, then in (("1.2", TLS_1_2, served), ("1.3", TLS_1_3, refused_later)):
            stranger = bounded(client(broker, "CN=svc", by_stranger=True), range_, range_)
            found[f"{listener.lower()}, of a stranger, TLS {which}"] = met(broker, listener, stranger, then)
    for which, range_, then in (("1.2", TLS_1_2, served), ("1.3", TLS_1_3, refused_later)):
        found[f"required, none, TLS {which}"] = met(broker, "REQUIRED", bounded(client(broker), range_, range_), then)
    found["requested, none"] = met(broker, "REQUESTED", client(broker), principal(broker))
    found["requested, one"] = met(broker, "REQUESTED", client(broker, "CN=svc"), principal(broker))
    log_in = login(broker.release)
    for listener in {"LOGIN", "BOTH"} & broker.addresses.keys():
        found[f"{listener.lower()}, none"] = met(broker, listener, bounded(client(broker), TLS_1_2, TLS_1_2), log_in)
        found[f"{listener.lower()}, one"] = met(broker, listener, client(broker, "CN=svc"), log_in)
    return found


NAMES: Final[Mapping[str, x509.Name]] = {
    "usual": named("CN=svc-1,OU=shop,O=Example,L=Berlin,ST=Berlin,C=DE"),
    "comma and quote": x509.Name([rdn((NameOID.ORGANIZATION_NAME, 'A, "B"')), rdn((NameOID.COMMON_NAME, "a+b;c"))]),
    "blanks": x509.Name([rdn((NameOID.COMMON_NAME, " a  b "))]),
    "hash, less, equal, backslash": x509.Name([rdn((NameOID.COMMON_NAME, "#<a>=\\"))]),
    "letters": x509.Name([rdn((NameOID.COMMON_NAME, "Grüße Ωß"))]),
    "two in one": x509.Name([rdn((NameOID.COMMON_NAME, "svc"), (NameOID.USER_ID, "7"))]),
    "e-mail": x509.Name([rdn((NameOID.COMMON_NAME, "svc")), rdn((NameOID.EMAIL_ADDRESS, "a@example"))]),
    "serial number": x509.Name([rdn((NameOID.COMMON_NAME, "svc")), rdn((NameOID.SERIAL_NUMBER, "17"))]),
    "others": x509.Name(
        [
            rdn((NameOID.DOMAIN_COMPONENT, "example")),
            rdn((NameOID.STREET_ADDRESS, "Way 1")),
            rdn((NameOID.TITLE, "Dr")),
            rdn((NameOID.GIVEN_NAME, "A")),
            rdn((NameOID.SURNAME, "B")),
            rdn((NameOID.USER_ID, "7")),
        ]
    ),
}


def principals(broker: Broker) -> dict[str, str]:
    """Principals from certificates, as DEFAULT and as a rule make them."""
    ask = principal(broker)
    found = {name: met(broker, "REQUIRED", client(broker, subject), ask) for name, subject in NAMES.items()}
    found["a rule that matches"] = met(broker, "MAPPED", client(broker, "CN=Svc-7,OU=shop"), ask)
    found["no rule that matches"] = met(broker, "MAPPED", bounded(client(broker, "CN=other"), TLS_1_2, TLS_1_2), ask)
    return found


def server_names(broker: Broker) -> dict[str, str]:
    """Which of several keys a listener uses, by the key manager and by SNI."""
    hosts = (None, *(f"{alias}.example" for alias in KEYS), "unknown.example")
    return {
        f"{listener.lower()}, {host}": met(broker, listener, client(broker), subject, host)
        for listener in ("SUN", "PKIX")
        for host in hosts
    }


def strangers(broker: Broker) -> dict[str, str]:
    """Clients that speak something other than their listener."""
    frame = request_frame(ApiVersionsRequest(), 0, 1, "plain")
    return {
        "a plain client on TLS": answer_to(broker, "TLS", frame),
        "an HTTP client on TLS": answer_to(broker, "TLS", b"GET / HTTP/1.1\r\n\r\n"),
        "a TLS client on PLAINTEXT": met(broker, "PLAINTEXT", client(broker), served),
    }


def answer_to(broker: Broker, listener: str, data: bytes) -> str:
    """What comes before the broker closes, in hexadecimal."""
    with socket.create_connection(broker.addresses[listener], PATIENCE_S) as connection:
        connection.sendall(data)
        came = b""
        with suppress(ConnectionError):
            while piece := connection.recv(100):
                came += piece
    if not came:
        return "closed"
    return came.hex()


def addresses(broker: Broker) -> dict[str, str]:
    """Metadata names the address of the listener that was asked."""

    def own_or_another(connection: socket.socket) -> str:
        answer = exchange(connection, MetadataRequest(topics=[]), 0, MetadataResponse)
        (told,) = {(one.host, one.port) for one in answer.brokers}
        return "its own" if told == connection.getpeername() else f"another: {told}"

    with socket.create_connection(broker.addresses["PLAINTEXT"], PATIENCE_S) as plain:
        found = {"PLAINTEXT": own_or_another(plain)}
    for listener, protocol in LISTENERS.items():
        if protocol == "SSL" and listener in broker.addresses:
            found[listener] = met(broker, listener, client(broker, "CN=Svc-1,OU=shop"), own_or_another)
    return found


QUESTIONS: Final[Mapping[str, Callable[[Broker], Mapping[str, str]]]] = {
    "versions": versions,
    "certificates": certificates,
    "principals": principals,
    "server names": server_names,
    "strangers": strangers,
    "addresses": addresses,
}
