"""Key stores of a listener: what a client sees, how they are changed, and which ones keep a broker from starting."""

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart, ErrorCode, UsageError
from fakekafka.settings.tls import Tls
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from fakekafka.wire.frames import request_frame

from tests.emulator.security.test_jks import STORE, TRUSTED
from tests.golden.tls.stores import Minted, minted, named
from tests.support.brokers import ask

BROKER: Final = 4
"""The type of a broker as a resource."""
VERSIONS: Final = request_frame(ApiVersionsRequest(), 0, 1, "test")
Files = tuple[bytes, bytes]
"""A certificate with its key, as PEM."""


@pytest.fixture(scope="module")
def authority() -> Tls:
    return Tls()


def files(authority: Tls, subject: str = "CN=broker") -> Files:
    found = authority.client_certificate(subject)
    return found.cert_file.read_bytes(), found.key_file.read_bytes()


def pkcs12(pem: Files, password: bytes) -> bytes:
    certificate, key = x509.load_pem_x509_certificate(pem[0]), load_pem_private_key(pem[1], None)
    return serialize_key_and_certificates(b"b", key, certificate, None, BestAvailableEncryption(password))  # type: ignore[arg-type]


ONLY_TLS: Final = {"listeners": "SSL://127.0.0.1:0", "security.inter.broker.protocol": "SSL"}


def locked(pem: Files) -> bytes:
    key = load_pem_private_key(pem[1], None)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"keypw1")) + pem[0]


def in_file(path: Path, data: bytes, **properties: str) -> dict[str, object]:
    path.write_bytes(data)
    named = {"ssl." + name.replace("_", "."): value for name, value in properties.items()}
    return {**ONLY_TLS, "ssl.keystore.location": str(path), **named}


STORES: Final[dict[str, Callable[[Path, Files], dict[str, object]]]] = {
    "JKS": lambda path, pem: in_file(path, STORE, keystore_password="storepw", key_password="keypw1"),
    "PKCS12": lambda path, pem: in_file(path, pkcs12(pem, b"pw"), keystore_password="pw", keystore_type="PKCS12"),
    "PKCS12 called JKS": lambda path, pem: in_file(path, pkcs12(pem, b"pw"), keystore_password="pw"),
    "PEM": lambda path, pem: in_file(path, pem[1] + pem[0], keystore_type="PEM"),
    "locked PEM": lambda path, pem: in_file(path, locked(pem), keystore_type="PEM", key_password="keypw1"),
    "texts": lambda path, pem: {
        **ONLY_TLS,
        "ssl.keystore.type": "PEM",
        "ssl.keystore.key": pem[1].decode(),
        "ssl.keystore.certificate.chain": pem[0].decode(),
    },
}


def shown(kafka: FakeKafka, server_name: str = "localhost", **wanted: Any) -> str:
    """The subject of the certificate that a new client sees."""
    return certificate_shown(kafka, server_name, **wanted).subject.rfc4514_string()


def certificate_shown(kafka: FakeKafka, server_name: str = "localhost", **wanted: Any) -> x509.Certificate:
    """The certificate that a new client sees."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for name, value in wanted.items():
        setattr(context, name, value)
    raw = socket.create_connection((kafka.host, kafka.port), 20)
    with context.wrap_socket(raw, server_hostname=server_name) as secured:
        der = secured.getpeercert(binary_form=True)
        assert der is not None
        return x509.load_der_x509_certificate(der)


@pytest.mark.parametrize("kind", STORES)
def test_the_certificate_is_that_of_the_store(kind: str, tmp_path: Path, authority: Tls) -> None:
    config = STORES[kind](tmp_path / "store", files(authority))
    with FakeKafka("3.9", config=config) as kafka:
        assert shown(kafka) == ("CN=jks" if kind == "JKS" else "CN=broker")
        assert shown(kafka, "another.name") == shown(kafka)


@pytest.mark.parametrize(("kind", "encoding"), [("PEM", "latin-1"), ("PEM", "utf-8"), ("texts", "utf-8")])
def test_comments_beside_a_certificate_may_be_in_any_language(
    kind: str, encoding: str, tmp_path: Path, authority: Tls
) -> None:
    certificate, key = files(authority)
    comment = "Zertifikat für Köln\n".encode(encoding)
    config = STORES[kind](tmp_path / "store", (comment + certificate, key))
    with FakeKafka("3.9", config=config) as kafka:
        assert shown(kafka) == "CN=broker"


def pem_of_own(path: Path, pem: Files, **more: str) -> dict[str, object]:
    return in_file(path, pem[1] + pem[0], keystore_type="PEM", **more)


@pytest.mark.parametrize(
    ("release", "wrong", "words"),
    [
        ("3.9", {"ssl.keystore.type": "JKS"}, "key store password is not specified"),
        ("3.9", {"ssl.keystore.password": "x"}, "only key password may be specified"),
        ("3.9", {"ssl.keystore.type": "FOO"}, "FOO not found"),
        ("2.6", {}, "PEM not found"),
        ("3.9", {"ssl.keystore.location": "/nowhere"}, "Failed to load SSL keystore /nowhere of type PEM"),
        ("3.9", {"ssl.keystore.key": "x"}, "Both SSL key store location and separate private key"),
        ("3.9", {"ssl.cipher.suites": "TLS_FOO_WITH_BAR"}, "Unsupported CipherSuite: TLS_FOO_WITH_BAR"),
        ("3.9", {"ssl.enabled.protocols": "TLSv9"}, "Unsupported protocol: TLSv9"),
    ],
)
def test_impossible_key_stores_keep_a_broker_from_starting(
    release: str, wrong: dict[str, object], words: str, tmp_path: Path, authority: Tls
) -> None:
    config = {**pem_of_own(tmp_path / "store", files(authority)), **wrong}
    with pytest.raises(BrokerWillNotStart, match=words):
        FakeKafka(release, config=config).start()


def test_a_wrong_password_is_reported(tmp_path: Path) -> None:
    config = in_file(tmp_path / "store", STORE, keystore_password="wrong", key_password="keypw1")
    with pytest.raises(BrokerWillNotStart, match="password was incorrect"):
        FakeKafka("2.3", config=config).start()


def test_a_key_without_a_certificate_keeps_a_broker_from_starting(tmp_path: Path, authority: Tls) -> None:
    key = load_pem_private_key(files(authority)[1], None)
    store = serialize_key_and_certificates(b"b", key, None, None, BestAvailableEncryption(b"pw"))  # type: ignore[arg-type]
    config = in_file(tmp_path / "store", store, keystore_password="pw", keystore_type="PKCS12")
    with pytest.raises(BrokerWillNotStart, match="a key in it has no certificate"):
        FakeKafka("3.9", config=config).start()


def test_a_damaged_certificate_in_the_properties_keeps_a_broker_from_starting(tmp_path: Path, authority: Tls) -> None:
    chain = "-----BEGIN CERTIFICATE-----\nAAAAA\n-----END CERTIFICATE-----\n"
    config = {**STORES["texts"](tmp_path / "store", files(authority)), "ssl.keystore.certificate.chain": chain}
    with pytest.raises(BrokerWillNotStart, match="Failed to load SSL keystore in the properties of type PEM"):
        FakeKafka("3.9", config=config).start()


def test_trusted_certificates_in_the_properties_need_at_least_one(tmp_path: Path, authority: Tls) -> None:
    config = pem_of_own(tmp_path / "store", files(authority), truststore_type="PEM", truststore_certificates="none")
    with pytest.raises(BrokerWillNotStart, match="Failed to load SSL keystore in the properties of type PEM"):
        FakeKafka("3.9", config=config).start()


def test_obsolete_tls_versions_are_refused(tmp_path: Path, authority: Tls) -> None:
    config = pem_of_own(tmp_path / "store", files(authority), enabled_protocols="TLSv1.1")
    with pytest.raises(UsageError, match=r"only TLSv1\.2 and TLSv1\.3 are played"):
        FakeKafka("3.9", config=config).start()


def test_the_journal_says_why_a_handshake_failed(tmp_path: Path, authority: Tls) -> None:
    config = pem_of_own(
        tmp_path / "store", files(authority), enabled_protocols="TLSv1.2", client_auth="required",
        cipher_suites="TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    )  # fmt: skip
    with FakeKafka("3.9", config=config) as kafka:
        with pytest.raises(ssl.SSLError):
            shown(kafka, minimum_version=ssl.TLSVersion.TLSv1_3)
        with pytest.raises((ssl.SSLError, ConnectionError)):
            shown(kafka)
        context = ssl.create_default_context()
        with (
            pytest.raises(ssl.SSLError),
            socket.create_connection((kafka.host, kafka.port), 20) as raw,
            context.wrap_socket(raw, server_hostname="localhost"),
        ):
            raise AssertionError("the certificate is trusted")
        with socket.create_connection((kafka.host, kafka.port), 20) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert b"HTTP" not in raw.recv(1000)
        with socket.create_connection((kafka.host, kafka.port), 20) as raw:
            raw.sendall(b"\0\0\0\x0a" + bytes(10))
            raw.recv(1000)
        whys = [refused.why for refused in kafka.refused_connections]
    assert whys == [
        "the client speaks no version of TLS that ssl.enabled.protocols names",
        "the client sent no certificate, and ssl.client.auth is required",
        "the client does not trust the certificate of the broker: give it the file of FakeKafka.tls.ca_file",
        "the client speaks HTTP",
        "the client does not speak TLS, as this listener does: set its security.protocol to SSL or SASL_SSL",
    ]


@pytest.mark.parametrize("kind", ["JKS", "PKCS12", "PEM", "texts", "texts with a comment"])
def test_clients_are_recognised_by_what_the_trust_store_holds(kind: str, tmp_path: Path, authority: Tls) -> None:
    config = pem_of_own(tmp_path / "store", files(authority), client_auth="required")
    text = authority.ca_file.read_text()
    trusted = {
        "JKS": (TRUSTED, {"ssl.truststore.password": "trustpw"}),
        "PKCS12": (trust_pkcs12(authority), {"ssl.truststore.password": "pw", "ssl.truststore.type": "PKCS12"}),
        "PEM": (authority.ca_file.read_bytes(), {"ssl.truststore.type": "PEM"}),
        "texts": (b"", {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": text}),
        "texts with a comment": (
            b"",
            {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": f"Zertifikat für Köln\n{text}"},
        ),
    }
    data, more = trusted[kind]
    if data:
        (tmp_path / "trusted").write_bytes(data)
        more = {**more, "ssl.truststore.location": str(tmp_path / "trusted")}
    with FakeKafka("3.9", config={**config, **more}) as kafka:
        known = authority.client_certificate("CN=client")
        context = ssl.create_default_context(cafile=str(authority.ca_file))
        context.check_hostname = False
        context.load_cert_chain(known.cert_file, known.key_file)
        raw = socket.create_connection((kafka.host, kafka.port), 20)
        with context.wrap_socket(raw) as secured:
            secured.sendall(VERSIONS)
            answered = bool(_received(secured))
        assert answered is (kind != "JKS"), "only that store holds another certificate"


def _received(secured: ssl.SSLSocket) -> bytes:
    try:
        return secured.recv(4)
    except (ssl.SSLError, ConnectionError):
        return b""


def trust_pkcs12(authority: Tls) -> bytes:
    certificate = x509.load_pem_x509_certificate(authority.ca_file.read_bytes())
    return serialize_key_and_certificates(b"ca", None, None, [certificate], BestAvailableEncryption(b"pw"))


# ---- changes while the broker runs


@pytest.fixture(scope="module")
def signer() -> Minted:
    return minted(named("CN=signer"), None)


@pytest.fixture
def changing(tmp_path: Path, signer: Minted) -> Iterator[FakeKafka]:
    """A broker with two listeners, the one with TLS first, whose key store lies in `tmp_path / "store"`."""
    config = in_file(tmp_path / "store", minted(named("CN=broker"), signer, 1).pem, keystore_type="PEM")
    config["listeners"] = "SSL://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"
    with FakeKafka("3.9", config=config) as kafka:
        yield kafka
        assert kafka.failures == ()


def serial(kafka: FakeKafka) -> int:
    """The serial number of the certificate that a new client sees."""
    return certificate_shown(kafka).serial_number


def alter(kafka: FakeKafka, name: str, value: str) -> int:
    """Set a config of the broker with a request; return the error."""
    config = AlterableConfig(name=f"listener.name.ssl.{name}", config_operation=0, value=value)
    resource = AlterConfigsResource(resource_type=BROKER, resource_name="0", configs=[config])
    servers = kafka.client_config("kafka-python", listener="PLAINTEXT")["bootstrap_servers"]
    request = IncrementalAlterConfigsRequest(resources=[resource])
    return ask(servers, request, 0, IncrementalAlterConfigsResponse).responses[0].error_code


def test_a_changed_key_store_takes_effect_once_the_broker_is_told_to_reload_it(
    changing: FakeKafka, tmp_path: Path, signer: Minted
) -> None:
    (tmp_path / "store").write_bytes(minted(named("CN=broker"), signer, 2).pem)
    assert serial(changing) == 1, "no broker looks at files by itself"
    assert alter(changing, "ssl.keystore.location", str(tmp_path / "store")) == ErrorCode.NONE
    assert serial(changing) == 2


def test_another_key_store_can_be_set_while_the_broker_runs(
    changing: FakeKafka, tmp_path: Path, signer: Minted
) -> None:
    (tmp_path / "other").write_bytes(minted(named("CN=broker"), signer, 2).pem)
    assert alter(changing, "ssl.keystore.location", str(tmp_path / "other")) == ErrorCode.NONE
    assert serial(changing) == 2


def test_a_key_store_for_another_name_is_refused(changing: FakeKafka, tmp_path: Path, signer: Minted) -> None:
    (tmp_path / "other").write_bytes(minted(named("CN=other"), signer, 2).pem)
    assert alter(changing, "ssl.keystore.location", str(tmp_path / "other")) == ErrorCode.INVALID_REQUEST
    assert serial(changing) == 1


def test_a_key_store_that_cannot_be_read_is_refused_and_changes_nothing(changing: FakeKafka, tmp_path: Path) -> None:
    assert alter(changing, "ssl.keystore.location", str(tmp_path / "missing")) == ErrorCode.INVALID_REQUEST
    assert serial(changing) == 1


def test_open_connections_outlive_the_change(changing: FakeKafka, tmp_path: Path, signer: Minted) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    raw = socket.create_connection((changing.host, changing.port), 20)
    with context.wrap_socket(raw) as secured:
        (tmp_path / "store").write_bytes(minted(named("CN=broker"), signer, 2).pem)
        alter(changing, "ssl.keystore.location", str(tmp_path / "store"))
        assert serial(changing) == 2
        secured.sendall(VERSIONS)
        assert secured.recv(4)
