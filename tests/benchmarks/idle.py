"""What clients that only wait cost the broker: consumers at the end of their partitions, which ask twice a second."""

import time
from typing import Final

from confluent_kafka import TopicPartition

from tests.benchmarks.measuring import Row, compared
from tests.benchmarks.sides import MOCK, OURS, PARTITIONS, broker_cpu_seconds, serving

TOPICS: Final = [f"idle-{n}-of-the-benchmark" for n in range(25)]
CONSUMERS: Final = 5


def idle(quick: bool = False) -> list[Row]:
    seconds = 2 if quick else 10
    ours, mock = (_cpu_ms_a_second(name, seconds) for name in (OURS, MOCK))
    return [compared(f"{CONSUMERS} consumers of {len(TOPICS) * PARTITIONS} partitions", "ms CPU/s", [ours], [mock])]


def _cpu_ms_a_second(name: str, seconds: float) -> float:
    with serving(name, TOPICS) as side:
        consumers = [side.consumer(group_id=f"idle-{n}") for n in range(CONSUMERS)]
        for consumer in consumers:
            consumer.assign([TopicPartition(topic, n, 0) for topic in TOPICS for n in range(PARTITIONS)])
            consumer.poll(1)
        before = broker_cpu_seconds(side)
        time.sleep(seconds)
        used = broker_cpu_seconds(side) - before
        for consumer in consumers:
            consumer.close()
    return used / seconds * 1000
