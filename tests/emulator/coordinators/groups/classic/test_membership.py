import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, LeaveGroupResponse, MemberIdentity
from fakekafka.wire.apis.sync_group import SyncGroupResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, newest, settled
from tests.support.seeded import partition_of

E = ErrorCode
GENERATIONS = ["0.9.0", "0.10.1", "2.3", "2.8", "3.8", "4.3"]
"""Releases with different coordinators."""


def error_of(synced: SyncGroupResponse | None) -> ErrorCode:
    assert synced is not None
    return ErrorCode(synced.error_code)


def stranger(kafka: FakeKafka, group: str = "g") -> Member:
    member = Member(kafka, group)
    member.id = "stranger"
    member.generation = 1
    return member


# ---- strangers and old generations


@pytest.mark.parametrize("release", GENERATIONS)
def test_clients_that_are_not_members_get_unknown_member_id(release: str) -> None:
    kafka = grouped(release)
    assert [stranger(kafka).heartbeat(), stranger(kafka).leave()] == [E.UNKNOWN_MEMBER_ID, E.UNKNOWN_MEMBER_ID]
    settled(Member(kafka))
    for who in (stranger(kafka), stranger(kafka, "no-group")):
        assert [who.heartbeat(), error_of(who.sync()), who.leave()] == [E.UNKNOWN_MEMBER_ID] * 3


@pytest.mark.parametrize("release", GENERATIONS)
def test_a_wrong_generation_is_an_error(release: str) -> None:
    member = Member(grouped(release))
    settled(member)
    member.generation = 9
    assert [member.heartbeat(), error_of(member.sync())] == [E.ILLEGAL_GENERATION, E.ILLEGAL_GENERATION]


@pytest.mark.parametrize("release", GENERATIONS)
def test_an_empty_group_id_is_an_error(release: str) -> None:
    who = stranger(grouped(release), "")
    expected = E.UNKNOWN_MEMBER_ID if release < "2" else E.INVALID_GROUP_ID
    assert [who.heartbeat(), error_of(who.sync()), who.leave()] == [expected] * 3


@pytest.mark.parametrize(("release", "error"), [("2.3", E.NONE), ("2.8", E.NONE), ("3.0", E.UNKNOWN_MEMBER_ID)])
def test_an_unknown_instance_id_is_an_error_since_3_0(release: str, error: ErrorCode) -> None:
    member = Member(grouped(release))
    settled(member)
    member.instance_id = "unknown"
    assert [member.heartbeat(), error_of(member.sync())] == [error, error]


# ---- SyncGroup


def test_a_member_that_syncs_in_a_stable_group_gets_its_assignment_again() -> None:
    member = Member(grouped())
    settled(member)
    again = member.sync()
    assert again is not None
    assert (again.error_code, again.assignment, again.protocol_name) == (E.NONE, b"0", "range")


def test_a_member_without_an_assignment_by_the_leader_gets_an_empty_one() -> None:
    kafka = grouped()
    leader, forgotten = Member(kafka), Member(kafka)
    settled(leader, forgotten)
    leader.protocols = [("range", b"new")]
    leader.start_joining()
    forgotten.start_joining()
    leader.joined()
    leader.sync({leader: b"all"})
    shared = forgotten.sync()
    assert shared is not None
    assert shared.assignment == b""


def test_a_member_must_name_the_protocol_of_the_group() -> None:
    member = Member(grouped())
    settled(member)
    member.protocol = "other"
    assert error_of(member.sync()) is E.INCONSISTENT_GROUP_PROTOCOL
    member.protocol, member.protocol_type = "range", "connect"
    assert error_of(member.sync()) is E.INCONSISTENT_GROUP_PROTOCOL


def test_a_sync_while_members_join_is_answered_rebalance_in_progress() -> None:
    kafka = grouped()
    one, two = Member(kafka), Member(kafka)
    settled(one)
    two.join()
    assert error_of(one.sync()) is E.REBALANCE_IN_PROGRESS


def test_an_assignment_that_cannot_be_written_causes_another_rebalance() -> None:
    kafka = grouped()
    member = Member(kafka)
    member.join()
    partition = partition_of(kafka, topic="__consumer_offsets")
    partition.min_in_sync = 2
    assert error_of(member.sync({member: b"all"})) is E.COORDINATOR_NOT_AVAILABLE
    assert member.heartbeat() is E.REBALANCE_IN_PROGRESS
    partition.min_in_sync = 1
    member.start_joining()
    assert error_of(member.sync({member: b"all"})) is E.NONE


# ---- Heartbeat


@pytest.mark.parametrize(("release", "error"), [("2.6.0", E.REBALANCE_IN_PROGRESS), ("2.6.1", E.NONE), ("4.3", E.NONE)])
def test_a_heartbeat_before_the_sync_counts_since_2_6_1(release: str, error: ErrorCode) -> None:
    member = Member(grouped(release))
    member.join()
    assert member.heartbeat() is error


@pytest.mark.parametrize(("release", "error"), [("2.2", E.REBALANCE_IN_PROGRESS), ("2.3", E.ILLEGAL_GENERATION)])
def test_a_heartbeat_of_another_generation_before_the_sync_is_an_error(release: str, error: ErrorCode) -> None:
    member = Member(grouped(release))
    member.join()
    member.generation = 9
    assert member.heartbeat() is error


@pytest.mark.parametrize(("release", "error"), [("0.10.0", E.REBALANCE_IN_PROGRESS), ("0.10.1", E.UNKNOWN_MEMBER_ID)])
def test_a_stranger_s_heartbeat_while_members_join_is_refused(release: str, error: ErrorCode) -> None:
    kafka = grouped(release)
    settled(Member(kafka))
    Member(kafka).join()
    assert stranger(kafka).heartbeat() is error


def test_a_heartbeat_while_members_join_keeps_the_session_alive() -> None:
    kafka = grouped()
    one, two = Member(kafka), Member(kafka)
    settled(one)
    two.join()
    for _ in range(3):
        clock_of(kafka).advance(9_000)
        assert one.heartbeat() is E.REBALANCE_IN_PROGRESS


# ---- LeaveGroup


def leave(kafka: FakeKafka, *who: MemberIdentity) -> list[int]:
    request = LeaveGroupRequest(group_id="g", members=list(who))
    return [m.error_code for m in answer(kafka, request, 5, LeaveGroupResponse).members]


def test_several_members_may_leave_at_once_each_with_its_own_error() -> None:
    kafka = grouped()
    one, two = Member(kafka), Member(kafka, instance_id="i")
    settled(one, two)
    asked = [
        MemberIdentity(member_id=one.id),
        MemberIdentity(member_id="", group_instance_id="i"),  # as an administrator requests it
        MemberIdentity(member_id="nobody"),
        MemberIdentity(member_id="", group_instance_id="nobody"),
    ]
    assert leave(kafka, *asked) == [E.NONE, E.NONE, E.UNKNOWN_MEMBER_ID, E.UNKNOWN_MEMBER_ID]
    assert coordinator_of(kafka).classic_groups.groups["g"].members == {}
    assert coordinator_of(kafka).classic_groups.groups["g"].static_ids == {}


def test_an_id_that_was_only_given_out_may_leave() -> None:
    kafka = grouped()
    here, absent, new = Member(kafka), Member(kafka), Member(kafka)
    settled(here)
    absent.start_joining()
    new.join()
    here.start_joining()
    assert absent.leave() is E.NONE
    assert here.joined() is not None  # the group waits for nobody any more


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.0", "4.3"])
def test_an_id_that_was_only_given_out_cannot_leave_as_a_static_member_up_to_2_8(release: str) -> None:
    kafka = grouped(release)
    here, absent, static = Member(kafka), Member(kafka), Member(kafka, instance_id="i")
    settled(here, static)
    absent.start_joining()
    gone, mixed = MemberIdentity(member_id=here.id), MemberIdentity(member_id=absent.id, group_instance_id="j")
    fenced = MemberIdentity(member_id=absent.id, group_instance_id="i")
    version = newest(kafka, ApiKey.LEAVE_GROUP)
    first = answer(kafka, LeaveGroupRequest(group_id="g", members=[fenced]), version, LeaveGroupResponse)
    second = answer(kafka, LeaveGroupRequest(group_id="g", members=[gone, mixed]), version, LeaveGroupResponse)
    group = coordinator_of(kafka).classic_groups.groups["g"]
    assert list(group.members) == [static.id]
    if release < "3":
        assert [m.error_code for m in first.members] == [E.FENCED_INSTANCE_ID]
        assert (second.error_code, second.members) == (E.UNKNOWN_SERVER_ERROR, [])
        assert absent.id in group.pending_ids
    else:
        assert [m.error_code for m in first.members] == [E.NONE]
        assert [m.error_code for m in second.members] == [E.NONE, E.UNKNOWN_MEMBER_ID]


@pytest.mark.parametrize(("release", "told"), [("2.4", E.NONE), ("3.9", E.NONE), ("4.0", E.REBALANCE_IN_PROGRESS)])
def test_an_id_that_was_only_given_out_leaves_with_a_rebalance_since_4_0(release: str, told: ErrorCode) -> None:
    kafka = grouped(release)
    here, absent = Member(kafka), Member(kafka)
    settled(here)
    absent.start_joining()
    assert absent.leave() is E.NONE
    assert here.heartbeat() is told
