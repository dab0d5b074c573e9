"""Where a follower cuts its log when another broker leads, by release."""

from functools import partial
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.replication.truncation import cut
from fakekafka.releases.replication_versions import Parting
from fakekafka.wire.message import Request, Response

from tests.support.clusters import cluster_of, ends, formed, replica, state_of, values
from tests.support.seeded import NOW


def ask_leader(cluster: Cluster, leader: Broker, request: Request, version: int) -> Response | None:
    return cluster.exchange(leader, request, version, "test")


def parted(release: str, **config: Any) -> FakeKafka:
    """Broker 0 has a record that broker 1, the leader now, never got."""
    kafka = formed(release, brokers=2, unclean_leader_election_enable=True, **config)
    kafka.send("t", b"a")
    kafka.pause_replication(1)
    kafka.send("t", b"lost")
    kafka.elect_leader("t", 0, broker=1)
    return kafka


@pytest.mark.parametrize("release", ["0.9.0", "0.10.2", "0.11.0", "1.1", "2.0", "2.6", "2.8", "3.5", "4.3"])
def test_a_follower_drops_records_that_its_new_leader_does_not_have(release: str) -> None:
    kafka = parted(release)
    assert values(kafka, 0) == values(kafka, 1) == [b"a"]
    kafka.send("t", b"b")
    assert values(kafka, 0) == values(kafka, 1) == [b"a", b"b"]
    assert ends(kafka) == {0: (2, 2), 1: (2, 2)}
    assert state_of(kafka).isr == [0, 1]
    assert not kafka.failures


@pytest.mark.parametrize(("how", "kept"), [("high watermark", 1), ("epoch", 2), ("epoch found", 2), ("fetch", 2)])
def test_only_truncation_to_the_high_watermark_can_drop_acknowledged_records(how: Parting, kept: int) -> None:
    """KIP-101: a follower has a record, but has not heard yet that all replicas have it."""
    kafka = formed("2.8", brokers=2)
    kafka.send("t", b"a")
    kafka.send("t", b"acknowledged")
    cluster, copy = cluster_of(kafka), replica(kafka, 1)
    ask = partial(ask_leader, cluster, cluster.brokers[0])
    copy.follow_high_watermark(1)
    assert cut(cluster.brokers[1].logs, copy, ask, how, NOW)
    assert copy.log.log_end_offset == kept


@pytest.mark.parametrize("how", ["epoch", "epoch found", "fetch"])
def test_a_log_without_epochs_is_cut_at_the_high_watermark(how: Parting) -> None:
    kafka = formed("2.8", brokers=2, log_message_format_version="0.10.2", inter_broker_protocol_version="2.7")
    kafka.send("t", b"a")
    kafka.send("t", b"b")
    cluster, copy = cluster_of(kafka), replica(kafka, 1)
    ask = partial(ask_leader, cluster, cluster.brokers[0])
    assert copy.log.epochs is None or not copy.log.epochs.entries
    copy.follow_high_watermark(1)
    assert cut(cluster.brokers[1].logs, copy, ask, how, NOW)
    assert copy.log.log_end_offset == 1


@pytest.mark.parametrize("release", ["2.0", "2.8"])
def test_several_epochs_that_the_leader_does_not_know_are_dropped(release: str) -> None:
    kafka = formed(release, brokers=2)
    kafka.send("t", b"a")
    kafka.pause_replication(1)
    for value in (b"lost", b"lost too"):
        kafka.elect_leader("t", 0)
        kafka.send("t", value)
    kafka.elect_leader("t", 0, broker=1)
    kafka.send("t", b"b")
    assert values(kafka, 0) == values(kafka, 1) == [b"a", b"b"]
    epochs = replica(kafka, 0).log.epochs
    assert epochs is not None
    assert [tuple(entry) for entry in epochs.entries] == [(0, 0), (3, 1)]


def test_a_leader_that_does_not_answer_about_epochs_is_asked_again_later() -> None:
    kafka = formed("2.0", brokers=2, partitions=1)
    kafka.send("t", b"a")
    cluster = cluster_of(kafka)
    ask = cluster.exchange
    cluster.exchange = lambda *_: None
    kafka.elect_leader("t", 0)
    kafka.send("t", b"b")
    assert values(kafka, 1) == [b"a"]
    cluster.exchange = ask
    kafka.send("t", b"c")
    assert values(kafka, 1) == [b"a", b"b", b"c"]


@pytest.mark.parametrize("release", ["0.11.0", "2.0", "2.8", "4.3"])
def test_the_end_of_a_truncated_log_is_written_at_once(release: str) -> None:
    """Otherwise a start after a crash would consider records safe that no longer exist."""
    kafka = formed(release, brokers=2, unclean_leader_election_enable=True, log_flush_interval_messages=1)
    kafka.send("t", b"a")
    kafka.pause_replication(1)
    kafka.send("t", b"lost")
    broker = cluster_of(kafka).brokers[0]
    root = broker.logs.roots.of(broker.log_dirs.all[0])
    assert broker.logs.checkpoints.write_recovery_points()
    assert root.recovery_points()["t", 0] == 2
    kafka.elect_leader("t", 0, broker=1)
    assert root.recovery_points()["t", 0] == 1
