"""The quorum's epoch and its voters (KIP-595, KIP-853). What single requests answer is recorded: kraft_version."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import BrokerId
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.describe_quorum import (
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    PartitionData,
    ResponsePartitionData,
    TopicData,
)
from fakekafka.wire.apis.remove_raft_voter import RemoveRaftVoterRequest, RemoveRaftVoterResponse
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest, UpdateFeaturesResponse

from tests.support.brokers import answer
from tests.support.clusters import cluster_of

FOLLOWS, IGNORES, FINALIZES = "4.1", "4.0", "3.9"
"""Releases by what an update of kraft.version changes."""


def quorum(kafka: FakeKafka, node_id: BrokerId = 0) -> ResponsePartitionData:
    """The quorum as a broker describes it."""
    topic = TopicData(topic_name="__cluster_metadata", partitions=[PartitionData(partition_index=0)])
    response = answer(kafka, DescribeQuorumRequest(topics=[topic]), 2, DescribeQuorumResponse, node_id)
    (partition,) = response.topics[0].partitions
    return partition


def update(kafka: FakeKafka, *levels: tuple[str, int]) -> UpdateFeaturesResponse:
    """Raise features to these levels."""
    updates = [FeatureUpdateKey(feature=name, max_version_level=level, upgrade_type=1) for name, level in levels]
    return answer(kafka, UpdateFeaturesRequest(timeout_ms=1000, feature_updates=updates), 1, UpdateFeaturesResponse)


def features_epoch(kafka: FakeKafka) -> int:
    request = ApiVersionsRequest(client_software_name="x", client_software_version="1")
    return answer(kafka, request, 4, ApiVersionsResponse).finalized_features_epoch


def refusal_of_removal(kafka: FakeKafka) -> str | None:
    """Why voter 9 is not removed."""
    request = RemoveRaftVoterRequest(cluster_id=None, voter_id=9, voter_directory_id=bytes(16))
    return answer(kafka, request, 0, RemoveRaftVoterResponse).error_message


@pytest.mark.parametrize("brokers", [1, 3])
def test_the_quorum_begins_an_epoch_with_each_start(brokers: int) -> None:
    kafka = FakeKafka("4.1", brokers=brokers).boot()
    assert quorum(kafka).leader_epoch == 1
    kafka.stop()
    kafka.boot()
    assert quorum(kafka).leader_epoch == 2
    kafka.stop(crash=True)
    kafka.boot()
    assert quorum(kafka).leader_epoch == 3
    kafka.stop()


def test_the_quorum_begins_an_epoch_when_another_node_becomes_the_controller() -> None:
    with FakeKafka("4.1", brokers=3).boot() as kafka:
        kafka.stop_broker(1)
        assert (quorum(kafka, 2).leader_epoch, quorum(kafka, 2).leader_id) == (1, 0)
        kafka.stop_broker(0)
        assert (quorum(kafka, 2).leader_epoch, quorum(kafka, 2).leader_id) == (2, 2)
        kafka.start_broker(0)
        assert (quorum(kafka).leader_epoch, quorum(kafka).leader_id) == (2, 2)


def test_the_quorum_begins_an_epoch_when_its_only_node_returns() -> None:
    with FakeKafka("4.1").boot() as kafka:
        kafka.stop_broker(0)
        kafka.start_broker(0)
        assert quorum(kafka).leader_epoch == 2


def test_the_epoch_of_the_quorum_and_its_level_are_kept_beside_the_logs(tmp_path: Path) -> None:
    kafka = FakeKafka(FOLLOWS, log_dir=tmp_path).boot()
    assert update(kafka, ("kraft.version", 1)).error_code == 0
    kafka.stop()
    with FakeKafka(FOLLOWS, log_dir=tmp_path).boot() as again:
        assert quorum(again).leader_epoch == 2
        (voter,) = quorum(again).current_voters
        assert voter.replica_directory_id != bytes(16)
        assert (refusal_of_removal(again) or "").startswith("Cannot remove voter ReplicaKey(id=9, ")


def test_the_epoch_of_the_features_grows_with_their_levels(tmp_path: Path) -> None:
    """Clients in Java heed the features of an ApiVersions answer only if its epoch is higher than any before."""
    kafka = FakeKafka(FOLLOWS, log_dir=tmp_path).boot()
    assert (features_epoch(kafka), quorum(kafka).high_watermark) == (1, 1)
    update(kafka, ("metadata.version", 99))
    assert features_epoch(kafka) == 1
    update(kafka, ("kraft.version", 1))
    assert (features_epoch(kafka), quorum(kafka).high_watermark) == (2, 2)
    kafka.stop()
    with FakeKafka(FOLLOWS, log_dir=tmp_path).boot() as again:
        assert features_epoch(again) == 2


def test_voters_are_known_by_the_directory_of_the_quorums_log(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    config = {"log.dirs": ",".join(map(str, folders)), "metadata.log.dir": str(folders[1])}
    with FakeKafka(FOLLOWS, config=config, features={"kraft.version": 1}).boot() as kafka:
        (voter,) = quorum(kafka).current_voters
        a, b = cluster_of(kafka).brokers[0].log_dirs.all
        roots = cluster_of(kafka).brokers[0].logs.roots
        assert voter.replica_directory_id == roots.of(b).directory_id != roots.of(a).directory_id


@pytest.mark.parametrize("release", [FINALIZES, IGNORES, FOLLOWS])
def test_a_quorum_that_was_formed_with_the_level_acts_by_it(release: str) -> None:
    with FakeKafka(release, features={"kraft.version": 1}).boot() as kafka:
        assert (refusal_of_removal(kafka) or "").startswith("Cannot remove voter ReplicaKey(id=9, ")


@pytest.mark.parametrize("release", [FINALIZES, IGNORES])
def test_a_quorum_keeps_its_level_where_an_update_does_not_reach_it(release: str) -> None:
    with FakeKafka(release).boot() as kafka:
        assert update(kafka, ("kraft.version", 1)).error_code == 0
        assert refusal_of_removal(kafka) == (
            "Cluster doesn't support removing voter because the kraft.version feature is 0"
        )


def test_the_refused_feature_that_a_hash_map_has_first_is_the_one_that_is_named() -> None:
    with FakeKafka("4.3").boot() as kafka:
        for order in (("metadata.version", "kraft.version"), ("kraft.version", "metadata.version")):
            words = update(kafka, *((name, 99) for name in order)).error_message or ""
            assert "for feature kraft.version" in words


def test_of_two_updates_of_a_feature_the_last_one_counts() -> None:
    with FakeKafka(FOLLOWS).boot() as kafka:
        response = update(kafka, ("kraft.version", 99), ("kraft.version", 1))
        assert (response.error_code, [result.feature for result in response.results]) == (0, ["kraft.version"])


def test_an_upgrade_leaves_kraft_version_alone() -> None:
    with FakeKafka(FOLLOWS).boot() as kafka:
        update(kafka, ("kraft.version", 1))
        for step in kafka.upgrade(to="4.2"):
            step.apply()
        assert cluster_of(kafka).settings.features["kraft.version"] == 1
        assert update(kafka, ("kraft.version", 0)).error_code == 95


def test_a_node_that_has_left_still_votes_as_in_3_9_1_and_4_3_1() -> None:
    """What it last asked for is remembered until another node leads."""
    clock = ManualClock(1_000_000)
    kafka = FakeKafka("3.9", brokers=3, clock=clock).boot()
    before = quorum(kafka).high_watermark
    kafka.stop_broker(2)
    clock.advance(60_000)
    assert _seen(kafka) == {0: (before, 1_060_000), 1: (before, 1_060_000), 2: (before, 1_000_000)}
    kafka.stop_broker(0)
    left = quorum(kafka, 1)
    assert (left.leader_id, left.leader_epoch) == (1, 2)
    assert _seen(kafka, 1) == {0: (-1, -1), 1: (before, 1_060_000), 2: (-1, -1)}


def _seen(kafka: FakeKafka, node_id: BrokerId = 0) -> dict[BrokerId, tuple[int, int]]:
    voters = quorum(kafka, node_id).current_voters
    return {voter.replica_id: (voter.log_end_offset, voter.last_fetch_timestamp) for voter in voters}
