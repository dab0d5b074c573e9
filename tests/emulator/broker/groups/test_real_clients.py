"""kafka-python and librdkafka, as they come, against a group coordinator that listens.

kafka-python 3.0.12 may forget a rebalance, or begin it anew and with it everybody else's, if a poll ends meanwhile: it
keeps the task that joins, but throws the result away when that task is done before the next poll looks at it, and does
not look at all when the reason to rejoin was new metadata. Any broker that answers quickly shows it. So the members
here poll for long, each in a thread of its own where there are several; records end the polls.
"""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from confluent_kafka import Consumer
from fakekafka import FakeKafka
from fakekafka.ids import ApiKey
from kafka import KafkaConsumer

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python forgets sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PATIENCE_S = 30.0
TURN_S = 0.05
RELEASES = ["0.9.0", "0.10.2", "0.11.0", "2.3", "3.8", "4.3"]


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    with FakeKafka(release, topics={"t": 4}) as kafka:
        for n in range(8):
            kafka.send("t", str(n).encode(), partition=n % 4)
        yield kafka
    gc.collect()  # forgotten sockets are found here, and not in another test


class Librdkafka:
    """A consumer of confluent-kafka."""

    def __init__(self, kafka: FakeKafka, **config: Any) -> None:
        plain = {"group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False, "log_level": 0}
        given = {name.replace("_", "."): value for name, value in config.items()}
        self.values: list[bytes] = []
        self._consumer = Consumer(kafka.client_config("confluent-kafka") | plain | given)
        self._consumer.subscribe(["t"])

    def poll(self, timeout_s: float) -> None:
        message = self._consumer.poll(timeout_s)
        if message is not None and message.error() is None:
            self.values.append(message.value() or b"")

    @property
    def assigned(self) -> int:
        return len(self._consumer.assignment())

    def commit(self) -> None:
        self._consumer.commit(asynchronous=False)

    def close(self) -> None:
        self._consumer.close()


class KafkaPython:
    """A consumer of kafka-python."""

    def __init__(self, kafka: FakeKafka, **config: Any) -> None:
        plain = {"group_id": "g", "auto_offset_reset": "earliest", "enable_auto_commit": False}
        self.values: list[bytes] = []
        self._consumer = KafkaConsumer(**(kafka.client_config("kafka-python") | plain | config))
        self._consumer.subscribe(["t"])

    def poll(self, timeout_s: float) -> None:
        for records in self._consumer.poll(int(timeout_s * 1000)).values():
            self.values += [record.value for record in records]

    @property
    def assigned(self) -> int:
        return len(self._consumer.assignment())

    def commit(self) -> None:
        self._consumer.commit()

    def close(self) -> None:
        self._consumer.close(autocommit=False)


Client = type[Librdkafka] | type[KafkaPython]
every_client = pytest.mark.parametrize("client", [Librdkafka, KafkaPython])


def poll(*consumers: Librdkafka | KafkaPython, until: Callable[[], bool]) -> None:
    """Have consumers poll in turn until it is so. A lone one without partitions polls until there are records."""
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, "it did not come"
        joins_alone = len(consumers) == 1 and not consumers[0].assigned
        for consumer in consumers:
            consumer.poll(PATIENCE_S if joins_alone else TURN_S)


def rebalance(kafka: FakeKafka, *members: Librdkafka | KafkaPython, until: Callable[[], bool]) -> None:
    """Have members poll until it is so: in turn, or each in a thread, in one long poll that records end."""
    if not all(isinstance(member, KafkaPython) for member in members):
        poll(*members, until=until)
        return
    over = threading.Event()

    def go_on(member: Librdkafka | KafkaPython) -> None:
        while not over.is_set():
            member.poll(PATIENCE_S)

    threads = [threading.Thread(target=go_on, args=(member,)) for member in members]
    for thread in threads:
        thread.start()
    end = time.monotonic() + PATIENCE_S
    while not until() and time.monotonic() < end:
        over.wait(TURN_S)
    over.set()
    for n in range(4):
        kafka.send("t", b"over", partition=n)
    for thread in threads:
        thread.join()
    assert until(), "it did not come"


@every_client
@pytest.mark.parametrize("release", RELEASES)
def test_a_group_reads_commits_and_goes_on_where_it_was(client: Client, release: str) -> None:
    with started(release) as kafka:
        first = client(kafka)
        poll(first, until=lambda: len(first.values) == 8)
        first.commit()
        first.close()
        assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", n): 2 for n in range(4)}
        kafka.send("t", b"new", partition=3)
        second = client(kafka)
        poll(second, until=lambda: len(second.values) == 1)
        second.close()
        assert second.values == [b"new"]
        assert not kafka.failures


@every_client
@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_two_members_share_the_partitions(client: Client, release: str) -> None:
    with started(release) as kafka:
        one = client(kafka, heartbeat_interval_ms=100)
        poll(one, until=lambda: one.assigned == 4)
        two = client(kafka, heartbeat_interval_ms=100)
        rebalance(kafka, one, two, until=lambda: one.assigned == two.assigned == 2)
        two.close()
        rebalance(kafka, one, until=lambda: one.assigned == 4)
        one.close()
        assert not kafka.failures


def test_cooperative_members_share_the_partitions_too() -> None:
    with started("3.8") as kafka:
        options: dict[str, Any] = {"heartbeat_interval_ms": 100, "partition_assignment_strategy": "cooperative-sticky"}
        one = Librdkafka(kafka, **options)
        poll(one, until=lambda: one.assigned == 4)
        two = Librdkafka(kafka, **options)
        poll(one, two, until=lambda: one.assigned == two.assigned == 2)
        one.close()
        two.close()


def test_a_static_member_comes_back_without_a_rebalance() -> None:
    with started("3.8") as kafka:
        first = Librdkafka(kafka, group_instance_id="i")
        poll(first, until=lambda: first.assigned == 4)
        first.close()
        second = Librdkafka(kafka, group_instance_id="i")
        poll(second, until=lambda: second.assigned == 4)
        second.close()
        joins = [entry for entry in kafka.requests if entry.call.key is ApiKey.JOIN_GROUP]
        assert len(joins) == 2
