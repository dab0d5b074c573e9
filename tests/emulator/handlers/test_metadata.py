"""Metadata of clusters that lack a broker, by release. All values were asked of real clusters of two brokers."""

import pytest
from fakekafka import FakeKafka
from fakekafka.handlers import metadata
from fakekafka.ids import BrokerId
from fakekafka.state.topics import PartitionState
from fakekafka.wire.apis.metadata import (
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponsePartition,
)
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.clusters import cluster_of, formed


def told(kafka: FakeKafka, version: int, topic: str = "t") -> MetadataResponsePartition:
    """Partition 0 of a topic in the answer of broker 0."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False)
    (found,) = answer(kafka, asked, version, MetadataResponse).topics
    (partition,) = found.partitions
    return partition


def lone(release: str) -> FakeKafka:
    """The topic "lone" is on broker 1 alone, which has stopped."""
    kafka = formed(release, brokers=2)
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("lone", {0: [1]}, {}, with_id=False))
    kafka.kill_broker(1)
    return kafka


@pytest.mark.parametrize(
    ("release", "version", "error", "epoch", "replicas", "isr"),
    [
        ("0.9.0", 0, 5, -1, [], []),
        ("0.10.2", 2, 5, -1, [1], []),
        ("1.1", 5, 5, -1, [1], []),
        ("2.0", 6, 72, -1, [1], []),
        ("2.0", 5, 5, -1, [1], []),
        ("2.3", 8, 72, -1, [1], []),
        ("2.4", 9, 72, -1, [1], [1]),
        ("2.5", 9, 72, 1, [1], [1]),
        ("2.8", 9, 5, 1, [1], [1]),
        ("3.7", 11, 5, 1, [1], [1]),
        ("4.1", 11, 5, 1, [1], []),
    ],
)
def test_a_partition_without_a_leader_is_described_by_release(
    release: str, version: int, error: int, epoch: int, replicas: list[int], isr: list[int]
) -> None:
    partition = told(lone(release), version, "lone")
    assert (partition.error_code, partition.leader_id) == (error, -1)
    if version >= 7:
        assert partition.leader_epoch == epoch
    assert (list(partition.replica_nodes), list(partition.isr_nodes)) == (replicas, isr)


@pytest.mark.parametrize(("release", "version", "error", "replicas"), [("0.10.0", 0, 9, [0]), ("0.10.0", 1, 0, [0, 1])])
def test_a_stopped_replica_is_an_error_in_version_0(
    release: str, version: int, error: int, replicas: list[int]
) -> None:
    kafka = formed(release, brokers=2)
    kafka.stop_broker(1)
    partition = told(kafka, version)
    assert (partition.error_code, partition.leader_id) == (error, 0)
    assert (list(partition.replica_nodes), list(partition.isr_nodes)) == (replicas, [0])


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [("0.8.2", 0, [1, 0]), ("0.9.0", 0, [1, 0]), ("0.10.0", 0, [0, 1]), ("0.10.2", 2, [0, 1]), ("0.11.0", 4, [1, 0])],
)
def test_replicas_are_in_the_order_of_preference_except_in_0_10(release: str, version: int, order: list[int]) -> None:
    kafka = formed(release, brokers=2)
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("other", {0: [1, 0]}, {}, with_id=False))
    assert list(told(kafka, version, "other").replica_nodes) == order


@pytest.mark.parametrize(("release", "isr"), [("0.8.2", [0]), ("0.9.0", [0, 1])])
def test_0_8_does_not_report_that_a_replica_is_in_sync_again(release: str, isr: list[int]) -> None:
    kafka = formed(release, brokers=2)
    kafka.send("t", b"a")
    kafka.stop_broker(1)
    kafka.start_broker(1)
    assert list(told(kafka, 0).isr_nodes) == isr


def test_each_partition_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = formed("3.9", partitions=3)
    cluster = cluster_of(kafka)
    asked_for = []
    as_known_to = cluster.as_known_to

    def counted(node_id: BrokerId, state: PartitionState) -> PartitionState:
        asked_for.append(state.index)
        return as_known_to(node_id, state)

    monkeypatch.setattr(cluster, "as_known_to", counted)
    answer(kafka, MetadataRequest(topics=[MetadataRequestTopic(name="t")]), 1, MetadataResponse)
    assert asked_for == [0, 1, 2]


AUTHORIZER = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}


def in_steps(kafka: FakeKafka, request: MetadataRequest) -> int:
    """In how many steps a request is handled."""
    client = kafka.connect()
    client.connection.receive(request_frame(request, 12, 1, "c"))
    steps = 0
    while client.connection.has_request:
        client.core.step(client.connection)
        steps += 1
    return steps


@pytest.mark.parametrize("config", [{}, {**AUTHORIZER, "allow.everyone.if.no.acl.found": "true"}])
@pytest.mark.parametrize("names", [["t", "u"], [f"missing-{n}" for n in range(9)], ["t", "missing"], None])
def test_a_large_metadata_request_is_answered_in_steps(
    config: dict[str, str], names: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka = FakeKafka("4.3", topics={"t": 5, "u": 4}, config=config).boot()
    topics = None if names is None else [MetadataRequestTopic(name=name) for name in names]
    request = MetadataRequest(topics=topics, allow_auto_topic_creation=False, include_topic_authorized_operations=True)
    assert in_steps(kafka, request) == 1
    at_once = answer(kafka, request, 12, MetadataResponse)
    monkeypatch.setattr(metadata, "PER_STEP", 2)
    assert in_steps(kafka, request) >= (3 if names == ["t", "missing"] else 5)
    assert answer(kafka, request, 12, MetadataResponse) == at_once


@pytest.mark.parametrize(("release", "version"), [("2.3", 8), ("2.8", 10), ("4.3", 12)])
def test_missing_topics_show_the_operations_that_were_asked_for(release: str, version: int) -> None:
    """Recorded from 2.3.1 to 4.3.1: odd_requests."""
    asked = MetadataRequest(
        topics=[MetadataRequestTopic(name="nope"), MetadataRequestTopic(name="a/b")],
        allow_auto_topic_creation=False,
        include_topic_authorized_operations=True,
    )
    found = answer(FakeKafka(release).boot(), asked, version, MetadataResponse)
    assert [topic.topic_authorized_operations for topic in found.topics] == [3576, 3576]


@pytest.mark.parametrize(("release", "error"), [("2.8.0", 0), ("2.8.1", 42)])
def test_2_8_0_does_not_read_topic_ids_in_versions_10_and_11(release: str, error: int) -> None:
    """KAFKA-12701. Recorded from 2.8.0 and 2.8.1: patch_questions."""
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="t", topic_id=b"1" * 16)])
    (found,) = answer(kafka, asked, 10, MetadataResponse).topics
    assert (found.name, found.error_code, len(found.partitions)) == ("t", error, int(not error))


@pytest.mark.parametrize(("release", "hangs"), [("2.8.0", True), ("2.8.1", False)])
def test_2_8_0_never_answers_a_request_for_a_topic_without_a_name(release: str, hangs: bool) -> None:
    client = FakeKafka(release).boot().connect()
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=None)])
    sent = client.send(request_frame(asked, 11, 1, "test"))
    assert (not sent and not client.expire()) == hangs
