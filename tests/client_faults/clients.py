"""Three client libraries as a program uses them: send some records; read a topic as a group, and commit."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka import FakeKafka

TOPIC: Final = "orders"
GROUP: Final = "shop"
REQUEST_MS: Final = 1500
"""How long a client waits for an answer."""
DELIVERY_MS: Final = 5000
"""How long it tries to send a record."""
READ_S: Final = 7.0
"""How long a program waits for what it reads."""
Values: TypeAlias = Sequence[bytes]


class Sent(NamedTuple):
    """What a producer was told."""

    acknowledged: list[bytes]
    errors: list[str]
    """Kinds of exceptions."""


class Read(NamedTuple):
    """What a consumer has got."""

    values: Counter[bytes]
    errors: list[str]


class Client(NamedTuple):
    """A library."""

    name: str
    send: Callable[[FakeKafka, Values], Sent]
    read: Callable[[FakeKafka, int], Read]
    """The second argument is how many records to wait for."""


def kind(error: BaseException) -> str:
    return type(error).__name__


# ---- kafka-python


def kafka_python_sends(kafka: FakeKafka, values: Values) -> Sent:
    from kafka import KafkaProducer

    acknowledged, errors = [], []
    settings = {**kafka.client_config("kafka-python"), "max_block_ms": DELIVERY_MS, "linger_ms": 0}
    settings |= {"request_timeout_ms": REQUEST_MS, "delivery_timeout_ms": DELIVERY_MS}
    try:
        producer = KafkaProducer(**settings)
    except Exception as error:
        return Sent([], [kind(error)])
    for value in values:
        try:
            producer.send(TOPIC, value).get(timeout=DELIVERY_MS / 1000 + 2)
            acknowledged.append(value)
        except Exception as error:
            errors.append(kind(error))
    with suppress(Exception):  # what it could not send was told already
        producer.close(timeout=1)
    return Sent(acknowledged, errors)


def kafka_python_reads(kafka: FakeKafka, count: int) -> Read:
    from kafka import KafkaConsumer

    found: Counter[bytes] = Counter()
    errors: list[str] = []
    settings = {**kafka.client_config("kafka-python"), "group_id": GROUP, "auto_offset_reset": "earliest"}
    settings |= {"enable_auto_commit": False, "session_timeout_ms": 6000, "request_timeout_ms": 7000}
    try:
        consumer = KafkaConsumer(TOPIC, **settings)
    except Exception as error:
        return Read(found, [kind(error)])
    end = time.monotonic() + READ_S
    while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
        try:
            for records in consumer.poll(200).values():
                found.update(record.value for record in records)
        except Exception as error:
            errors.append(kind(error))
    try:
        consumer.commit()
    except Exception as error:
        errors.append(kind(error))
    with suppress(Exception):
        consumer.close(autocommit=False)
    return Read(found, errors)


# ---- confluent-kafka


def confluent_sends(kafka: FakeKafka, values: Values) -> Sent:
    from confluent_kafka import Producer

    acknowledged, errors = [], []
    settings = {"socket.timeout.ms": REQUEST_MS, "message.timeout.ms": DELIVERY_MS, "linger.ms": 0}
    producer = Producer({**kafka.client_config("confluent-kafka"), **settings, "log_level": 0})

    def told(error: Any, message: Any) -> None:
        if error is None:
            acknowledged.append(message.value())
        else:
            errors.append(error.name())

    for value in values:
        producer.produce(TOPIC, value, on_delivery=told)
        producer.flush(DELIVERY_MS / 1000 + 2)
    return Sent(acknowledged, errors)


def confluent_reads(kafka: FakeKafka, count: int) -> Read:
    from confluent_kafka import Consumer, KafkaException

    found: Counter[bytes] = Counter()
    errors: list[str] = []
    settings = {"group.id": GROUP, "auto.offset.reset": "earliest", "enable.auto.commit": False, "log_level": 0}
    settings |= {"session.timeout.ms": 6000, "check.crcs": True, "socket.timeout.ms": REQUEST_MS}
    consumer = Consumer({**kafka.client_config("confluent-kafka"), **settings})
    consumer.subscribe([TOPIC])
    end = time.monotonic() + READ_S
    while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
        message = consumer.poll(0.2)
        if message is not None and (error := message.error()) is not None:
            errors.append(error.name())
        elif message is not None:
            found[message.value() or b""] += 1
    try:
        if found:
            consumer.commit(asynchronous=False)
    except KafkaException as refused:
        errors.append(refused.args[0].name())
    consumer.close()
    return Read(found, errors)


# ---- aiokafka


def aiokafka_sends(kafka: FakeKafka, values: Values) -> Sent:
    return asyncio.run(_aiokafka_sends(kafka, values))


async def _aiokafka_sends(kafka: FakeKafka, values: Values) -> Sent:
    from aiokafka import AIOKafkaProducer

    acknowledged: list[bytes] = []
    errors: list[str] = []
    producer = AIOKafkaProducer(**kafka.client_config("aiokafka"), request_timeout_ms=REQUEST_MS)
    try:
        await asyncio.wait_for(producer.start(), DELIVERY_MS / 1000)
        for value in values:
            try:
                await asyncio.wait_for(producer.send_and_wait(TOPIC, value), DELIVERY_MS / 1000 + 2)
                acknowledged.append(value)
            except Exception as error:
                errors.append(kind(error))
    except Exception as error:
        errors.append(kind(error))
    finally:
        await _stopped(producer)
    return Sent(acknowledged, errors)


def aiokafka_reads(kafka: FakeKafka, count: int) -> Read:
    return asyncio.run(_aiokafka_reads(kafka, count))


async def _aiokafka_reads(kafka: FakeKafka, count: int) -> Read:
    from aiokafka import AIOKafkaConsumer

    found: Counter[bytes] = Counter()
    errors: list[str] = []
    settings = {"group_id": GROUP, "auto_offset_reset": "earliest", "enable_auto_commit": False}
    settings |= {"session_timeout_ms": 6000, "request_timeout_ms": 7000}
    consumer = AIOKafkaConsumer(TOPIC, **kafka.client_config("aiokafka"), **settings)
    try:
        await asyncio.wait_for(consumer.start(), READ_S)
        end = time.monotonic() + READ_S
        while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
            try:
                for records in (await consumer.getmany(timeout_ms=200)).values():
                    found.update(record.value for record in records)
            except Exception as error:
                errors.append(kind(error))
        if found:
            await asyncio.wait_for(consumer.commit(), READ_S)
    except Exception as error:
        errors.append(kind(error))
    finally:
        await _stopped(consumer)
    return Read(found, errors)


async def _stopped(client: Any) -> None:
    """Stop a client, or give up on it."""
    try:
        await asyncio.wait_for(client.stop(), 2)
    except Exception:
        return


CLIENTS: Final = (
    Client("kafka-python", kafka_python_sends, kafka_python_reads),
    Client("confluent-kafka", confluent_sends, confluent_reads),
    Client("aiokafka", aiokafka_sends, aiokafka_reads),
)
