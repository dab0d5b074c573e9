"""What is read from certificates; `tests/golden/tls` compares it with real brokers."""

import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from fakekafka import FakeKafka
from fakekafka.security.certificates import KEYWORDS, alternative_names, distinguished_name, elements, host_names
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.tls.stores import minted, named, rdn

AUTHORITY = minted(named("CN=authority"), None)
WITHOUT_UTF_8 = {"2.5.4.6", "0.9.2342.19200300.100.1.25"}
"""Country and domain component are ASCII."""


def certificate(name: x509.Name, *hosts: str) -> bytes:
    return minted(name, AUTHORITY, 2**70, hosts).certificate.public_bytes(Encoding.DER)


def test_a_distinguished_name_reads_as_in_java() -> None:
    assert distinguished_name(certificate(named("CN=svc-1,O=A\\, B,C=DE"))) == "CN=svc-1,O=A\\, B,C=DE"


NAMES = st.lists(
    st.builds(
        lambda kind, text: rdn((x509.ObjectIdentifier(kind), text)),
        st.sampled_from(sorted(set(KEYWORDS) - WITHOUT_UTF_8)),
        st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=40),
    ),
    min_size=1,
    max_size=5,
).map(x509.Name)


@given(NAMES)
def test_a_distinguished_name_can_be_read_back(name: x509.Name) -> None:
    found = distinguished_name(certificate(name))
    assert [a.value for a in named(found)] == [a.value for a in name]


def test_alternative_names_are_found() -> None:
    assert alternative_names(certificate(named("CN=a"))) == []
    found = alternative_names(certificate(named("CN=a"), "B.example", "a.example"))
    assert found == [(2, "B.example"), (2, "a.example")]
    assert host_names(certificate(named("CN=a"), "B.example", "a.example")) == ["b.example", "a.example"]
    with FakeKafka("3.9", tls=True) as kafka:
        own = ssl.get_server_certificate((kafka.host, kafka.port), ca_certs=str(kafka.tls.ca_file))
    assert alternative_names(ssl.PEM_cert_to_DER_cert(own))[:3] == [(2, "localhost"), (7, "127.0.0.1"), (7, "::1")]


@given(st.binary(max_size=60))
def test_bytes_other_than_der_are_refused(data: bytes) -> None:
    try:
        found = list(elements(data))
    except (IndexError, ValueError):
        return
    assert b"".join(one.whole for one in found) == data


def test_an_element_that_ends_too_soon_is_refused() -> None:
    with pytest.raises(ValueError, match="ends too soon"):
        list(elements(b"\x30\x05\x01"))
