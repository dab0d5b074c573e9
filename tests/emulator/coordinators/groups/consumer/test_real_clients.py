"""Unmodified librdkafka with the consumer protocol."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.consumer_group_heartbeat import ConsumerGroupHeartbeatResponse

from tests.support.group_members import VALUES, Librdkafka, fill, poll, read_commit_and_go_on, share_evenly

QUICK = {"group.consumer.heartbeat.interval.ms": 100, "group.consumer.min.heartbeat.interval.ms": 100}
RELEASES = ["4.0.0", "4.1", "4.3"]
every_release = pytest.mark.parametrize("release", RELEASES)


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    with FakeKafka(release, topics={"t": 4}, config=QUICK) as kafka:
        fill(kafka)
        yield kafka
        assert not kafka.failures


def member(kafka: FakeKafka, topic: str = "t", **config: Any) -> Librdkafka:
    return Librdkafka(
        kafka, topic, **{"group_protocol": "consumer", "topic_metadata_refresh_interval_ms": 200, **config}
    )


def heartbeats(kafka: FakeKafka, client_id: str, behind: int = -1) -> dict[int, int]:
    """The member epochs in the answers to a client's heartbeats, by correlation id, after one of these."""
    return {
        entry.call.correlation_id: entry.response.member_epoch
        for entry in kafka.requests
        if isinstance(entry.response, ConsumerGroupHeartbeatResponse)
        and entry.call.client_id == client_id
        and entry.call.correlation_id > behind
    }


@every_release
def test_a_group_reads_commits_and_goes_on_where_it_was(release: str) -> None:
    with started(release) as kafka:
        read_commit_and_go_on(kafka, lambda: member(kafka))
        keys = {entry.call.key for entry in kafka.requests}
        assert ApiKey.CONSUMER_GROUP_HEARTBEAT in keys
        assert ApiKey.JOIN_GROUP not in keys


@every_release
@pytest.mark.parametrize("assignor", ["uniform", "range"])
def test_two_members_share_the_partitions(release: str, assignor: str) -> None:
    with started(release) as kafka:
        one = member(kafka, group_remote_assignor=assignor)
        poll(one, until=lambda: len(one.places) == 4)
        two = member(kafka, group_remote_assignor=assignor)
        poll(one, two, until=lambda: share_evenly(one, two))
        assert [lost for lost in one.lost if lost] == [two.places]
        two.close()
        poll(one, until=lambda: len(one.places) == 4)
        one.close()


def test_a_pattern_finds_topics_that_are_created_later() -> None:
    with started("4.3") as kafka:
        reader = member(kafka, "^(t|u).*")
        poll(reader, until=lambda: len(reader.places) == 4)
        kafka.create_topic("v1", partitions=2)
        kafka.create_topic("u1", partitions=2)
        poll(reader, until=lambda: ("u1", 1) in reader.places)
        assert reader.places == {*(("t", n) for n in range(4)), ("u1", 0), ("u1", 1)}
        assert not any(reader.lost)
        reader.close()


def test_a_static_member_comes_back_to_its_partitions() -> None:
    with started("4.3") as kafka:
        other = member(kafka, group_instance_id="other", client_id="other")
        first = member(kafka, group_instance_id="i")
        poll(other, first, until=lambda: share_evenly(other, first))
        had, others, given, losses = first.places, other.places, len(other.given), len(other.lost)
        behind, epoch = list(heartbeats(kafka, "other").items())[-1]
        first.close()
        poll(other, until=lambda: len(heartbeats(kafka, "other", behind)) >= 3)
        second = member(kafka, group_instance_id="i")
        poll(other, second, until=lambda: len(second.places) == 2)
        assert second.places == had
        assert (other.places, len(other.given), len(other.lost)) == (others, given, losses)
        assert set(heartbeats(kafka, "other", behind).values()) == {epoch}  # no partition was assigned again
        second.close()
        other.close()


def test_a_member_that_is_not_static_leaves_its_partitions_to_the_other() -> None:
    with started("4.3") as kafka:
        other, first = member(kafka), member(kafka)
        poll(other, first, until=lambda: share_evenly(other, first))
        first.close()
        poll(other, until=lambda: len(other.places) == 4)
        assert other.places == {("t", n) for n in range(4)}
        other.close()


def test_a_classic_member_and_a_member_of_the_consumer_protocol_share_a_group() -> None:
    with started("4.3") as kafka:
        old = member(kafka, group_protocol="classic", session_timeout_ms=6_000, heartbeat_interval_ms=100)
        poll(old, until=lambda: len(old.places) == 4)
        new = member(kafka)
        poll(old, new, until=lambda: share_evenly(old, new))
        keys = {entry.call.key for entry in kafka.requests}
        assert {ApiKey.JOIN_GROUP, ApiKey.CONSUMER_GROUP_HEARTBEAT} <= keys
        old.close()
        poll(new, until=lambda: len(new.places) == 4)
        new.close()


def test_members_go_on_after_the_broker_has_restarted() -> None:
    with started("4.3") as kafka:
        one = member(kafka)
        poll(one, until=lambda: len(one.values) == VALUES)
        one.commit()
        two = member(kafka)
        poll(one, two, until=lambda: share_evenly(one, two))
        had, losses = (one.places, two.places), (len(one.lost), len(two.lost))
        kafka.restart()
        for n in range(4):
            kafka.send("t", b"new", partition=n)
        poll(one, two, until=lambda: (one.values + two.values).count(b"new") == 4)
        assert len(one.values + two.values) == VALUES + 4
        assert (one.places, two.places) == had
        assert (len(one.lost), len(two.lost)) == losses
        one.close()
        two.close()
        assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", n): 2 for n in range(4)}
