"""Two real, unmodified clients behind one interface: produce records, read them back through a consumer group.

Nothing here knows about fakekafka: the settings that connect a client come from outside, and point it at any Kafka.
"""

import logging
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

Settings: TypeAlias = Mapping[str, Any]
Headers: TypeAlias = tuple[tuple[str, bytes | None], ...]

PATIENCE_S = 20.0
"""How long a client may take for all records; after that, the records that it has are the result."""
LINGER_MS = 5
FETCH_WAIT_MS = 50
"""A short wait, since a client may wait at the end of one partition before it asks for the others."""
QUIET: Settings = {"log_level": 0}
"""For librdkafka, which writes to stderr otherwise."""


class Sent(NamedTuple):
    """A record as it is handed to a producer."""

    key: bytes | None
    value: bytes | None
    headers: Headers


class PartitionOffset(NamedTuple):
    """Where a record is, as the broker said when it acknowledged it or gave it to a consumer."""

    partition: int
    offset: int


Acked: TypeAlias = list[PartitionOffset | None]
"""The place of each record sent, by its number; None if it was never acknowledged."""
Got: TypeAlias = list[tuple[PartitionOffset, Sent]]
"""Records in the order in which a consumer got them."""


class Driver(Protocol):
    """A client library. Both functions raise what the client itself raises."""

    def produce(self, settings: Settings, topic: str, codec: str, records: Sequence[Sent]) -> Acked: ...

    def consume(self, settings: Settings, topic: str, group: str, count: int) -> Got:
        """Up to `count` records, whose offsets are then committed."""


class KafkaPython:
    """kafka-python: written in Python, protocol included."""

    def __init__(self) -> None:
        logging.getLogger("kafka").setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # it reads its resources in a deprecated way
            import kafka

        self._kafka = kafka

    def produce(self, settings: Settings, topic: str, codec: str, records: Sequence[Sent]) -> Acked:
        compression = None if codec == "none" else codec
        producer = self._kafka.KafkaProducer(**settings, compression_type=compression, linger_ms=LINGER_MS)
        try:
            futures = [producer.send(topic, key=r.key, value=r.value, headers=list(r.headers)) for r in records]
            return [
                PartitionOffset(done.partition, done.offset) for done in (f.get(timeout=PATIENCE_S) for f in futures)
            ]
        finally:
            producer.close(timeout=1)

    def consume(self, settings: Settings, topic: str, group: str, count: int) -> Got:
        consumer = self._kafka.KafkaConsumer(
            topic,
            **settings,
            group_id=group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            fetch_max_wait_ms=FETCH_WAIT_MS,
        )
        got: Got = []
        until = time.monotonic() + PATIENCE_S
        try:
            consumer.partitions_for_topic(topic)  # 3.0.12 may hang otherwise
            while len(got) < count and time.monotonic() < until:
                for records in consumer.poll(timeout_ms=500).values():
                    got += [
                        (PartitionOffset(r.partition, r.offset), Sent(r.key, r.value, tuple(r.headers or ())))
                        for r in records
                    ]
            consumer.commit()
            return got
        finally:
            consumer.close()


class ConfluentKafka:
    """confluent-kafka: librdkafka, in C."""

    def __init__(self) -> None:
        import confluent_kafka

        self._kafka = confluent_kafka

    def produce(self, settings: Settings, topic: str, codec: str, records: Sequence[Sent]) -> Acked:
        places: Acked = [None] * len(records)
        errors: list[Exception] = []

        def noting(number: int) -> Callable[[Any, Any], None]:
            def note(error: Any, message: Any) -> None:
                if error is not None:
                    errors.append(self._kafka.KafkaException(error))
                else:
                    places[number] = PartitionOffset(message.partition(), message.offset())

            return note

        producer = self._kafka.Producer(
            {**settings, **QUIET, "compression.type": codec, "linger.ms": LINGER_MS,
             "message.timeout.ms": int(PATIENCE_S * 1000)}
        )  # fmt: skip
        for number, record in enumerate(records):
            producer.produce(
                topic, key=record.key, value=record.value, headers=list(record.headers), on_delivery=noting(number)
            )
        producer.flush(PATIENCE_S)
        if errors:
            raise errors[0]
        return places

    def consume(self, settings: Settings, topic: str, group: str, count: int) -> Got:
        consumer = self._kafka.Consumer(
            {**settings, **QUIET, "group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False,
             "fetch.wait.max.ms": FETCH_WAIT_MS}
        )  # fmt: skip
        got: Got = []
        until = time.monotonic() + PATIENCE_S
        try:
            consumer.subscribe([topic])
            while len(got) < count and time.monotonic() < until:
                for message in consumer.consume(count, timeout=0.1):
                    if message.error() is not None:
                        raise self._kafka.KafkaException(message.error())
                    got.append(_got(message))
            consumer.commit(asynchronous=False)
            return got
        finally:
            consumer.close()


def _got(message: Any) -> tuple[PartitionOffset, Sent]:
    record = Sent(message.key(), message.value(), tuple(message.headers() or ()))
    return PartitionOffset(message.partition(), message.offset()), record


def driver(client: str) -> Driver:
    """The driver of a client, by its name on the package index."""
    return KafkaPython() if client == "kafka-python" else ConfluentKafka()
