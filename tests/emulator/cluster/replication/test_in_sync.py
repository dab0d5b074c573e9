"""The set of replicas in sync, as a leader sees it."""

from typing import Any

import pytest
from fakekafka import FakeKafka

from tests.support.clusters import advance, ends, formed, state_of, values


def lagging(release: str = "2.8", **config: Any) -> FakeKafka:
    """A cluster whose broker 2 has stopped fetching before a record came."""
    kafka = formed(release, **config)
    kafka.pause_replication(2)
    kafka.send("t", b"a")
    return kafka


def test_a_follower_that_lags_is_waited_for_until_its_time_is_up() -> None:
    kafka = lagging(replica_lag_time_max_ms=5000)
    advance(kafka, 4999)
    assert state_of(kafka).isr == [0, 1, 2]
    assert ends(kafka) == {0: (0, 1), 1: (0, 1), 2: (0, 0)}
    advance(kafka, 1)
    assert state_of(kafka).isr == [0, 1]
    assert ends(kafka) == {0: (1, 1), 1: (1, 1), 2: (0, 0)}


def test_a_follower_that_catches_up_in_time_stays() -> None:
    kafka = lagging(replica_lag_time_max_ms=5000)
    advance(kafka, 4000)
    kafka.resume_replication(2)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1, 2]
    assert ends(kafka) == {0: (1, 1), 1: (1, 1), 2: (1, 1)}


def test_a_follower_that_catches_up_is_in_sync_again() -> None:
    kafka = lagging()
    advance(kafka, 60_000)
    kafka.send("t", b"b")
    assert state_of(kafka).isr == [0, 1]
    kafka.resume_replication(2)
    assert state_of(kafka).isr == [0, 1, 2]
    assert values(kafka, 2) == [b"a", b"b"]


def test_a_follower_without_anything_to_fetch_does_not_lag() -> None:
    kafka = formed()
    kafka.send("t", b"a")
    kafka.pause_replication(2)
    advance(kafka, 3_600_000)
    assert state_of(kafka).isr == [0, 1, 2]


@pytest.mark.parametrize(("release", "epoch"), [("2.8", 0), ("3.5", 1), ("3.6", 0)])
def test_a_smaller_set_makes_a_new_epoch_in_early_kraft(release: str, epoch: int) -> None:
    kafka = lagging(release)
    advance(kafka, 60_000)
    assert state_of(kafka).isr == [0, 1]
    assert state_of(kafka).leader_epoch == epoch
    kafka.resume_replication(2)
    assert (state_of(kafka).isr, state_of(kafka).leader_epoch) == ([0, 1, 2], epoch)
