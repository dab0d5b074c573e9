"""Java key stores, as keytool of JDK 17 made them with `-storetype JKS`."""

import base64
from typing import Final

import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key
from cryptography.x509 import load_der_x509_certificate
from fakekafka.errors import MalformedBytes
from fakekafka.security.jks import WrongPassword, read_jks
from hypothesis import given
from hypothesis import strategies as st

STORE: Final = base64.b64decode(
    "/u3+7QAAAAIAAAABAAAAAQABYgAAAaIE6ae3AAAAfzB9MA4GCisGAQQBKgIRAQEFAARrACv9qU2US5eKv4uGH9A+S8uaAxh9TdMt"
    "DX+sYWuiTDMNWZ2G0VxqJr0lt6SbJFWTpCBFs1gMZ/UNnUzF2oHci/5QZn/Q9EH3dFySlpwmDt9X6Ok8fcfR0kcfxvyvxKTbfCBu"
    "NLRhSlH6E2AAAAABAAVYLjUwOQAAAVIwggFOMIH1oAMCAQICCHeSzjSpyIqDMAoGCCqGSM49BAMCMA4xDDAKBgNVBAMTA2prczAe"
    "Fw0yNjExMjIyMDE5MTFaFw0zNjExMTkyMDE5MTFaMA4xDDAKBgNVBAMTA2prczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJl4"
    "hMq1cP75O9aQici+hafVbeJp79XsdSMH06hve6SdYAojYB1WYv83uBO6ftqyR1f6zVjaLU5Xuz6eJO4s9VSjPTA7MB0GA1UdDgQW"
    "BBS2ovyRtmc3z9O3cFKBxu4CK2e8CzAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIhAPa1SNGi"
    "ZnVK4Rkf35mhd6LQCjuLiHJ6vaZJh0D+R/AfAiBd0LBVGTnnEsXsXR+RYTi0S12luMBzK3AwOJ+9Ci7JWQeXDonJbmmQQhX8LUnO"
    "Yx2/q5EG"
)
"""An EC key for CN=jks and its certificate; "storepw" opens the store, "keypw1" the key."""
TRUSTED: Final = base64.b64decode(
    "/u3+7QAAAAIAAAABAAAAAgABYwAAAaIE6a/TAAVYLjUwOQAAAVIwggFOMIH1oAMCAQICCHeSzjSpyIqDMAoGCCqGSM49BAMCMA4x"
    "DDAKBgNVBAMTA2prczAeFw0yNjExMjIyMDE5MTFaFw0zNjExMTkyMDE5MTFaMA4xDDAKBgNVBAMTA2prczBZMBMGByqGSM49AgEG"
    "CCqGSM49AwEHA0IABJl4hMq1cP75O9aQici+hafVbeJp79XsdSMH06hve6SdYAojYB1WYv83uBO6ftqyR1f6zVjaLU5Xuz6eJO4s"
    "9VSjPTA7MB0GA1UdDgQWBBS2ovyRtmc3z9O3cFKBxu4CK2e8CzAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0E"
    "AwIDSAAwRQIhAPa1SNGiZnVK4Rkf35mhd6LQCjuLiHJ6vaZJh0D+R/AfAiBd0LBVGTnnEsXsXR+RYTi0S12luMBzK3AwOJ+9Ci7J"
    "WcVQ485rYkgvRXUaCgy+QXreSqXa"
)
"""A store with that certificate; "trustpw" opens it."""


def test_a_key_and_its_certificate_are_read() -> None:
    (only,) = read_jks(STORE, "storepw", "keypw1")
    assert only.key is not None
    certificate = load_der_x509_certificate(only.chain[0])
    assert load_der_private_key(only.key, None).public_key() == certificate.public_key()
    assert certificate.subject.rfc4514_string() == "CN=jks"
    assert only.alias == "b"


def test_certificates_that_are_trusted() -> None:
    (trusted,), (own,) = read_jks(TRUSTED, "trustpw", None), read_jks(STORE, "storepw", "keypw1")
    assert trusted == ("c", own.chain, None)


def test_a_store_may_be_read_unchecked() -> None:
    assert len(read_jks(TRUSTED, None, None)) == 1


@pytest.mark.parametrize("passwords", [("wrong", "keypw1"), ("storepw", "wrong"), ("storepw", None)])
def test_wrong_passwords_are_refused(passwords: tuple[str, str | None]) -> None:
    with pytest.raises(WrongPassword):
        read_jks(STORE, *passwords)


@given(st.binary(max_size=60), st.integers(0, len(STORE)))
def test_damaged_stores_are_refused(rest: bytes, at: int) -> None:
    try:
        found = read_jks(STORE[:at] + rest, None, "keypw1")
    except (MalformedBytes, WrongPassword):
        return
    assert repr(found).startswith("[")


def test_a_key_store_shows_no_key() -> None:
    found = read_jks(STORE, "storepw", "keypw1")
    assert repr(found) == "[JavaEntry('b', key, chain of 1)]"
