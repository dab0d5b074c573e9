"""Who sends a request (KafkaPrincipal)."""

from typing import Final, NamedTuple

USER: Final = "User"


class Principal(NamedTuple):
    """A type and a name, "User:alice" as a text."""

    type: str
    name: str
    by_token: bool = False
    """Whether a delegation token proved it (KIP-48)."""

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody has logged in."""
        return self == ANONYMOUS


ANONYMOUS: Final = Principal(USER, "ANONYMOUS")
ANYBODY: Final = "User:*"
"""The principal of a rule for everybody."""


def user(name: str) -> Principal:
    """The principal of a user."""
    return Principal(USER, name)


def parsed(text: str) -> Principal | None:
    """The principal that a text names; None without a colon."""
    kind, colon, name = text.partition(":")
    return Principal(kind, name) if colon else None
