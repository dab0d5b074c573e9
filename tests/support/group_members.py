"""Members of consumer groups with unmodified librdkafka, and a scenario that every kind of member passes.

A member reads the topic "t" (or another pattern) in the group "g", and remembers what it read, was given and lost.
Members are polled in the caller's thread.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from confluent_kafka import Consumer, TopicPartition
from fakekafka import FakeKafka

PATIENCE_S = 30.0
TURN_S = 0.05
PartitionKey = tuple[str, int]
VALUES = 8
"""How many records a scenario's topic "t" begins with, two in each of its four partitions."""


def fill(kafka: FakeKafka) -> None:
    """Write the records that a scenario begins with."""
    for n in range(VALUES):
        kafka.send("t", str(n).encode(), partition=n % 4)


class Member(Protocol):
    """What a scenario asks of a member."""

    values: list[bytes]

    def poll(self, timeout_s: float) -> None: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    @property
    def places(self) -> set[PartitionKey]: ...


class Librdkafka:
    """A consumer of confluent-kafka. Names of configs have underscores for dots."""

    def __init__(self, kafka: FakeKafka, topic: str = "t", **config: Any) -> None:
        plain = {"group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False, "log_level": 0}
        given = {name.replace("_", "."): value for name, value in config.items()}
        self.values: list[bytes] = []
        self.given: list[set[PartitionKey]] = []
        """What each assignment added: the whole assignment where rebalances are not incremental."""
        self.lost: list[set[PartitionKey]] = []
        """What each revocation took."""
        self._consumer = Consumer(kafka.client_config("confluent-kafka") | plain | given)
        self._consumer.subscribe([topic], on_assign=self._on_assign, on_revoke=self._on_revoke)

    def _on_assign(self, _: Consumer, partitions: Sequence[TopicPartition]) -> None:
        self.given.append(_places(partitions))

    def _on_revoke(self, _: Consumer, partitions: Sequence[TopicPartition]) -> None:
        self.lost.append(_places(partitions))

    def poll(self, timeout_s: float) -> None:
        message = self._consumer.poll(timeout_s)
        if message is not None and message.error() is None:
            self.values.append(message.value() or b"")

    @property
    def places(self) -> set[PartitionKey]:
        return _places(self._consumer.assignment())

    def commit(self) -> None:
        self._consumer.commit(asynchronous=False)

    def close(self) -> None:
        self._consumer.close()


def _places(partitions: Sequence[TopicPartition]) -> set[PartitionKey]:
    return {(place.topic, place.partition) for place in partitions}


def poll(*members: Member, until: Callable[[], bool]) -> None:
    """Have members poll in turn until the condition holds."""
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, "it did not come"
        for member in members:
            member.poll(TURN_S)


def share_evenly(one: Member, two: Member) -> bool:
    """Whether each of two members has two of the four partitions, and no partition belongs to both."""
    return len(one.places) == len(two.places) == 2 and not one.places & two.places


def read_commit_and_go_on(kafka: FakeKafka, member: Callable[[], Member]) -> None:
    """A member reads and commits all; the next one begins after it."""
    first = member()
    poll(first, until=lambda: len(first.values) == VALUES)
    first.commit()
    first.close()
    assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", n): 2 for n in range(4)}
    kafka.send("t", b"new", partition=3)
    second = member()
    poll(second, until=lambda: len(second.values) == 1)
    second.close()
    assert second.values == [b"new"]
