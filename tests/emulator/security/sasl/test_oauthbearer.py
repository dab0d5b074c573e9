"""OAUTHBEARER: good unsecured tokens, and what happens to others."""

import base64
import json

import pytest
from fakekafka.security.sasl.mechanism import Broken, Refused
from fakekafka.security.sasl.oauthbearer import OAuthBearer

NOW_MS = 1_600_000_000_000
NOW_S = NOW_MS // 1000


def token(claims: dict[str, object], algorithm: str = "none", signature: str = "") -> str:
    parts = ({"alg": algorithm}, claims)
    encoded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return ".".join([*encoded, signature])


def message(bearer: str, more: str = "") -> bytes:
    return f"n,,\x01auth=Bearer {bearer}\x01{more}\x01".encode()


GOOD = {"sub": "alice", "iat": NOW_S - 10, "exp": NOW_S + 100}


def test_a_good_token_logs_its_subject_in_until_it_expires() -> None:
    login = OAuthBearer()
    assert login.answer(message(token(GOOD)), NOW_MS) == b""
    assert login.identity is not None
    assert login.identity.name == "alice"
    assert login.identity.expires_at_ms == NOW_MS + 100_000


@pytest.mark.parametrize(
    "bearer",
    [
        token({**GOOD, "exp": NOW_S}),
        token({**GOOD, "iat": NOW_S + 1}),
        token({"exp": NOW_S + 100}),
        token(GOOD, "HS256"),
        token(GOOD, signature="abc"),
        "nonsense",
    ],
)
def test_a_bad_token_gets_a_status_and_the_acknowledgement_fails(bearer: str) -> None:
    login = OAuthBearer()
    assert login.answer(message(bearer), NOW_MS) == b'{"status":"invalid_token"}'
    with pytest.raises(Refused) as refused:
        login.answer(b"\x01", NOW_MS)
    assert refused.value.shown
    assert login.identity is None


@pytest.mark.parametrize("data", [b"", b"\x01", b"y,,\x01auth=Bearer a.b.\x01\x01", message(token(GOOD), "e1=x\x01")])
def test_messages_that_cannot_be_read_are_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        OAuthBearer().answer(data, NOW_MS)


def test_another_scheme_breaks_the_real_broker() -> None:
    with pytest.raises(Broken):
        OAuthBearer().answer(message(token(GOOD)).replace(b"Bearer", b"Basic"), NOW_MS)
