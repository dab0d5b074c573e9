"""A million records of 100 bytes through confluent-kafka, into the broker and out again.

32 partitions, because the mock keeps 5 MB of each and has to keep everything that is read from it. Records go to the
partitions in turn; the consumer is given all of them. Each round is a new process, and begins with a few records that
do not count: what a broker loads for its first requests is in `first_record`. What the broker alone costs is shown by
rounds in which it has its own process; the goals are for the thread, which is how tests run a broker.
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from confluent_kafka import Producer, TopicPartition

from tests.benchmarks.measuring import Row, compared, in_turns, new_process
from tests.benchmarks.sides import (
    MOCK,
    OURS,
    PARTITIONS,
    Side,
    broker_cpu_seconds,
    broker_memory_mib,
    serving,
    serving_apart,
)

TOPICS: Final = [f"bulk-records-of-the-benchmark-{n}" for n in range(8)]
FIRST_TOPIC: Final = "first-records-of-the-benchmark"
VALUE: Final = bytes(100)
MANY: Final = 1_000_000


class Phase(NamedTuple):
    """What producing, or consuming, took."""

    thousand_per_s: float
    cpu_s: float
    """CPU time of the measuring process."""
    broker_cpu_s: float
    memory_mib: float
    """How much the process with the broker has grown."""


def bulk(quick: bool = False) -> list[Row]:
    count, rounds = (MANY // 5, 3) if quick else (MANY, 5)
    thread, apart = (
        in_turns(rounds, partial(_round, OURS, count, here), partial(_round, MOCK, count, here))
        for here in (True, False)
    )
    return [
        *(row for n, at_least in enumerate((0.6, 0.8)) for row in _rows_of_thread(n, thread, at_least)),
        *(row for n in (0, 1) for row in _rows_of_process(n, apart)),
    ]


def _rows_of_thread(n: int, sides: list[list[list[Phase]]], at_least: float) -> list[Row]:
    ours, mock = ([phases[n] for phases in rounds] for rounds in sides)
    return [
        _row(f"{WORDS[n]}, broker in a thread", "k/s", 0, ours, mock, at_least),
        _row("  CPU, client and broker", "s", 1, ours, mock),
    ]


def _rows_of_process(n: int, sides: list[list[list[Phase]]]) -> list[Row]:
    ours, mock = ([phases[n] for phases in rounds] for rounds in sides)
    return [
        _row(f"{WORDS[n]}, broker in a process of its own", "k/s", 0, ours, mock),
        _row("  CPU, broker", "s", 2, ours, mock),
        _row("  memory, broker", "MiB", 3, ours, mock),
    ]


WORDS: Final = ("produce 100 B", "consume 100 B")


def _row(
    what: str, unit: str, field: int, ours: Sequence[Phase], mock: Sequence[Phase], at_least: float | None = None
) -> Row:
    return compared(what, unit, [p[field] for p in ours], [p[field] for p in mock], at_least=at_least)


def _round(name: str, count: int, here: bool) -> list[Phase]:
    """Produce and consume in a new process. `here`: with the broker in it."""
    found = json.loads(new_process(f"from tests.benchmarks.bulk import both; both({name!r}, {count}, {here})"))
    return [Phase(*phase) for phase in found]


# ---- in the new process


def both(name: str, count: int, here: bool) -> None:
    """Produce `count` records to the side of that name and consume them; the two phases go to stdout as JSON."""
    with (serving if here else serving_apart)(name, [*TOPICS, FIRST_TOPIC]) as side:
        get_warm(side, side.producer())
        phases = [_phase(side, count, produce), _phase(side, count, consume)]
    print(json.dumps(phases))


def _phase(side: Side, count: int, action: Callable[[Side, int], None]) -> Phase:
    memory, broker_cpu = broker_memory_mib(side), broker_cpu_seconds(side)
    cpu, wall = time.process_time(), time.perf_counter()
    action(side, count)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    broker_cpu = broker_cpu_seconds(side) - broker_cpu
    return Phase(count / wall / 1000, cpu, broker_cpu, broker_memory_mib(side) - memory)


def get_warm(side: Side, *producers: Producer) -> None:
    """Have the producers connect, and the broker load what it needs for its first requests."""
    for producer in producers:
        for n in range(PARTITIONS):
            producer.produce(FIRST_TOPIC, VALUE, partition=n)
        assert producer.flush(60) == 0
    consumer = side.consumer()
    consumer.assign([TopicPartition(FIRST_TOPIC, n, 0) for n in range(PARTITIONS)])
    assert consumer.consume(PARTITIONS, timeout=60)
    consumer.close()


def produce(side: Side, count: int) -> None:
    producer = side.producer(queue_buffering_max_messages=count, queue_buffering_max_kbytes=1 << 20)
    send, poll = producer.produce, producer.poll
    for n in range(count):
        send(TOPICS[n & 7], VALUE, partition=n >> 3 & PARTITIONS - 1)
        if not n & 0xFFF:
            poll(0)
    assert producer.flush(60) == 0


def consume(side: Side, count: int) -> None:
    consumer = side.consumer()
    consumer.assign([TopicPartition(topic, n, 0) for topic in TOPICS for n in range(PARTITIONS)])
    got = 0
    while got < count:
        got += len(consumer.consume(min(10_000, count - got), timeout=10))
    consumer.close()
