"""UnregisterBroker: which brokers are forgotten. Asked of 3.3.2 to 4.1.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.state.topics import PartitionState
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse

from tests.support.brokers import answer


def unregister(kafka: FakeKafka, broker_id: int) -> UnregisterBrokerResponse:
    return answer(kafka, UnregisterBrokerRequest(broker_id=broker_id), 0, UnregisterBrokerResponse)


def test_a_broker_that_has_stopped_is_forgotten_once() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    kafka.kill_broker(1)
    first, second = unregister(kafka, 1), unregister(kafka, 1)
    assert (first.error_code, first.error_message) == (0, "")
    assert second.error_code == 102


def test_a_broker_is_registered_again_when_it_starts() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    kafka.stop_broker(1)
    unregister(kafka, 1)
    kafka.start_broker(1)
    kafka.stop_broker(1)
    assert unregister(kafka, 1).error_code == 0


def test_a_broker_that_was_never_registered_is_unknown() -> None:
    kafka = FakeKafka("3.9", brokers=2).boot()
    assert unregister(kafka, 7).error_code == 102


def states(kafka: FakeKafka) -> list[PartitionState]:
    return kafka._running.cluster.topics["t"].partitions


def test_an_unregistered_broker_that_runs_no_longer_leads_anything() -> None:
    config = {"default.replication.factor": 2}
    kafka = FakeKafka("3.9", brokers=2, topics={"t": 2}, config=config).boot()
    assert {state.leader for state in states(kafka)} == {0, 1}
    found = unregister(kafka, 1)
    assert (found.error_code, found.error_message) == (0, "")
    assert [(state.leader, state.isr) for state in states(kafka)] == [(0, [0]), (0, [0])]
    kafka.send("t", b"value", partition=1)
    assert [state.isr for state in states(kafka)] == [[0], [0]]
    told = answer(kafka, MetadataRequest(topics=None), 5, MetadataResponse, node_id=1)
    assert [broker.node_id for broker in told.brokers] == [0]
    assert told.controller_id == 0
    assert unregister(kafka, 1).error_code == 102
    kafka.kill_broker(1)
    kafka.start_broker(1)
    assert [sorted(state.isr) for state in states(kafka)] == [[0, 1], [0, 1]]
    kafka.stop()


@pytest.mark.parametrize("release", ["3.9", "4.1"])
def test_without_a_registered_broker_partitions_have_no_leader_and_topics_are_not_created(release: str) -> None:
    """Asked of 3.9.1 and 4.1.1."""
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    assert unregister(kafka, 0).error_code == 0
    told = answer(kafka, MetadataRequest(topics=[MetadataRequestTopic(name="t")]), 5, MetadataResponse)
    assert (told.brokers, told.controller_id) == ([], -1)
    (partition,) = told.topics[0].partitions
    assert (partition.error_code, partition.leader_id, partition.offline_replicas) == (5, -1, [0])
    assert partition.isr_nodes == ([0] if release == "3.9" else [])
    new = CreatableTopic(name="new", num_partitions=1, replication_factor=1)
    (made,) = answer(kafka, CreateTopicsRequest(topics=[new], timeout_ms=1000), 4, CreateTopicsResponse).topics
    words = "Unable to replicate the partition 1 time(s): All brokers are currently fenced."
    assert (made.error_code, made.error_message) == (38, words)
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="auto")])
    told = answer(kafka, asked, 5, MetadataResponse)
    assert [(topic.name, topic.error_code) for topic in told.topics] == [("auto", 3)]
    kafka.restart()
    assert [state.leader for state in states(kafka)] == [0]
    kafka.stop()


@pytest.mark.parametrize("release", ["3.9", "4.3"])
def test_without_a_registered_broker_no_internal_topic_is_made(release: str) -> None:
    kafka = FakeKafka(release).boot()
    assert unregister(kafka, 0).error_code == 0
    found = answer(kafka, FindCoordinatorRequest(key="g"), 2, FindCoordinatorResponse)
    assert found.error_code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert kafka.failures == ()
    kafka.stop()
