"""How long a record is on its way from `produce` to a consumer that waits for it, with confluent-kafka.

The mock does not wake a waiting fetch: its reader gets the record when `fetch.wait.max.ms`, 500 by default, has passed.
"""

import gc
import time
from typing import Final

from confluent_kafka import Consumer, Producer, TopicPartition

from tests.benchmarks.measuring import Row, alone, compared, in_turns
from tests.benchmarks.sides import MOCK, OURS, serving

TOPIC: Final = "produce-to-poll-of-the-benchmark"
FOR_ONE_OF_THE_MOCK: Final = 20
"""Rounds of ours for each of the mock, which sleeps most of the time."""


def produce_to_poll(quick: bool = False) -> list[Row]:
    rounds = 3 if quick else 15
    with serving(OURS, [TOPIC]) as ours, serving(MOCK, [TOPIC]) as mock:
        clients = [(side.producer(linger_ms=0), waiting(side.consumer())) for side in (ours, mock)]
        for producer, consumer in clients:
            on_its_way(producer, consumer)
        found = in_turns(
            rounds,
            lambda: _times(*clients[0], FOR_ONE_OF_THE_MOCK),
            lambda: _times(*clients[1], 1) * FOR_ONE_OF_THE_MOCK,
        )
        for _, consumer in clients:
            consumer.close()
    times = [[value for values in side for value in values] for side in found]
    return [
        compared("produce to poll", "ms", times[0], times[1]),
        alone("  again, for the goal: a thousandth of 500 ms", "ms", times[0], at_most=0.5),
    ]


def _times(producer: Producer, consumer: Consumer, count: int) -> list[float]:
    """The milliseconds that each of this many records takes, one after the other."""
    gc.collect()  # not before each record: that would make every cache cold
    found = []
    for _ in range(count):
        started = time.perf_counter()
        on_its_way(producer, consumer)
        found.append((time.perf_counter() - started) * 1000)
    return found


def waiting(consumer: Consumer) -> Consumer:
    """A consumer that reads new records of a partition."""
    consumer.assign([TopicPartition(TOPIC, 0, 0)])
    return consumer


def on_its_way(producer: Producer, consumer: Consumer) -> None:
    """Send a record and wait until it is read."""
    producer.produce(TOPIC, b"hello", partition=0)
    message = consumer.poll(10)
    assert message is not None
    assert message.error() is None
