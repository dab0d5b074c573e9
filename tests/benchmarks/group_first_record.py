"""From making a group's first consumer to its first record: the whole join, and nothing of it is waiting at the broker.

librdkafka itself lets up to some hundred milliseconds pass between its steps; the mock shows how long.
"""

import os
import time
from typing import Final

from tests.benchmarks.measuring import Row, alone, compared, in_turns
from tests.benchmarks.sides import MOCK, OURS, PARTITIONS, Side, serving

TOPIC: Final = "group-first-record-of-the-benchmark"


def group_first_record(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    with serving(OURS, [TOPIC]) as ours, serving(MOCK, [TOPIC]) as mock:
        for side in (ours, mock):
            _fill(side)
            join_ms(side)
        times = in_turns(rounds, lambda: join_ms(ours), lambda: join_ms(mock))
    return [
        compared("group's first record", "ms", times[0], times[1]),
        alone("  again, for the goal", "ms", times[0], 150),
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
