"""AlterPartitionReassignments on clusters: records are copied, then the old replicas are removed."""

from collections.abc import Sequence

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId, TopicName
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)

from tests.support.brokers import answer
from tests.support.clusters import cluster_of, formed, state_of, values
from tests.support.group_clients import Member, coordinator_is_there, coordinator_of, settled, simple
from tests.support.transaction_clients import TransactionalProducer, transactional
from tests.support.transaction_clients import coordinator_of as transactions_of


def reassign(kafka: FakeKafka, replicas: Sequence[BrokerId] | None, name: TopicName = "t") -> int:
    """Give a topic's first partition other replicas, and return the error."""
    asked = ReassignablePartition(partition_index=0, replicas=None if replicas is None else list(replicas))
    topic = ReassignableTopic(name=name, partitions=[asked])
    request = AlterPartitionReassignmentsRequest(timeout_ms=1000, topics=[topic])
    response = answer(kafka, request, 0, AlterPartitionReassignmentsResponse)
    return response.responses[0].partitions[0].error_code


def under_way(kafka: FakeKafka) -> list[tuple[list[BrokerId], list[BrokerId]]]:
    """Replicas that are being added and removed."""
    request = ListPartitionReassignmentsRequest(timeout_ms=1000, topics=None)
    response = answer(kafka, request, 0, ListPartitionReassignmentsResponse)
    return [(list(p.adding_replicas), list(p.removing_replicas)) for t in response.topics for p in t.partitions]


def on_two(release: str) -> FakeKafka:
    """Three brokers, and a topic with a record on brokers 0 and 1."""
    kafka = formed(release, brokers=3, default_replication_factor=2)
    kafka.send("t", b"a")
    return kafka


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.9"])
def test_new_replicas_are_filled_and_old_ones_removed(release: str) -> None:
    kafka = on_two(release)
    assert state_of(kafka).replicas == [0, 1]
    assert reassign(kafka, [2, 0]) == 0
    state = state_of(kafka)
    assert (state.replicas, sorted(state.isr), state.leader, under_way(kafka)) == ([2, 0], [0, 2], 0, [])
    assert values(kafka, 2) == [b"a"]
    assert ("t", 0) not in cluster_of(kafka).brokers[1].partitions
    assert reassign(kafka, [1]) == 0
    assert (state.replicas, state.isr, state.leader) == ([1], [1], 1)
    assert values(kafka, 1) == [b"a"]
    assert not kafka.failures


def epoch_after(kafka: FakeKafka, replicas: Sequence[BrokerId] | None) -> tuple[int, list[BrokerId], list[BrokerId]]:
    """The leader epoch, the replicas and those in sync after a reassignment."""
    assert reassign(kafka, replicas) == 0
    state = state_of(kafka)
    return state.leader_epoch, list(state.replicas), list(state.isr)


def test_under_zookeeper_a_reassignment_begins_an_epoch_for_each_of_its_phases() -> None:
    """When it begins, when it is completed or cancelled, and for each replica in sync that goes. Recorded from 2.8.2:
    reassigned of tests/golden/trio_recordings.
    """
    kafka = on_two("2.8")
    assert epoch_after(kafka, [2, 0]) == (3, [2, 0], [0, 2])
    assert epoch_after(kafka, [2, 1]) == (6, [2, 1], [2, 1])
    assert epoch_after(kafka, [0, 1, 2]) == (8, [0, 1, 2], [2, 1, 0])
    assert epoch_after(kafka, [2]) == (11, [2], [2])
    kafka.pause_replication(0)
    assert epoch_after(kafka, [0, 2]) == (12, [0, 2], [2])
    assert epoch_after(kafka, None) == (13, [2], [2])


def test_in_kraft_mode_a_reassignment_begins_an_epoch_where_replicas_are_removed() -> None:
    """Recorded from 3.9.1: reassigned of tests/golden/trio_recordings. PartitionChangeBuilder."""
    kafka = on_two("3.9")
    assert epoch_after(kafka, [2, 0]) == (1, [2, 0], [0, 2])
    assert epoch_after(kafka, [2, 1]) == (2, [2, 1], [2, 1])
    assert epoch_after(kafka, [0, 1, 2]) == (2, [0, 1, 2], [2, 1, 0])
    assert epoch_after(kafka, [2]) == (3, [2], [2])
    kafka.pause_replication(0)
    assert epoch_after(kafka, [0, 2]) == (3, [0, 2], [2])
    assert epoch_after(kafka, None) == (4, [2], [2])


@pytest.mark.parametrize(("release", "listed"), [("2.8", [2, 1, 0]), ("3.9", [2, 0, 1])])
def test_controllers_sort_the_replicas_that_are_removed(release: str, listed: list[BrokerId]) -> None:
    """Recorded from 2.8.2 and 3.9.1: reassigned of tests/golden/trio_recordings. PartitionReassignmentReplicas."""
    kafka = on_two(release)
    assert reassign(kafka, [1, 0]) == 0
    kafka.pause_replication(2)
    assert reassign(kafka, [2]) == 0
    assert state_of(kafka).replicas == listed


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.9", "4.3"])
def test_a_leader_that_loses_a_partition_of_the_offsets_topic_no_longer_coordinates_its_groups(release: str) -> None:
    """The broker learns so from StopReplica (`KafkaApis.handleStopReplicaRequest`) or the controller's log
    (`TopicDelta.localChanges`)."""
    kafka = formed(release, brokers=2, offsets_topic_num_partitions=1, offsets_topic_replication_factor=1)
    coordinator_is_there(kafka)
    assert reassign(kafka, [0], CONSUMER_OFFSETS) == 0
    client, member = simple(kafka), Member(kafka, "members")
    settled(member)
    assert client.commit(5) == [ErrorCode.NONE]
    assert member.heartbeat() is ErrorCode.NONE
    assert reassign(kafka, [1], CONSUMER_OFFSETS) == 0
    assert client.commit(6) == [ErrorCode.NOT_COORDINATOR]
    assert member.heartbeat() is ErrorCode.NOT_COORDINATOR
    assert not coordinator_of(kafka).led
    assert kafka.committed("g")["t", 0].offset == 5
    assert reassign(kafka, [0], CONSUMER_OFFSETS) == 0
    assert client.commit(7) == [ErrorCode.NONE]


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.9", "4.3"])
def test_a_leader_that_loses_a_partition_of_the_transactions_topic_no_longer_coordinates_its_ids(release: str) -> None:
    kafka = transactional(release, brokers=2)
    assert reassign(kafka, [0], TRANSACTION_STATE) == 0
    assert TransactionalProducer(kafka).init() is ErrorCode.NONE
    assert reassign(kafka, [1], TRANSACTION_STATE) == 0
    assert TransactionalProducer(kafka).init() is ErrorCode.NOT_COORDINATOR
    assert not transactions_of(kafka).led
    assert not transactions_of(kafka).transactions


def test_a_reassignment_stays_under_way_while_a_new_replica_lags() -> None:
    kafka = on_two("2.8")
    kafka.pause_replication(2)
    assert reassign(kafka, [2, 0]) == 0
    assert under_way(kafka) == [([2], [1])]
    assert state_of(kafka).replicas == [2, 0, 1]
    kafka.send("t", b"b")
    kafka.resume_replication(2)
    assert under_way(kafka) == []
    assert values(kafka, 2) == [b"a", b"b"]


def test_a_reassignment_that_is_under_way_can_be_cancelled() -> None:
    kafka = on_two("2.8")
    kafka.pause_replication(2)
    reassign(kafka, [2, 0])
    assert reassign(kafka, None) == 0
    assert (state_of(kafka).replicas, under_way(kafka)) == ([0, 1], [])
    assert ("t", 0) not in cluster_of(kafka).brokers[2].partitions
    assert reassign(kafka, None) == 85
