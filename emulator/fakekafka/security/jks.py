"""Java key stores of type JKS, read-only: keys with their certificates, and certificates that are trusted.

No maintained library reads them (pyjks had its last release in 2020), and the format is small: JavaKeyStore.java
and KeyProtector.java of the JDK. Since Java 9 `keytool` has made PKCS12, whatever the file is called.
"""

import hashlib
import hmac
import struct
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.jvm.hashes import java_hash
from fakekafka.jvm.maps import hashtable

MAGIC: Final = b"\xfe\xed\xfe\xed"
WRONG_PASSWORD: Final = "Keystore was tampered with, or password was incorrect"
_KEY, _TRUSTED = 1, 2
_FIRST_WITH_TYPES: Final = 2
"""The version in which each certificate states its type."""
_WHITENER: Final = b"Mighty Aphrodite"
_DIGEST_BYTES: Final = 20
_OCTETS: Final = 0x04
_LONG_FORM: Final = 0x80


class WrongPassword(Exception):
    """The password of the store, or of a key in it, is wrong."""


class JavaEntry(NamedTuple):
    """A key with its certificates, or a certificate that is trusted; everything is DER."""

    alias: str
    chain: list[bytes]
    """The certificates of the key, its own first; or the trusted one."""
    key: bytes | None = None
    """The private key, as PKCS8; None: the certificate is trusted."""

    def __repr__(self) -> str:
        kind = "trusted" if self.key is None else "key"
        return f"JavaEntry({self.alias!r}, {kind}, chain of {len(self.chain)})"


def read_jks(data: bytes, store_password: str | None, key_password: str | None) -> list[JavaEntry]:
    """Read a store; its entries are in the order in which Java enumerates them, that of a Hashtable.

    Without the store's password it is not checked; without the keys' password there are no keys. Raises
    `WrongPassword`, and `MalformedBytes` for bytes that are not such a store.
    """
    content, seal = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if store_password is not None:
        digest = hashlib.sha1(_utf16(store_password) + _WHITENER + content).digest()
        if not hmac.compare_digest(digest, seal):
            raise WrongPassword(WRONG_PASSWORD)
    try:
        entries = _entries(_Reader(content), key_password or store_password)
    except (struct.error, IndexError, ValueError) as wrong:
        raise MalformedBytes(f"no Java key store: {wrong}") from None
    by_alias = {entry.alias: entry for entry in entries}
    return [by_alias[alias] for alias in hashtable([(java_hash(alias), alias) for alias in by_alias])]


class _Reader:
    """Numbers and bytes of a DataInputStream."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return int(value)

    def bytes(self, form: str = ">I") -> bytes:
        """Bytes that follow their length."""
        size = self.number(form)
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise ValueError("it ends too soon")
        self._at += size
        return part


def _entries(reader: _Reader, password: str | None) -> list[JavaEntry]:
    if reader.number(">I") != int.from_bytes(MAGIC, "big"):
        raise ValueError("it does not begin with FEEDFEED")
    typed = reader.number(">I") >= _FIRST_WITH_TYPES
    entries = []
    for _ in range(reader.number(">I")):
        kind = reader.number(">I")
        alias = reader.bytes(">H").decode("utf-8", "replace")
        reader.number(">Q")  # when the entry was created
        if kind == _KEY:
            key = reader.bytes()
            chain = [_certificate(reader, typed) for _ in range(reader.number(">I"))]
            if password is not None:
                entries.append(JavaEntry(alias, chain, _unlocked(key, password)))
        elif kind == _TRUSTED:
            entries.append(JavaEntry(alias, [_certificate(reader, typed)]))
        else:
            raise ValueError(f"no entry is of kind {kind}")
    return entries


def _certificate(reader: _Reader, typed: bool) -> bytes:
    if typed:
        reader.bytes(">H")  # "X.509"
    return reader.bytes()


# ---- the key


def _unlocked(encrypted: bytes, password: str) -> bytes:
    """The private key in an EncryptedPrivateKeyInfo. Raises `WrongPassword`."""
    _, fields, _ = _element(encrypted)
    _, _, rest = _element(fields)  # the algorithm: there is only one
    kind, protected, _ = _element(rest)
    if kind != _OCTETS:
        raise ValueError("its key is not where it should be")
    salt, locked, seal = protected[:_DIGEST_BYTES], protected[_DIGEST_BYTES:-_DIGEST_BYTES], protected[-_DIGEST_BYTES:]
    secret, block, key = _utf16(password), salt, b""
    while len(key) < len(locked):
        block = hashlib.sha1(secret + block).digest()
        piece = locked[len(key) : len(key) + _DIGEST_BYTES]
        key += bytes(a ^ b for a, b in zip(piece, block))
    if not hmac.compare_digest(hashlib.sha1(secret + key).digest(), seal):
        raise WrongPassword("Cannot recover key")
    return key


def _element(der: bytes) -> tuple[int, bytes, bytes]:
    """Tag and content of the first element, and the bytes after it."""
    size, at = der[1], 2
    if size >= _LONG_FORM:
        count = size - _LONG_FORM
        size, at = int.from_bytes(der[2 : 2 + count], "big"), 2 + count
    return der[0], der[at : at + size], der[at + size :]


def _utf16(password: str) -> bytes:
    return password.encode("utf-16-be")
