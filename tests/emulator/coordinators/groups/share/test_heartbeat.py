"""Members of share groups come, stay and go."""

import pytest
from fakekafka.errors import ErrorCode

from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, clock_of
from tests.support.share_group_clients import ShareMember, group_of, groups_of, shared, state_of

every_release = pytest.mark.parametrize("release", ["4.1", "4.2", "4.3"])


@every_release
def test_the_second_heartbeat_assigns_partitions_that_the_first_had_initialized(release: str) -> None:
    member = ShareMember(shared(release))
    first = member.send(0, ["t"])
    assert first.assignment is not None
    assert first.assignment.topic_partitions == []
    assert state_of(member.kafka).start == -1
    second = member.send(member.epoch)
    assert second.member_epoch == first.member_epoch + 1
    assert list(member.assigned.values()) == [[0]]
    assert member.send(member.epoch).assignment is None


def test_members_share_partitions() -> None:
    kafka = shared()
    one, two = ShareMember(kafka, "one"), ShareMember(kafka, "two")
    one.join()
    two.join()
    assert one.assigned == two.assigned
    assert group_of(kafka).state == "Stable"


def test_a_member_with_a_wrong_epoch_must_join_again() -> None:
    member = ShareMember(shared())
    member.join()
    assert member.send(99).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert member.send(1).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert ShareMember(member.kafka, "nobody").send(1).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert ShareMember(member.kafka, group="other").send(-1).error_code == ErrorCode.GROUP_ID_NOT_FOUND


def test_members_leave_or_are_removed_after_their_session() -> None:
    kafka = shared()
    one, two = ShareMember(kafka, "one"), ShareMember(kafka, "two")
    one.join()
    two.join()
    one.send(-1)
    assert list(group_of(kafka).members) == ["two"]
    clock_of(kafka).advance(45_001)
    assert not group_of(kafka).members


def test_a_group_has_room_for_a_limited_number_of_members() -> None:
    kafka = shared(group_share_max_size=1)
    ShareMember(kafka, "one").join()
    assert ShareMember(kafka, "two").send(0, ["t"]).error_code == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_share_groups_can_be_switched_off() -> None:
    kafka = shared("4.1")
    groups_of(kafka).cluster.settings.features["share.version"] = 0
    assert ShareMember(kafka).send(0, ["t"]).error_code == ErrorCode.UNSUPPORTED_VERSION


def test_a_share_group_comes_back_after_a_restart() -> None:
    kafka = shared(records=3)
    member = ShareMember(kafka)
    member.join()
    member.got()
    member.says((0, 0, [1]))
    kafka.restart()
    assert list(group_of(kafka).members) == ["m"]
    assert state_of(kafka).start == 0
    member.session_epoch = 0
    assert member.got() == [(1, 2, 1)]


def test_no_other_kind_of_group_has_its_name() -> None:
    member = ShareMember(shared())
    member.join()
    assert ConsumerMember(member.kafka).join().error_message == "Group g is not a consumer group."
    classic = Member(member.kafka).join()
    assert classic is not None
    assert classic.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    ConsumerMember(member.kafka, group="c").join()
    refused = ShareMember(member.kafka, group="c").send(0, ["t"])
    assert (refused.error_code, refused.error_message) == (69, "Group c is not a share group.")
