"""PLAIN (RFC 4616): name and password in one message, as Kafka's PlainSaslServer reads it."""

from collections.abc import Mapping
from hmac import compare_digest
from typing import Final

from fakekafka.ids import TimestampMs
from fakekafka.releases.behaviours.sasl import SaslBehaviour
from fakekafka.security.sasl.mechanism import Identity, Refused

NUL: Final = "\0"
TOKENS: Final = 3
MOST_TOKENS: Final = 4
"""The most fields that are read."""


class Plain:
    """One login. `passwords`: of every user, by name."""

    def __init__(self, rules: SaslBehaviour, passwords: Mapping[str, str]) -> None:
        self._rules, self._passwords = rules, passwords
        self.identity: Identity | None = None

    def answer(self, token: bytes, now_ms: TimestampMs) -> bytes:
        """Check name and password. The answer is empty. Raises `Refused`."""
        shown = self._rules.plain_refusals_shown
        tokens = _tokens(token.decode("utf-8", "replace"), drop_empty_ends=self._rules.plain_ends_dropped)
        if len(tokens) != TOKENS:
            raise Refused(f"Invalid SASL/PLAIN response: expected 3 tokens, got {len(tokens)}", shown=shown)
        authorization_id, name, password = tokens
        if not name:
            raise Refused("Authentication failed: username not specified", shown=shown)
        if not password:
            raise Refused("Authentication failed: password not specified", shown=shown)
        if not self._is_password(name, password):
            really = f"wrong password of user {name!r}" if name in self._passwords else f"there is no user {name!r}"
            raise Refused("Authentication failed: Invalid username or password", shown=True, really=really)
        if self._rules.plain_authorization_id_checked and authorization_id not in ("", name):
            words = "Authentication failed: Client requested an authorization id that is different from username"
            raise Refused(words, shown=True)
        self.identity = Identity(name)
        return b""

    def _is_password(self, name: str, password: str) -> bool:
        """Whether a password is the user's, compared in constant time."""
        expected = self._passwords.get(name)
        same = compare_digest((expected or "").encode(), password.encode())
        return same and expected is not None


def _tokens(text: str, *, drop_empty_ends: bool) -> list[str]:
    if not drop_empty_ends:
        return text.split(NUL, MOST_TOKENS - 1) if text.count(NUL) < MOST_TOKENS else text.split(NUL)[:MOST_TOKENS]
    tokens = text.split(NUL)
    while tokens and not tokens[-1]:  # like String.split
        tokens.pop()
    return tokens
