"""Key stores and trust stores of a listener: JKS, PKCS12 and PEM, in files or as texts in the properties (KIP-651).

OpenSSL takes a key from a file only. So a key from any other source lies for a moment in a directory of its
owner's, locked with a password that nobody knows; keys from the properties lie there as given.
"""

import ssl
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, Final

from fakekafka.errors import BrokerWillNotStart, MalformedBytes, UsageError
from fakekafka.security.jks import MAGIC, WrongPassword, read_jks
from fakekafka.security.listeners import Property

PEM: Final = "PEM"
JAVA_STORES: Final = ("JKS", "PKCS12")
KEY, CHAIN, TRUSTED = "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates"


def load_key(context: ssl.SSLContext, prop: Property, *, has_pem: bool) -> bool:
    """Have the listener use the key that its properties name. Returns False if they name none.

    `has_pem`: whether the release has PEM stores. Raises `BrokerWillNotStart`, mostly with the broker's words.
    """
    place, key, chain = prop("ssl.keystore.location"), prop(KEY), prop(CHAIN)
    if place is None and key is None and chain is None:
        return False
    if place is not None and key is not None:
        raise BrokerWillNotStart("Both SSL key store location and separate private key are specified.")
    kind = _kind(prop("ssl.keystore.type"), place, has_pem)
    password, key_password = prop("ssl.keystore.password"), prop("ssl.key.password")
    if place is None:
        _check_texts(kind, key, chain)
        _load_texts(context, f"{key}\n{chain}", key_password)
    elif kind == PEM:
        if password is not None:
            words = "SSL key store password cannot be specified with PEM format, only key password may be specified."
            raise BrokerWillNotStart(words)
        _guarded(place, kind, lambda: context.load_cert_chain(place, password=key_password or ""))
    elif password is None:
        raise BrokerWillNotStart("SSL key store is specified, but key store password is not specified.")
    else:
        _guarded(place, kind, lambda: _load_java(context, Path(place).read_bytes(), password, key_password))
    return True


def load_trusted(context: ssl.SSLContext, prop: Property, *, has_pem: bool) -> None:
    """Have the listener trust what its properties name. Raises `BrokerWillNotStart`."""
    place, texts = prop("ssl.truststore.location"), prop(TRUSTED)
    if texts is not None:
        _kind(prop("ssl.truststore.type"), place, has_pem)
        _guarded("in the properties", PEM, lambda: context.load_verify_locations(cadata=texts))
    elif place is not None:
        kind, password = _kind(prop("ssl.truststore.type"), place, has_pem), prop("ssl.truststore.password")
        if kind == PEM:
            _guarded(place, kind, lambda: context.load_verify_locations(place))
        else:
            _guarded(place, kind, lambda: _trust_java(context, Path(place).read_bytes(), password))


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


def _guarded(place: str, kind: str, load: Any) -> None:
    """Load a store. Raises `BrokerWillNotStart` if that fails."""
    try:
        load()
    except (OSError, ValueError, MalformedBytes, WrongPassword) as wrong:
        raise BrokerWillNotStart(f"Failed to load SSL keystore {place} of type {kind}: {wrong}") from wrong


def _load_texts(context: ssl.SSLContext, text: str, password: str | None) -> None:
    with TemporaryDirectory(prefix="fakekafka-key-") as folder:  # only the owner can read it
        path = Path(folder) / "key.pem"
        path.touch(mode=0o600)
        path.write_text(text, "ascii")
        _guarded("in the properties", PEM, lambda: context.load_cert_chain(path, password=password or ""))


# ---- Java's stores


def _load_java(context: ssl.SSLContext, data: bytes, password: str, key_password: str | None) -> None:
    """Use the first key of a store. Java reads both kinds, whichever the type says."""
    serialization, x509, pkcs12 = _library()
    chain: list[Any]
    if data.startswith(MAGIC):
        found = read_jks(data, password, key_password)
        key = None if found.key is None else serialization.load_der_private_key(found.key, None)
        chain = [x509.load_der_x509_certificate(der) for der in found.chain]
    else:
        store = pkcs12.load_pkcs12(data, password.encode())
        own = [] if store.cert is None else [store.cert.certificate]
        key, chain = store.key, own + [one.certificate for one in store.additional_certs]
    if key is None:
        raise ValueError("there is no private key in it")
    lock = token_hex()
    encoding, locked = serialization.Encoding.PEM, serialization.BestAvailableEncryption(lock.encode())
    text = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, locked)
    _load_texts(context, (text + b"".join(one.public_bytes(encoding) for one in chain)).decode(), lock)


def _trust_java(context: ssl.SSLContext, data: bytes, password: str | None) -> None:
    if data.startswith(MAGIC):
        trusted = read_jks(data, password, None).trusted
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
