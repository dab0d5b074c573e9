"""Applications that read, process and write in transactions: one application, with each unmodified client library.

They read the topic "in" as the group "g" and write to "out". The application has no state of its own: the group's
offsets say what was processed.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple, TypeVar

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as AioPartition
from confluent_kafka import Consumer, Producer
from confluent_kafka import TopicPartition as LibPartition
from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer, OffsetAndMetadata, TopicPartition

T = TypeVar("T")
AT_ONCE = 3
"""How many records are processed in one transaction, at most."""
WAIT_S = 0.1
JOINING_WAIT_S = 3.0
"""How long to poll until there is an assignment, for kafka-python 3.0.12: a poll that ends during a rebalance loses the
join. Records end it at once.
"""


class Taken(NamedTuple):
    """A record of "in"."""

    partition: int
    offset: int
    value: bytes


def _next(taken: Sequence[Taken]) -> dict[int, int]:
    """The offset after these records, by partition."""
    return {t.partition: t.offset + 1 for t in taken}


class KafkaPython:
    """The application with kafka-python."""

    def __init__(self, kafka: FakeKafka, transactional_id: str) -> None:
        config: dict[str, Any] = {**kafka.client_config("kafka-python"), "retry_backoff_ms": 10}
        self._producer = KafkaProducer(**config, transactional_id=transactional_id)
        self._producer.init_transactions()
        group: dict[str, Any] = {"group_id": "g", "auto_offset_reset": "earliest", "enable_auto_commit": False}
        self._consumer = KafkaConsumer(**config, **group, isolation_level="read_committed", heartbeat_interval_ms=200)
        self._consumer.partitions_for_topic("in")  # or it may join and assign "in" before it knows its partitions
        self._consumer.subscribe(["in"])

    def take(self) -> list[Taken]:
        wait_s = WAIT_S if self._consumer.assignment() else JOINING_WAIT_S
        found = self._consumer.poll(timeout_ms=int(1000 * wait_s), max_records=AT_ONCE)
        return [Taken(r.partition, r.offset, r.value) for records in found.values() for r in records]

    def begin(self) -> None:
        self._producer.begin_transaction()

    def write(self, value: bytes, partition: int) -> None:
        self._producer.send("out", value, partition=partition)

    def send_offsets(self, taken: Sequence[Taken]) -> None:
        offsets = {TopicPartition("in", p): OffsetAndMetadata(at, "", -1) for p, at in _next(taken).items()}
        self._producer.send_offsets_to_transaction(offsets, self._consumer.group_metadata())
        self._producer.flush()

    def end(self, commit: bool) -> None:
        if commit:
            self._producer.commit_transaction()
        else:
            self._producer.abort_transaction()

    def rewind(self, offsets: dict[int, int]) -> None:
        for partition in self._consumer.assignment():
            self._consumer.seek(partition, offsets.get(partition.partition, 0))

    def leave(self) -> None:
        self._consumer.close(autocommit=False)

    def close(self) -> None:
        self._producer.close(timeout=0)


class Librdkafka:
    """The application with confluent-kafka."""

    def __init__(self, kafka: FakeKafka, transactional_id: str) -> None:
        config: dict[str, Any] = {**kafka.client_config("confluent-kafka"), "log_level": 0}
        self._producer = Producer(config | {"transactional.id": transactional_id, "linger.ms": 0})
        self._producer.init_transactions(30)
        group = {"group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False}
        self._consumer = Consumer(config | group | {"heartbeat.interval.ms": 200})
        self._consumer.subscribe(["in"])

    def take(self) -> list[Taken]:
        found = self._consumer.consume(AT_ONCE, WAIT_S)
        return [Taken(m.partition() or 0, m.offset() or 0, m.value() or b"") for m in found if m.error() is None]

    def begin(self) -> None:
        self._producer.begin_transaction()

    def write(self, value: bytes, partition: int) -> None:
        self._producer.produce("out", value, partition=partition)

    def send_offsets(self, taken: Sequence[Taken]) -> None:
        offsets = [LibPartition("in", p, at) for p, at in _next(taken).items()]
        self._producer.send_offsets_to_transaction(offsets, self._consumer.consumer_group_metadata(), 30)
        self._producer.flush()

    def end(self, commit: bool) -> None:
        if commit:
            self._producer.commit_transaction(30)
        else:
            self._producer.abort_transaction(30)

    def rewind(self, offsets: dict[int, int]) -> None:
        for partition in self._consumer.assignment():
            self._consumer.seek(LibPartition("in", partition.partition, offsets.get(partition.partition, 0)))

    def leave(self) -> None:
        self._consumer.close()

    def close(self) -> None:
        """Drop the producer: librdkafka closes one when nothing refers to it."""
        del self._producer


class AioKafka:
    """The application with aiokafka, on an event loop of its own."""

    def __init__(self, kafka: FakeKafka, transactional_id: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._run(self._start(kafka.client_config("aiokafka"), transactional_id))

    async def _start(self, config: dict[str, Any], transactional_id: str) -> None:
        self._producer = AIOKafkaProducer(**config, transactional_id=transactional_id, retry_backoff_ms=10)
        self._consumer = AIOKafkaConsumer(
            "in",
            **config,
            group_id="g",
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            isolation_level="read_committed",
            heartbeat_interval_ms=200,
            retry_backoff_ms=10,
        )
        await self._producer.start()
        await self._consumer.start()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def take(self) -> list[Taken]:
        found = self._run(self._consumer.getmany(timeout_ms=int(1000 * WAIT_S), max_records=AT_ONCE))
        return [Taken(r.partition, r.offset, r.value) for records in found.values() for r in records]

    def begin(self) -> None:
        self._run(self._producer.begin_transaction())

    def write(self, value: bytes, partition: int) -> None:
        self._run(self._producer.send("out", value, partition=partition))

    def send_offsets(self, taken: Sequence[Taken]) -> None:
        offsets = {AioPartition("in", p): at for p, at in _next(taken).items()}
        self._run(self._producer.send_offsets_to_transaction(offsets, "g"))
        self._run(self._producer.flush())

    def end(self, commit: bool) -> None:
        self._run(self._producer.commit_transaction() if commit else self._producer.abort_transaction())

    def rewind(self, offsets: dict[int, int]) -> None:
        for partition in self._consumer.assignment():
            self._consumer.seek(partition, offsets.get(partition.partition, 0))

    def leave(self) -> None:
        self._run(self._consumer.stop())

    def close(self) -> None:
        self._run(self._producer.stop())
        self._loop.close()


Application = KafkaPython | Librdkafka | AioKafka
APPLICATIONS: tuple[type[Application], ...] = (KafkaPython, Librdkafka, AioKafka)


def processed(value: bytes) -> bytes:
    """What the application writes for a record that it read."""
    return value.upper()
