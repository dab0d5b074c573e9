"""Real clients in a lifelike cluster: they meet the errors of its first moments, try again and go on.

A topic that does not exist, a transactional producer, then a group that reads what was committed.
"""

import asyncio
from collections.abc import Callable
from random import Random

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from confluent_kafka import Consumer
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.pace.measured import Measured
from kafka import KafkaConsumer, KafkaProducer

from tests.support.librdkafka import librdkafka_producer

SEEN_AT = {
    "2.8": {
        "LEADER_NOT_AVAILABLE",
        "COORDINATOR_NOT_AVAILABLE",
        "COORDINATOR_LOAD_IN_PROGRESS",
        "CONCURRENT_TRANSACTIONS",
    },
    "3.9": {
        "UNKNOWN_TOPIC_OR_PARTITION",
        "COORDINATOR_NOT_AVAILABLE",
        "NOT_COORDINATOR",
        "CONCURRENT_TRANSACTIONS",
    },
}
"""The errors that every client meets; all clients together meet 3, 5, 14, 15, 16 and 51."""
MANY = 200
"""After this many transactions, one has certainly come too early."""
WAITING_S = 60


def slowly(known: Measured, random: Random) -> float:
    """Five times as long as usual: clients on a busy machine would come too late to see the errors. A load that is
    answered with 14 alone takes longer, since librdkafka comes half a second after it has found the coordinator.
    """
    return (20 if known.errors == (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,) else 5) * known.median_ms


def met_concurrency(kafka: FakeKafka) -> bool:
    """Whether a transaction began before the markers of the previous one were written."""
    return bool(kafka.requests.where(error="CONCURRENT_TRANSACTIONS"))


def with_kafka_python(kafka: FakeKafka) -> list[bytes]:
    settings = kafka.client_config("kafka-python")
    producer = KafkaProducer(transactional_id="till", **settings)
    producer.init_transactions()
    sent = 0
    while sent < 2 or (sent < MANY and not met_concurrency(kafka)):
        producer.begin_transaction()
        producer.send("orders", b"%d" % sent)
        producer.commit_transaction()
        sent += 1
    producer.close()
    consumer = KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings)
    values = [next(consumer).value for _ in range(sent)]
    consumer.close()
    return values


def with_confluent_kafka(kafka: FakeKafka) -> list[bytes]:
    settings = kafka.client_config("confluent-kafka")
    with librdkafka_producer({**settings, "transactional.id": "till"}) as producer:
        producer.init_transactions(WAITING_S)
        sent = 0
        while sent < 2 or (sent < MANY and not met_concurrency(kafka)):
            producer.begin_transaction()
            producer.produce("orders", b"%d" % sent)
            producer.commit_transaction(WAITING_S)
            sent += 1
    consumer = Consumer({**settings, "group.id": "shop", "auto.offset.reset": "earliest"})
    consumer.subscribe(["orders"])
    values: list[bytes] = []
    while len(values) < sent:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            values.append(message.value() or b"")
    consumer.close()
    return values


def with_aiokafka(kafka: FakeKafka) -> list[bytes]:
    return asyncio.run(_with_aiokafka(kafka))


async def _with_aiokafka(kafka: FakeKafka) -> list[bytes]:
    settings = kafka.client_config("aiokafka")
    sent = 0
    async with AIOKafkaProducer(transactional_id="till", **settings) as producer:
        while sent < 2 or (sent < MANY and not met_concurrency(kafka)):
            async with producer.transaction():
                await producer.send("orders", b"%d" % sent)
            sent += 1
    values: list[bytes] = []
    reader = AIOKafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings)
    async with reader as consumer:
        while len(values) < sent:
            values.append((await consumer.getone()).value)
    return values


@pytest.mark.parametrize("release", SEEN_AT)
@pytest.mark.parametrize("story", [with_kafka_python, with_confluent_kafka, with_aiokafka])
def test_a_client_meets_the_errors_of_a_new_cluster_and_loses_nothing(
    release: str, story: Callable[[FakeKafka], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakekafka.pace.lifelike._drawn", slowly)
    quick = {"group.initial.rebalance.delay.ms": 0}
    with FakeKafka(release, pace="lifelike", config=quick, journal=100_000) as kafka:
        values = story(kafka)
        missed = {name for name in SEEN_AT[release] if not kafka.requests.where(error=name)}
    assert values == [b"%d" % n for n in range(len(values))]
    assert missed == set()
