"""What brokers of one cluster share."""

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.cluster.cluster import Cluster

from tests.support.clusters import cluster_of, formed, replica, state_of


def test_a_seed_always_gives_the_same_ids() -> None:
    first, second, other = (Cluster(ManualClock(), seed=seed) for seed in (1, 1, 2))
    assert first.id == second.id != other.id
    assert len(first.id) == 22
    assert first.new_uuid() == second.new_uuid()
    assert len(first.new_uuid()) == 36


def test_producer_ids_come_in_blocks() -> None:
    cluster = Cluster(ManualClock())
    assert [cluster.next_producer_id_block(1000) for _ in range(3)] == [0, 1000, 2000]
    assert [cluster.next_broker_epoch() for _ in range(2)] == [1, 2]


def test_partitions_without_a_running_broker_have_no_leader() -> None:
    cluster = cluster_of(formed(brokers=2))
    topic = cluster.new_topic("other", {0: [7], 1: [7, 1]}, {}, with_id=True)
    assert [(state.leader, state.isr) for state in topic.partitions] == [(-1, []), (1, [1])]
    assert cluster.topics_by_id[topic.id] is topic


def test_a_topic_gets_its_id_only_once() -> None:
    kafka = FakeKafka("2.7", topics={"t": 1}).boot()
    topic = kafka.connect().core.cluster.topics["t"]
    assert topic.id == bytes(16)
    kafka.restart("3.0")
    given = topic.id
    assert given != bytes(16)
    kafka.restart()
    assert topic.id == given
    assert kafka.connect().core.cluster.topics_by_id == {given: topic}


def test_a_change_reaches_every_broker_at_once() -> None:
    kafka = formed()
    cluster, state = cluster_of(kafka), state_of(kafka)
    kafka.send("t", b"a")
    cluster.change(cluster.topics["t"], state, leader=2, isr=[2, 0])
    assert (state.leader, state.isr, state.leader_epoch) == (2, [2, 0], 1)
    assert [replica(kafka, n).leads for n in range(3)] == [False, False, True]
    cluster.change(cluster.topics["t"], state, isr=[2], new_epoch=False)
    assert (state.isr, state.isr_of_epoch, state.leader_epoch) == ([2], [2, 0], 1)


def test_a_leader_that_was_alone_keeps_its_high_watermark_when_followers_return() -> None:
    kafka = formed(brokers=2)
    kafka.pause_replication(1)
    cluster, state = cluster_of(kafka), state_of(kafka)
    cluster.change(cluster.topics["t"], state, isr=[0])
    kafka.send("t", b"a")
    assert replica(kafka, 0).high_watermark == 1
    cluster.change(cluster.topics["t"], state, isr=[0, 1])
    kafka.send("t", b"b")
    assert replica(kafka, 0).high_watermark == 1


def test_asking_for_a_stopped_broker_names_it() -> None:
    with pytest.raises(UsageError, match=r"broker 3 does not run; these do: \[0, 1\]"):
        cluster_of(formed(brokers=2)).running(3)
