"""Partitions on brokers that never ran: under ZooKeeper no broker hears of them before they have had a leader.

All values were asked of real brokers of 0.11.0.3, 1.1.1, 2.3.1 and 2.8.2. A quorum refuses to create such a partition.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.admin.resources import ResourceType
from fakekafka.cluster.known_topics import Tellings, ToldAtStart
from fakekafka.ids import ZERO_UUID
from fakekafka.state.topics import Topic
from fakekafka.wire.apis.alter_configs import AlterConfigsRequest, AlterConfigsResource, AlterConfigsResponse
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
)
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

from tests.support.brokers import answer
from tests.support.clusters import cluster_of
from tests.support.group_clients import grouped

ABSENT = 99
"""The id of a broker that never ran."""
RELEASES = ("0.11.0", "1.1", "2.3", "2.8")


def half_known(release: str) -> FakeKafka:
    """Topic "nowhere" has one partition, on the absent broker; "mixed" has one here and one there."""
    kafka = grouped(release)
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("nowhere", {0: [ABSENT]}, {}, with_id=False))
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("mixed", {0: [0], 1: [ABSENT]}, {}, with_id=False))
    return kafka


def metadata(kafka: FakeKafka, *names: str, creates: bool = False) -> list[tuple[int, str | None, int]]:
    """Error, name and number of partitions of each topic; of all topics if none is named."""
    topics = [MetadataRequestTopic(name=name) for name in names] if names else None
    request = MetadataRequest(topics=topics, allow_auto_topic_creation=creates)
    return [(t.error_code, t.name, len(t.partitions)) for t in answer(kafka, request, 4, MetadataResponse).topics]


@pytest.mark.parametrize("release", RELEASES)
def test_metadata_list_what_has_had_a_leader(release: str) -> None:
    kafka = half_known(release)
    assert metadata(kafka, "nowhere", "mixed") == [(0, "mixed", 1), (3, "nowhere", 0)]
    assert "nowhere" not in {name for _, name, _ in metadata(kafka)}


def test_a_topic_that_is_to_be_created_exists_without_a_leader() -> None:
    assert metadata(half_known("2.3"), "nowhere", creates=True) == [(5, "nowhere", 0)]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("name", "index"), [("nowhere", 0), ("mixed", 1)])
def test_a_partition_that_never_had_a_leader_is_unknown(release: str, name: str, index: int) -> None:
    kafka = half_known(release)
    place = OffsetForLeaderTopic(topic=name, partitions=[OffsetForLeaderPartition(partition=index, leader_epoch=0)])
    ends = answer(kafka, OffsetForLeaderEpochRequest(topics=[place]), 0, OffsetForLeaderEpochResponse)
    assert ends.topics[0].partitions[0].error_code == 3
    wanted = ListOffsetsTopic(name=name, partitions=[ListOffsetsPartition(partition_index=index, timestamp=-1)])
    offsets = answer(kafka, ListOffsetsRequest(replica_id=-1, topics=[wanted]), 1, ListOffsetsResponse)
    assert offsets.topics[0].partitions[0].error_code == 3
    doomed = DeleteRecordsTopic(name=name, partitions=[DeleteRecordsPartition(partition_index=index, offset=0)])
    deleted = answer(kafka, DeleteRecordsRequest(topics=[doomed], timeout_ms=1000), 0, DeleteRecordsResponse)
    assert deleted.topics[0].partitions[0].error_code == 3


@pytest.mark.parametrize(("release", "mixed"), [("1.1", 0), ("2.3", 3), ("2.8", 3)])
def test_offsets_are_kept_for_what_is_known(release: str, mixed: int) -> None:
    """1.1 checks only the topic."""
    topics = [
        OffsetCommitRequestTopic(
            name=name,
            partitions=[OffsetCommitRequestPartition(partition_index=index, committed_offset=1, committed_metadata="")],
        )
        for name, index in (("nowhere", 0), ("mixed", 1))
    ]
    request = OffsetCommitRequest(group_id="g", member_id="", topics=topics)
    answered = answer(half_known(release), request, 2, OffsetCommitResponse).topics
    assert [topic.partitions[0].error_code for topic in answered] == [3, mixed]


@pytest.mark.parametrize(("release", "described", "altered"), [("1.1", 0, 0), ("2.3", 3, 0), ("2.8", 3, 3)])
def test_configs_are_those_of_topics_that_the_broker_or_zookeeper_knows(
    release: str, described: int, altered: int
) -> None:
    """AlterConfigs up to 2.6 asks ZooKeeper."""
    kafka, topic = half_known(release), int(ResourceType.TOPIC)
    asked = DescribeConfigsResource(resource_type=topic, resource_name="nowhere", configuration_keys=[])
    shown = answer(kafka, DescribeConfigsRequest(resources=[asked]), 0, DescribeConfigsResponse)
    assert shown.results[0].error_code == described
    change = AlterConfigsResource(resource_type=topic, resource_name="nowhere", configs=[])
    changed = answer(kafka, AlterConfigsRequest(resources=[change]), 0, AlterConfigsResponse)
    assert changed.responses[0].error_code == altered


@pytest.mark.parametrize("release", ["1.1", "2.3", "2.8"])
def test_a_topic_that_never_had_a_leader_cannot_be_deleted(release: str) -> None:
    request = DeleteTopicsRequest(topic_names=["nowhere"], timeout_ms=1000)
    assert answer(half_known(release), request, 1, DeleteTopicsResponse).responses[0].error_code == 3


@pytest.mark.parametrize(("partitions", "error"), [(0, 37), (1, 36)])
def test_the_name_of_a_topic_that_never_had_a_leader_is_found_late_to_be_taken(partitions: int, error: int) -> None:
    topic = CreatableTopic(name="nowhere", num_partitions=partitions, replication_factor=1)
    request = CreateTopicsRequest(topics=[topic], timeout_ms=1000)
    assert answer(half_known("2.8"), request, 4, CreateTopicsResponse).topics[0].error_code == error


def test_brokers_are_counted_before_a_missing_topic_is_found_to_exist_as_by_1_1_1() -> None:
    kafka = FakeKafka("1.1.1", brokers=2, config={"default.replication.factor": "3"}).boot()
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("nowhere", {0: [ABSENT]}, {}, with_id=False))
    request = MetadataRequest(topics=[MetadataRequestTopic(name="nowhere")])
    assert answer(kafka, request, 1, MetadataResponse).topics[0].error_code == 38


# ---- what the controller has announced


def test_the_map_of_new_partitions_stays_as_large_as_it_has_been_until_another_broker_is_the_controller() -> None:
    tellings = Tellings()
    told = [tellings.tell(3), tellings.tell(), tellings.tell(30), tellings.tell(5)]
    assert told == [(3, 1), (3, 2), (30, 3), (30, 4)]
    tellings.begin()
    assert tellings.tell(5) == (5, 6)


def test_a_broker_hears_about_all_partitions_when_it_starts() -> None:
    topic = Topic("t", ZERO_UUID, {})
    topic.add_without_leaders({0: [0], 1: [0]})
    at_start = ToldAtStart([topic], 4)
    topic.add_without_leaders({2: [0]})
    assert at_start.partitions == {topic: (0, 1)}
    assert [addition.size_before for addition in topic.additions] == [0, 2]
