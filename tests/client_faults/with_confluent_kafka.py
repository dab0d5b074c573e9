"""confluent-kafka, as a program uses it."""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from confluent_kafka import Consumer, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic
from fakekafka import FakeKafka

from tests.client_faults.programs import (
    DELIVERY_MS,
    GROUP,
    READ_S,
    REQUEST_MS,
    TOPIC,
    TRANSACTIONAL_ID,
    Client,
    Errors,
    Midway,
)

PATIENCE_S = DELIVERY_MS / 1000 + 2


class Delivered:
    """The reports of a producer."""

    def __init__(self, errors: Errors) -> None:
        self.acknowledged: list[bytes] = []
        self.errors = errors

    def told(self, error: Any, message: Any) -> None:
        if error is None:
            self.acknowledged.append(message.value())
        else:
            self.errors.append(error.name())


def producer_settings(kafka: FakeKafka) -> dict[str, Any]:
    settings = {"socket.timeout.ms": REQUEST_MS, "message.timeout.ms": DELIVERY_MS, "linger.ms": 0}
    return {**kafka.client_config("confluent-kafka"), **settings, "log_level": 0}


def send(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    producer, delivered = Producer(producer_settings(kafka)), Delivered(errors)
    for value in values:
        try:
            producer.produce(TOPIC, value, on_delivery=delivered.told)
        except KafkaException as refused:  # refused before it was sent
            errors.append(refused.args[0].name())
        producer.flush(PATIENCE_S)
        if value is values[0]:
            midway()
    return delivered.acknowledged


def commit(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    limits = {"transactional.id": TRANSACTIONAL_ID, "transaction.timeout.ms": DELIVERY_MS}
    producer, delivered = Producer({**producer_settings(kafka), **limits}), Delivered(errors)
    try:
        producer.init_transactions(READ_S)
        producer.begin_transaction()
        for value in values:
            producer.produce(TOPIC, value, on_delivery=delivered.told)
            producer.flush(PATIENCE_S)
            if value is values[0]:
                midway()
        producer.commit_transaction(READ_S)
    except (KafkaException, SystemError) as error:  # flush, after a fatal error
        errors.append(error.args[0].name() if isinstance(error, KafkaException) else "SystemError")
        with suppress(KafkaException):
            producer.abort_transaction(READ_S)
        return []
    return delivered.acknowledged


def read(kafka: FakeKafka, count: int, midway: Midway, errors: Errors) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    settings = {"group.id": GROUP, "auto.offset.reset": "earliest", "enable.auto.commit": False, "log_level": 0}
    settings |= {"session.timeout.ms": 6000, "check.crcs": True, "socket.timeout.ms": REQUEST_MS}
    consumer = Consumer({**kafka.client_config("confluent-kafka"), **settings})
    consumer.subscribe([TOPIC])
    end, is_midway = time.monotonic() + READ_S, False
    while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
        message = consumer.poll(0.2)
        if message is not None and (error := message.error()) is not None:
            errors.append(error.name())
        elif message is not None:
            found[message.value() or b""] += 1
        if found and not is_midway:
            is_midway = True
            midway()
    try:
        if found:
            consumer.commit(asynchronous=False)
    except KafkaException as refused:
        errors.append(refused.args[0].name())
    consumer.close()
    return found


def create(kafka: FakeKafka, names: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    created: list[bytes] = []
    settings = {**kafka.client_config("confluent-kafka"), "socket.timeout.ms": REQUEST_MS, "log_level": 0}
    admin = AdminClient(settings)
    for name in names:
        wanted = NewTopic(name.decode(), num_partitions=1, replication_factor=1)
        (future,) = admin.create_topics([wanted], request_timeout=READ_S).values()
        try:
            future.result(READ_S + 2)
            created.append(name)
        except KafkaException as refused:
            errors.append(refused.args[0].name())
        if name is names[0]:
            midway()
    return created


CONFLUENT_KAFKA = Client("confluent-kafka", send, read, commit, create)
