import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, LeaveGroupResponse, MemberIdentity

from tests.support.brokers import answer
from tests.support.group_clients import Member, grouped, settled


@pytest.mark.parametrize("version", range(6))
def test_a_member_can_leave_in_every_version(version: int) -> None:
    member = Member(grouped("3.8"), versions={ApiKey.LEAVE_GROUP: version})
    settled(member)
    assert member.leave() is ErrorCode.NONE
    assert member.leave() is ErrorCode.UNKNOWN_MEMBER_ID


def test_an_error_of_the_group_comes_without_members() -> None:
    kafka = grouped("3.8")
    request = LeaveGroupRequest(group_id="", members=[MemberIdentity(member_id="m")])
    done = answer(kafka, request, 5, LeaveGroupResponse)
    assert (done.error_code, done.members) == (ErrorCode.INVALID_GROUP_ID, [])


def test_each_member_is_answered_as_it_was_named() -> None:
    kafka = grouped("3.8")
    request = LeaveGroupRequest(group_id="g", members=[MemberIdentity(member_id="m", group_instance_id="i")])
    done = answer(kafka, request, 3, LeaveGroupResponse)
    assert done.error_code == ErrorCode.NONE
    assert [(m.member_id, m.group_instance_id, m.error_code) for m in done.members] == [
        ("m", "i", ErrorCode.UNKNOWN_MEMBER_ID)
    ]
