"""From making a group's first consumer to its first record, and from making its second one until both have their share:
the whole join, and nothing of it is waiting at the broker.

The first member hears of the second with its next heartbeat, so one heartbeat interval is left out of the time.
librdkafka itself lets up to some hundred milliseconds pass between its steps; the mock shows how long.
"""

import os
import time
from typing import Final

from tests.benchmarks.measuring import Row, alone, compared, in_turns
from tests.benchmarks.sides import MOCK, OURS, PARTITIONS, Side, serving

TOPIC: Final = "group-first-record-of-the-benchmark"
HEARTBEAT_MS: Final = 100
TURN_S: Final = 0.005
"""How long each of two members polls before it is the other's turn."""


def group_first_record(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    with serving(OURS, [TOPIC]) as ours, serving(MOCK, [TOPIC]) as mock:
        for side in (ours, mock):
            _fill(side)
            join_ms(side)
        times = in_turns(rounds, lambda: join_ms(ours), lambda: join_ms(mock))
        (second,) = in_turns(rounds, lambda: second_member_ms(ours))
    return [
        compared("group's first record", "ms", times[0], times[1]),
        alone("  again, for the goal", "ms", times[0], 150),
        alone("second member settled", "ms", [ms - HEARTBEAT_MS for ms in second], 300),
    ]


def _fill(side: Side) -> None:
    """A record in every partition, so that the first fetch finds one."""
    producer = side.producer()
    for partition in range(PARTITIONS):
        producer.produce(TOPIC, b"hello", partition=partition)
    producer.flush(10)


def join_ms(side: Side) -> float:
    """From making the first consumer of a new group to its first record."""
    started = time.perf_counter()
    consumer = side.consumer(group_id=f"group-{os.urandom(4).hex()}")
    consumer.subscribe([TOPIC])
    message = consumer.poll(10)
    passed = time.perf_counter() - started
    assert message is not None
    assert message.error() is None
    consumer.close()
    return passed * 1000


def second_member_ms(side: Side) -> float:
    """From making a group's second consumer until both have half of the partitions."""
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
