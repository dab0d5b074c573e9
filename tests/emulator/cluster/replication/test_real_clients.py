"""A rolling upgrade under kafka-python and librdkafka: what was acknowledged with acks=all still exists at the end."""

import gc
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress

import pytest
from confluent_kafka import Consumer, Producer
from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python forgets sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PATIENCE_S = 60.0
BOTH = (b"librdkafka", b"kafka-python")
"""What the writers' values begin with."""
REPLICATED: dict[str, object] = {
    "default.replication.factor": 3,
    "min.insync.replicas": 2,
    "offsets.topic.num.partitions": 3,
}


def at(protocol: str, message_format: str) -> dict[str, object]:
    versions = {"inter.broker.protocol.version": protocol, "log.message.format.version": message_format}
    return REPLICATED | versions


STEPS = [
    ("0.11.0", at("0.10.2", "0.10.2")),
    ("0.11.0", at("0.11.0", "0.10.2")),
    ("2.3", at("0.11.0", "0.10.2")),
    ("2.3", at("2.3", "0.10.2")),
    ("2.3", at("2.3", "0.11.0")),
]
"""Each is a round through all brokers: new code under the old protocol, the new protocol, and in the end the format."""


class Acknowledged:
    """What brokers have acknowledged."""

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self.lock = threading.Lock()

    def add(self, value: bytes) -> None:
        with self.lock:
            self.values.append(value)


def by_librdkafka(kafka: FakeKafka, seen: Acknowledged, stopped: threading.Event) -> None:
    producer = Producer(kafka.client_config("confluent-kafka") | {"acks": "all", "linger.ms": 5, "log_level": 0})
    number = 0
    while not stopped.is_set():
        value = f"librdkafka {number}".encode()
        number += 1

        def noted(error: object, _: object, value: bytes = value) -> None:
            if error is None:
                seen.add(value)

        producer.produce("t", value, on_delivery=noted)
        producer.poll(0.01)
    producer.flush(PATIENCE_S)


def by_kafka_python(kafka: FakeKafka, seen: Acknowledged, stopped: threading.Event) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"), acks="all", retries=50, retry_backoff_ms=50)
    number = 0
    while not stopped.is_set():
        value = f"kafka-python {number}".encode()
        number += 1
        try:
            producer.send("t", value).get(PATIENCE_S)
            seen.add(value)
        except KafkaError:
            pass  # not acknowledged
        stopped.wait(0.01)
    producer.close(PATIENCE_S)


@contextmanager
def running(*works: Callable[[], None]) -> Iterator[None]:
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(
            3 * PATIENCE_S
        )  # longer than a reader waits, since the records that it lacks say more than a thread that still runs
        assert not thread.is_alive()


class Consumed:
    """What one consumer has read. It reads until it has all that was acknowledged when the producers were `over`."""

    def __init__(self, acknowledged: Acknowledged, over: threading.Event) -> None:
        self.values: Counter[bytes] = Counter()
        self._acknowledged, self._over = acknowledged, over
        self._end = time.monotonic() + 2 * PATIENCE_S

    def is_over(self) -> bool:
        has_all = self._over.is_set() and not set(self._acknowledged.values) - self.values.keys()
        return has_all or time.monotonic() > self._end


def read_by_librdkafka(kafka: FakeKafka, found: Consumed) -> None:
    plain = {"group.id": "g", "auto.offset.reset": "earliest", "auto.commit.interval.ms": 50, "log_level": 0}
    consumer = Consumer(kafka.client_config("confluent-kafka") | plain)
    consumer.subscribe(["t"])
    while not found.is_over():
        for message in consumer.consume(100, 0.05):
            if message.error() is None:
                found.values[message.value() or b""] += 1
    consumer.close()


def read_by_kafka_python(kafka: FakeKafka, found: Consumed) -> None:
    given = kafka.client_config("kafka-python")
    consumer = KafkaConsumer(
        "t", **given, group_id="h", auto_offset_reset="earliest", auto_commit_interval_ms=50, retry_backoff_ms=50
    )
    while not found.is_over():
        with suppress(KafkaError):  # poll raises if the broker that it asks for its coordinator goes away meanwhile
            for records in consumer.poll(1000).values():
                found.values.update(record.value for record in records)
    consumer.close()


def test_a_rolling_upgrade_from_0_10_2_to_2_3_loses_nothing_acknowledged() -> None:
    config = at("0.10.2", "0.10.2")
    with FakeKafka("0.10.2", brokers=3, config=config, topics={"t": 3}) as kafka:
        seen, stopped = Acknowledged(), threading.Event()
        over = threading.Event()
        librdkafka, kafka_python = Consumed(seen, over), Consumed(seen, over)
        readers = [lambda: read_by_librdkafka(kafka, librdkafka), lambda: read_by_kafka_python(kafka, kafka_python)]
        writers = [lambda: by_librdkafka(kafka, seen, stopped), lambda: by_kafka_python(kafka, seen, stopped)]
        with running(*readers):
            with running(*writers):
                for release, config in STEPS:
                    for node_id in range(3):
                        kafka.stop_broker(node_id)
                        time_passes(seen, 3, BOTH)
                        kafka.start_broker(node_id, release, config)
                        time_passes(seen, 3, BOTH)
                stopped.set()
            over.set()
        acknowledged = set(seen.values)
        for node_id in range(3):
            assert not acknowledged - {record.value for record in kafka.records("t", broker=node_id)}
        assert not acknowledged - librdkafka.values.keys()
        assert not acknowledged - kafka_python.values.keys()
        assert {record.magic for record in kafka.records("t")} == {1, 2}
        assert kafka.brokers() == dict.fromkeys(range(3), "2.3.1")
        assert set(kafka.committed("g")) <= {("t", 0), ("t", 1), ("t", 2)}
        assert kafka.committed("g")
        assert not kafka.failures
    gc.collect()  # forgotten sockets are found here, and not in another test


def time_passes(seen: Acknowledged, more: int, writers: Collection[bytes] = (b"librdkafka",)) -> None:
    """Wait until some more records of each writer are acknowledged."""

    def counts() -> Counter[bytes]:
        with seen.lock:
            return Counter(value.split()[0] for value in seen.values)

    before, end = counts(), time.monotonic() + PATIENCE_S
    while any(counts()[writer] < before[writer] + more for writer in writers):
        assert time.monotonic() < end, "nothing is acknowledged any more"
        threading.Event().wait(0.005)


@pytest.mark.parametrize("unsynced", ["kept", "lost"])
def test_a_killed_leader_loses_nothing_acknowledged(unsynced: str) -> None:
    with FakeKafka("2.3", brokers=3, config=REPLICATED, topics={"t": 3}) as kafka:
        seen, stopped = Acknowledged(), threading.Event()
        with running(lambda: by_librdkafka(kafka, seen, stopped)):
            for node_id in (0, 1, 2, 0):
                time_passes(seen, 20)
                kafka.kill_broker(node_id, unsynced=unsynced)  # type: ignore[arg-type]
                time_passes(seen, 20)
                kafka.start_broker(node_id)
            stopped.set()
        for node_id in range(3):
            stored = {record.value for record in kafka.records("t", broker=node_id)}
            assert not set(seen.values) - stored
        assert not kafka.failures
