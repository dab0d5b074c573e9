"""Eligible leader replicas (KIP-966): who leads when nobody is in sync, and whom DescribeTopicPartitions names.

Clusters of three of 4.1.1 and 4.3.1 say the same (`tests/golden/test_trios.py`).
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.state.cluster_settings import ELIGIBLE_LEADERS
from fakekafka.state.topics import NO_LEADER
from fakekafka.wire.apis.describe_topic_partitions import (
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    TopicRequest,
)
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest, UpdateFeaturesResponse

from tests.support.brokers import answer
from tests.support.clusters import advance, cluster_of, replica
from tests.support.seeded import NOW, batch

SAFE_DOWNGRADE = 2


class Described(NamedTuple):
    """A partition as DescribeTopicPartitions shows it."""

    leader: BrokerId
    isr: list[BrokerId]
    eligible: list[BrokerId] | None
    last_known: list[BrokerId] | None


def described(kafka: FakeKafka) -> Described:
    request = DescribeTopicPartitionsRequest(topics=[TopicRequest(name="t")])
    (topic,) = answer(kafka, request, 0, DescribeTopicPartitionsResponse).topics
    (found,) = topic.partitions
    return Described(found.leader_id, found.isr_nodes, found.eligible_leader_replicas, found.last_known_elr)


def wanting(least: int, release: str = "4.3", log_dir: Path | None = None) -> FakeKafka:
    """Three brokers; partition t-0 is on brokers 1 and 2, and `least` of them must be in sync."""
    kafka = FakeKafka(release, brokers=3, log_dir=log_dir, clock=ManualClock(NOW)).boot()
    cluster_of(kafka).new_topic("t", {0: [1, 2]}, {"min.insync.replicas": str(least)}, with_id=True)
    return kafka


def finalized(kafka: FakeKafka, level: int) -> None:
    kind = 1 if level else SAFE_DOWNGRADE
    update = FeatureUpdateKey(feature=ELIGIBLE_LEADERS, max_version_level=level, upgrade_type=kind)
    done = answer(kafka, UpdateFeaturesRequest(feature_updates=[update]), 2, UpdateFeaturesResponse)
    assert done.error_code == ErrorCode.NONE, done


def test_a_replica_that_leaves_a_set_that_is_too_small_is_eligible() -> None:
    kafka = wanting(2)
    assert described(kafka) == (1, [1, 2], [], [])
    kafka.stop_broker(2)
    assert described(kafka) == (1, [1], [2], [])
    kafka.start_broker(2)
    assert described(kafka)[2:] == ([], [])


def test_a_set_that_is_large_enough_makes_nobody_eligible() -> None:
    kafka = wanting(1)
    kafka.stop_broker(2)
    assert described(kafka) == (1, [1], [], [])


def test_an_eligible_replica_leads_while_the_last_leader_is_away() -> None:
    kafka = wanting(2)
    kafka.send("t", b"committed")
    kafka.stop_broker(2)
    replica(kafka, 1).append(bytearray(batch(0, 1, value=b"never committed")), NOW)
    kafka.stop_broker(1)
    assert described(kafka) == (NO_LEADER, [], [1, 2], [1])
    kafka.start_broker(2)
    assert described(kafka) == (2, [2], [1], [])
    kafka.start_broker(1)
    assert described(kafka)[2:] == ([], [])
    assert [record.value for record in kafka.records("t")] == [b"committed"]


def test_an_eligible_replica_that_runs_leads_at_once() -> None:
    kafka = wanting(2)
    kafka.send("t", b"committed")
    kafka.pause_replication(2)
    kafka.send("t", b"never committed")
    advance(kafka, 60_000)
    assert described(kafka) == (1, [1], [2], [])
    kafka.kill_broker(1)
    assert described(kafka) == (2, [2], [1], [])
    assert [record.value for record in kafka.records("t")] == [b"committed"]


def test_without_the_feature_only_the_last_leader_leads_again() -> None:
    kafka = wanting(2)
    finalized(kafka, 0)
    kafka.stop_broker(2)
    kafka.stop_broker(1)
    assert described(kafka) == (NO_LEADER, [1], [], [])
    kafka.start_broker(2)
    assert described(kafka).leader == NO_LEADER
    kafka.start_broker(1)
    assert described(kafka).leader == 1


def test_a_broker_that_died_is_not_eligible_when_it_returns_unless_it_led_last() -> None:
    kafka = wanting(2)
    kafka.kill_broker(1)
    kafka.kill_broker(2)
    assert described(kafka) == (NO_LEADER, [], [1, 2], [2])
    kafka.start_broker(1)
    assert described(kafka) == (NO_LEADER, [], [2], [2])
    kafka.start_broker(2)
    assert described(kafka).leader == 2


def test_a_smaller_minimum_makes_nobody_eligible() -> None:
    kafka = wanting(2)
    kafka.stop_broker(2)
    kafka.configure_topic("t", {"min.insync.replicas": "1"})
    assert described(kafka) == (1, [1], [], [])


@pytest.mark.parametrize("least", ["2", None])
def test_any_change_of_the_minimum_makes_nobody_eligible(least: str | None) -> None:
    kafka = wanting(3)
    kafka.stop_broker(2)
    kafka.stop_broker(1)
    assert described(kafka) == (NO_LEADER, [], [1, 2], [1])
    kafka.configure_topic("t", {"retention.ms": "1"})
    assert described(kafka).eligible == [1, 2]
    kafka.configure_topic("t", {"min.insync.replicas": least})
    assert described(kafka) == (NO_LEADER, [], [], [])
    kafka.start_broker(1)
    assert described(kafka).leader == NO_LEADER


def test_eligible_replicas_stay_so_until_the_next_change_when_the_feature_is_switched_off() -> None:
    kafka = wanting(2)
    kafka.stop_broker(2)
    kafka.stop_broker(1)
    finalized(kafka, 0)
    assert described(kafka) == (NO_LEADER, [], [1, 2], [1])
    kafka.start_broker(2)
    assert described(kafka) == (2, [2], [], [1])
    finalized(kafka, 1)
    assert described(kafka) == (2, [2], [], [1])
    kafka.start_broker(1)
    assert described(kafka) == (2, [1, 2], [], [])


@pytest.mark.parametrize("release", ["3.9", "4.0"])
def test_nobody_is_eligible_before_new_clusters_have_the_feature(release: str) -> None:
    kafka = wanting(2, release)
    kafka.stop_broker(2)
    kafka.stop_broker(1)
    assert described(kafka) == (NO_LEADER, [1], [], [])


def test_eligible_replicas_outlive_a_process(tmp_path: Path) -> None:
    kafka = wanting(2, log_dir=tmp_path)
    kafka.stop_broker(2)
    kafka.stop_broker(1)
    kafka.stop()
    later = FakeKafka("4.3", brokers=3, log_dir=tmp_path).boot()
    assert described(later).leader == 1
    later.stop()
