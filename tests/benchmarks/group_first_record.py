"""From making a group's first consumer to its first record, and from making its second one until both have their share:
the whole join; the broker itself waits for nothing.

The first member learns about the second with its next heartbeat, so one heartbeat interval is left out of the time.

librdkafka 2.16 waits twice for nothing: 50 ms before it connects to the coordinator that it was given, and 100 ms
before it asks where a partition without a committed offset begins. No broker can be faster than that, so its wall time
has no goal; what it takes beyond its own waits has one, and so has kafka-python's wall time.
"""

import os
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Final, TypeVar

import pytest
from fakekafka.server.router import Router
from kafka import KafkaConsumer

from tests.benchmarks.measuring import Row, alone, compared, in_turns
from tests.benchmarks.sides import MOCK, OURS, PARTITIONS, Side, serving

T = TypeVar("T")
TOPIC: Final = "group-first-record-of-the-benchmark"
HEARTBEAT_MS: Final = 100
OWN_WAIT_MS: Final = 10
TURN_S: Final = 0.005
"""How long each of two members polls before it is the other's turn."""


def group_first_record(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    with serving(OURS, [TOPIC]) as ours, serving(MOCK, [TOPIC]) as mock:
        for side in (ours, mock):
            fill(side)
            join_ms(side)
        times = in_turns(rounds, lambda: join_ms(ours), lambda: join_ms(mock))
        (second,) = in_turns(rounds, lambda: second_member_ms(ours))
        beyond = [beyond_own_waits_ms(ours) for _ in range(rounds)]
        (python,) = in_turns(rounds, lambda: kafka_python_ms(ours))
    return [
        compared("group's first record", "ms", times[0], times[1]),
        alone("  beyond the client's own waits", "ms", beyond, 150),
        alone("  with kafka-python", "ms", python, 150),
        alone("second member settled", "ms", [ms - HEARTBEAT_MS for ms in second], 300),
    ]


def fill(side: Side) -> None:
    """A record in every partition, so that the first fetch finds one."""
    producer = side.producer()
    for partition in range(PARTITIONS):
        producer.produce(TOPIC, b"hello", partition=partition)
    producer.flush(10)


def join_ms(side: Side) -> float:
    """The time from making the first consumer of a new group to its first record."""
    started = time.perf_counter()
    consumer = side.consumer(group_id=f"group-{os.urandom(4).hex()}")
    consumer.subscribe([TOPIC])
    message = consumer.poll(10)
    passed = time.perf_counter() - started
    assert message is not None
    assert message.error() is None
    consumer.close()
    return passed * 1000


def kafka_python_ms(side: Side) -> float:
    """The benchmark with kafka-python."""
    started = time.perf_counter()
    consumer = KafkaConsumer(
        TOPIC,
        bootstrap_servers=side.bootstrap_servers,
        group_id=f"group-{os.urandom(4).hex()}",
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    next(consumer)
    passed = time.perf_counter() - started
    consumer.close()
    return passed * 1000


def beyond_own_waits_ms(side: Side) -> float:
    """The time from making the consumer to its first record, without the spans in which it had no unanswered request.

    `side` must be ours, and in this process. Spans of up to `OWN_WAIT_MS` count: they are work, not waiting.
    """
    asked: list[tuple[float, int]] = []  # when the number of unanswered requests changes, and by how much
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Router, "_handle_request", _noting(asked, 1, Router._handle_request))
        patch.setattr(Router, "_answer", _noting(asked, -1, Router._answer))
        passed = join_ms(side)
    waited, unanswered = 0.0, 0
    for (at, change), (then, _) in pairwise(asked):
        unanswered += change
        span = (then - at) * 1000
        if unanswered == 0 and span > OWN_WAIT_MS:
            waited += span
    return passed - waited


def _noting(asked: list[tuple[float, int]], change: int, method: Callable[..., T]) -> Callable[..., T]:
    def noted(*arguments: object) -> T:
        asked.append((time.perf_counter(), change))
        return method(*arguments)

    return noted


def second_member_ms(side: Side) -> float:
    """The time from making a group's second consumer until both have half of the partitions."""
    group = f"group-{os.urandom(4).hex()}"
    one = side.consumer(group_id=group, heartbeat_interval_ms=HEARTBEAT_MS)
    one.subscribe([TOPIC])
    while len(one.assignment()) < PARTITIONS:
        one.poll(TURN_S)
    started = time.perf_counter()
    two = side.consumer(group_id=group, heartbeat_interval_ms=HEARTBEAT_MS)
    two.subscribe([TOPIC])
    while not len(one.assignment()) == len(two.assignment()) == PARTITIONS // 2:
        one.poll(TURN_S)
        two.poll(TURN_S)
    passed = time.perf_counter() - started
    one.close()
    two.close()
    return passed * 1000
