"""One client of the soak, in a separate process: `python -m tests.soak.client ROLE LIBRARY NAME RELEASE ADDRESS`.

A producer sends "NAME:0", "NAME:1" … with its name as the key, so that they stay in order, and prints each number once
it is acknowledged by all replicas. A consumer of group NAME prints what it gets. SIGTERM lets it close, SIGKILL does
not.
"""

import asyncio
import signal
import sys
import threading
from collections.abc import Iterator
from functools import partial
from types import FrameType
from typing import Any, Final

from fakekafka.client_configs import client_config
from fakekafka.releases.release import Release

TOPIC: Final = "soak"
LIBRARIES: Final = ("confluent-kafka", "kafka-python", "aiokafka")


is_over = threading.Event()
"""Set when it is time to close. It is not an exception, which could come between receiving records and printing
them.
"""


def _end(number: int, frame: FrameType | None) -> None:
    is_over.set()


def numbered(name: str) -> Iterator[tuple[int, bytes]]:
    """The numbers from 0 on, each with its value."""
    number = 0
    while not is_over.is_set():
        yield number, f"{name}:{number}".encode()
        number += 1


def tell(word: object) -> None:
    print(word, flush=True)


def tell_unless_failed(number: int, error: object, message: object) -> None:
    if error is None:
        tell(number)


def produce_confluent(name: str, config: dict[str, Any]) -> None:
    from confluent_kafka import Producer

    producer = Producer({**config, "acks": "all", "max.in.flight": 1, "linger.ms": 2, "log_level": 0})
    for number, value in numbered(name):
        producer.produce(TOPIC, value, name, on_delivery=partial(tell_unless_failed, number))
        if number % 20 == 19:
            producer.flush(10)
    producer.flush(5)


def produce_kafka_python(name: str, config: dict[str, Any]) -> None:
    from kafka import KafkaProducer

    producer = KafkaProducer(
        **config, acks="all", max_in_flight_requests_per_connection=1, retries=5, enable_idempotence=False
    )
    for number, value in numbered(name):
        try:
            producer.send(TOPIC, value, name.encode()).get(20)
        except Exception as failed:
            print(name, repr(failed)[:100], file=sys.stderr)
            continue
        tell(number)
    producer.close(5)


async def produce_aiokafka(name: str, config: dict[str, Any]) -> None:
    from aiokafka import AIOKafkaProducer

    producer = AIOKafkaProducer(**config, acks="all")
    await producer.start()
    for number, value in numbered(name):
        try:
            await asyncio.wait_for(producer.send_and_wait(TOPIC, value, name.encode()), 20)
        except Exception as failed:
            print(name, repr(failed)[:100], file=sys.stderr)
            continue
        tell(number)
    await asyncio.wait_for(producer.stop(), 5)


def consume_confluent(group: str, config: dict[str, Any]) -> None:
    from confluent_kafka import Consumer

    settings = {"group.id": group, "auto.offset.reset": "earliest", "session.timeout.ms": 6000, "log_level": 0}
    consumer = Consumer({**config, **settings})
    consumer.subscribe([TOPIC])
    while not is_over.is_set():
        for message in consumer.consume(500, 1):
            if message.error() is None:
                tell((message.value() or b"").decode())
    consumer.close()


def consume_kafka_python(group: str, config: dict[str, Any]) -> None:
    from kafka import KafkaConsumer

    settings = {"group_id": group, "auto_offset_reset": "earliest", "session_timeout_ms": 6000}
    consumer = KafkaConsumer(TOPIC, **config, **settings, heartbeat_interval_ms=1000)
    consumer.partitions_for_topic(TOPIC)  # or it may hang, see compat/FINDINGS.md
    while not is_over.is_set():
        for records in consumer.poll(500).values():
            for record in records:
                tell(record.value.decode())
    consumer.close()


async def consume_aiokafka(group: str, config: dict[str, Any]) -> None:
    from aiokafka import AIOKafkaConsumer

    settings = {"group_id": group, "auto_offset_reset": "earliest", "session_timeout_ms": 6000}
    consumer = AIOKafkaConsumer(TOPIC, **config, **settings, heartbeat_interval_ms=1000)
    await consumer.start()
    while not is_over.is_set():
        for records in (await consumer.getmany(timeout_ms=500)).values():
            for record in records:
                tell(record.value.decode())
    await asyncio.wait_for(consumer.stop(), 5)


WORK: Final[dict[tuple[str, str], Any]] = {
    ("produce", "confluent-kafka"): produce_confluent,
    ("produce", "kafka-python"): produce_kafka_python,
    ("produce", "aiokafka"): produce_aiokafka,
    ("consume", "confluent-kafka"): consume_confluent,
    ("consume", "kafka-python"): consume_kafka_python,
    ("consume", "aiokafka"): consume_aiokafka,
}


def main(role: str, library: str, name: str, release: str, address: str) -> None:
    """Work until a signal comes."""
    signal.signal(signal.SIGTERM, _end)
    config = dict(client_config(library, address, Release.parse(release)))  # type: ignore[arg-type]
    work = WORK[role, library](name, config)
    if asyncio.iscoroutine(work):
        asyncio.run(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
