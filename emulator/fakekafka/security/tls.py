"""TLS of one listener: the context that its properties ask for, and the principal of a client with a certificate."""

import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.security.cipher_suites import choose_ciphers
from fakekafka.security.key_stores import load_key, load_trusted
from fakekafka.security.listeners import Property
from fakekafka.security.mapping_rules import MappingRules
from fakekafka.security.principal import ANONYMOUS, Principal, user

CLIENT_AUTH: Final = {"none": ssl.CERT_NONE, "requested": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
OLD_VERSIONS: Final = ("TLSv1.1", "TLSv1", "SSLv3", "SSLv2Hello")
"""Versions that Java also knows. OpenSSL no longer speaks them, nor has Java since 2021."""
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
ATTRIBUTES: Final = {
    "commonName": "CN",
    "organizationalUnitName": "OU",
    "organizationName": "O",
    "localityName": "L",
    "stateOrProvinceName": "ST",
    "streetAddress": "STREET",
    "countryName": "C",
    "domainComponent": "DC",
    "userId": "UID",
}
"""OpenSSL's names of attributes, with those of RFC 2253."""


class Secured(NamedTuple):
    """TLS as the properties of a listener currently define it."""

    context: ssl.SSLContext
    rules: MappingRules


class Encryption:
    """How a listener speaks TLS: as `build` returns it, which is called again when `version` has changed.

    New connections use the newest result; open ones keep theirs, as in Kafka.
    """

    def __init__(self, build: Callable[[], Secured], version: Callable[[], object]) -> None:
        self._build, self._version = build, version
        self._built_for, self._secured = version(), build()

    def now(self) -> Secured:
        """TLS for a new connection. If building fails, the last result stays in force."""
        version = self._version()
        if version != self._built_for:
            self._built_for = version
            with suppress(BrokerWillNotStart, UsageError):
                self._secured = self._build()
        return self._secured


def principal_of(rules: MappingRules, certificate: "dict[str, Any] | None") -> Principal:
    """The principal of a client with that certificate, as `ssl.SSLObject.getpeercert` gives it."""
    return user(rules.apply(distinguished_name(certificate))) if certificate else ANONYMOUS


def secured(given: Property, known: Property, own: Callable[[], ssl.SSLContext] | None, *, has_pem: bool) -> Secured:
    """TLS with the key store of a listener, otherwise with `own`. Raises `BrokerWillNotStart`, `UsageError`.

    `given`: properties of the listener as given; `known`: with defaults. `has_pem`: see `load_key`.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if not load_key(context, given, has_pem=has_pem):
        if own is None:
            words = "a listener with TLS needs ssl.keystore.location or ssl.keystore.key, or FakeKafka(tls=True)"
            raise UsageError(words)
        context = own()
    load_trusted(context, given, has_pem=has_pem)
    context.verify_mode = CLIENT_AUTH[known("ssl.client.auth") or "none"]
    enabled = _enabled(_elements(known("ssl.enabled.protocols")))
    context.minimum_version, context.maximum_version = min(enabled), max(enabled)
    choose_ciphers(context, _elements(known("ssl.cipher.suites")))
    return Secured(context, MappingRules.parse(known("ssl.principal.mapping.rules") or "DEFAULT"))


def fingerprint(given: Property) -> tuple[object, ...]:
    """What TLS depends on: values, and the files that they name. It is equal as long as nothing has changed."""
    values = [(name, given(name)) for name in PROPERTIES]
    places = [Path(value) for name, value in values if value and name.endswith(".location")]
    return *values, *(_file_state(place) for place in places)


def _file_state(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def _elements(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _enabled(names: list[str]) -> list[ssl.TLSVersion]:
    """The versions among `ssl.enabled.protocols` that are played. Raises `BrokerWillNotStart`, `UsageError`."""
    for name in names:
        if name not in VERSIONS and name not in OLD_VERSIONS:
            raise BrokerWillNotStart(f"Unsupported protocol: {name}")
    found = [VERSIONS[name] for name in names if name in VERSIONS]
    if names and not found:
        raise UsageError(f"ssl.enabled.protocols={','.join(names)}: only {' and '.join(VERSIONS)} are played")
    return found or list(VERSIONS.values())


def distinguished_name(certificate: "dict[str, Any]") -> str:
    """The subject of a certificate as Java writes it (RFC 2253): the last part first."""
    parts = []
    for relative in reversed(certificate["subject"]):
        parts.append("+".join(f"{ATTRIBUTES.get(name, name)}={_escaped(value)}" for name, value in relative))
    return ",".join(parts)


def _escaped(value: str) -> str:
    escaped = "".join("\\" + c if c in ',+"\\<>;=' else c for c in value)
    return "\\" + escaped if value[:1] in ("#", " ") else escaped
