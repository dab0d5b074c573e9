"""OAUTHBEARER (RFC 7628, KIP-255) with the unsecured tokens of OAuthBearerUnsecuredValidatorCallbackHandler, or
signed ones.

A refused token is answered with a JSON status, which the client acknowledges before the login fails.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable
from typing import Any, Final

from fakekafka.ids import TimestampMs
from fakekafka.security.sasl.mechanism import Broken, Identity, Refused

_SASL_NAME = r"(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+"
_INITIAL = re.compile(
    rf"n,(?:a=(?P<authorization_id>{_SASL_NAME}))?,\x01(?P<pairs>(?:[A-Za-z]+=[\x21-\x7e \t\r\n]+\x01)*)\x01"
)
_AUTH = re.compile(r"(?P<scheme>\w+) +(?P<token>[-_.a-zA-Z0-9]+)")
ACKNOWLEDGED: Final = b"\x01"
INVALID: Final = '{"status":"invalid_token"}'
JWS_PARTS: Final = 3


class InvalidToken(Exception):
    """A refused token, with the reason, which the client does not get."""


Validate = Callable[[str, TimestampMs], Identity]
"""The identity in a token that is valid at this time. Raises `InvalidToken`."""


class OAuthBearer:
    """One login. `validate` None: tokens are unsecured."""

    def __init__(self, validate: Validate | None = None) -> None:
        self._validate = validate or _unsecured
        self._refusal = ""
        self._why = ""
        self.identity: Identity | None = None

    def answer(self, token: bytes, now_ms: TimestampMs) -> bytes:
        """The answer: empty, or why the token is refused. Raises `Refused` or `Broken`."""
        if token == ACKNOWLEDGED and self._refusal:
            raise Refused(self._refusal, shown=True, really=f"its token is refused: {self._why}")
        self._refusal = ""
        authorization_id, bearer = _initial(token)
        try:
            identity = self._validate(bearer, now_ms)
        except InvalidToken as invalid:
            self._refusal, self._why = INVALID, str(invalid)
            return INVALID.encode()
        if authorization_id not in ("", identity.name):
            words = (
                "Authentication failed: Client requested an authorization id"
                f" ({authorization_id}) that is different from the token's principal name ({identity.name})"
            )
            raise Refused(words, shown=True)
        self.identity = identity
        return b""


def _initial(data: bytes) -> tuple[str, str]:
    """Authorization id and token of the client's first message."""
    message = _INITIAL.fullmatch(data.decode("utf-8", "replace"))
    if message is None:
        raise Refused("Invalid OAUTHBEARER client first message")
    pairs = dict(pair.split("=", 1) for pair in message["pairs"].split("\x01") if pair)
    if "auth" not in pairs:
        raise Refused("Invalid OAUTHBEARER client first message: 'auth' not specified")
    auth = _AUTH.fullmatch(pairs.pop("auth"))
    if auth is None:
        raise Refused("Invalid OAUTHBEARER client first message: invalid 'auth' format")
    if auth["scheme"].lower() != "bearer":
        raise Broken("Invalid scheme in OAUTHBEARER client first message")
    return message["authorization_id"] or "", auth["token"]


def _unsecured(token: str, now_ms: TimestampMs) -> Identity:
    """The identity in an unsecured token. Raises `InvalidToken`."""
    parts = token.split(".")
    if len(parts) != JWS_PARTS or parts[2]:
        raise InvalidToken("it is not an unsecured token, which has two parts and an empty third one")
    header, claims = _json_object(parts[0]), _json_object(parts[1])
    if header is None or claims is None or header.get("alg") != "none":
        raise InvalidToken("it cannot be read, or its algorithm is not none")
    name, issued_ms, expires_ms = claims.get("sub"), _ms(claims.get("iat", 0)), _ms(claims.get("exp"))
    if not isinstance(name, str) or not name or issued_ms is None or expires_ms is None:
        raise InvalidToken("its claims sub, iat or exp are not as they should be")
    if issued_ms > now_ms or expires_ms <= max(now_ms, issued_ms):
        raise InvalidToken("it has expired, or is not valid yet")
    return Identity(name, int(expires_ms))


def _json_object(part: str) -> dict[str, Any] | None:
    try:
        parsed = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error):
        return None
    return parsed if isinstance(parsed, dict) else None


def _ms(seconds: object) -> float | None:
    """A time in milliseconds; None if it is not a number."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    return seconds * 1000
