import re

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.join_group import JoinGroupResponse

from tests.support.group_clients import SMALL, Member, clock_of, coordinator_of, grouped, settled
from tests.support.seeded import partition_of

E = ErrorCode
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def error_of(joined: JoinGroupResponse | None) -> ErrorCode:
    assert joined is not None
    return ErrorCode(joined.error_code)


def of_version(version: int) -> dict[ApiKey, int]:
    return {ApiKey.JOIN_GROUP: version}


# ---- ids


def test_a_member_id_begins_with_the_client_id() -> None:
    member = Member(grouped())
    member.join()
    assert re.fullmatch(f"test-{UUID}", member.id)


def test_a_static_member_id_begins_with_the_instance_id() -> None:
    member = Member(grouped(), instance_id="instance")
    member.join()
    assert re.fullmatch(f"instance-{UUID}", member.id)


def test_member_ids_are_the_same_in_every_run() -> None:
    ids = []
    for _ in range(2):
        member = Member(grouped())
        member.join()
        ids.append(member.id)
    assert ids[0] == ids[1]


@pytest.mark.parametrize(("release", "version", "required"), [("2.2", 3, False), ("2.2", 4, True), ("4.3", 9, True)])
def test_a_new_member_gets_its_id_first_since_version_4(release: str, version: int, required: bool) -> None:
    member = Member(grouped(release), versions=of_version(version))
    assert (error_of(member.start_joining()) is E.MEMBER_ID_REQUIRED) == required
    if required:
        assert error_of(member.start_joining()) is E.NONE


def test_a_static_member_needs_no_id_first() -> None:
    assert error_of(Member(grouped(), instance_id="i").start_joining()) is E.NONE


# ---- refusals


@pytest.mark.parametrize("release", ["0.9.0", "2.3", "4.3"])
def test_invalid_requests_are_refused_before_the_group_is_examined(release: str) -> None:
    kafka = grouped(release)
    assert error_of(Member(kafka, group="").start_joining()) is E.INVALID_GROUP_ID
    assert error_of(Member(kafka, session_ms=5_999).start_joining()) is E.INVALID_SESSION_TIMEOUT
    assert error_of(Member(kafka, session_ms=10**9).start_joining()) is E.INVALID_SESSION_TIMEOUT
    stranger = Member(kafka)
    stranger.id = "stranger"
    assert error_of(stranger.start_joining()) is E.UNKNOWN_MEMBER_ID
    assert coordinator_of(kafka).classic_groups.groups == {}


@pytest.mark.parametrize("release", ["0.9.0", "2.1", "4.3"])
def test_a_member_without_a_common_protocol_is_refused(release: str) -> None:
    kafka = grouped(release)
    settled(Member(kafka))
    assert error_of(Member(kafka, protocols=[("other", b"")]).start_joining()) is E.INCONSISTENT_GROUP_PROTOCOL
    assert error_of(Member(kafka, protocol_type="connect").start_joining()) is E.INCONSISTENT_GROUP_PROTOCOL


def test_a_member_that_no_longer_speaks_the_common_protocol_is_refused() -> None:
    kafka = grouped()
    one, two = Member(kafka), Member(kafka)
    settled(one, two)
    one.protocols = [("other", b"")]
    assert error_of(one.start_joining()) is E.INCONSISTENT_GROUP_PROTOCOL


@pytest.mark.parametrize("release", ["0.9.0", "0.10.2", "0.11.0", "1.0", "4.3"])
def test_a_member_without_protocols_is_refused_or_never_answered(release: str) -> None:
    kafka = grouped(release)
    joined = Member(kafka, protocols=[]).start_joining()
    if release == "0.11.0":
        assert joined is None
    else:
        expected = E.UNKNOWN_SERVER_ERROR if release < "1" else E.INCONSISTENT_GROUP_PROTOCOL
        assert error_of(joined) is expected


@pytest.mark.parametrize(("release", "taken"), [("0.9.0", True), ("0.10.1", True), ("1.0", False), ("4.3", False)])
def test_an_empty_protocol_type_becomes_that_of_the_group_where_it_is_accepted(release: str, taken: bool) -> None:
    kafka = grouped(release)
    first = error_of(Member(kafka, protocol_type="").join())
    assert first is (E.NONE if taken else E.INCONSISTENT_GROUP_PROTOCOL)
    assert error_of(Member(kafka).join()) is (E.INCONSISTENT_GROUP_PROTOCOL if taken else E.NONE)


@pytest.mark.parametrize(("release", "generation"), [("2.1", 0), ("2.2", -1), ("4.3", -1)])
def test_a_refused_join_has_generation_0_or_minus_1(release: str, generation: int) -> None:
    joined = Member(grouped(release), group="").start_joining()
    assert joined is not None
    assert joined.generation_id == generation


# ---- group.max.size


@pytest.mark.parametrize("release", ["2.2", "2.5", "2.6", "4.3"])
def test_a_group_takes_no_more_members_than_it_may(release: str) -> None:
    kafka = grouped(release, group_max_size=1)
    settled(Member(kafka))
    assert error_of(Member(kafka).join()) is E.GROUP_MAX_SIZE_REACHED


def test_a_full_group_lets_its_members_join_again() -> None:
    kafka = grouped("3.8", group_max_size=2)
    one, two, three = Member(kafka), Member(kafka), Member(kafka)
    settled(one)
    assert two.join() is None
    assert error_of(one.start_joining()) is E.NONE
    assert two.joined() is not None
    assert error_of(three.join()) is E.GROUP_MAX_SIZE_REACHED
    one.protocols = [("range", b"new")]
    assert one.start_joining() is None
    assert error_of(two.start_joining()) is E.NONE


def test_up_to_2_1_groups_have_no_limit() -> None:
    kafka = grouped("2.1")
    settled(*(Member(kafka) for _ in range(5)))
    assert len(coordinator_of(kafka).classic_groups.groups["g"].members) == 5


@pytest.mark.parametrize("release", ["2.2", "3.8"])
def test_a_group_that_is_too_large_when_it_is_loaded_sheds_members(release: str) -> None:
    kafka = grouped(release)
    members = [Member(kafka) for _ in range(3)]
    settled(*members)
    kafka.restart(config=SMALL | {"group.max.size": 2})
    for member in members:
        member.reconnect()
    answers = [member.start_joining() for member in members]
    errors = [member.joined() if found is None else found for member, found in zip(members, answers)]
    assert sum(error_of(found) is E.GROUP_MAX_SIZE_REACHED for found in errors) == 1


# ---- joining again


def test_a_follower_that_joins_again_changes_nothing() -> None:
    kafka = grouped()
    leader, follower = Member(kafka), Member(kafka)
    settled(leader, follower)
    joined = follower.start_joining()
    assert joined is not None
    assert (joined.generation_id, joined.leader) == (2, leader.id)
    assert leader.heartbeat() is E.NONE


@pytest.mark.parametrize("who", ["leader", "follower with news"])
def test_a_rejoining_leader_or_changed_member_causes_a_rebalance(who: str) -> None:
    kafka = grouped()
    leader, follower = Member(kafka), Member(kafka)
    settled(leader, follower)
    one, other = (leader, follower) if who == "leader" else (follower, leader)
    if who != "leader":
        follower.protocols = [("range", b"more topics")]
    assert one.start_joining() is None
    assert other.heartbeat() is E.REBALANCE_IN_PROGRESS
    assert error_of(other.start_joining()) is E.NONE
    assert one.joined() is not None
    assert one.generation == other.generation == 3


def test_a_member_that_missed_the_answer_gets_it_again_before_the_sync() -> None:
    kafka = grouped()
    member = Member(kafka)
    member.join()
    joined = member.start_joining()
    assert joined is not None
    assert joined.generation_id == 1


@pytest.mark.parametrize(("release", "changed"), [("3.3.1", False), ("3.3.2", True), ("4.3", True)])
def test_timeouts_change_with_a_later_join_since_3_3_2(release: str, changed: bool) -> None:
    kafka = grouped(release)
    member = Member(kafka, session_ms=10_000)
    settled(member)
    member.session_ms = 20_000
    member.start_joining()
    member.sync({member: b""})
    clock_of(kafka).advance(15_000)
    assert (member.heartbeat() is E.NONE) == changed


# ---- static members


def static_pair(release: str) -> tuple[FakeKafka, Member, Member]:
    """A settled static member, and the process that replaces it."""
    kafka = grouped(release)
    old, new = Member(kafka, instance_id="i"), Member(kafka, instance_id="i")
    settled(old)
    return kafka, old, new


@pytest.mark.parametrize("release", ["2.3", "2.6", "3.0", "4.3"])
def test_a_static_member_that_comes_back_causes_no_rebalance(release: str) -> None:
    _, old, new = static_pair(release)
    joined = new.join()
    assert joined is not None
    assert (joined.error_code, joined.generation_id) == (E.NONE, 1)
    assert new.id != old.id
    shared = new.sync()
    assert shared is not None
    assert (shared.error_code, shared.assignment) == (E.NONE, b"0")
    assert new.heartbeat() is E.NONE


@pytest.mark.parametrize("release", ["2.3", "3.8", "4.3"])
def test_the_process_that_was_replaced_is_fenced(release: str) -> None:
    _, old, new = static_pair(release)
    new.join()
    assert old.heartbeat() is E.FENCED_INSTANCE_ID
    assert error_of(old.start_joining()) is E.FENCED_INSTANCE_ID
    assert old.commit(1) == [E.FENCED_INSTANCE_ID]
    if release != "2.3":  # that release has no LeaveGroup that names the instance
        assert old.leave() is E.FENCED_INSTANCE_ID


def test_a_static_leader_that_comes_back_skips_the_assignment_since_version_9() -> None:
    _, _, new = static_pair("3.8")
    joined = new.join()
    assert joined is not None
    assert joined.skip_assignment
    assert joined.leader == new.id
    assert [m.member_id for m in joined.members] == [new.id]


def test_before_version_9_a_static_leader_that_comes_back_is_told_that_its_old_id_leads() -> None:
    kafka = grouped("3.8")
    versions = {ApiKey.JOIN_GROUP: 5}
    old, new = (Member(kafka, instance_id="i", versions=versions) for _ in range(2))
    settled(old)
    joined = new.join()
    assert joined is not None
    assert (joined.leader, joined.members) == (old.id, [])


@pytest.mark.parametrize(("release", "rebalances"), [("2.6.0", False), ("2.6.1", True), ("4.3", True)])
def test_a_static_member_that_comes_back_with_another_vote_causes_a_rebalance_since_2_6_1(
    release: str, rebalances: bool
) -> None:
    kafka = grouped(release)
    old = Member(kafka, instance_id="i", protocols=[("range", b""), ("sticky", b"")])
    settled(old)
    new = Member(kafka, instance_id="i", protocols=[("sticky", b""), ("range", b"")])
    joined = new.join()
    assert joined is not None
    assert (joined.generation_id == 2) == rebalances


@pytest.mark.parametrize(("release", "rebalances"), [("2.4", False), ("2.5", True), ("4.3", True)])
def test_a_static_member_that_comes_back_before_the_sync_causes_a_rebalance_or_not(
    release: str, rebalances: bool
) -> None:
    kafka = grouped(release)
    old, new = Member(kafka, instance_id="i"), Member(kafka, instance_id="i")
    old.join()
    joined = new.join()
    assert joined is not None
    assert (joined.generation_id == 2) == rebalances


def test_a_static_member_that_comes_back_while_members_join_completes_the_rebalance() -> None:
    kafka, _, new = static_pair("3.8")
    other = Member(kafka)
    assert other.join() is None
    assert error_of(new.join()) is E.NONE
    assert other.joined() is not None


@pytest.mark.parametrize("release", ["2.3", "3.8"])
def test_a_static_member_with_the_wrong_member_id_is_refused(release: str) -> None:
    kafka, old, _ = static_pair(release)
    thief = Member(kafka, instance_id="i")
    thief.id = "another"
    assert error_of(thief.start_joining()) is E.FENCED_INSTANCE_ID
    stranger = Member(kafka, instance_id="j")
    stranger.id = old.id
    assert error_of(stranger.start_joining()) is E.UNKNOWN_MEMBER_ID


def test_a_static_member_cannot_join_with_an_id_that_was_only_given_out() -> None:
    kafka = grouped()
    member = Member(kafka)
    member.start_joining()
    member.instance_id = "i"
    refused = member.start_joining()
    assert refused is not None
    assert (refused.error_code, refused.member_id) == (E.UNKNOWN_SERVER_ERROR, "")


@pytest.mark.parametrize(("protocol", "error"), [("2.2", E.UNSUPPORTED_VERSION), ("2.3", E.NONE)])
def test_static_members_need_the_inter_broker_protocol_of_2_3(protocol: str, error: ErrorCode) -> None:
    kafka = grouped("2.8", inter_broker_protocol_version=protocol)
    member = Member(kafka, instance_id="i")
    assert error_of(member.join()) is error
    if error is not E.NONE:
        refused = member.sync()
        assert refused is not None
        assert (refused.error_code, member.heartbeat(), member.commit(1)) == (error, error, [error])


def test_a_static_member_s_return_that_cannot_be_written_is_an_error() -> None:
    kafka, _, new = static_pair("3.8")
    partition_of(kafka, topic="__consumer_offsets").min_in_sync = 2
    assert error_of(new.join()) is E.COORDINATOR_NOT_AVAILABLE


# ---- a new group that waits for more members


@pytest.mark.parametrize(
    ("protocols", "kind", "error"),
    [
        ((("sticky", b""),), "consumer", E.MEMBER_ID_REQUIRED),
        ((), "consumer", E.INCONSISTENT_GROUP_PROTOCOL),
        ((("range", b""),), "connect", E.INCONSISTENT_GROUP_PROTOCOL),
    ],
)
@pytest.mark.parametrize("release", ["2.3", "3.9", "4.3"])
def test_when_all_members_of_a_waiting_group_have_left_the_next_one_may_have_any_protocol_of_its_type(
    release: str, protocols: tuple[tuple[str, bytes], ...], kind: str, error: ErrorCode
) -> None:
    kafka = grouped(release, group_initial_rebalance_delay_ms=3000)
    first = Member(kafka)
    assert first.join() is None
    other_connection = Member(kafka)
    other_connection.id = first.id
    other_connection.leave()
    second = Member(kafka, protocols=protocols, protocol_type=kind)
    assert error_of(second.start_joining()) is error
