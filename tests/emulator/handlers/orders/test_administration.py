"""Leaders, directories of logs and features, in the order of the release's maps."""

from functools import partial

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_replica_log_dirs import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopic,
)
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.describe_log_dirs import DescribeLogDirsRequest, DescribeLogDirsResponse
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse, TopicPartitions
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest, UpdateFeaturesResponse

from tests.support.brokers import answer
from tests.support.clusters import cluster_of

ENVELOPE = 58
SOFTWARE = ApiVersionsRequest(client_software_name="test", client_software_version="1")


@pytest.mark.parametrize(
    ("release", "version", "listed"),
    [
        ("2.3", 0, [("a.b", 0), ("a.b", 9), ("nope", 0)]),
        ("3.1", 1, [("nope", 0), ("a.b", 0), ("a.b", 9)]),
        ("4.3", 1, [("a.b", 0), ("a.b", 9), ("nope", 0)]),
    ],
)
def test_elections_are_grouped_by_topic_in_scala_s_maps(
    release: str, version: int, listed: list[tuple[str, int]]
) -> None:
    """Recorded from 2.3.1 to 4.3.1: admin."""
    kafka = FakeKafka(release, topics={"a.b": 1}).boot()
    asked = [TopicPartitions(topic="a.b", partitions=[0, 9]), TopicPartitions(topic="nope", partitions=[0])]
    request = ElectLeadersRequest(topic_partitions=asked, timeout_ms=1000)
    done = answer(kafka, request, version, ElectLeadersResponse)
    rows = [
        (topic.topic, row.partition_id) for topic in done.replica_election_results for row in topic.partition_result
    ]
    assert rows == listed


@pytest.mark.parametrize("release", ["2.1", "2.3", "2.8", "4.3"])
def test_replicas_to_be_moved_come_out_of_a_map_of_partitions(release: str) -> None:
    """Recorded from 2.1.1 to 4.3.1: odd_admin."""
    kafka = FakeKafka(release, topics={"known": 1}).boot()
    topics = [AlterReplicaLogDirTopic(name="known", partitions=[0]), AlterReplicaLogDirTopic(name="", partitions=[1])]
    asked = AlterReplicaLogDirsRequest(dirs=[AlterReplicaLogDir(path="/nowhere", topics=topics)])
    done = answer(kafka, asked, 1, AlterReplicaLogDirsResponse)
    assert [topic.topic_name for topic in done.results] == ["", "known"]


@pytest.mark.parametrize(
    ("release", "listed"),
    [("1.1", ["later", "t0", "t1", "t3", "latest"]), ("2.8", ["t0", "t3", "latest", "t1", "later"])],
)
def test_topics_of_a_directory_are_grouped_in_a_map(release: str, listed: list[str]) -> None:
    """Recorded from 1.1.1 to 3.9.1: storage_log_dirs."""
    kafka = FakeKafka(release, topics=dict.fromkeys(["t0", "t1", "t3", "later", "latest"], 1)).boot()
    (found,) = answer(kafka, DescribeLogDirsRequest(topics=None), 0, DescribeLogDirsResponse).results
    assert [topic.name for topic in found.topics] == listed


@pytest.mark.parametrize(
    ("release", "listed"),
    [
        ("3.9", ["metadata.version", "nope"]),
        ("4.0", []),
    ],
)
def test_controllers_list_updated_features_by_name(release: str, listed: list[str]) -> None:
    """Recorded from 3.9.1: kraft_version. From 4.0 on such a request fails as a whole."""
    updates = [
        FeatureUpdateKey(feature=name, max_version_level=99, upgrade_type=1) for name in ("nope", "metadata.version")
    ]
    asked = UpdateFeaturesRequest(feature_updates=updates, validate_only=True, timeout_ms=1000)
    done = answer(FakeKafka(release).boot(), asked, 1, UpdateFeaturesResponse)
    assert [row.feature for row in done.results] == listed


def test_a_feature_that_is_switched_on_takes_its_place_in_the_map() -> None:
    """Recorded from 4.1.1: kraft_version, feature_order."""
    kafka = FakeKafka("4.0").boot()
    updates = [FeatureUpdateKey(feature="eligible.leader.replicas.version", max_version_level=1, upgrade_type=1)]
    answer(kafka, UpdateFeaturesRequest(feature_updates=updates, timeout_ms=1000), 1, UpdateFeaturesResponse)
    listed = answer(kafka, SOFTWARE, 3, ApiVersionsResponse).finalized_features
    assert [feature.name for feature in listed] == [
        "group.version",
        "transaction.version",
        "eligible.leader.replicas.version",
        "metadata.version",
    ]


@pytest.mark.parametrize("release", ["2.8", "3.1"])
def test_envelope_was_listed_last(release: str) -> None:
    """Recorded from 2.8.2 to 3.1.2: admin."""
    kafka = FakeKafka(release, config={"process.roles": "broker,controller"}).boot()
    keys = [row.api_key for row in answer(kafka, ApiVersionsRequest(), 0, ApiVersionsResponse).api_keys]
    assert keys[-1] == ENVELOPE
    assert keys[:-1] == sorted(keys[:-1])


def test_failed_elections_come_in_the_order_of_a_mutable_map_as_2_3_1_gave_them() -> None:
    kafka = FakeKafka("2.3.1", brokers=3).boot()
    for name in ("a", "c"):
        replicas = {0: [0, 1, 2], 1: [1, 2, 0], 2: [2, 0, 1]}
        kafka._on_loop(partial(cluster_of(kafka).new_topic, name, replicas, {}, with_id=False))
    kafka.stop_broker(1)
    kafka.stop_broker(2)
    asked = [TopicPartitions(topic="a", partitions=[1, 2]), TopicPartitions(topic="c", partitions=[2])]
    request = ElectLeadersRequest(topic_partitions=asked, timeout_ms=10_000)
    results = answer(kafka, request, 0, ElectLeadersResponse).replica_election_results
    assert [(r.topic, [p.partition_id for p in r.partition_result]) for r in results] == [("a", [2, 1]), ("c", [2])]
