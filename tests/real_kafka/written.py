"""A log directory with everything in it that a release can write: what librdkafka sent to a `FakeKafka` of it."""

import random
from pathlib import Path
from typing import Any, Final, NamedTuple

from confluent_kafka import Consumer, Producer, TopicPartition
from fakekafka import FakeKafka
from fakekafka.watching.stored import StoredRecord

ROUNDS: Final = 60
GROUP: Final = "g"
COMMITTED: Final = 17
PLAIN: Final[dict[str, object]] = {
    "offsets.topic.num.partitions": 3,
    "offsets.topic.replication.factor": 1,
    "log.index.size.max.bytes": 40960,
}
TRANSACTIONAL: Final = PLAIN | {
    "transaction.state.log.num.partitions": 3,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
}
SMALL: Final = {"segment.bytes": 4000, "index.interval.bytes": 300}


class Written(NamedTuple):
    """What lies in the directory, according to the emulator."""

    records: dict[tuple[str, int], list[StoredRecord]]
    """The records by partition, including aborted ones but no markers."""
    aborted: frozenset[bytes]
    """The values that no reader of committed data sees."""


def codecs(release: str) -> list[str]:
    return ["none", "gzip", "snappy", "lz4", *(["zstd"] if release in ("2.3", "2.8", "3.9") else [])]


def write(release: str, folder: Path) -> Written:
    """Fill `folder`: rolled topics of each codec, a compacted topic, transactions and committed offsets."""
    config = PLAIN if release == "0.10.2" else TRANSACTIONAL
    with FakeKafka(release, config=config, log_dir=folder) as kafka:
        for codec in codecs(release):
            kafka.create_topic(codec, 2, SMALL)
            send(kafka, codec, {"compression.type": codec, "batch.num.messages": 7})
        kafka.create_topic("compacted", 1, SMALL | {"cleanup.policy": "compact"})
        send(kafka, "compacted", {"batch.num.messages": 3})
        assert all(done.bytes_after < done.bytes_before for done in kafka.compact("compacted", roll=True))
        kafka.send("compacted", b"behind what is compacted", b"last")
        aborted = transact(kafka) if config is TRANSACTIONAL else frozenset()
        commit_offset(kafka)
        partitions = [(topic, index) for topic, count in kafka.topics().items() for index in range(count)]
        return Written({place: kafka.records(*place) for place in partitions}, aborted)


def value(n: int) -> bytes:
    """A value that is half noise, so that topics of every codec roll."""
    return random.Random(n).randbytes(150) + b"%d" % n * 75


def send(kafka: FakeKafka, topic: str, config: dict[str, Any]) -> None:
    """Records with few keys, in small batches."""
    producer = Producer({**kafka.client_config("confluent-kafka"), **config, "linger.ms": 20})
    for n in range(ROUNDS):
        for index in range(kafka.topics()[topic]):
            producer.produce(topic, value(n), b"k%d" % (n % 5), partition=index)
    assert producer.flush(60) == 0


def transact(kafka: FakeKafka) -> frozenset[bytes]:
    """Run transactions, every third of which is aborted; return the values that are aborted."""
    kafka.create_topic("transactional", 2, SMALL)
    producer = Producer({**kafka.client_config("confluent-kafka"), "transactional.id": "x", "linger.ms": 0})
    producer.init_transactions(30)
    aborted = set()
    for n in range(30):
        producer.begin_transaction()
        for index in (0, 1):
            producer.produce("transactional", value(n), partition=index)
        assert producer.flush(60) == 0
        if n % 3 == 2:
            producer.abort_transaction(30)
            aborted.add(value(n))
        else:
            producer.commit_transaction(30)
    return frozenset(aborted)


def commit_offset(kafka: FakeKafka) -> None:
    consumer = Consumer({**kafka.client_config("confluent-kafka"), "group.id": GROUP})
    consumer.commit(offsets=[TopicPartition("none", 1, COMMITTED)], asynchronous=False)
    consumer.close()
