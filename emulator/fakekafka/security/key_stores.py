"""Key stores and trust stores of a listener: JKS, PKCS12 and PEM, in files or as texts in the properties (KIP-651).

OpenSSL takes a key from a file only. So a key from any other source lies for a moment in a directory that only its
owner can read, locked with a random password; keys from the properties lie there as given.
"""

import re
import ssl
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

from fakekafka.errors import BrokerWillNotStart, MalformedBytes, UsageError
from fakekafka.security.jks import MAGIC, WrongPassword, read_jks
from fakekafka.security.listener import Property

T = TypeVar("T")
PEM: Final = "PEM"
JAVA_STORES: Final = ("JKS", "PKCS12")
ALIAS: Final = "kafka"
"""The name that Kafka gives to the key of a PEM."""
NAMELESS: Final = "1"
"""The name that Java gives to a key that has none in its PKCS12."""
CERTIFICATE: Final = re.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
KEY, CHAIN, TRUSTED = "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates"


class UnreadableStore(BrokerWillNotStart):
    """A store that cannot be read. `words`: the message without the reason."""

    def __init__(self, words: str, why: object) -> None:
        super().__init__(f"{words}: {why}")
        self.words = words


class StoreEntry(NamedTuple):
    """A key that a listener may use, or a certificate that lies beside the keys."""

    alias: str
    certificate: bytes
    """The certificate as DER."""
    load: Callable[[ssl.SSLContext], None] | None = None
    """Have a context use the key. Raises `BrokerWillNotStart`. None: there is no key."""


def store_entries(prop: Property, *, has_pem: bool) -> list[StoreEntry]:
    """What is in the key store that a listener's properties name, with at least one key; empty if they name none.

    `has_pem`: whether the release has PEM stores. Raises `BrokerWillNotStart`, mostly with the broker's words.
    """
    place, key, chain = prop("ssl.keystore.location"), prop(KEY), prop(CHAIN)
    if place is None and key is None and chain is None:
        return []
    if place is not None and key is not None:
        raise BrokerWillNotStart("Both SSL key store location and separate private key are specified.")
    kind = _kind(prop("ssl.keystore.type"), place, has_pem)
    password, key_password = prop("ssl.keystore.password"), prop("ssl.key.password")
    if place is None:
        _check_texts(kind, key, chain)
        text = f"{key}\n{chain}"
        certificate = _guarded("in the properties", PEM, lambda: _first_certificate(text))
        return [StoreEntry(ALIAS, certificate, lambda context: _load_texts(context, text, key_password))]
    if kind == PEM:
        if password is not None:
            words = "SSL key store password cannot be specified with PEM format, only key password may be specified."
            raise BrokerWillNotStart(words)
        return [_pem_entry(place, key_password)]
    if password is None:
        raise BrokerWillNotStart("SSL key store is specified, but key store password is not specified.")
    return _guarded(place, kind, lambda: _java_entries(Path(place).read_bytes(), password, key_password))


def _pem_entry(place: str, password: str | None) -> StoreEntry:
    def load(context: ssl.SSLContext) -> None:
        _guarded(place, PEM, lambda: context.load_cert_chain(place, password=password or ""))

    certificate = _guarded(place, PEM, lambda: _first_certificate(Path(place).read_text("latin-1")))
    return StoreEntry(ALIAS, certificate, load)


def _first_certificate(text: str) -> bytes:
    """The first certificate of a PEM, as DER; empty if there is none, which OpenSSL then refuses."""
    match = CERTIFICATE.search(text)
    return b"" if match is None else ssl.PEM_cert_to_DER_cert(match.group())


def load_trusted(context: ssl.SSLContext, prop: Property, *, has_pem: bool) -> None:
    """Have the listener trust what its properties name. Raises `BrokerWillNotStart`."""
    place, texts = prop("ssl.truststore.location"), prop(TRUSTED)
    if texts is not None:
        _kind(prop("ssl.truststore.type"), place, has_pem)
        _guarded("in the properties", PEM, lambda: context.load_verify_locations(cadata=_certificates(texts)))
    elif place is not None:
        kind, password = _kind(prop("ssl.truststore.type"), place, has_pem), prop("ssl.truststore.password")
        if kind == PEM:
            _guarded(place, kind, lambda: context.load_verify_locations(place))
        else:
            _guarded(place, kind, lambda: _trust_java(context, Path(place).read_bytes(), password))


def trusts(prop: Property) -> bool:
    """Whether a listener's properties name a trust store."""
    return prop("ssl.truststore.location") is not None or prop(TRUSTED) is not None


def _certificates(text: str) -> bytes:
    """The certificates of a PEM, as DER; any text between them is a comment. Raises `ValueError`."""
    return b"".join(map(ssl.PEM_cert_to_DER_cert, CERTIFICATE.findall(text)))


def _kind(given: str | None, place: str | None, has_pem: bool) -> str:
    """The type of a store; JKS unless given. Raises `BrokerWillNotStart` for one that the release does not read."""
    kind = (given or JAVA_STORES[0]).upper()
    if kind not in JAVA_STORES and not (kind == PEM and has_pem):
        raise BrokerWillNotStart(f"Failed to load SSL keystore {place} of type {given}: {given} not found")
    return kind


def _check_texts(kind: str, key: str | None, chain: str | None) -> None:
    if kind != PEM:
        raise BrokerWillNotStart(f"{KEY} needs ssl.keystore.type=PEM")
    if chain is None:
        raise BrokerWillNotStart("SSL private key is specified, but certificate chain is not specified.")
    if key is None:
        raise BrokerWillNotStart("SSL certificate chain is specified, but private key is not specified")


def _guarded(place: str, kind: str, load: Callable[[], T]) -> T:
    """Load a store. Raises `UnreadableStore` if that fails."""
    try:
        return load()
    except (OSError, ValueError, MalformedBytes, WrongPassword) as wrong:
        raise UnreadableStore(f"Failed to load SSL keystore {place} of type {kind}", wrong) from wrong


def _load_texts(context: ssl.SSLContext, text: str, password: str | None) -> None:
    with TemporaryDirectory(prefix="fakekafka-key-") as folder:  # only the owner can read it
        path = Path(folder) / "key.pem"
        path.touch(mode=0o600)
        path.write_text(text, "utf-8")
        _guarded("in the properties", PEM, lambda: context.load_cert_chain(path, password=password or ""))


# ---- Java's stores


def _java_entries(data: bytes, password: str, key_password: str | None) -> list[StoreEntry]:
    """What is in a store; from a PKCS12, only the first key. Java reads both kinds, whichever the type says."""
    entries = _jks(data, password, key_password) if data.startswith(MAGIC) else _pkcs12(data, password)
    if not any(one.load for one in entries):
        raise ValueError("there is no private key in it")
    return entries


def _jks(data: bytes, password: str, key_password: str | None) -> list[StoreEntry]:
    serialization, _, _ = _library()
    return [
        StoreEntry(alias, chain[0])
        if key is None
        else _key_entry(alias, serialization.load_der_private_key(key, None), chain)
        for alias, chain, key in read_jks(data, password, key_password)
    ]


def _pkcs12(data: bytes, password: str) -> list[StoreEntry]:
    serialization, _, pkcs12 = _library()
    store = pkcs12.load_pkcs12(data, password.encode())
    if store.key is None:
        return []
    own = [] if store.cert is None else [store.cert]
    chain = [one.certificate.public_bytes(serialization.Encoding.DER) for one in own + store.additional_certs]
    name = own[0].friendly_name if own else None
    return [_key_entry(NAMELESS if name is None else name.decode("utf-8", "replace").lower(), store.key, chain)]


def _key_entry(alias: str, key: Any, chain: list[bytes]) -> StoreEntry:
    """A key and its certificates, which are DER. Raises `ValueError` for a key without any."""
    if not chain:
        raise ValueError("a key in it has no certificate")
    serialization, _, _ = _library()
    lock = token_hex()
    locked = serialization.BestAvailableEncryption(lock.encode())
    text = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked).decode()
    text += "".join(map(ssl.DER_cert_to_PEM_cert, chain))
    return StoreEntry(alias, chain[0], lambda context: _load_texts(context, text, lock))


def _trust_java(context: ssl.SSLContext, data: bytes, password: str | None) -> None:
    if data.startswith(MAGIC):
        trusted = [entry.chain[0] for entry in read_jks(data, password, None) if entry.key is None]
    else:
        serialization, _, pkcs12 = _library()
        store = pkcs12.load_pkcs12(data, None if password is None else password.encode())
        trusted = [one.certificate.public_bytes(serialization.Encoding.DER) for one in store.additional_certs]
    context.load_verify_locations(cadata=b"".join(trusted))


def _library() -> tuple[Any, Any, Any]:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.serialization import pkcs12
    except ImportError:
        raise UsageError("key stores of Java need the library cryptography: pip install 'fakekafka[tls]'") from None
    return serialization, x509, pkcs12
