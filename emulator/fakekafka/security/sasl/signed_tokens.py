"""Signed tokens of OAUTHBEARER (KIP-768): OAuthBearerValidatorCallbackHandler with the keys of a JWKS endpoint.

A token names a key by id; the keys come from a file or from a URL (`jwks.py`). Needs the extra "tls".
"""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from fakekafka.ids import TimestampMs
from fakekafka.security.sasl.mechanism import Identity
from fakekafka.security.sasl.oauthbearer import JWS_PARTS, InvalidToken

HASHES: Final = {"256": "SHA256", "384": "SHA384", "512": "SHA512"}
DEFAULT_SKEW_S: Final = 30
FindKey = Callable[[str | None], Any]
"""The public key with that id, or the only one. None if there is none."""


class TokenRules(NamedTuple):
    """The claims that a token must make."""

    audience: tuple[str, ...] = ()
    """The audiences of which a token must name one, if there are any."""
    issuer: str | None = None
    skew_s: int = DEFAULT_SKEW_S
    """How far the clocks of the issuer and the broker may be apart."""
    subject_claim: str = "sub"

    @classmethod
    def of(cls, prop: Callable[[str], str | None]) -> "TokenRules":
        """The rules in the properties of a listener."""
        audience = (prop("sasl.oauthbearer.expected.audience") or "").split(",")
        skew, subject = prop("sasl.oauthbearer.clock.skew.seconds"), prop("sasl.oauthbearer.sub.claim.name")
        return cls(
            tuple(part.strip() for part in audience if part.strip()),
            prop("sasl.oauthbearer.expected.issuer"),
            DEFAULT_SKEW_S if skew is None else int(skew),
            subject or "sub",
        )


class SignedTokens:
    """Checks tokens against keys and rules."""

    def __init__(self, rules: TokenRules, find_key: FindKey) -> None:
        self._rules, self._find_key = rules, find_key

    def validated(self, token: str, now_ms: TimestampMs) -> Identity:
        """The identity in the token. Raises `InvalidToken` with the reason."""
        parts = token.split(".")
        if len(parts) != JWS_PARTS:
            raise InvalidToken("it is not a signed token of three parts")
        header, claims = _json(parts[0], "header"), _json(parts[1], "claims")
        self._check_signature(header, f"{parts[0]}.{parts[1]}".encode(), _decoded(parts[2], "signature"))
        return self._identity(claims, now_ms / 1000)

    def _check_signature(self, header: Mapping[str, Any], signed: bytes, signature: bytes) -> None:
        algorithm, kid = str(header.get("alg")), header.get("kid")
        key = self._find_key(kid if isinstance(kid, str) else None)
        if key is None:
            raise InvalidToken(f"no key {kid!r} is known")
        if not _verifies(key, algorithm, signature, signed):
            raise InvalidToken(f"its signature ({algorithm}) is not that of the key {kid!r}")

    def _identity(self, claims: Mapping[str, Any], now_s: float) -> Identity:
        rules = self._rules
        expires, issued = _number(claims, "exp"), _number(claims, "iat")
        if expires is None or issued is None:
            raise InvalidToken("it needs the claims exp and iat")
        if expires + rules.skew_s <= now_s:
            raise InvalidToken("it has expired")
        begins = _number(claims, "nbf")
        if begins is not None and begins - rules.skew_s > now_s:
            raise InvalidToken("it is not valid yet")
        audience = claims.get("aud", ())
        named = {audience} if isinstance(audience, str) else set(audience)
        if rules.audience and not named & set(rules.audience):
            raise InvalidToken(f"its audience is not one of {', '.join(rules.audience)}")
        if rules.issuer is not None and claims.get("iss") != rules.issuer:
            raise InvalidToken(f"its issuer is not {rules.issuer}")
        subject = claims.get(rules.subject_claim)
        if not isinstance(subject, str) or not subject.strip():
            raise InvalidToken(f"it needs the claim {rules.subject_claim}")
        return Identity(subject.strip(), int(expires * 1000))


def _verifies(key: Any, algorithm: str, signature: bytes, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

    family, size = algorithm[:2], algorithm[2:]
    if size not in HASHES:
        return False
    digest = getattr(hashes, HASHES[size])()
    try:
        if isinstance(key, rsa.RSAPublicKey) and family == "RS":
            key.verify(signature, signed, padding.PKCS1v15(), digest)
        elif isinstance(key, rsa.RSAPublicKey) and family == "PS":
            key.verify(signature, signed, padding.PSS(padding.MGF1(digest), digest.digest_size), digest)
        elif isinstance(key, ec.EllipticCurvePublicKey) and family == "ES":
            half = len(signature) // 2
            halves = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
            key.verify(utils.encode_dss_signature(*halves), signed, ec.ECDSA(digest))
        else:
            return False
    except InvalidSignature:
        return False
    return True


def _json(part: str, what: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(_decoded(part, what))
    except ValueError:
        raise InvalidToken(f"its {what} is no JSON") from None
    if not isinstance(parsed, dict):
        raise InvalidToken(f"its {what} is not an object")
    return parsed


def _decoded(part: str, what: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError:
        raise InvalidToken(f"its {what} is not base64") from None


def _number(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
