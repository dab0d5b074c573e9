"""The server's side of every mechanism: tokens in, tokens out, and finally an identity."""

from typing import NamedTuple, Protocol

from fakekafka.ids import TimestampMs


class Refused(Exception):
    """The client has not proved who it is. `shown`: whether the client gets this message, not the general one.

    `really`: the reason, which only tests see.
    """

    def __init__(self, words: str, *, shown: bool = False, really: str = "") -> None:
        super().__init__(words)
        self.words = words
        self.shown = shown
        self.really = really or words


class Broken(Exception):
    """The real broker's mechanism fails here with an uncaught error, and the connection closes without an answer."""


class Identity(NamedTuple):
    """The identity that has logged in."""

    name: str
    expires_at_ms: TimestampMs | None = None
    """When the token that proved the identity expires."""
    by_token: bool = False
    """Whether a delegation token proved the identity."""


class Mechanism(Protocol):
    """One login by one mechanism."""

    identity: Identity | None
    """The client's identity, set by the last answer of a login that succeeds."""

    def answer(self, token: bytes, now_ms: TimestampMs) -> bytes:
        """The answer to the client's token. Raises `Refused` or `Broken`."""
