"""Stores of another kind in place of a listener's stores: more or fewer of them, with other entries or other names.

Each listener has its own stores, and is given one change.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from cryptography.x509.name import _ASN1Type
from cryptography.x509.oid import NameOID
from fakekafka.errors import ErrorCode

from tests.golden.tls.cases import Broker
from tests.golden.tls.reloading import alter
from tests.golden.tls.stores import PASSWORD, Authorities, Minted, minted, named

Files: TypeAlias = Mapping[str, str]
"""Properties of a listener, without `listener.name.….ssl.`"""


def _one(made: Authorities, file: str, subject: str | x509.Name, host: str = "localhost") -> Files:
    """A key store with one key."""
    name = named(subject) if isinstance(subject, str) else subject
    return _store(made, file, {"only": minted(name, made.known, 1, [host])})


def _store(made: Authorities, file: str, keys: Mapping[str, Minted], *beside: Minted) -> Files:
    trusted = [each.certificate for each in beside]
    return {"keystore.location": str(made.store(file, keys, trusted)), "keystore.password": PASSWORD}


def _keys(made: Authorities, file: str, **hosts: str) -> Files:
    """A store with these keys, each for its own host and with its alias as its name."""
    keys = {alias: minted(named(f"CN={alias}"), made.known, 1, [host]) for alias, host in hosts.items()}
    return _store(made, file, keys)


def _pkcs12(made: Authorities, file: str, subject: str, alias: bytes | None) -> Files:
    key, certificate = minted(named(subject), made.known)
    path = made.folder / file
    path.write_bytes(
        serialize_key_and_certificates(alias, key, certificate, None, BestAvailableEncryption(PASSWORD.encode()))
    )
    return {"keystore.location": str(path), "keystore.password": PASSWORD, "keystore.type": "PKCS12"}


def _of_kind(kind: _ASN1Type, text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text, kind)])


def _trusting(made: Authorities) -> Files:
    return {"truststore.location": str(made.trust_store("added.jks"))}


def _beside(made: Authorities, file: str, authority: str) -> Files:
    return _store(made, file, {"only": minted(named("CN=broker"), made.known)}, minted(named(authority), None))


Change: TypeAlias = tuple[Callable[[Authorities], Files], Callable[[Authorities], Files]]
"""The stores that a listener has, and the change that it is given."""

CHANGES: Final[Mapping[str, Change]] = {
    "KEY": (lambda made: {}, lambda made: _one(made, "key.jks", "CN=broker")),
    "TRUST": (lambda made: _one(made, "trust.jks", "CN=broker"), _trusting),
    "MORE": (
        lambda made: _keys(made, "more-1.jks", alpha="alpha.example"),
        lambda made: _keys(made, "more-2.jks", alpha="alpha.example", beta="beta.example"),
    ),
    "FEWER": (
        lambda made: _keys(made, "fewer-1.jks", alpha="alpha.example", beta="beta.example"),
        lambda made: _keys(made, "fewer-2.jks", alpha="alpha.example"),
    ),
    "SWAPPED": (
        lambda made: _keys(made, "swapped-1.jks", alpha="alpha.example", beta="beta.example"),
        lambda made: _keys(made, "swapped-2.jks", beta="beta.example", alpha="alpha.example"),
    ),
    "BOTH": (
        lambda made: _keys(made, "both-1.jks", alpha="alpha.example", beta="beta.example"),
        lambda made: _keys(made, "both-2.jks", alpha="other.example", gamma="beta.example"),
    ),
    "BESIDE": (
        lambda made: _beside(made, "beside-1.jks", "CN=root"),
        lambda made: _beside(made, "beside-2.jks", "CN=other root"),
    ),
    "LETTERS": (
        lambda made: _one(made, "letters-1.jks", "CN=The broker,OU=Shop"),
        lambda made: _one(made, "letters-2.jks", "CN=THE  Broker,OU=shop"),
    ),
    "KIND": (
        lambda made: _one(made, "kind-1.jks", _of_kind(_ASN1Type.PrintableString, "broker")),
        lambda made: _one(made, "kind-2.jks", _of_kind(_ASN1Type.IA5String, "broker")),
    ),
    "NAMED": (
        lambda made: _pkcs12(made, "named-1.p12", "CN=broker", b"Shop"),
        lambda made: _pkcs12(made, "named-2.p12", "CN=other", b"Shop"),
    ),
    "NAMELESS": (
        lambda made: _pkcs12(made, "nameless-1.p12", "CN=broker", None),
        lambda made: _pkcs12(made, "nameless-2.p12", "CN=other", None),
    ),
}
"""The changes by listener."""


def store_properties(made: Authorities) -> dict[str, str]:
    """The properties of a broker with these listeners. A real one also needs password.encoder.secret."""
    return {name: value for listener, (has, _) in CHANGES.items() for name, value in _of(listener, has(made)).items()}


def exchanged(broker: Broker) -> dict[str, str]:
    """What becomes of each change."""
    return {listener: _told(broker, listener, becomes(broker.made)) for listener, (_, becomes) in CHANGES.items()}


def _told(broker: Broker, listener: str, files: Files) -> str:
    error, words = alter(broker, _of(listener, files))
    return f"{ErrorCode(error).name} {words or ''}".strip().replace(str(broker.made.folder), "FOLDER")


def _of(listener: str, files: Files) -> dict[str, str]:
    return {f"listener.name.{listener.lower()}.ssl.{name}": value for name, value in files.items()}
