"""What KRaft's controllers do for a client that gives them no time. Recorded from 2.8.2 to 4.3.1: odd_requests."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse, TopicPartitions

from tests.support.brokers import answer
from tests.support.seeded import broker_of

no_time = pytest.mark.parametrize("timeout_ms", [0, -1])


def kraft(release: str = "4.3") -> FakeKafka:
    return FakeKafka(release, topics={"t": 1}).boot()


def names(kafka: FakeKafka) -> set[str]:
    return set(broker_of(kafka).cluster.topics)


@no_time
def test_no_topic_is_created(timeout_ms: int) -> None:
    kafka = kraft()
    topics = [CreatableTopic(name=name, num_partitions=1, replication_factor=1) for name in ("new", "", "t")]
    response = answer(kafka, CreateTopicsRequest(topics=topics, timeout_ms=timeout_ms), 5, CreateTopicsResponse)
    assert [(t.name, t.error_code, t.error_message) for t in response.topics] == [
        ("new", 7, None), ("", 7, None), ("t", 7, None)
    ]  # fmt: skip
    assert names(kafka) == {"t"}


@no_time
def test_no_topic_is_deleted(timeout_ms: int) -> None:
    kafka = kraft()
    request = DeleteTopicsRequest(topic_names=["t", "nope"], timeout_ms=timeout_ms)
    response = answer(kafka, request, 5, DeleteTopicsResponse)
    assert [(t.name, t.error_code, t.error_message) for t in response.responses] == [("t", 7, None), ("nope", 7, None)]
    assert names(kafka) == {"t"}


@no_time
def test_no_partition_is_added(timeout_ms: int) -> None:
    kafka = kraft()
    topics = [CreatePartitionsTopic(name=name, count=2, assignments=None) for name in ("t", "nope")]
    response = answer(kafka, CreatePartitionsRequest(topics=topics, timeout_ms=timeout_ms), 0, CreatePartitionsResponse)
    assert [(t.name, t.error_code, t.error_message) for t in response.results] == [("t", 7, None), ("nope", 7, None)]
    assert len(broker_of(kafka).cluster.topics["t"].partitions) == 1


@no_time
def test_no_leader_is_elected(timeout_ms: int) -> None:
    topics = [TopicPartitions(topic="t", partitions=[0, 9])]
    request = ElectLeadersRequest(topic_partitions=topics, timeout_ms=timeout_ms)
    response = answer(kraft(), request, 2, ElectLeadersResponse)
    (topic,) = response.replica_election_results
    assert (response.error_code, [p.error_code for p in topic.partition_result]) == (7, [7, 7])
    nothing = answer(kraft(), ElectLeadersRequest(topic_partitions=[], timeout_ms=timeout_ms), 2, ElectLeadersResponse)
    assert (nothing.error_code, nothing.replica_election_results) == (0, [])


@no_time
def test_no_partition_is_reassigned(timeout_ms: int) -> None:
    partitions = [ReassignablePartition(partition_index=n, replicas=[0]) for n in (0, 9)]
    request = AlterPartitionReassignmentsRequest(
        timeout_ms=timeout_ms, topics=[ReassignableTopic(name="t", partitions=partitions)]
    )
    response = answer(kraft(), request, 0, AlterPartitionReassignmentsResponse)
    (topic,) = response.responses
    assert (response.error_code, response.error_message) == (7, None)
    assert [(p.error_code, p.error_message) for p in topic.partitions] == [(7, None), (7, None)]
    nothing = answer(
        kraft(), AlterPartitionReassignmentsRequest(timeout_ms=timeout_ms), 0, AlterPartitionReassignmentsResponse
    )
    assert nothing.error_code == 0


def test_with_zookeeper_a_topic_is_created_all_the_same() -> None:
    kafka = FakeKafka("3.2", topics={"t": 1}).boot()
    topics = [CreatableTopic(name="new", num_partitions=1, replication_factor=1)]
    response = answer(kafka, CreateTopicsRequest(topics=topics, timeout_ms=0), 0, CreateTopicsResponse)
    assert [t.error_code for t in response.topics] == [7]
    assert names(kafka) == {"t", "new"}
