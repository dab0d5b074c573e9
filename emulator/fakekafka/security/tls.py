"""TLS of one listener: the context that its properties ask for, and the principal of a client with a certificate."""

import ssl
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.security.listeners import Property, listener_property
from fakekafka.security.mapping_rules import MappingRules
from fakekafka.security.principal import ANONYMOUS, Principal, user

CLIENT_AUTH: Final = {"none": ssl.CERT_NONE, "requested": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
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
"""OpenSSL's names of attributes, and those of RFC 2253."""


class Encryption(NamedTuple):
    """How a listener speaks TLS."""

    context: ssl.SSLContext
    rules: MappingRules

    def principal(self, certificate: "dict[str, Any] | None") -> Principal:
        """The principal of a client with that certificate, as `ssl.SSLObject.getpeercert` gives it."""
        if not certificate:
            return ANONYMOUS
        return user(self.rules.apply(distinguished_name(certificate)))


def encryption(
    value: Property, static: Property, listener: str, own: Callable[[], ssl.SSLContext] | None
) -> Encryption:
    """How a listener speaks TLS: with its key store, or with `own`. Raises `BrokerWillNotStart`, `UsageError`.

    `value`: properties with defaults; `static`: as they were given.
    """
    given, known = listener_property(static, listener), listener_property(value, listener)
    context = _context(given, own)
    context.verify_mode = CLIENT_AUTH[known("ssl.client.auth") or "none"]
    enabled = [VERSIONS[name] for name in (known("ssl.enabled.protocols") or "").split(",") if name in VERSIONS]
    context.minimum_version = min(enabled, default=ssl.TLSVersion.TLSv1_2)
    context.maximum_version = max(enabled, default=ssl.TLSVersion.TLSv1_3)
    return Encryption(context, MappingRules.parse(known("ssl.principal.mapping.rules") or "DEFAULT"))


def _context(prop: Property, own: Callable[[], ssl.SSLContext] | None) -> ssl.SSLContext:
    place, kind = prop("ssl.keystore.location"), prop("ssl.keystore.type") or "JKS"
    if place is None and own is not None:
        return own()
    if place is None:
        raise UsageError("a listener with TLS needs ssl.keystore.location (type PEM), or FakeKafka(tls=True)")
    if kind.upper() != "PEM":
        raise UsageError(f"ssl.keystore.type={kind} is not read here: convert the key store to PEM")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(place, password=prop("ssl.key.password"))
        if (trusted := prop("ssl.truststore.location")) is not None:
            context.load_verify_locations(trusted)
    except (OSError, ssl.SSLError) as wrong:
        raise BrokerWillNotStart(f"Failed to load SSL keystore {place} of type PEM: {wrong}") from wrong
    return context


def distinguished_name(certificate: "dict[str, Any]") -> str:
    """The subject of a certificate as Java writes it (RFC 2253): the last part first."""
    parts = []
    for relative in reversed(certificate["subject"]):
        parts.append("+".join(f"{ATTRIBUTES.get(name, name)}={_escaped(value)}" for name, value in relative))
    return ",".join(parts)


def _escaped(value: str) -> str:
    escaped = "".join("\\" + c if c in ',+"\\<>;=' else c for c in value)
    return "\\" + escaped if value[:1] in ("#", " ") else escaped
