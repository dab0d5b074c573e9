"""Keys and certificates for the listeners of one broker and its clients, newly made for each run.

Java key stores of type JKS, which every release reads; `fakekafka.security.jks` says how they are made.
"""

import hashlib
import os
import ssl
import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

PASSWORD: Final = "storepw"
SEAL: Final = b"Mighty Aphrodite"
PROTECTED: Final = bytes.fromhex("300e060a2b060104012a02110101 0500".replace(" ", ""))
"""The algorithm by which a JKS protects its keys, as DER."""
LIFETIME: Final = timedelta(days=30)
CREATED_MS: Final = 1_600_000_000_000


class Minted(NamedTuple):
    """A key and its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def pem(self) -> bytes:
        key = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return key + self.certificate.public_bytes(Encoding.PEM)


def minted(name: x509.Name, issuer: Minted | None, serial: int = 1, hosts: Sequence[str] = ()) -> Minted:
    """A key with its certificate; without an issuer it is an authority."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name if issuer is None else issuer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - LIFETIME)
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName(list(map(x509.DNSName, hosts))), critical=False)
    return Minted(key, builder.sign(key if issuer is None else issuer.key, hashes.SHA256()))


def named(text: str) -> x509.Name:
    """A distinguished name, from its RFC 4514 text."""
    return x509.Name.from_rfc4514_string(text)


def rdn(*pairs: tuple[x509.ObjectIdentifier, str]) -> x509.RelativeDistinguishedName:
    """A part of a name, usually with one attribute."""
    return x509.RelativeDistinguishedName([x509.NameAttribute(kind, value) for kind, value in pairs])


class Authorities:
    """The authority that brokers trust, another one, and what they have signed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known, self.stranger = (minted(named(f"CN={name}"), None) for name in ("known", "stranger"))
        self._clients = 0

    def broker_store(
        self, file: str, subject: str = "CN=broker", serial: int = 1, hosts: Sequence[str] = ("localhost",)
    ) -> Path:
        """A store with one key."""
        return self.store(file, {"only": minted(named(subject), self.known, serial, hosts)})

    def store(self, file: str, keys: Mapping[str, Minted], trusted: Sequence[x509.Certificate] = ()) -> Path:
        """A store with keys by alias, and with certificates that are trusted. It is replaced in one step."""
        path = self.folder / file
        path.with_suffix(".part").write_bytes(java_store(keys, trusted))
        path.with_suffix(".part").rename(path)
        return path

    def trust_store(self, file: str) -> Path:
        return self.store(file, {}, [self.known.certificate])

    def client(self, name: x509.Name | None, issuer: Minted | None = None) -> ssl.SSLContext:
        """A client with a certificate for that name, or without a certificate if it is None. It trusts everybody."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if name is not None:
            self._clients += 1
            path = self.folder / f"client-{self._clients}.pem"
            path.write_bytes(minted(name, issuer or self.known, self._clients).pem)
            context.load_cert_chain(path)
        return context


def java_store(keys: Mapping[str, Minted], trusted: Sequence[x509.Certificate] = ()) -> bytes:
    """A JKS, whose keys have the password of the store."""
    content = struct.pack(">III", 0xFEEDFEED, 2, len(keys) + len(trusted))
    for alias, (key, certificate) in keys.items():
        content += struct.pack(">I", 1) + _text(alias) + struct.pack(">Q", CREATED_MS)
        content += _sized(_protected(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())))
        content += struct.pack(">I", 1) + _text("X.509") + _sized(certificate.public_bytes(Encoding.DER))
    for n, certificate in enumerate(trusted):
        content += struct.pack(">I", 2) + _text(f"trusted-{n}") + struct.pack(">Q", CREATED_MS)
        content += _text("X.509") + _sized(certificate.public_bytes(Encoding.DER))
    return content + hashlib.sha1(PASSWORD.encode("utf-16-be") + SEAL + content).digest()


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def _sized(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _protected(key: bytes) -> bytes:
    """An EncryptedPrivateKeyInfo: the key under a stream of SHA-1 digests, between its salt and its digest."""
    secret, salt, stream = PASSWORD.encode("utf-16-be"), os.urandom(20), b""
    block = salt
    while len(stream) < len(key):
        block = hashlib.sha1(secret + block).digest()
        stream += block
    locked = bytes(a ^ b for a, b in zip(key, stream))
    return _der(0x30, PROTECTED + _der(0x04, salt + locked + hashlib.sha1(secret + key).digest()))


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = (
        bytes([size]) if size < 0x80 else bytes([0x81, size]) if size < 0x100 else b"\x82" + size.to_bytes(2, "big")
    )
    return bytes([tag]) + length + content
