"""Members join, stay, move partitions, fail and leave. All expected values were recorded from 3.8.1 to 4.3.1."""

from typing import Any

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.list_groups import ListGroupsRequest, ListGroupsResponse

from tests.support.brokers import answer
from tests.support.consumer_group_clients import ConsumerMember, described, group_of, groups_of, settle
from tests.support.group_clients import clock_of, coordinator_is_there, grouped, newest

PREVIEW: dict[str, Any] = {"group_coordinator_rebalance_protocols": "classic,consumer"}
RELEASES = ["4.0.0", "4.1", "4.3"]


@pytest.mark.parametrize("release", RELEASES)
def test_the_first_member_gets_everything(release: str) -> None:
    member = ConsumerMember(grouped(release, partitions=4))
    assert member.join().heartbeat_interval_ms == 5000
    assert member.partitions == [0, 1, 2, 3]
    assert member.beat().assignment is None


def test_groups_of_4_3_begin_with_epoch_2() -> None:
    assert [ConsumerMember(grouped(r)).join().member_epoch for r in ("4.1", "4.2", "4.3")] == [1, 1, 2]


def test_a_preview_of_the_consumer_protocol_must_be_switched_on() -> None:
    assert ConsumerMember(grouped("3.9"), "").join().error_code == ErrorCode.UNSUPPORTED_VERSION
    assert ConsumerMember(grouped("3.9", **PREVIEW), "").join().error_code == ErrorCode.NONE


def test_a_second_member_gets_its_partitions_when_the_first_one_has_given_them_up() -> None:
    kafka = grouped("4.1", partitions=4)
    a, b = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    assert (b.partitions, described(kafka).group_state) == ([], "Reconciling")
    a.beat()
    assert len(a.partitions) == 2
    b.beat()
    assert b.partitions == []
    a.beat()
    b.beat()
    assert sorted(a.partitions + b.partitions) == [0, 1, 2, 3]
    assert described(kafka).group_state == "Stable"


def test_the_partitions_of_a_member_that_leaves_go_to_the_others() -> None:
    kafka = grouped("4.1", partitions=4)
    a, b = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    settle(a, b)
    assert a.leave().member_epoch == -1
    settle(b)
    assert b.partitions == [0, 1, 2, 3]
    assert a.leave().error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_member_that_is_silent_for_a_session_is_fenced() -> None:
    kafka = grouped("4.1")
    ConsumerMember(kafka).join()
    clock_of(kafka).advance(44_999)
    kafka.connect().expire()
    assert described(kafka).group_state == "Stable"
    clock_of(kafka).advance(1)
    kafka.connect().expire()
    assert described(kafka).group_state == "Empty"


def test_a_member_that_does_not_give_up_partitions_in_time_is_fenced() -> None:
    kafka = grouped("4.1")
    a, b = ConsumerMember(kafka, "a", rebalance_ms=20_000), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    for _ in range(3):
        a.send(a.epoch)
        clock_of(kafka).advance(10_000)
        kafka.connect().expire()
        b.beat()
    assert list(group_of(kafka).members) == ["b"]


def test_the_previous_epoch_is_accepted_from_a_member_with_no_more_than_its_assignment() -> None:
    kafka = grouped("4.1")
    a, b = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    settle(a, b)
    assert (a.epoch, group_of(kafka).members["a"].previous_epoch) == (2, 1)
    assert a.send(1).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert a.send(9).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    a.epoch = 1
    assert a.beat().member_epoch == 2


@pytest.mark.parametrize(("release", "error"), [("4.1", ErrorCode.FENCED_MEMBER_EPOCH), ("4.2", ErrorCode.NONE)])
def test_a_member_that_joins_again_is_accepted_from_4_2_on(release: str, error: ErrorCode) -> None:
    kafka = grouped(release)
    a, b = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    settle(a, b)
    assert a.join().error_code == error


def test_static_members_come_back_under_another_id() -> None:
    kafka = grouped("4.1")
    first = ConsumerMember(kafka, "a", instance_id="i")
    second = ConsumerMember(kafka, "b", instance_id="i")
    first.join()
    assert second.join().error_code == ErrorCode.UNRELEASED_INSTANCE_ID
    assert first.leave(-2).member_epoch == -2
    second.join()
    assert (second.epoch, len(second.partitions)) == (1, 8)
    assert first.beat().error_code == ErrorCode.FENCED_INSTANCE_ID


def test_an_invalid_request_is_refused_with_a_message() -> None:
    kafka = grouped("4.1")
    member = ConsumerMember(kafka)
    said = member.send(-3)
    assert (said.error_code, said.error_message) == (ErrorCode.INVALID_REQUEST, "MemberEpoch is invalid.")
    wrong = ConsumerMember(kafka, assignor="nope").join()
    assert wrong.error_code == ErrorCode.UNSUPPORTED_ASSIGNOR
    assert wrong.error_message == "ServerAssignor nope is not supported. Supported assignors: uniform, range."
    assert member.send(5).error_message == "Consumer group g not found."
    assert not groups_of(kafka).groups


def test_a_full_group_refuses_new_members() -> None:
    kafka = grouped("4.1", group_consumer_max_size=1)
    ConsumerMember(kafka, "a").join()
    assert ConsumerMember(kafka, "b").join().error_code == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_from_4_3_on_the_next_assignment_waits_for_the_assignment_interval() -> None:
    kafka = grouped("4.3", group_consumer_assignment_interval_ms=1000)
    a, b = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    a.join()
    b.join()
    assert described(kafka).group_state == "Assigning"
    clock_of(kafka).advance(1000)
    settle(a, b)
    assert described(kafka).group_state == "Stable"


def test_new_partitions_are_noticed_by_the_next_heartbeat() -> None:
    kafka = grouped("4.1", partitions=2)
    member = ConsumerMember(kafka)
    member.join()
    kafka.create_topic("u")
    assert member.beat().assignment is None
    more = CreatePartitionsRequest(topics=[CreatePartitionsTopic(name="t", count=3, assignments=None)], timeout_ms=1000)
    answer(kafka, more, newest(kafka, ApiKey.CREATE_PARTITIONS), CreatePartitionsResponse)
    member.beat()
    assert (member.epoch, member.partitions) == (2, [0, 1, 2])


def test_a_group_has_its_own_session_timeout() -> None:
    kafka = grouped("4.1")
    groups = groups_of(kafka)
    groups.cluster.settings.groups["g"] = {"consumer.session.timeout.ms": "50000"}
    assert groups.setting("g", "session.timeout.ms") == 50_000
    assert groups.setting("other", "session.timeout.ms") == 45_000


def test_groups_are_listed_with_their_type() -> None:
    kafka = grouped("4.1")
    ConsumerMember(kafka).join()
    request = ListGroupsRequest(states_filter=["STABLE"], types_filter=["Consumer"])
    listed = answer(kafka, request, newest(kafka, ApiKey.LIST_GROUPS), ListGroupsResponse).groups
    assert [(g.group_id, g.protocol_type, g.group_state, g.group_type) for g in listed] == [
        ("g", "consumer", "Stable", "consumer")
    ]


@pytest.mark.parametrize("release", ["3.8", "4.0.0", "4.1", "4.3"])
def test_after_a_restart_a_consumer_group_is_as_it_was(release: str) -> None:
    """4.0 stores topics in full, 4.1 a hash of them, and 4.3 the epochs of partitions."""
    configs: dict[str, dict[str, object]] = {"3.8": PREVIEW, "4.3": {"group_consumer_assignment_interval_ms": 0}}
    kafka = grouped(release, partitions=4, **configs.get(release, {}))
    a, b = ConsumerMember(kafka, "a", assignor="range"), ConsumerMember(kafka, "b", assignor="range")
    a.join()
    b.join()
    settle(a, b)
    before = described(kafka)
    kafka.restart()
    coordinator_is_there(kafka)
    assert described(kafka) == before
    settle(a, b)
    assert sorted(a.partitions + b.partitions) == [0, 1, 2, 3]
