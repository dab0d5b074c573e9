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
from tests.support.streams_group_clients import StreamsMember, described, group_of, groups_of, settle, streaming


@pytest.mark.parametrize(("release", "on"), [("3.9", False), ("4.0", False), ("4.1", False), ("4.2", True)])
def test_streams_groups_are_on_or_off_by_release(release: str, on: bool) -> None:
    assert groups_of(grouped(release)).is_on == on


def test_streams_groups_can_be_switched_off() -> None:
    for kafka in (streaming(group_coordinator_rebalance_protocols="classic,consumer"), streaming()):
        if groups_of(kafka).is_on:
            broker_of(kafka).cluster.settings.features["streams.version"] = 0
        assert StreamsMember(kafka).join().error_code == ErrorCode.UNSUPPORTED_VERSION


def test_the_config_of_a_group_takes_precedence() -> None:
    kafka = streaming()
    broker_of(kafka).cluster.settings.groups["g"] = {"streams.session.timeout.ms": "50000"}
    assert groups_of(kafka).setting("g", "session.timeout.ms") == 50_000
    assert groups_of(kafka).setting("h", "session.timeout.ms") == 45_000


def test_only_existing_groups_are_found() -> None:
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


def test_a_group_with_nothing_left_is_deleted_automatically() -> None:
    kafka = streaming(offsets_retention_check_interval_ms=1000)
    member = StreamsMember(kafka)
    member.join()
    clock_of(kafka).advance(2000)
    assert groups_of(kafka).groups
    member.leave()
    clock_of(kafka).advance(1000)
    assert not groups_of(kafka).groups


def test_offsets_outlive_a_classic_group_that_becomes_a_streams_group() -> None:
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
    assert ConsumerMember(kafka).send(0, rack_id="").error_code == ErrorCode.INVALID_REQUEST  # checked first
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


def test_a_member_that_leaves_frees_its_tasks() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    settle(one, two)
    left = one.leave()
    assert (left.member_epoch, left.status, left.active_tasks) == (-1, [], None)
    assert described(kafka).group_state == "Assigning"
    settle(two)
    assert len(two.tasks) == 4


def test_unknown_members_cannot_leave() -> None:
    kafka = streaming()
    assert StreamsMember(kafka).leave().error_message == "Group g not found."
    StreamsMember(kafka).join()
    stranger = StreamsMember(kafka, "x").leave()
    assert (stranger.error_code, stranger.error_message) == (25, "Member x is not a member of group g.")


def test_silent_members_are_removed() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    settle(one, two)
    clock_of(kafka).advance(44_000)
    one.beat()
    clock_of(kafka).advance(1_001)
    assert list(group_of(kafka).members) == ["one"]
    assert two.beat().error_code == ErrorCode.UNKNOWN_MEMBER_ID
    clock_of(kafka).advance(45_000)
    assert described(kafka).group_state == "Empty"


def test_a_member_that_does_not_give_up_tasks_in_time_is_removed() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    before = one.active
    one.beat()
    assert one.active < before
    clock_of(kafka).advance(1_999)
    assert "one" in group_of(kafka).members
    clock_of(kafka).advance(1)
    assert list(group_of(kafka).members) == ["two"]


def test_a_member_that_gives_up_tasks_in_time_stays() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    one.beat()
    one.beat()
    clock_of(kafka).advance(2_000)
    assert set(group_of(kafka).members) == {"one", "two"}


def test_deadlines_of_members_begin_again_after_a_restart() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    one.beat()
    kafka.restart()
    assert set(group_of(kafka).members) == {"one", "two"}
    clock_of(kafka).advance(2_000)
    assert list(group_of(kafka).members) == ["two"]
    clock_of(kafka).advance(43_001)
    assert not group_of(kafka).members


def test_every_member_is_told_about_a_shutdown_until_the_last_one_has_left() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    one.send(-1, shutdown_application=True)
    (status,) = two.beat().status or []
    assert (status.status_code, "member one encountered a fatal error" in status.status_detail) == (4, True)
    two.leave()
    assert two.join().status == []
