"""librdkafka, as it comes, with the consumer protocol."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from confluent_kafka import Consumer
from fakekafka import FakeKafka
from fakekafka.ids import ApiKey

PATIENCE_S = 30.0
QUICK = {"group.consumer.heartbeat.interval.ms": 100, "group.consumer.min.heartbeat.interval.ms": 100}
RELEASES = ["4.0.0", "4.1", "4.3"]
every_release = pytest.mark.parametrize("release", RELEASES)


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    with FakeKafka(release, topics={"t": 4}, config=QUICK) as kafka:
        for n in range(8):
            kafka.send("t", str(n).encode(), partition=n % 4)
        yield kafka
        assert not kafka.failures


class Client:
    """A consumer of confluent-kafka."""

    def __init__(self, kafka: FakeKafka, topic: str = "t", **config: Any) -> None:
        plain = {
            "group.id": "g",
            "group.protocol": "consumer",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "topic.metadata.refresh.interval.ms": 200,
            "log_level": 0,
        }
        given = {name.replace("_", "."): value for name, value in config.items()}
        self.values: list[bytes] = []
        self.consumer = Consumer(kafka.client_config("confluent-kafka") | plain | given)
        self.consumer.subscribe([topic])

    def poll(self) -> None:
        message = self.consumer.poll(0.05)
        if message is not None and message.error() is None:
            self.values.append(message.value() or b"")

    @property
    def assigned(self) -> set[tuple[str, int]]:
        return {(place.topic, place.partition) for place in self.consumer.assignment()}

    def commit(self) -> None:
        self.consumer.commit(asynchronous=False)

    def close(self) -> None:
        self.consumer.close()


def poll(*clients: Client, until: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, "it did not come"
        for client in clients:
            client.poll()


@every_release
def test_a_group_reads_commits_and_goes_on_where_it_was(release: str) -> None:
    with started(release) as kafka:
        first = Client(kafka)
        poll(first, until=lambda: len(first.values) == 8)
        first.commit()
        first.close()
        assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", n): 2 for n in range(4)}
        kafka.send("t", b"new", partition=3)
        second = Client(kafka)
        poll(second, until=lambda: len(second.values) == 1)
        second.close()
        assert second.values == [b"new"]
        keys = {entry.call.key for entry in kafka.requests}
        assert ApiKey.CONSUMER_GROUP_HEARTBEAT in keys
        assert ApiKey.JOIN_GROUP not in keys


@every_release
@pytest.mark.parametrize("assignor", ["uniform", "range"])
def test_two_members_share_the_partitions(release: str, assignor: str) -> None:
    with started(release) as kafka:
        one = Client(kafka, group_remote_assignor=assignor)
        poll(one, until=lambda: len(one.assigned) == 4)
        two = Client(kafka, group_remote_assignor=assignor)
        poll(one, two, until=lambda: len(one.assigned) == len(two.assigned) == 2)
        assert not one.assigned & two.assigned
        two.close()
        poll(one, until=lambda: len(one.assigned) == 4)
        one.close()


def test_a_pattern_finds_topics_that_come_later() -> None:
    with started("4.3") as kafka:
        client = Client(kafka, "^(t|u).*")
        poll(client, until=lambda: len(client.assigned) == 4)
        kafka.create_topic("u1", partitions=2)
        poll(client, until=lambda: {("u1", 0), ("u1", 1)} <= client.assigned)
        client.close()


def test_a_static_member_comes_back_to_what_it_had() -> None:
    with started("4.3") as kafka:
        first = Client(kafka, group_instance_id="i")
        poll(first, until=lambda: len(first.assigned) == 4)
        first.close()
        second = Client(kafka, group_instance_id="i")
        poll(second, until=lambda: len(second.assigned) == 4)
        second.close()


def test_a_classic_member_and_one_of_the_consumer_protocol_share_a_group() -> None:
    with started("4.3") as kafka:
        old = Client(kafka, group_protocol="classic", session_timeout_ms=6_000, heartbeat_interval_ms=100)
        poll(old, until=lambda: len(old.assigned) == 4)
        new = Client(kafka)
        poll(old, new, until=lambda: len(old.assigned) == len(new.assigned) == 2)
        old.close()
        poll(new, until=lambda: len(new.assigned) == 4)
        new.close()


def test_a_group_goes_on_after_the_broker_has_restarted() -> None:
    with started("4.3") as kafka:
        first = Client(kafka)
        poll(first, until=lambda: len(first.values) == 8)
        first.commit()
        first.close()
        kafka.restart()
        kafka.send("t", b"new")
        second = Client(kafka)
        poll(second, until=lambda: second.values == [b"new"])
        second.close()
