"""Unmodified kafka-python and librdkafka against a group coordinator that listens.

kafka-python 3.0.12 may forget a rebalance, or restart it and with it that of all others, if a poll ends meanwhile: it
keeps the task that joins, but throws the result away when that task is done before the next poll looks at it, and does
not look at all when the reason to rejoin was new metadata. Any broker that answers quickly shows it. So the members
here poll for long, each in its own thread where there are several; records end the polls.
"""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.ids import ApiKey
from kafka import KafkaConsumer

from tests.support.group_members import (
    PATIENCE_S,
    TURN_S,
    Librdkafka,
    PartitionKey,
    fill,
    poll,
    read_commit_and_go_on,
    share_evenly,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python forgets sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
RELEASES = ["0.9.0", "0.10.2", "0.11.0", "2.3", "3.8", "4.3"]


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    with FakeKafka(release, topics={"t": 4}) as kafka:
        fill(kafka)
        yield kafka
        assert not kafka.failures
    gc.collect()  # forgotten sockets are found here, and not in another test


class KafkaPython:
    """A consumer of kafka-python. Without partitions it polls until there are records, however short its turn."""

    def __init__(self, kafka: FakeKafka, **config: Any) -> None:
        plain = {"group_id": "g", "auto_offset_reset": "earliest", "enable_auto_commit": False}
        self.values: list[bytes] = []
        self._consumer = KafkaConsumer(**(kafka.client_config("kafka-python") | plain | config))
        self._consumer.subscribe(["t"])

    def poll(self, timeout_s: float) -> None:
        wait_s = timeout_s if self.places else PATIENCE_S
        for records in self._consumer.poll(int(wait_s * 1000)).values():
            self.values += [record.value for record in records]

    @property
    def places(self) -> set[PartitionKey]:
        return {(place.topic, place.partition) for place in self._consumer.assignment()}

    def commit(self) -> None:
        self._consumer.commit()

    def close(self) -> None:
        self._consumer.close(autocommit=False)


Client = type[Librdkafka] | type[KafkaPython]
every_client = pytest.mark.parametrize("client", [Librdkafka, KafkaPython])


def rebalance(kafka: FakeKafka, *members: Librdkafka | KafkaPython, until: Callable[[], bool]) -> None:
    """Have members poll until the condition holds: in turn, or each in a thread, in one long poll that records end."""
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
        read_commit_and_go_on(kafka, lambda: client(kafka))
        assert {"JoinGroup", "OffsetCommit", "OffsetFetch"} <= kafka.versions_used.keys()


@every_client
@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_two_members_share_the_partitions(client: Client, release: str) -> None:
    with started(release) as kafka:
        one = client(kafka, heartbeat_interval_ms=100)
        poll(one, until=lambda: len(one.places) == 4)
        two = client(kafka, heartbeat_interval_ms=100)
        rebalance(kafka, one, two, until=lambda: share_evenly(one, two))
        two.close()
        rebalance(kafka, one, until=lambda: len(one.places) == 4)
        assert one.places == {("t", n) for n in range(4)}
        one.close()


def test_a_cooperative_member_gives_up_only_partitions_that_the_other_one_gets() -> None:
    with started("3.8") as kafka:
        options: dict[str, Any] = {"heartbeat_interval_ms": 100, "partition_assignment_strategy": "cooperative-sticky"}
        one = Librdkafka(kafka, **options)
        poll(one, until=lambda: len(one.places) == 4)
        two = Librdkafka(kafka, **options)
        poll(one, two, until=lambda: share_evenly(one, two))
        assert [lost for lost in one.lost if lost] == [two.places]
        assert not any(two.lost)
        one.close()
        two.close()


def test_a_static_member_comes_back_without_a_rebalance() -> None:
    with started("3.8") as kafka:
        other = Librdkafka(kafka, group_instance_id="other", heartbeat_interval_ms=100)
        first = Librdkafka(kafka, group_instance_id="i", heartbeat_interval_ms=100)
        poll(other, first, until=lambda: share_evenly(other, first))
        had, others, losses = first.places, other.places, len(other.lost)
        first.close()
        joined = joins(kafka)
        second = Librdkafka(kafka, group_instance_id="i", heartbeat_interval_ms=100)
        poll(other, second, until=lambda: share_evenly(other, second))
        assert second.places == had
        assert (other.places, len(other.lost)) == (others, losses)
        assert joins(kafka) == joined + 1
        second.close()
        other.close()


def joins(kafka: FakeKafka) -> int:
    return sum(entry.call.key is ApiKey.JOIN_GROUP for entry in kafka.requests)
