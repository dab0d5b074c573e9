"""The sender of a request (KafkaPrincipal)."""

from typing import Final, NamedTuple

USER: Final = "User"


class Principal(NamedTuple):
    """A type and a name; as text, "User:alice"."""

    type: str
    name: str
    by_token: bool = False
    """Whether a delegation token proved it (KIP-48)."""

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"

    @property
    def is_anonymous(self) -> bool:
        """Whether the client has not logged in."""
        return self == ANONYMOUS


ANONYMOUS: Final = Principal(USER, "ANONYMOUS")
ANYBODY: Final = "User:*"
"""The principal of a rule for everyone."""


def user(name: str) -> Principal:
    """The principal of a user."""
    return Principal(USER, name)


def parsed(text: str) -> Principal | None:
    """The principal that a text names; None without a colon."""
    kind, colon, name = text.partition(":")
    return Principal(kind, name) if colon else None
