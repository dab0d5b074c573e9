"""Controllers that fail: of KRaft 2.8 when a config is deleted, asked of 2.8.1 and recorded from 2.8.2; and of
KRaft 3.3 over the names of new topics.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.clusters import cluster_of

E = ErrorCode
TOPIC, DELETE = 2, 1


def alone(release: str, brokers: int = 1) -> FakeKafka:
    kafka = FakeKafka(release, brokers=brokers, config={"process.roles": "broker,controller"}).boot()
    kafka.create_topic("t", config={"retention.ms": "1000"})
    return kafka


def delete_config(kafka: FakeKafka) -> int:
    change = AlterableConfig(name="retention.ms", config_operation=DELETE, value=None)
    resource = AlterConfigsResource(resource_type=TOPIC, resource_name="t", configs=[change])
    asked = IncrementalAlterConfigsRequest(resources=[resource], validate_only=False)
    return answer(kafka, asked, 0, IncrementalAlterConfigsResponse).responses[0].error_code


def create(kafka: FakeKafka, name: str) -> tuple[int, str | None]:
    topic = CreatableTopic(name=name, num_partitions=1, replication_factor=1, assignments=[], configs=[])
    asked = CreateTopicsRequest(topics=[topic], timeout_ms=1000, validate_only=False)
    (found,) = answer(kafka, asked, 4, CreateTopicsResponse).topics
    return found.error_code, found.error_message


@pytest.mark.parametrize(("release", "code", "after"), [("2.8.1", -1, E.NOT_CONTROLLER), ("3.0", E.NONE, E.NONE)])
def test_a_controller_of_2_8_that_has_failed_refuses_new_topics(release: str, code: int, after: ErrorCode) -> None:
    kafka = alone(release)
    assert delete_config(kafka) == code
    assert create(kafka, "u")[0] == after
    kafka.stop()


def test_a_failed_controller_creates_no_internal_topics() -> None:
    kafka = alone("2.8.1")
    delete_config(kafka)
    assert answer(kafka, FindCoordinatorRequest(key="g"), 0, FindCoordinatorResponse).error_code == 15
    assert list(cluster_of(kafka).topics) == ["t"]
    kafka.stop()


def test_a_controller_works_again_once_its_node_has_started_again() -> None:
    kafka = alone("2.8.1")
    delete_config(kafka)
    assert create(kafka, "u") == (E.NOT_CONTROLLER, "The active controller appears to be node 0")
    kafka.restart()
    assert create(kafka, "u") == (E.NONE, None)
    kafka.stop()


def test_another_node_takes_over_when_the_failed_one_stops() -> None:
    kafka = alone("2.8.1", brokers=2)
    delete_config(kafka)
    kafka.stop_broker(0)
    assert not cluster_of(kafka).controller_has_failed
    kafka.stop()


def test_a_cluster_that_starts_over_has_a_working_controller() -> None:
    kafka = alone("2.8.2")
    delete_config(kafka)
    kafka.reset()
    assert create(kafka, "u") == (E.NONE, None)
    kafka.stop()


@pytest.mark.parametrize(("release", "fails"), [("3.3.0", True), ("3.3.1", True), ("3.3.2", False), ("3.2.3", False)])
def test_a_controller_of_3_3_fails_over_a_name_with_a_dot_that_was_deleted(release: str, fails: bool) -> None:
    """KAFKA-14337. Recorded from 3.3.0 to 3.3.2: dotted_questions."""
    kafka = alone(release)
    for name in ("a.b", "c_d"):
        kafka.create_topic(name)
        delete(kafka, name)
    assert create(kafka, "c_d") == (E.NONE, None)
    assert create(kafka, "a_b" if fails else "a.b") == (E.UNKNOWN_SERVER_ERROR if fails else E.NONE, None)
    client = kafka.connect()
    frame = request_frame(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1000), 5, 1, "test")
    assert (client.send(frame) or client.expire() or b"") == b"" if fails else client.send(frame)
    assert ("t" in cluster_of(kafka).topics) == fails
    kafka.stop()


def test_a_topic_that_clients_make_by_asking_fails_the_controller_as_well() -> None:
    kafka = alone("3.3.1")
    kafka.create_topic("a.b")
    delete(kafka, "a.b")
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="a.b")], allow_auto_topic_creation=True)
    (found,) = answer(kafka, asked, 9, MetadataResponse).topics
    assert found.error_code == E.UNKNOWN_TOPIC_OR_PARTITION
    assert cluster_of(kafka).controller_has_failed
    kafka.stop()


def delete(kafka: FakeKafka, name: str) -> None:
    asked = DeleteTopicsRequest(topic_names=[name], timeout_ms=1000)
    (done,) = answer(kafka, asked, 5, DeleteTopicsResponse).responses
    assert done.error_code == E.NONE
