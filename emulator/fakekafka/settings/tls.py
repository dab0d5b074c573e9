"""The certificates of one cluster, created for it and deleted with it. Needs the extra "tls" (cryptography).

Everything is in one directory, which only its owner can read and which is deleted with the object.
"""

from datetime import UTC
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fakekafka.errors import UsageError

if TYPE_CHECKING:
    import ssl

    from cryptography.x509 import Certificate

LIFETIME_DAYS: Final = 30
HOSTS: Final = ("localhost", "127.0.0.1", "::1")
AUTHORITY: Final = "CN=fakekafka certificate authority"


class ClientCertificate(NamedTuple):
    """A client's certificate and key, as PEM files."""

    cert_file: Path
    key_file: Path


class Tls:
    """An authority, the brokers' certificate, and the clients' certificates. `hosts`: names and addresses of the
    brokers.
    """

    def __init__(self, *hosts: str) -> None:
        self._hosts = (*HOSTS, *hosts)
        self._clients: dict[str, ClientCertificate] = {}

    def __repr__(self) -> str:
        return f"<Tls for {', '.join(self._hosts)}>"

    @cached_property
    def _path(self) -> Path:
        """A directory that only its owner can read."""
        from shutil import rmtree  # only TLS needs these modules
        from tempfile import mkdtemp
        from weakref import finalize

        path = mkdtemp(prefix="fakekafka-tls-")
        finalize(self, rmtree, path, ignore_errors=True)
        return Path(path)

    @cached_property
    def _authority(self) -> tuple[Any, "Certificate"]:
        return _minted(AUTHORITY, None, ())

    @cached_property
    def ca_file(self) -> Path:
        """The certificate that clients have to trust, as a PEM file."""
        path = self._path / "ca.pem"
        path.write_bytes(_pem(self._authority[1]))
        return path

    def client_certificate(self, subject: str = "CN=client") -> ClientCertificate:
        """A certificate for a client with this distinguished name: its principal, unless rules say otherwise."""
        if subject not in self._clients:
            self._clients[subject] = self._written(f"client-{len(self._clients)}", subject, ())
        return self._clients[subject]

    def server_context(self) -> "ssl.SSLContext":
        """The brokers' TLS context. It trusts the clients' certificates, but asks for none."""
        import ssl

        files = self._written("broker", "CN=fakekafka", self._hosts)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.cert_file, files.key_file)
        context.load_verify_locations(self.ca_file)
        return context

    def _written(self, name: str, subject: str, hosts: tuple[str, ...]) -> ClientCertificate:
        key, certificate = _minted(subject, self._authority, hosts)
        files = ClientCertificate(self._path / f"{name}.pem", self._path / f"{name}-key.pem")
        files.cert_file.write_bytes(_pem(certificate))
        files.key_file.write_bytes(_key_pem(key))
        files.key_file.chmod(0o600)
        return files


def _minted(
    subject: str, issuer: "tuple[Any, Certificate] | None", hosts: tuple[str, ...]
) -> "tuple[Any, Certificate]":
    """A new key and its certificate; without an issuer, that of an authority."""
    from datetime import datetime, timedelta

    x509, ec, hashes = _library()
    key = ec.generate_private_key(ec.SECP256R1())
    try:
        name = x509.Name.from_rfc4514_string(subject)
    except ValueError as wrong:
        raise UsageError(f"{subject!r} is not a distinguished name such as CN=svc-1,OU=shop: {wrong}") from None
    now, lifetime = datetime.now(UTC), timedelta(days=LIFETIME_DAYS)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name if issuer is None else issuer[1].subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - lifetime)
        .not_valid_after(now + lifetime)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if issuer is None:
        builder = builder.add_extension(_authority_usage(x509), critical=True)
    else:
        known = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[0].public_key())
        builder = builder.add_extension(known, critical=False)
    if hosts:
        names = x509.SubjectAlternativeName([_general_name(x509, host) for host in hosts])
        builder = builder.add_extension(names, critical=False)
    return key, builder.sign(key if issuer is None else issuer[0], hashes.SHA256())


def _authority_usage(x509: Any) -> Any:
    signs = {"key_cert_sign": True, "crl_sign": True, "digital_signature": True}
    others = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    return x509.KeyUsage(**signs, **dict.fromkeys((*others, "encipher_only", "decipher_only"), False))


def _general_name(x509: Any, host: str) -> Any:
    from ipaddress import ip_address

    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _library() -> tuple[Any, Any, Any]:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise UsageError("tls needs the library cryptography: pip install 'fakekafka[tls]'") from None
    return x509, ec, hashes


def _pem(certificate: "Certificate") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)


def _key_pem(key: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    pem: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem
