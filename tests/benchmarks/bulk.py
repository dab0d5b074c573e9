"""A million records of 100 bytes through confluent-kafka, into the broker and out again.

Each round is a process of its own, so that memory can be told. 32 partitions, because the mock keeps 5 MB of each and
has to keep everything to be read from. Records go to the partitions in turn; the consumer is given all of them.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from confluent_kafka import TopicPartition

from tests.benchmarks.measuring import Row, compared, in_turns
from tests.benchmarks.sides import MOCK, OURS, PARTITIONS, Side, broker_cpu_seconds, resident_mib, serving

TOPICS: Final = [f"bulk-records-of-the-benchmark-{n}" for n in range(8)]
VALUE: Final = bytes(100)
MANY: Final = 1_000_000


class Phase(NamedTuple):
    """What producing, or consuming, took."""

    thousand_per_s: float
    cpu_s: float
    """Of the whole process: client and broker."""
    broker_cpu_s: float
    memory_mib: float
    """By which the process has grown; most of it are the records."""


def bulk(quick: bool = False) -> list[Row]:
    count, rounds = (MANY // 5, 3) if quick else (MANY, 5)
    ours, mock = in_turns(rounds, lambda: _in_new_process(OURS, count), lambda: _in_new_process(MOCK, count))
    return [
        *_rows("produce", [phases[0] for phases in ours], [phases[0] for phases in mock], at_least=0.6),
        *_rows("consume", [phases[1] for phases in ours], [phases[1] for phases in mock], at_least=0.8),
    ]


def _rows(what: str, ours: list[Phase], mock: list[Phase], at_least: float) -> list[Row]:
    def row(name: str, unit: str, field: int, at_least: float | None = None) -> Row:
        return compared(name, unit, [p[field] for p in ours], [p[field] for p in mock], at_least=at_least)

    return [
        row(f"{what} records of 100 B", "k/s", 0, at_least),
        row("  CPU, client and broker", "s", 1),
        row("  CPU, the broker's thread", "s", 2),
        row("  memory", "MiB", 3),
    ]


def _in_new_process(name: str, count: int) -> list[Phase]:
    """Producing and consuming, measured."""
    code = f"from tests.benchmarks.bulk import both; both({name!r}, {count})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [Phase(*phase) for phase in json.loads(done.stdout)]


# ---- in the new process


def both(name: str, count: int) -> None:
    """Produce `count` records to the side of that name and consume them; the two phases go to stdout."""
    with serving(name, TOPICS) as side:
        phases = [_phase(side, lambda: produce(side, count)), _phase(side, lambda: consume(side, count))]
    print(json.dumps([[count / phase[0] / 1000, *phase[1:]] for phase in phases]))


def _phase(side: Side, action: Callable[[], None]) -> Phase:
    """What `action` takes; the first field is in seconds still."""
    memory, broker_cpu, cpu, wall = resident_mib(), broker_cpu_seconds(side), time.process_time(), time.perf_counter()
    action()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Phase(wall, cpu, broker_cpu_seconds(side) - broker_cpu, resident_mib() - memory)


def produce(side: Side, count: int) -> None:
    producer = side.producer(queue_buffering_max_messages=count, queue_buffering_max_kbytes=1 << 20)
    failed: list[object] = []
    send, poll = producer.produce, producer.poll

    def on_delivery(error: object, _: object) -> None:
        if error is not None:
            failed.append(error)

    for n in range(count):
        send(TOPICS[n & 7], VALUE, partition=n >> 3 & PARTITIONS - 1, on_delivery=on_delivery)
        if not n & 0xFFF:
            poll(0)
    assert producer.flush(60) == 0 and not failed


def consume(side: Side, count: int) -> None:
    consumer = side.consumer()
    consumer.assign([TopicPartition(topic, n, 0) for topic in TOPICS for n in range(PARTITIONS)])
    got = 0
    while got < count:
        got += len(consumer.consume(10_000, timeout=10))
    consumer.close()
