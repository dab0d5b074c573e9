"""librdkafka's share consumer, unmodified. It is a preview, so only its basic cycle is tested.

librdkafka cannot raise share.version, without which 4.1 begins.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, ResourceType
from fakekafka import FakeKafka

pytestmark = pytest.mark.skipif(
    not hasattr(confluent_kafka, "ShareConsumer"), reason="this confluent-kafka has no share consumer"
)
PATIENCE_S = 30.0
LOCK_MS = 1500
CONFIG = {
    "group.share.heartbeat.interval.ms": 100,
    "group.share.min.heartbeat.interval.ms": 100,
    "group.share.record.lock.duration.ms": LOCK_MS,
    "group.share.min.record.lock.duration.ms": 1000,
}


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    quick = {"group.share.assignment.interval.ms": 0} if release >= "4.3" else {}
    with FakeKafka(release, topics={"t": 1}, config=CONFIG | quick) as kafka:
        begin_at_the_first_record(kafka)
        for n in range(4):
            kafka.send("t", b"%d" % n)
        yield kafka
        assert not kafka.failures


def begin_at_the_first_record(kafka: FakeKafka) -> None:
    earliest = ConfigEntry("share.auto.offset.reset", "earliest", incremental_operation=AlterConfigOpType.SET)
    group = ConfigResource(ResourceType.GROUP, "g", incremental_configs=[earliest])
    with AdminClient({"bootstrap.servers": kafka.bootstrap_servers}) as client:
        (done,) = client.incremental_alter_configs([group]).values()
        done.result()


def consumer(kafka: FakeKafka, **config: Any) -> Any:
    given = {name.replace("_", "."): value for name, value in config.items()}
    plain = {"group.id": "g", "log_level": 0}
    made = confluent_kafka.ShareConsumer(kafka.client_config("confluent-kafka") | plain | given)
    made.subscribe(["t"])
    return made


def poll(member: Any, until: Callable[[list[Any]], bool]) -> list[Any]:
    """The messages of some polls."""
    found: list[Any] = []
    end = time.monotonic() + PATIENCE_S
    while not until(found):
        assert time.monotonic() < end, "it did not come"
        found += [message for message in member.poll(0.2) or [] if message.error() is None]
    return found


@pytest.mark.parametrize("release", ["4.2", "4.3"])
def test_records_are_acquired_and_accepted(release: str) -> None:
    with started(release) as kafka:
        one = consumer(kafka)
        messages = poll(one, until=lambda found: len(found) == 4)
        assert [message.value() for message in messages] == [b"0", b"1", b"2", b"3"]
        one.commit_sync()
        one.close()
        kafka.send("t", b"new")
        two = consumer(kafka)
        assert [message.value() for message in poll(two, until=bool)] == [b"new"]
        two.close()


def test_released_records_come_again_and_rejected_ones_do_not() -> None:
    with started("4.3") as kafka:
        one = consumer(kafka, share_acknowledgement_mode="explicit")
        types = confluent_kafka.AcknowledgeType
        for message in poll(one, until=lambda found: len(found) == 4):
            one.acknowledge(message, types.RELEASE if message.offset() == 2 else types.REJECT)
        one.commit_sync()
        (again,) = poll(one, until=bool)
        assert (again.offset(), again.delivery_count()) == (2, 2)
        one.acknowledge(again, types.ACCEPT)
        one.close()


def test_records_of_a_member_that_has_left_go_to_another() -> None:
    with started("4.3") as kafka:
        one = consumer(kafka, share_acknowledgement_mode="explicit")
        poll(one, until=lambda found: len(found) == 4)
        one.close()
        two = consumer(kafka)
        found = poll(two, until=lambda found: len(found) == 4)
        assert [(message.offset(), message.delivery_count()) for message in found] == [(n, 2) for n in range(4)]
        two.close()


def test_a_lock_expires_with_time() -> None:
    with started("4.2") as kafka:
        one = consumer(kafka, share_acknowledgement_mode="explicit")
        poll(one, until=lambda found: len(found) == 4)
        two = consumer(kafka)
        found = poll(two, until=lambda found: len(found) == 4)
        assert {message.delivery_count() for message in found} == {2}
        two.close()
        one.close()
