"""Clients without plug-ins read what a plug-in has compressed. Nothing is negotiated, so each fails in its own way."""

import asyncio
from collections.abc import Iterator

import confluent_kafka
import pytest
from aiokafka import AIOKafkaConsumer
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from fakekafka import FakeKafka
from kafka import KafkaConsumer
from kafka.errors import UnsupportedCodecError

OLD_FETCH = 3
"""The last version that does not know format 2: the broker converts."""


@pytest.fixture
def cluster() -> Iterator[FakeKafka]:
    """One record that a plug-in has compressed, and a plain one after it."""
    with FakeKafka("3.9", drafts=["KIP-984"], topics={"t": 1}) as kafka:
        kafka.plugins.register("snappyPlugin")
        kafka.configure_topic("t", {"compression.type": "snappyPlugin"})
        kafka.send("t", b"plugged")
        kafka.configure_topic("t", {"compression.type": None})
        kafka.send("t", b"plain")
        yield kafka


def test_librdkafka_reports_an_error_and_reads_on(cluster: FakeKafka) -> None:
    settings = {"bootstrap.servers": cluster.bootstrap_servers, "group.id": "g", "log_level": 0}
    consumer = Consumer(settings)
    consumer.assign([TopicPartition("t", 0, 0)])
    first = consumer.poll(10)
    assert first is not None
    error = first.error()
    assert error is not None
    assert error.code() == confluent_kafka.KafkaError._NOT_IMPLEMENTED
    assert "codec 0x5" in error.str()
    consumer.close()


def test_librdkafka_refuses_the_alias() -> None:
    with pytest.raises(KafkaException, match=r'Invalid value "snappyPlugin" for configuration property'):
        Producer({"compression.type": "snappyPlugin"})


def test_kafka_python_raises_unsupported_codec(cluster: FakeKafka) -> None:
    consumer = KafkaConsumer(
        "t",
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=10_000,
    )
    try:
        with pytest.raises(UnsupportedCodecError, match="5"):
            next(consumer)
    finally:
        consumer.close()


def test_aiokafka_raises_an_error(cluster: FakeKafka) -> None:
    async def consumed() -> bytes | None:
        async with AIOKafkaConsumer(
            "t", bootstrap_servers=cluster.bootstrap_servers, auto_offset_reset="earliest"
        ) as consumer:
            value: bytes | None = (await asyncio.wait_for(consumer.getone(), 10)).value
            return value

    with pytest.raises(Exception, match=r"codec|Compression|Unknown") as failed:
        asyncio.run(consumed())
    assert not isinstance(failed.value, TimeoutError)


@pytest.mark.fake_kafka(release="3.9", drafts=["KIP-984"], topics={"t": 1}, api_versions={"Fetch": OLD_FETCH})
def test_a_client_of_older_fetches_reads_what_the_broker_unpacked(fake_kafka: FakeKafka) -> None:
    fake_kafka.plugins.register("lzmaPlugin")
    fake_kafka.configure_topic("t", {"compression.type": "lzmaPlugin"})
    fake_kafka.send("t", b"plugged")
    consumer = KafkaConsumer(
        "t", bootstrap_servers=fake_kafka.bootstrap_servers, auto_offset_reset="earliest", consumer_timeout_ms=10_000
    )
    try:
        assert next(consumer).value == b"plugged"
    finally:
        consumer.close()
    assert fake_kafka.versions_used["Fetch"] == [OLD_FETCH]
