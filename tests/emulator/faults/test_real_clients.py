"""How real clients cope with faults: they go on, as they do with a real broker that fails in the same way."""

from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import CorruptRecordError

from tests.support.librdkafka import librdkafka_producer

pytestmark = pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.3"])


def test_kafka_python_sends_records_again_that_were_refused_twice(release: str) -> None:
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=2, topic="orders")
        producer = KafkaProducer(**kafka.client_config("kafka-python"), retries=5, retry_backoff_ms=10)
        assert producer.send("orders", b"1").get(timeout=20).offset == 0
        producer.close()
        assert [record.value for record in kafka.records("orders")] == [b"1"]
        assert rule.hits == 2


def test_librdkafka_sends_again_after_a_lost_answer_and_idempotence_keeps_one_record(release: str) -> None:
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        rule = kafka.faults.lose_answer("Produce", nth=1)
        settings = {**kafka.client_config("confluent-kafka"), "enable.idempotence": True}
        with librdkafka_producer(settings) as producer:
            producer.produce("orders", b"1")
            assert producer.flush(30) == 0
        assert [record.value for record in kafka.records("orders")] == [b"1"]
        assert rule.hits == 1


def test_librdkafka_delivers_when_the_network_is_whole_again(release: str) -> None:
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        settings = {"client.id": "svc-1", "socket.timeout.ms": 500, "socket.connection.setup.timeout.ms": 1000}
        with librdkafka_producer({**kafka.client_config("confluent-kafka"), **settings}) as producer:
            with kafka.faults.cut_off(client_id="svc-*") as rule:
                producer.produce("orders", b"1")
                assert producer.flush(1) == 1
                assert kafka.records("orders") == []
            assert producer.flush(30) == 0
        assert [record.value for record in kafka.records("orders")] == [b"1"]
        assert rule.hits


async def _send(kafka: FakeKafka) -> int:
    async with AIOKafkaProducer(**kafka.client_config("aiokafka"), retry_backoff_ms=10) as producer:
        offset: int = (await producer.send_and_wait("orders", b"1")).offset
        return offset


def test_aiokafka_goes_on_after_stale_metadata(release: str) -> None:
    import asyncio

    with FakeKafka(release, topics={"orders": 1}) as kafka:
        rule = kafka.faults.fail("Metadata", "LEADER_NOT_AVAILABLE", topic="orders", times=2)
        assert asyncio.run(_send(kafka)) == 0
        assert rule.hits >= 1


def test_a_rule_for_one_user_does_not_refuse_the_other(release: str) -> None:
    errors: list[str | None] = []

    def delivered(error: Any, message: Any) -> None:
        errors.append(error and error.name())

    with FakeKafka(release, topics={"orders": 1}, users={"alice": "wonderland", "bob": "builder"}) as kafka:
        rule = kafka.faults.fail("Produce", "TOPIC_AUTHORIZATION_FAILED", principal="User:bob")
        for user in ("alice", "bob"):
            with librdkafka_producer(kafka.client_config("confluent-kafka", user=user)) as producer:
                producer.produce("orders", user, on_delivery=delivered)
                assert producer.flush(30) == 0
        assert errors == [None, "TOPIC_AUTHORIZATION_FAILED"]
        assert [record.value for record in kafka.records("orders")] == [b"alice"]
        assert rule.hits == 1
        assert any(text.endswith("by 'rdkafka': principal 'User:alice'") for text in rule.near_misses)


class Endless(Exception):
    """The client never gets past the damaged records."""


def polled(consumer: Any) -> list[bytes]:
    """The next values."""
    while not (found := consumer.poll(100)):
        pass
    return [record.value for records in found.values() for record in records]


def test_kafka_python_loops_after_damaged_records_until_the_program_seeks(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table in the documentation says "hangs". Seen with a real 2.3.1 as well."""
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        for value in (b"1", b"2"):
            kafka.send("orders", value)
        kafka.faults.corrupt("Fetch", topic="orders", nth=1)
        consumer = KafkaConsumer(**kafka.client_config("kafka-python"), auto_offset_reset="earliest")
        consumer.assign([TopicPartition("orders", 0)])
        with pytest.raises(CorruptRecordError):
            polled(consumer)
        rounds, fetches, ask = iter(range(1000)), len(kafka.requests.where("Fetch")), consumer._fetcher._append

        def counted(*given: Any) -> Any:
            if next(rounds, None) is None:
                raise Endless
            return ask(*given)

        with monkeypatch.context() as patch:
            patch.setattr(consumer._fetcher, "_append", counted)
            with pytest.raises(Endless):
                consumer.poll(100)
        assert len(kafka.requests.where("Fetch")) == fetches
        consumer.seek(TopicPartition("orders", 0), 1)
        assert polled(consumer) == [b"2"]
        consumer.close()
