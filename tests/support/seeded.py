"""Brokers without sockets, with units put directly into their logs, so that tests of reading need no producer."""

from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.broker import Broker
from fakekafka.ids import LeaderEpoch, Offset
from fakekafka.log.append_info import Origin
from fakekafka.records import control, v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.storage.partition import Partition

from tests.emulator.log.batches import with_info

NOW = 1_600_000_000_000


def booted(release: str, partitions: int = 1, config: dict[str, object] | None = None, **topic: str) -> FakeKafka:
    """A broker with the topic "t". `topic`: the topic's configs, with underscores for dots."""
    kafka = FakeKafka(release, config=config, clock=ManualClock(NOW)).boot()
    kafka.create_topic("t", partitions, {name.replace("_", "."): value for name, value in topic.items()})
    return kafka


def with_topics(release: str, *names: str) -> FakeKafka:
    """A broker with the topic "t" and these."""
    kafka = booted(release)
    for name in names:
        kafka.create_topic(name)
    return kafka


def broker_of(kafka: FakeKafka) -> Broker:
    return kafka.connect().core.cluster.brokers[0]


def partition_of(kafka: FakeKafka, index: int = 0, topic: str = "t") -> Partition:
    return broker_of(kafka).partitions[topic, index]


def store(kafka: FakeKafka, *sets: bytes, index: int = 0, topic: str = "t") -> None:
    """Append units whose bytes are final to a log, one set after the other."""
    partition = partition_of(kafka, index, topic)
    for data in sets:
        done = partition.log.append(*with_info(data, Origin.COORDINATOR), NOW)
        assert done.error == 0
    partition.log.on_high_watermark(partition.high_watermark)
    kafka.connect().core.run(lambda: broker_of(kafka).waiters.wake(partition.key))


def rows(first: Offset, count: int = 2, value: bytes = b"v") -> list[Record]:
    """Records whose offsets, and times in seconds, count from `first`."""
    return [Record(first + n, NOW + 1000 * (first + n), 0, b"k", value) for n in range(count)]


def batch(first: Offset, count: int = 2, codec: int = 0, value: bytes = b"v", epoch: LeaderEpoch = 0) -> bytes:
    """A batch of format 2."""
    return v2.build(rows(first, count, value), codec=codec, leader_epoch=epoch)


def messages(magic: int, first: Offset, count: int = 2, codec: int = 0) -> bytes:
    """A set of format 0 or 1."""
    build = v1.build if magic else v0.build
    return build(rows(first, count), codec=codec)


def in_transaction(first: Offset, count: int = 2, producer: int = 1, sequence: int = 0) -> bytes:
    """A transactional batch."""
    return v2.build(
        rows(first, count),
        leader_epoch=0,
        producer_id=producer,
        producer_epoch=0,
        base_sequence=sequence,
        transactional=True,
    )


def marker(offset: Offset, commit: bool = True, producer: int = 1) -> bytes:
    """The end of a transaction."""
    return control.end_transaction(
        commit=commit,
        producer_id=producer,
        producer_epoch=0,
        coordinator_epoch=0,
        timestamp=NOW,
        offset=offset,
        leader_epoch=0,
    )
