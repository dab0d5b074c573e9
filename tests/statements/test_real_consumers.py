"""What the documents say about consumers, shown by unmodified client libraries against a broker with sockets."""

from collections.abc import Callable, Iterator

import pytest
from confluent_kafka import Consumer, TopicPartition
from fakekafka import FakeKafka
from fakekafka.records import v0, v1, v2
from fakekafka.records.compression import GZIP
from fakekafka.records.record import Record
from fakekafka.wire.apis.fetch import FetchRequest, FetchResponse
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from kafka import KafkaConsumer

from tests.support import fetching
from tests.support.brokers import ask
from tests.support.librdkafka import librdkafka_producer
from tests.support.seeded import NOW


def rows(first: int, count: int = 3) -> list[Record]:
    return [Record(first + n, NOW + first + n, 0, b"key-%d" % (first + n), b"value") for n in range(count)]


def produced(kafka: FakeKafka, data: bytes, version: int) -> int:
    part = PartitionProduceData(index=0, records=data)
    request = ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[TopicProduceData(name="t", partition_data=[part])])
    answered = ask(kafka.bootstrap_servers, request, version, ProduceResponse)
    return answered.responses[0].partition_responses[0].error_code


def consumed(kafka: FakeKafka, count: int) -> Iterator[tuple[int, bytes]]:
    """Offsets and keys, as kafka-python's consumer gives them."""
    consumer = KafkaConsumer(
        "t", bootstrap_servers=kafka.bootstrap_servers, auto_offset_reset="earliest", consumer_timeout_ms=10_000
    )
    try:
        yield from [(record.offset, record.key) for _, record in zip(range(count), consumer)]
    finally:
        consumer.close()


@pytest.mark.statement("S0-27")
@pytest.mark.fake_kafka(release="0.10.2", topics={"t": 1})
def test_a_consumer_makes_offsets_inside_of_a_wrapper_absolute(fake_kafka: FakeKafka) -> None:
    for _ in range(2):
        assert produced(fake_kafka, v1.build(rows(0), codec=GZIP), 2) == 0
    assert [offset for offset, _ in consumed(fake_kafka, 6)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.statement("S0-50")
@pytest.mark.fake_kafka(release="2.3", topics={"t": 1})
def test_a_consumer_reads_a_log_of_all_formats(fake_kafka: FakeKafka) -> None:
    for form, data, version in (
        ("0.9.0", v0.build(rows(0)), 1),
        ("0.10.2", v1.build(rows(3)), 2),
        ("2.3", v2.build([row._replace(offset=n) for n, row in enumerate(rows(6))]), 3),
    ):
        fake_kafka.configure_topic("t", {"message.format.version": form})
        assert produced(fake_kafka, data, version) == 0
    assert [record.magic for record in fake_kafka.records("t")] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert list(consumed(fake_kafka, 9)) == [(n, b"key-%d" % n) for n in range(9)]


@pytest.mark.statement("S0-16")
def test_a_mirror_copies_a_compacted_wrapper_without_opening_it() -> None:
    sent = v1.build(rows(0, 5), codec=GZIP)
    with FakeKafka("0.10.2") as source, FakeKafka("0.10.2", topics={"t": 1}) as target:
        source.create_topic("t", config={"cleanup.policy": "compact"})
        assert produced(source, sent, 2) == 0
        assert produced(source, v1.build(rows(1, 1), codec=GZIP), 2) == 0
        source.compact("t", roll=True)
        request: FetchRequest = fetching.request(("t", 0, 0), replica_id=-1)
        fetched = ask(source.bootstrap_servers, request, 2, FetchResponse)
        copied = fetching.data_of(fetching.only(fetched))
        assert produced(target, copied, 2) == 0
        expected = [record.key for record in source.records("t")]
        assert expected == [b"key-0", b"key-2", b"key-3", b"key-4", b"key-1"]
        found = target.records("t")
        assert [(record.offset, record.key) for record in found] == list(enumerate(expected))  # without the hole
        assert {record.codec for record in found} == {"gzip"}


@pytest.mark.statement("S1-18")
@pytest.mark.fake_kafka(release="3.9", topics={"t": 1})
def test_a_read_committed_consumer_waits_for_the_marker_of_a_transactional_batch(fake_kafka: FakeKafka) -> None:
    servers = {"bootstrap.servers": fake_kafka.bootstrap_servers, "log_level": 0}
    with librdkafka_producer({**servers, "transactional.id": "tx"}) as producer:
        producer.init_transactions()
        plain = {"group.id": "g", "fetch.wait.max.ms": 20}
        consumer = Consumer({**servers, **plain, "isolation.level": "read_committed"})
        consumer.assign([TopicPartition("t", 0, 0)])
        producer.begin_transaction()
        producer.produce("t", b"in the transaction")
        producer.flush()
        fake_kafka.send("t", b"plain, after it")
        asked = len(fake_kafka.requests.where("Fetch"))
        fake_kafka.wait_for_request("Fetch", count=asked + 2, answered=True, timeout=20)
        assert consumer.poll(0.1) is None  # both are stored, but neither is returned
        producer.commit_transaction()
    values = [message.value() for _ in range(2) if (message := consumer.poll(10)) is not None]
    assert values == [b"in the transaction", b"plain, after it"]
    consumer.close()


# ---- committed offsets as they were first designed


def with_kafka_python(servers: str, count: int) -> list[tuple[int, int]]:
    """Read the next records that the group has not committed, and commit them. Returns partitions and offsets."""
    consumer = KafkaConsumer(
        "t", bootstrap_servers=servers, group_id="g", auto_offset_reset="earliest", enable_auto_commit=False,
        consumer_timeout_ms=20_000,
    )  # fmt: skip
    try:
        found = [(record.partition, record.offset) for _, record in zip(range(count), consumer)]
        consumer.commit()
        return found
    finally:
        consumer.close()


def with_librdkafka(servers: str, count: int) -> list[tuple[int, int]]:
    settings = {"bootstrap.servers": servers, "group.id": "g", "auto.offset.reset": "earliest", "log_level": 0}
    consumer = Consumer({**settings, "enable.auto.commit": False})
    consumer.subscribe(["t"])
    try:
        found = []
        for message in consumer.consume(count, timeout=20):
            assert message.error() is None
            found.append((message.partition() or 0, message.offset() or 0))
        consumer.commit(asynchronous=False)
        return found
    finally:
        consumer.close()


@pytest.mark.statement("S4-11", "S4-12", "S4-14", "S4-19", "S4-24")
@pytest.mark.parametrize("read", [with_kafka_python, with_librdkafka])
@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_groups_of_real_clients_continue_with_the_first_design_after_crashes(
    release: str, read: Callable[[str, int], list[tuple[int, int]]]
) -> None:
    """One broker of three is lost, and then all of them at once."""
    config = {"offsets.topic.num.partitions": 1, "offsets.topic.replication.factor": 3, "default.replication.factor": 3}
    with FakeKafka(release, brokers=3, drafts=["atomic-offset-log"], config=config, topics={"t": 2}) as kafka:
        for n in range(9):
            kafka.send("t", b"%d" % n, partition=n % 2)
        first = read(kafka.bootstrap_servers, 3)
        topics = kafka._running.cluster.topics
        kafka.kill_broker(topics["offset-commit-log"].partitions[0].leader)
        second = read(kafka.bootstrap_servers, 3)
        kafka.restart(crash=True)
        third = read(kafka.bootstrap_servers, 3)
        assert sorted(first + second + third) == sorted((n % 2, n // 2) for n in range(9))
        assert sum(committed.offset for committed in kafka.committed("g").values()) == 9
