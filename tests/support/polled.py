"""Consumers of three libraries, each polled in a separate thread, as in applications."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer
from confluent_kafka import Consumer
from fakekafka import FakeKafka
from kafka import KafkaConsumer

Polls = Callable[[FakeKafka, str, dict[str, Any], threading.Event], None]
"""Reads "orders" in a group with a client's settings, until the event is set."""


def poll_kafka_python(kafka: FakeKafka, group: str, settings: dict[str, Any], ended: threading.Event) -> None:
    config = kafka.client_config("kafka-python", **settings)
    with KafkaConsumer("orders", group_id=group, client_id=threading.current_thread().name, **config) as consumer:
        consumer.partitions_for_topic("orders")  # or it may hang, see compat/FINDINGS.md
        while not ended.is_set():
            consumer.poll(timeout_ms=500)  # a poll that ends before its join does makes the next one join again


def poll_librdkafka(kafka: FakeKafka, group: str, settings: dict[str, Any], ended: threading.Event) -> None:
    config = kafka.client_config("confluent-kafka", **settings)
    consumer = Consumer({**config, "group.id": group, "client.id": threading.current_thread().name})
    consumer.subscribe(["orders"])
    while not ended.is_set():
        consumer.poll(0.02)
    consumer.close()


def poll_aiokafka(kafka: FakeKafka, group: str, settings: dict[str, Any], ended: threading.Event) -> None:
    async def poll() -> None:
        name = threading.current_thread().name
        config = kafka.client_config("aiokafka", **settings)
        async with AIOKafkaConsumer("orders", group_id=group, client_id=name, **config) as consumer:
            while not ended.is_set():
                await consumer.getmany(timeout_ms=20)

    asyncio.run(poll())


POLLS: dict[str, Polls] = {
    "kafka-python": poll_kafka_python,
    "confluent-kafka": poll_librdkafka,
    "aiokafka": poll_aiokafka,
}


class Members:
    """Consumers of one group. `settings`: arguments of `client_config`."""

    def __init__(self, kafka: FakeKafka, client: str, group: str, settings: dict[str, Any], stack: ExitStack) -> None:
        self._kafka = kafka
        self._client = client
        self._group = group
        self._settings = settings
        self._stack = stack

    def join(self, name: str) -> None:
        """Start one more consumer, with `name` as its client id."""
        ended = threading.Event()
        arguments = (self._kafka, self._group, self._settings, ended)
        thread = threading.Thread(target=POLLS[self._client], args=arguments, name=name, daemon=True)
        thread.start()
        self._stack.callback(thread.join, 30)
        self._stack.callback(ended.set)


@contextmanager
def members(kafka: FakeKafka, client: str, group: str = "shop", **settings: Any) -> Iterator[Members]:
    """Consumers that live until the end of the block."""
    with ExitStack() as stack:
        yield Members(kafka, client, group, settings, stack)


def has_partitions(kafka: FakeKafka, group: str, expected: list[str], patience_s: float = 30) -> bool:
    """Whether a group's members soon have these partitions between them: a member that does not know its
    topic yet joins once more.
    """

    def assigned() -> bool:
        found = kafka.groups().get(group)
        return found is not None and sorted(each for m in found.members for each in m.partitions) == expected

    return kafka._runtime.wait_until(assigned, patience_s)
