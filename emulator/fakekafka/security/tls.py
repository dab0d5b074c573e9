"""TLS of one listener: the context that its properties ask for, and the principal of a client with a certificate."""

import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.jvm.hashes import java_hash
from fakekafka.jvm.maps import MapKind, in_order
from fakekafka.security.certificates import distinguished_name, host_names
from fakekafka.security.cipher_suites import choose_ciphers
from fakekafka.security.key_stores import StoreEntry, load_trusted, store_entries, trusts
from fakekafka.security.listener import Property
from fakekafka.security.mapping_rules import MappingRules
from fakekafka.security.principal import ANONYMOUS, Principal, user

CLIENT_AUTH: Final = {"none": ssl.CERT_NONE, "requested": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
BY_NAME: Final = ("PKIX", "NewSunX509", "X509", "SunPKIX")
"""Names of the key manager that considers SNI (ssl.keymanager.algorithm)."""
VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
OLD_VERSIONS: Final = ("TLSv1.1", "TLSv1", "SSLv3", "SSLv2Hello")
"""Versions that Java also knows. OpenSSL no longer speaks them, and Java has not since 2021."""
PROPERTIES: Final = (
    "ssl.keystore.location",
    "ssl.keystore.type",
    "ssl.keystore.password",
    "ssl.key.password",
    "ssl.keystore.key",
    "ssl.keystore.certificate.chain",
    "ssl.truststore.location",
    "ssl.truststore.type",
    "ssl.truststore.password",
    "ssl.truststore.certificates",
    "ssl.client.auth",
    "ssl.enabled.protocols",
    "ssl.cipher.suites",
)
"""The properties that can change while the broker runs."""


class Secured(NamedTuple):
    """TLS as the properties of a listener currently define it."""

    context: ssl.SSLContext
    rules: MappingRules
    entries: Sequence[StoreEntry] = ()
    """What is in the key store; empty if the key is our own."""
    has_trust_store: bool = False
    any_name: bool = False
    """Whether a changed key store may be for another name."""
    any_alternative_name: bool = False
    """Whether a changed key store may lack alternative names."""


class Encryption:
    """How a listener speaks TLS: the result of `build`, which is called again when `version` has changed.

    New connections use the newest result; open ones keep theirs, as in Kafka. `may_replace`: whether a result may take
    the place of an older one.
    """

    def __init__(
        self,
        build: Callable[[], Secured],
        version: Callable[[], object],
        may_replace: Callable[[Secured, Secured], bool] = lambda running, changed: True,
    ) -> None:
        self._build, self._version, self._may_replace = build, version, may_replace
        self._built_for, self._secured = version(), build()

    def now(self) -> Secured:
        """TLS for a new connection. If a change cannot be used, the last result stays in force."""
        version = self._version()
        if version != self._built_for:
            self._built_for = version
            with suppress(BrokerWillNotStart, UsageError):
                changed = self._build()
                if self._may_replace(self._secured, changed):
                    self._secured = changed
        return self._secured


def principal_of(rules: MappingRules, certificate: bytes | None) -> Principal:
    """The principal of a client with that certificate, which is DER. Raises `NoRuleApplies`."""
    return user(rules.apply(distinguished_name(certificate))) if certificate else ANONYMOUS


def secured(given: Property, known: Property, own: Callable[[], ssl.SSLContext] | None, *, has_pem: bool) -> Secured:
    """TLS with the key store of a listener, otherwise with `own`. Raises `BrokerWillNotStart`, `UsageError`.

    `given`: properties of the listener as given; `known`: as they are in force. `has_pem`: see `store_entries`.
    """
    entries = store_entries(given, has_pem=has_pem)
    if not entries and own is None:
        words = "a listener with TLS needs ssl.keystore.location or ssl.keystore.key, or FakeKafka(tls=True)"
        raise UsageError(words)
    rules = MappingRules.parse(known("ssl.principal.mapping.rules") or "DEFAULT")
    if not entries:
        assert own is not None
        return Secured(_limited(own(), given, known, has_pem=has_pem), rules, has_trust_store=trusts(given))
    contexts = {}
    for entry in entries:
        if entry.load is not None:
            contexts[entry.alias] = context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            entry.load(context)
            _limited(context, given, known, has_pem=has_pem)
    return Secured(
        _managed([entry for entry in entries if entry.load], contexts, known),
        rules,
        entries,
        trusts(given),
        any_name=known("ssl.allow.dn.changes") == "true",
        any_alternative_name=known("ssl.allow.san.changes") == "true",
    )


def _limited(context: ssl.SSLContext, given: Property, known: Property, *, has_pem: bool) -> ssl.SSLContext:
    """The context, with the certificates that it trusts and what it demands of clients."""
    load_trusted(context, given, has_pem=has_pem)
    demanded = known("ssl.client.auth") or "none"
    if demanded not in CLIENT_AUTH:
        words = f"Invalid value {demanded} for configuration ssl.client.auth: String must be one of:"
        raise BrokerWillNotStart(f"{words} {', '.join(reversed(CLIENT_AUTH))}")
    context.verify_mode = CLIENT_AUTH[demanded]
    enabled = _enabled(_elements(known("ssl.enabled.protocols")))
    context.minimum_version, context.maximum_version = min(enabled), max(enabled)
    choose_ciphers(context, _elements(known("ssl.cipher.suites")))
    return context


def _managed(entries: Sequence[StoreEntry], contexts: Mapping[str, ssl.SSLContext], known: Property) -> ssl.SSLContext:
    """The context of the key that Java's key manager chooses. `entries`: keys, as Java enumerates them.

    SunX509, the default, takes the first of a HashMap, which it fills from the store; PKIX the one whose certificate is
    for the name that the client asks for (SNI), in any case, possibly with a wildcard, or otherwise the store's first.
    """
    if len(entries) == 1 or known("ssl.keymanager.algorithm") not in BY_NAME:
        return contexts[in_order([(java_hash(alias), alias) for alias in contexts], MapKind.JAVA)[0]]
    first = contexts[entries[0].alias]
    hosts = {host: entry.alias for entry in reversed(entries) for host in host_names(entry.certificate)}

    def choose(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        asked = (name or "").lower()
        alias = hosts.get(asked) or hosts.get("*." + asked.partition(".")[2])
        connection.context = first if alias is None else contexts[alias]

    first.sni_callback = choose
    return first


def values_of(given: Property) -> tuple[object, ...]:
    """The properties on which TLS depends. They are equal as long as none has changed."""
    return tuple(given(name) for name in PROPERTIES)


def files_of(given: Property) -> tuple[object, ...]:
    """The files on which TLS depends. They are equal as long as none has changed."""
    places = [given(name) for name in PROPERTIES if name.endswith(".location")]
    return tuple(_file_state(Path(place)) for place in places if place)


def _file_state(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def _elements(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _enabled(names: list[str]) -> list[ssl.TLSVersion]:
    """The versions in `ssl.enabled.protocols` that are supported here. Raises `BrokerWillNotStart`, `UsageError`."""
    for name in names:
        if name not in VERSIONS and name not in OLD_VERSIONS:
            raise BrokerWillNotStart(f"Unsupported protocol: {name}")
    versions = [VERSIONS[name] for name in names if name in VERSIONS]
    if names and not versions:
        raise UsageError(f"ssl.enabled.protocols={','.join(names)}: only {' and '.join(VERSIONS)} are played")
    return versions or list(VERSIONS.values())
