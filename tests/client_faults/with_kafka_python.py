"""kafka-python, as a program uses it."""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from fakekafka import FakeKafka
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.admin import NewTopic

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
    kind,
)

PATIENCE_S = DELIVERY_MS / 1000 + 2


def producer_settings(kafka: FakeKafka) -> dict[str, Any]:
    settings = {**kafka.client_config("kafka-python"), "max_block_ms": DELIVERY_MS, "linger_ms": 0}
    return settings | {"request_timeout_ms": REQUEST_MS, "delivery_timeout_ms": DELIVERY_MS}


def send(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    acknowledged: list[bytes] = []
    try:
        producer = KafkaProducer(**producer_settings(kafka))
    except Exception as error:
        errors.append(kind(error))
        return acknowledged
    for value in values:
        try:
            producer.send(TOPIC, value).get(timeout=PATIENCE_S)
            acknowledged.append(value)
        except Exception as error:
            errors.append(kind(error))
        if value is values[0]:
            midway()
    with suppress(Exception):  # what it could not send was reported already
        producer.close(timeout=1)
    return acknowledged


def commit(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    producer = KafkaProducer(**producer_settings(kafka), transactional_id=TRANSACTIONAL_ID)
    try:
        producer.init_transactions()
        producer.begin_transaction()
        for value in values:
            producer.send(TOPIC, value).get(timeout=PATIENCE_S)
            if value is values[0]:
                midway()
        producer.commit_transaction()
    except Exception as error:
        errors.append(kind(error))
        with suppress(Exception):
            producer.abort_transaction()
    with suppress(Exception):
        producer.close(timeout=1)
    return [] if errors else list(values)


def read(kafka: FakeKafka, count: int, midway: Midway, errors: Errors) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    settings = {**kafka.client_config("kafka-python"), "group_id": GROUP, "auto_offset_reset": "earliest"}
    settings |= {"enable_auto_commit": False, "session_timeout_ms": 6000, "request_timeout_ms": 7000}
    try:
        consumer = KafkaConsumer(TOPIC, **settings)
        consumer.partitions_for_topic(TOPIC)  # or it may hang without any fault, see compat/FINDINGS.md
    except Exception as error:
        errors.append(kind(error))
        return found
    end, is_midway = time.monotonic() + READ_S, False
    while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
        try:
            for records in consumer.poll(200).values():
                found.update(record.value for record in records)
        except Exception as error:
            errors.append(kind(error))
        if found and not is_midway:
            is_midway = True
            midway()
    try:
        consumer.commit()
    except Exception as error:
        errors.append(kind(error))
    with suppress(Exception):
        consumer.close(autocommit=False)
    return found


def create(kafka: FakeKafka, names: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    created: list[bytes] = []
    settings = {**kafka.client_config("kafka-python"), "request_timeout_ms": REQUEST_MS}
    try:
        admin = KafkaAdminClient(**settings)
    except Exception as error:
        errors.append(kind(error))
        return created
    for name in names:
        try:
            admin.create_topics([NewTopic(name.decode(), 1, 1)])
            created.append(name)
        except Exception as error:
            errors.append(kind(error))
        if name is names[0]:
            midway()
    admin.close()
    return created


KAFKA_PYTHON = Client("kafka-python", send, read, commit, create)
