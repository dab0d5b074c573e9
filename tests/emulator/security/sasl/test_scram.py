"""The broker's side of SCRAM: the RFC's own example, and what Kafka accepts and refuses."""

import base64
import hashlib
import hmac
import re
from contextlib import suppress

import pytest
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.security.sasl.mechanism import Broken, Refused
from fakekafka.security.sasl.scram import Scram, ScramLogin, credential_of_password

SALT = base64.b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")
NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
RULES = profile(Release.parse("3.9")).sasl


def login(release: str = "3.9", password: str = "pencil") -> Scram:
    kept = credential_of_password("SCRAM-SHA-256", password, SALT, 4096)
    rules = profile(Release.parse(release)).sasl
    return Scram(
        rules, "SCRAM-SHA-256", lambda name, token: ScramLogin(kept, name) if name == "user" else None, lambda: NONCE
    )


def test_the_example_of_rfc_7677() -> None:
    scram = login()
    first = scram.answer(b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO", 0)
    assert first.decode() == f"r=rOprNGfwEbeRWgbNEkqO{NONCE},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    proof = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
    last = scram.answer(f"c=biws,r=rOprNGfwEbeRWgbNEkqO{NONCE},p={proof}".encode(), 0)
    assert last == b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
    assert scram.identity is not None
    assert scram.identity.name == "user"


def proof_of(bare: str, first: bytes, nonce: str) -> str:
    salted = hashlib.pbkdf2_hmac("sha256", b"pencil", SALT, 4096)
    client = hmac.digest(salted, b"Client Key", "sha256")
    signed = f"{bare},{first.decode()},c=biws,r={nonce}".encode()
    signature = hmac.digest(hashlib.sha256(client).digest(), signed, "sha256")
    return base64.b64encode(bytes(a ^ b for a, b in zip(client, signature))).decode()


@pytest.mark.parametrize(
    ("release", "nonce", "taken"),
    [
        ("2.8", "abc", True),
        ("3.7.0", "abc", True),
        ("3.7.2", "abc", False),
        ("3.9", "abc", False),
        ("3.9", f"x{NONCE}", True),
        ("4.0", f"x{NONCE}", False),
        ("4.0", f"abc{NONCE}", True),
    ],
)
def test_the_nonce_is_compared_as_the_release_does(release: str, nonce: str, taken: bool) -> None:
    scram = login(release)
    first = scram.answer(b"n,,n=user,r=abc", 0)
    final = f"c=biws,r={nonce},p={proof_of('n=user,r=abc', first, nonce)}".encode()
    if taken:
        assert scram.answer(final, 0).startswith(b"v=")
    else:
        with pytest.raises(Refused):
            scram.answer(final, 0)


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"n,,n=user",
        b"y,,n=user,r=abc",
        b"p=tls-unique,,n=user,r=abc",
        b"n,,n=nobody,r=abc",
        b"n,a=bob,n=user,r=abc",
    ],
)
def test_first_messages_that_are_refused(first: bytes) -> None:
    with pytest.raises(Refused):
        login().answer(first, 0)


def test_a_wrong_password_is_refused_at_the_second_message() -> None:
    scram = login(password="other")
    first = scram.answer(b"n,,n=user,r=abc", 0)
    nonce = f"abc{NONCE}"
    with pytest.raises(Refused):
        scram.answer(f"c=biws,r={nonce},p={proof_of('n=user,r=abc', first, nonce)}".encode(), 0)


def test_proofs_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(expected: bytes, given: bytes) -> bool:
        compared.append(len(expected) == len(given) > 0)
        return expected == given

    monkeypatch.setattr("fakekafka.security.sasl.scram.hmac.compare_digest", compare)
    for password in ("other", "pencil"):
        scram = login(password=password)
        first, nonce = scram.answer(b"n,,n=user,r=abc", 0), f"abc{NONCE}"
        with suppress(Refused):
            scram.answer(f"c=biws,r={nonce},p={proof_of('n=user,r=abc', first, nonce)}".encode(), 0)
    assert compared == [True, True]


def test_a_proof_of_another_length_breaks_the_real_broker() -> None:
    scram = login()
    scram.answer(b"n,,n=user,r=abc", 0)
    with pytest.raises(Broken):
        scram.answer(f"c=biws,r=abc{NONCE},p=".encode(), 0)


def test_a_credential_shows_no_secret() -> None:
    kept = credential_of_password("SCRAM-SHA-512", "pencil", SALT, 4096)
    assert re.fullmatch(r"ScramCredential\(mechanism=2, iterations=4096\)", repr(kept))
