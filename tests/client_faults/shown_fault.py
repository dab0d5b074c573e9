"""One fault under which clients are shown: a plan or a call, and what the program does meanwhile."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from fakekafka import FakeKafka

While: TypeAlias = Literal["sending", "reading", "committing", "creating"]


class ShownFault(NamedTuple):
    """A fault that is in force from the beginning, or from the middle of what the program does."""

    name: str
    during: While
    plan: str = ""
    call: Callable[[FakeKafka], object] | None = None
    """What is done instead of a plan."""
    said: str = ""
    """The call as the page shows it."""
    midway: bool = False
    """Whether the fault begins after the first record or topic."""
    brokers: int = 1
    """The number of brokers. Topics, Kafka's internal ones included, have a replica on each."""
    note: str = ""
    """Something to read below the table."""


def fault(*lines: str) -> str:
    return "\n".join(("[[fault]]", *lines, ""))
