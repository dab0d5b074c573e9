"""The streams groups that a coordinator has."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.administration import delete_groups, listed
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.alter_share_group_offsets import AlterShareGroupOffsetsRequest, AlterShareGroupOffsetsResponse
from fakekafka.wire.apis.share_group_describe import ShareGroupDescribeRequest, ShareGroupDescribeResponse

from tests.support.brokers import answer
from tests.support.consumer_group_clients import ConsumerMember
from tests.support.consumer_group_clients import described as consumer_group
from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, newest
from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember
from tests.support.streams_group_clients import StreamsMember, group_of, groups_of, streaming


@pytest.mark.parametrize(("release", "on"), [("3.9", False), ("4.0", False), ("4.1", False), ("4.2", True)])
def test_what_switches_them_on(release: str, on: bool) -> None:
    assert groups_of(grouped(release)).is_on == on


def test_switched_off_there_are_none() -> None:
    for kafka in (streaming(group_coordinator_rebalance_protocols="classic,consumer"), streaming()):
        if groups_of(kafka).is_on:
            broker_of(kafka).cluster.settings.features["streams.version"] = 0
        assert StreamsMember(kafka).join().error_code == ErrorCode.UNSUPPORTED_VERSION


def test_a_groups_own_config_counts() -> None:
    kafka = streaming()
    broker_of(kafka).cluster.settings.groups["g"] = {"streams.session.timeout.ms": "50000"}
    assert groups_of(kafka).setting("g", "session.timeout.ms") == 50_000
    assert groups_of(kafka).setting("h", "session.timeout.ms") == 45_000


def test_only_groups_that_are_there_are_found() -> None:
    kafka = streaming()
    with pytest.raises(ApiError, match="Group g not found"):
        groups_of(kafka).require("g")
    StreamsMember(kafka).join()
    assert groups_of(kafka).require("g") is group_of(kafka)


def kinds(kafka: FakeKafka, *states: str) -> list[tuple[str, str]]:
    return [(group.kind, group.state) for group in listed(coordinator_of(kafka), states, ())]


def test_groups_are_listed_by_state() -> None:
    kafka = streaming()
    StreamsMember(kafka).join()
    assert kinds(kafka) == kinds(kafka, "stable") == [("streams", "Stable")]
    kafka.delete_topic("t")
    StreamsMember(kafka, "n").join()
    assert kinds(kafka, "not_ready") == [("streams", "NotReady")]
    assert kinds(kafka, "NotReady") == []


def test_only_an_empty_group_is_deleted() -> None:
    kafka = streaming()
    member = StreamsMember(kafka)
    member.join()
    assert delete_groups(coordinator_of(kafka), ["g"]) == [ErrorCode.NON_EMPTY_GROUP]
    member.leave()
    assert delete_groups(coordinator_of(kafka), ["g", "g2"]) == [ErrorCode.NONE, ErrorCode.GROUP_ID_NOT_FOUND]
    kafka.restart()
    assert not groups_of(kafka).groups


def test_a_group_with_nothing_left_goes_by_itself() -> None:
    kafka = streaming(offsets_retention_check_interval_ms=1000)
    member = StreamsMember(kafka)
    member.join()
    clock_of(kafka).advance(2000)
    assert groups_of(kafka).groups
    member.leave()
    clock_of(kafka).advance(1000)
    assert not groups_of(kafka).groups


def test_offsets_outlive_a_classic_group_that_gives_its_name() -> None:
    kafka = streaming()
    classic = Member(kafka)
    classic.join()
    classic.sync({classic: b""})
    classic.commit(5)
    assert StreamsMember(kafka).join().error_message == "Group g is not a streams group."
    classic.leave()
    assert StreamsMember(kafka).join().error_code == ErrorCode.NONE
    assert classic.fetch(0) == [5]
    kafka.restart()
    assert list(group_of(kafka).members) == ["m"]
    assert classic.fetch(0) == [5]
    assert not coordinator_of(kafka).classic_groups.groups


def test_no_other_kind_of_group_has_its_name() -> None:
    kafka = streaming()
    member = StreamsMember(kafka)
    member.join()
    assert ConsumerMember(kafka).join().error_message == "Group g is not a consumer group."
    assert ConsumerMember(kafka).send(0, rack_id="").error_code == ErrorCode.INVALID_REQUEST  # looked at first
    assert ShareMember(kafka).send(0, ["t"]).error_message == "Group g is not a share group."
    altering = AlterShareGroupOffsetsRequest(group_id="g", topics=[])
    version = newest(kafka, ApiKey.ALTER_SHARE_GROUP_OFFSETS)
    altered = answer(kafka, altering, version, AlterShareGroupOffsetsResponse)
    assert altered.error_message == "Group g is not a share group."
    assert consumer_group(kafka).error_message == "Group g is not a consumer group."
    asked = ShareGroupDescribeRequest(group_ids=["g"])
    (found,) = answer(kafka, asked, 1, ShareGroupDescribeResponse).groups
    assert (found.error_code, found.error_message) == (69, "Group g is not a share group.")
    classic = Member(kafka).join()
    assert classic is not None
    assert classic.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    member.leave()
    classic = Member(kafka).join()
    assert classic is not None
    assert classic.error_code == ErrorCode.NONE
    assert not groups_of(kafka).groups
