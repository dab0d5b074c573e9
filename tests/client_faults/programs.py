"""What a program does with a client library: send some records, read a topic as a group and commit, commit a
transaction, create topics.

`midway` is called once in the middle: after the first record or topic, or after the first records that were read.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka import FakeKafka

TOPIC: Final = "orders"
GROUP: Final = "shop"
TRANSACTIONAL_ID: Final = "svc"
REQUEST_MS: Final = 1500
"""How long a client waits for an answer."""
DELIVERY_MS: Final = 5000
"""How long it tries to send a record."""
READ_S: Final = 15.0
"""How long a program waits for what it reads, and for a transaction or a topic."""
Midway: TypeAlias = Callable[[], None]


class Done(NamedTuple):
    """What a producer, or an administrator, learned about its requests."""

    acknowledged: list[bytes]
    """Values of records, or names of topics."""
    errors: list[str]
    """Kinds of exceptions."""


class Read(NamedTuple):
    """What a consumer has read."""

    values: Counter[bytes]
    errors: list[str]


class Client(NamedTuple):
    """A library."""

    name: str
    send: Callable[[FakeKafka, Sequence[bytes], Midway], Done]
    read: Callable[[FakeKafka, int, Midway], Read]
    """The second argument is how many records to wait for."""
    commit: Callable[[FakeKafka, Sequence[bytes], Midway], Done]
    """Send records in one transaction. Acknowledged if the commit was; otherwise it is aborted."""
    create: Callable[[FakeKafka, Sequence[bytes], Midway], Done]
    """Create topics, one by one."""


def kind(error: BaseException) -> str:
    return type(error).__name__
