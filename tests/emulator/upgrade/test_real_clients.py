""" "Our 0.10.2 consumers broke when the brokers were upgraded": real clients while brokers change.

kafka-python is pinned to 0.10.2: it sends Fetch 3, which carries format 1 at most.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer
from confluent_kafka import TopicPartition as ConfluentPartition
from fakekafka import FakeKafka
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import UnknownError

from tests.support.librdkafka import librdkafka_producer

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python leaves sockets open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PLACE = TopicPartition("t", 0)
PATIENCE_MS = 20_000


@contextmanager
def consumer(kafka: FakeKafka) -> Iterator[KafkaConsumer]:
    made = KafkaConsumer(
        bootstrap_servers=kafka.bootstrap_servers, api_version=(0, 10, 2), auto_offset_reset="earliest"
    )
    made.assign([PLACE])
    try:
        yield made
    finally:
        made.close()
        gc.collect()  # sockets left open are found here, and not in another test


def values(found: KafkaConsumer, count: int) -> list[bytes]:
    """The next `count` values."""
    got: list[bytes] = []
    while len(got) < count:
        records = found.poll(PATIENCE_MS)
        assert records, got
        got += [record.value for record in records[PLACE]]
    return got


def test_an_old_consumer_reads_on_through_an_upgrade() -> None:
    with FakeKafka("0.10.2", topics={"t": 1}) as kafka, consumer(kafka) as old:
        for n, step in enumerate(kafka.upgrade(to="2.3")):
            kafka.send("t", b"%d" % n)
            step.apply()
        kafka.send("t", b"4")
        assert values(old, 5) == [b"0", b"1", b"2", b"3", b"4"]
        cost = {line.direction for line in kafka.conversions() if line.api == "Fetch"}
        assert cost == {"down"}


@pytest.mark.parametrize("quirks", ["", "repaired"])
def test_a_header_stops_an_old_consumer_of_1_0_1(quirks: str) -> None:
    """KAFKA-6739."""
    with FakeKafka("1.0.1", topics={"t": 1}, quirks=quirks) as kafka, consumer(kafka) as old:
        kafka.send("t", b"good", headers=[("h", b"x")])
        if quirks:
            assert values(old, 1) == [b"good"]
        else:
            with pytest.raises(UnknownError):
                old.poll(PATIENCE_MS)


@pytest.mark.parametrize("quirks", ["", "-FORMAT-LOWERED"])
def test_a_lowered_format_gives_an_old_consumer_what_it_cannot_read(quirks: str) -> None:
    """FORMAT-LOWERED. This client reads format 2 all the same, which no 0.10.2 client does; so the bill is checked."""
    with FakeKafka("2.3", topics={"t": 1}, quirks=quirks) as kafka, consumer(kafka) as old:
        kafka.send("t", b"new")
        kafka.configure_topic("t", {"message.format.version": "0.10.2"})
        assert values(old, 1) == [b"new"]
        zero_copy = {line.zero_copy for line in kafka.conversions() if line.api == "Fetch"}
        assert zero_copy == {not quirks}


def test_clients_go_on_while_three_brokers_are_upgraded_one_after_the_other() -> None:
    own = {"default.replication.factor": 3, "min.insync.replicas": 2, "offsets.topic.num.partitions": 1}
    with FakeKafka("0.10.2", brokers=3, config=own, topics={"t": 3}) as kafka:
        plain = {"bootstrap.servers": kafka.bootstrap_servers, "reconnect.backoff.max.ms": 100, "log_level": 0}
        with librdkafka_producer(plain | {"acks": "all"}) as producer:
            reader = Consumer(plain | {"group.id": "g"})
            reader.assign([ConfluentPartition("t", index, OFFSET_BEGINNING) for index in range(3)])
            got: set[bytes] = set()
            errors: list[object] = []
            for n, step in enumerate([None, *kafka.upgrade(to="2.3")]):
                if step is not None:
                    step.apply()
                for value in range(20 * n, 20 * n + 20):
                    producer.produce("t", b"%d" % value, on_delivery=lambda error, _: errors.append(error))
                assert producer.flush(PATIENCE_MS / 1000) == 0
                got |= read(reader, 20)
        reader.close()
        assert errors == [None] * 100
        assert got == {b"%d" % value for value in range(100)}
        assert {record.magic for record in kafka.records("t")} == {1, 2}


def read(reader: Consumer, count: int) -> set[bytes]:
    """The next values that a consumer of confluent-kafka gets."""
    found: set[bytes] = set()
    for _ in range(10 * PATIENCE_MS // 1000):
        message = reader.poll(0.1)
        if message is not None and message.error() is None:
            found.add(message.value() or b"")
        if len(found) == count:
            break
    return found
