"""aiokafka, as a program uses it."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import for_code
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
    kind,
)

START_S = DELIVERY_MS / 1000
PATIENCE_S = START_S + 2


async def send(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    acknowledged: list[bytes] = []
    producer = AIOKafkaProducer(**kafka.client_config("aiokafka"), request_timeout_ms=REQUEST_MS)
    try:
        await asyncio.wait_for(producer.start(), START_S)
        for value in values:
            try:
                await asyncio.wait_for(producer.send_and_wait(TOPIC, value), PATIENCE_S)
                acknowledged.append(value)
            except Exception as error:
                errors.append(kind(error))
            if value is values[0]:
                midway()
    except Exception as error:
        errors.append(kind(error))
    finally:
        await _stopped(producer)
    return acknowledged


async def commit(kafka: FakeKafka, values: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    limits = {"request_timeout_ms": REQUEST_MS, "transactional_id": TRANSACTIONAL_ID}
    producer = AIOKafkaProducer(**kafka.client_config("aiokafka"), **limits)
    try:
        await asyncio.wait_for(producer.start(), START_S)
        await producer.begin_transaction()
        for value in values:
            await asyncio.wait_for(producer.send_and_wait(TOPIC, value), PATIENCE_S)
            if value is values[0]:
                midway()
        await asyncio.wait_for(producer.commit_transaction(), READ_S)
    except Exception as error:
        errors.append(kind(error))
        await _aborted(producer)
    finally:
        await _stopped(producer)
    return [] if errors else list(values)


async def read(kafka: FakeKafka, count: int, midway: Midway, errors: Errors) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    settings = {"group_id": GROUP, "auto_offset_reset": "earliest", "enable_auto_commit": False}
    settings |= {"session_timeout_ms": 6000, "request_timeout_ms": 7000}
    consumer = AIOKafkaConsumer(TOPIC, **kafka.client_config("aiokafka"), **settings)
    try:
        await asyncio.wait_for(consumer.start(), READ_S)
        end, is_midway = time.monotonic() + READ_S, False
        while sum(found.values()) < count and time.monotonic() < end and len(errors) < 3:
            try:
                for records in (await consumer.getmany(timeout_ms=200)).values():
                    found.update(record.value for record in records)
            except Exception as error:
                errors.append(kind(error))
            if found and not is_midway:
                is_midway = True
                midway()
        if found:
            await asyncio.wait_for(consumer.commit(), READ_S)
    except Exception as error:
        errors.append(kind(error))
    finally:
        await _stopped(consumer)
    return found


async def create(kafka: FakeKafka, names: Sequence[bytes], midway: Midway, errors: Errors) -> list[bytes]:
    created: list[bytes] = []
    settings = {"bootstrap_servers": kafka.bootstrap_servers, "request_timeout_ms": REQUEST_MS}
    admin = AIOKafkaAdminClient(**settings)
    try:
        await asyncio.wait_for(admin.start(), START_S)
        for name in names:
            try:
                answer: Any = await asyncio.wait_for(admin.create_topics([NewTopic(name.decode(), 1, 1)]), READ_S)
                for _, code, *_ in answer.topic_errors:
                    if code:
                        raise for_code(code)
                created.append(name)
            except Exception as error:
                errors.append(kind(error))
            if name is names[0]:
                midway()
    except Exception as error:
        errors.append(kind(error))
    finally:
        await _closed(admin)
    return created


async def _stopped(client: Any) -> None:
    """Stop a client, or give up on it."""
    try:
        await asyncio.wait_for(client.stop(), 2)
    except (Exception, asyncio.CancelledError):  # its fetcher cancels itself while it backs off
        return


async def _aborted(producer: AIOKafkaProducer) -> None:
    try:
        await asyncio.wait_for(producer.abort_transaction(), 2)
    except Exception:
        return


async def _closed(admin: AIOKafkaAdminClient) -> None:
    try:
        await asyncio.wait_for(admin.close(), 2)
    except Exception:
        return


AIOKAFKA = Client(
    "aiokafka",
    lambda *given: asyncio.run(send(*given)),
    lambda *given: asyncio.run(read(*given)),
    lambda *given: asyncio.run(commit(*given)),
    lambda *given: asyncio.run(create(*given)),
)
