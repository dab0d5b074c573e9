"""What the controller decides when brokers come and go. Leader epochs as asked of 2.3.1 and 2.8.2."""

from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.state.topics import NO_LEADER, PartitionState

from tests.support.clusters import advance, cluster_of, ends, formed, replica, state_of, values
from tests.support.seeded import NOW, batch


def seen(state: PartitionState) -> tuple[int, int, list[int]]:
    """Leader, epoch and replicas in sync."""
    return state.leader, state.leader_epoch, state.isr


def appended(kafka: FakeKafka, value: bytes) -> None:
    """Append a record at broker 0 for a client that waits for the leader only."""
    result = replica(kafka, 0).append(bytearray(batch(0, 1, value=value)), NOW)
    assert result.error is ErrorCode.NONE, result


def on_one(kafka: FakeKafka) -> PartitionState:
    """A partition that lives on broker 1 alone."""
    cluster = cluster_of(kafka)
    return cluster.new_topic("lone", {0: [1]}, {}, with_id=False).partitions[0]


def test_leaders_are_spread_over_the_brokers() -> None:
    kafka = formed(partitions=3)
    assert [seen(state_of(kafka, n)) for n in range(3)] == [(0, 0, [0, 1, 2]), (1, 0, [1, 2, 0]), (2, 0, [2, 0, 1])]


def test_the_next_replica_in_sync_takes_over() -> None:
    kafka = formed(partitions=3)
    kafka.stop_broker(1)
    assert [seen(state_of(kafka, n)) for n in range(3)] == [(0, 1, [0, 2]), (2, 1, [2, 0]), (2, 1, [2, 0])]
    kafka.kill_broker(2)
    assert [seen(state_of(kafka, n)) for n in range(3)] == [(0, 2, [0]), (0, 2, [0]), (0, 2, [0])]


def test_a_broker_that_returns_follows_and_is_in_sync_again() -> None:
    kafka = formed(partitions=3)
    kafka.kill_broker(1)
    kafka.start_broker(1)
    assert [seen(state_of(kafka, n)) for n in range(3)] == [(0, 1, [0, 2, 1]), (2, 1, [2, 0, 1]), (2, 1, [2, 0, 1])]


@pytest.mark.parametrize(
    ("release", "session_ms", "epoch"), [("1.1", 18_000, 0), ("1.1", 4_000, 1), ("2.8", 18_000, 1)]
)
def test_a_dead_follower_leaves_without_a_new_epoch_if_its_leader_notices_first(
    release: str, session_ms: int, epoch: int
) -> None:
    kafka = formed(release, zookeeper_session_timeout_ms=session_ms, replica_lag_time_max_ms=5_000)
    kafka.kill_broker(2)
    assert seen(state_of(kafka)) == (0, epoch, [0, 1])


def test_a_lone_replica_leads_again_when_it_returns() -> None:
    kafka = formed()
    state = on_one(kafka)
    kafka.stop_broker(1)
    assert seen(state) == (NO_LEADER, 1, [1])
    kafka.start_broker(1)
    assert seen(state) == (1, 2, [1])


@pytest.mark.parametrize(("release", "left", "back"), [("2.8", 1, 2), ("3.3", 2, 3), ("3.7", 1, 2), ("4.1", 1, 2)])
def test_early_kraft_counts_a_controlled_stop_twice(release: str, left: int, back: int) -> None:
    """Asked of 2.8.2, 3.3.2, 3.7.2 and 4.1.1."""
    kafka = formed(release)
    state = on_one(kafka)
    kafka.stop_broker(1)
    assert (state.leader, state.leader_epoch, state.isr or state.eligible) == (NO_LEADER, left, [1])
    kafka.start_broker(1)
    assert seen(state) == (1, back, [1])
    kafka.kill_broker(1)
    assert (state.leader, state.leader_epoch, state.isr or state.eligible) == (NO_LEADER, back + 1, [1])


def test_only_the_last_replica_in_sync_may_lead_again() -> None:
    kafka = formed(brokers=2)
    kafka.send("t", b"a")
    kafka.stop_broker(1)
    kafka.send("t", b"b")
    kafka.start_broker(1)
    kafka.pause_replication(1)
    kafka.stop_broker(1)
    kafka.send("t", b"c")
    kafka.kill_broker(0)
    kafka.start_broker(1)
    assert seen(state_of(kafka)) == (NO_LEADER, 3, [0])  # broker 1, now the controller, finds this state
    kafka.start_broker(0)
    assert seen(state_of(kafka)) == (0, 4, [0, 1])
    assert values(kafka, 1) == [b"a", b"b", b"c"]


def test_an_unclean_election_loses_records_that_the_new_leader_lacks() -> None:
    kafka = formed(brokers=2, unclean_leader_election_enable=True)
    kafka.send("t", b"a")
    kafka.stop_broker(1)
    kafka.send("t", b"lost")
    kafka.kill_broker(0)
    kafka.start_broker(1)
    assert seen(state_of(kafka)) == (1, 3, [1])
    kafka.send("t", b"b")
    kafka.start_broker(0)
    assert seen(state_of(kafka)) == (1, 3, [1, 0])
    assert values(kafka, 0) == values(kafka, 1) == [b"a", b"b"]


@pytest.mark.parametrize(("release", "allowed"), [("0.8.2", True), ("0.10.2", True), ("0.11.0", False), ("4.0", False)])
def test_unclean_elections_are_the_default_up_to_0_10(release: str, allowed: bool) -> None:
    kafka = formed(release, brokers=2)
    kafka.stop_broker(1)
    kafka.kill_broker(0)
    kafka.start_broker(1)
    assert (state_of(kafka).leader == 1) == allowed


@pytest.mark.parametrize(("release", "epoch"), [("2.8", 1), ("3.5", 1), ("3.6", 0)])
def test_up_to_3_5_a_follower_that_stops_makes_a_new_leader_epoch(release: str, epoch: int) -> None:
    kafka = formed(release)
    kafka.kill_broker(2)
    assert seen(state_of(kafka)) == (0, epoch, [0, 1])


def test_the_controller_stays_until_its_broker_stops() -> None:
    kafka = formed()
    cluster = cluster_of(kafka)
    assert cluster.controller_id == 0
    kafka.stop_broker(0)
    assert cluster.controller_id == 1
    kafka.start_broker(0)
    assert cluster.controller_id == 1


@pytest.mark.parametrize("release", ["2.8", "3.9"])
def test_preferred_leaders_lead_again_after_a_while(release: str) -> None:
    kafka = formed(release, partitions=3)
    kafka.stop_broker(1)
    kafka.start_broker(1)
    advance(kafka, 299_000)
    assert state_of(kafka, 1).leader == 2
    advance(kafka, 1_000)
    assert state_of(kafka, 1).leader == 1


@pytest.mark.parametrize(
    "config", [{"auto_leader_rebalance_enable": False}, {"leader_imbalance_per_broker_percentage": 100}]
)
def test_leaders_stay_where_they_are_if_automatic_elections_are_off(config: dict[str, Any]) -> None:
    kafka = formed("2.8", partitions=3, **config)
    kafka.stop_broker(1)
    kafka.start_broker(1)
    advance(kafka, 3_600_000)
    assert state_of(kafka, 1).leader == 2


@pytest.mark.parametrize(("release", "seen"), [("2.8", 2), ("3.6", 2), ("3.7", 1), ("3.9", 1), ("4.3", 1)])
def test_from_3_7_the_high_watermark_waits_until_enough_replicas_are_in_sync(release: str, seen: int) -> None:
    """Recorded from 2.8.2 and 3.9.1: min-isr of tests/golden/trio_recordings (KAFKA-15583)."""
    kafka = formed(release, min_insync_replicas=2)
    kafka.send("t", b"a")
    kafka.kill_broker(1)
    kafka.kill_broker(2)
    assert state_of(kafka).isr == [0]
    appended(kafka, b"b")
    assert ends(kafka) == {0: (seen, 2)}
    kafka.start_broker(1)
    assert ends(kafka) == {0: (2, 2), 1: (2, 2)}


def test_a_minimum_that_is_raised_leaves_the_high_watermark_where_it_is_and_one_that_is_lowered_frees_it() -> None:
    kafka = formed("4.3")
    kafka.kill_broker(1)
    kafka.kill_broker(2)
    appended(kafka, b"a")
    kafka.configure_topic("t", {"min.insync.replicas": "2"})
    appended(kafka, b"b")
    assert ends(kafka) == {0: (1, 2)}
    kafka.configure_topic("t", {"min.insync.replicas": "1"})
    assert ends(kafka) == {0: (2, 2)}


@pytest.mark.parametrize(
    ("release", "protocol", "seen"),
    [("2.6", "2.6", 2), ("2.7", "2.7", 1), ("2.8", "2.8", 1), ("2.8", "2.6", 2), ("3.0", "3.0", 1), ("3.1", "3.1", 2)],
)
def test_a_leader_that_drops_its_last_follower_may_leave_the_high_watermark_behind(
    release: str, protocol: str, seen: int
) -> None:
    """Recorded from 2.8.2: min-isr of tests/golden/trio_recordings (KAFKA-13091)."""
    kafka = formed(release, brokers=2, inter_broker_protocol_version=protocol, replica_lag_time_max_ms=2000)
    kafka.send("t", b"a")
    kafka.pause_replication(1)
    kafka.send("t", b"b")
    advance(kafka, 5000)
    assert state_of(kafka).isr == [0]
    assert ends(kafka)[0] == (seen, 2)
    appended(kafka, b"c")
    assert ends(kafka)[0] == (3, 3)


def test_a_high_watermark_that_was_left_behind_moves_with_the_next_fetch_of_a_follower() -> None:
    kafka = formed("2.8", brokers=2, replica_lag_time_max_ms=2000)
    kafka.pause_replication(1)
    kafka.send("t", b"a")
    advance(kafka, 5000)
    assert ends(kafka)[0] == (0, 1)
    kafka.resume_replication(1)
    assert ends(kafka) == {0: (1, 1), 1: (1, 1)}
    assert state_of(kafka).isr == [0, 1]
