"""What a program does with a client library: send some records, read a topic as a group and commit, commit a
transaction, create topics.

`midway` is called once in the middle: after the first record or topic, or after the first records that were read.
Kinds of exceptions are put into `errors` as they come, since a client may never return.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka import FakeKafka

TOPIC: Final = "orders"
GROUP: Final = "shop"
TRANSACTIONAL_ID: Final = "svc"
VALUES: Final = (b"1", b"2", b"3")
"""The values that are sent, or read."""
TOPICS: Final = (b"first", b"second")
"""The topics that are created."""
REQUEST_MS: Final = 1500
"""How long a client waits for an answer."""
DELIVERY_MS: Final = 5000
"""How long a client tries to send a record."""
READ_S: Final = 15.0
"""How long a program waits for what it reads, and for a transaction or a topic."""
Midway: TypeAlias = Callable[[], None]


Errors: TypeAlias = list[str]
Writes: TypeAlias = Callable[[FakeKafka, Sequence[bytes], Midway, Errors], list[bytes]]
"""Sends values, or creates topics of these names; returns those that were acknowledged."""


class Client(NamedTuple):
    """A library."""

    name: str
    send: Writes
    """Send records one by one."""
    read: Callable[[FakeKafka, int, Midway, Errors], Counter[bytes]]
    """Read values; the second argument is how many records to wait for."""
    commit: Writes
    """Send records in one transaction. They are acknowledged if the commit was; otherwise the transaction is
    aborted.
    """
    create: Writes
    """Create topics, one by one."""


def kind(error: BaseException) -> str:
    return type(error).__name__
