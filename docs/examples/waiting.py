"""Waits."""

import asyncio

from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer


def wait_for_records(kafka: FakeKafka) -> None:
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples")
        [record] = kafka.wait_for_records("orders", 1, timeout=20)  # seconds of real time
    assert record.value == b"two apples"


def wait_for_commit(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", partition=0)
    settings = kafka.client_config("kafka-python", quick=True)
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)
        consumer.commit()
        assert kafka.wait_for_commit("shop", "orders", partition=0, offset=1, timeout=20).offset == 1


def wait_for_group(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    settings = kafka.client_config("kafka-python", quick=True)
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)
        assert kafka.wait_for_group("shop", state="Stable", members=1).kind == "classic"
    assert kafka.wait_for_group("shop", state="Empty").members == ()


def wait_for_transaction(kafka: FakeKafka) -> None:
    producer = KafkaProducer(transactional_id="till-1", **kafka.client_config("kafka-python"))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b"two apples").get(timeout=10)
    producer.abort_transaction()
    assert kafka.wait_for_transaction("till-1", "CompleteAbort").partitions == ()
    producer.close()


def wait_for_request(kafka: FakeKafka) -> None:
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples")
        [produce] = kafka.wait_for_request("Produce", topic="orders", answered=True, timeout=20)
    assert produce.error is None


def aio(kafka: FakeKafka) -> None:
    async def main() -> None:
        kafka.send("orders", b"two apples")
        [record] = await kafka.aio.wait_for_records("orders", 1)
        assert record.value == b"two apples"

    asyncio.run(main())
