import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey

from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, settled

OLD = ["0.9.0", "0.10.0"]
GENERATIONS = ["0.9.0", "0.10.1", "0.11.0", "2.3", "2.8", "3.8", "4.3"]
"""Releases with different coordinators."""


@pytest.mark.parametrize("release", GENERATIONS)
def test_the_first_member_leads_and_everybody_gets_an_assignment(release: str) -> None:
    kafka = grouped(release)
    one, two = Member(kafka), Member(kafka)
    first = one.join()
    assert first is not None
    assert (first.generation_id, first.leader, [m.member_id for m in first.members]) == (1, one.id, [one.id])
    assert two.join() is None  # everybody has to join again
    assert one.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    again = one.start_joining()
    joined = two.joined()
    assert again is not None
    assert joined is not None
    assert (again.generation_id, again.leader) == (joined.generation_id, joined.leader) == (2, one.id)
    assert {m.member_id for m in again.members} == {one.id, two.id}
    assert joined.members == []
    assert two.sync() is None  # the leader has not assigned yet
    handed_in = one.sync({one: b"1", two: b"2"})
    shared = two.synced()
    assert handed_in is not None
    assert shared is not None
    assert (handed_in.assignment, shared.assignment) == (b"1", b"2")
    assert [one.heartbeat(), two.heartbeat()] == [ErrorCode.NONE, ErrorCode.NONE]


@pytest.mark.parametrize("release", GENERATIONS)
def test_a_member_that_is_silent_for_its_session_is_removed(release: str) -> None:
    kafka = grouped(release)
    silent, other = Member(kafka), Member(kafka, session_ms=20_000)
    settled(silent, other)
    clock_of(kafka).advance(9_000)
    assert other.heartbeat() is ErrorCode.NONE
    clock_of(kafka).advance(1_000)
    assert other.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    joined = other.start_joining()
    assert joined is not None
    assert [m.member_id for m in joined.members] == [other.id]
    assert silent.heartbeat() in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.REBALANCE_IN_PROGRESS)


@pytest.mark.parametrize("rebalance_ms", [0, -1])
@pytest.mark.parametrize("release", ["2.3", "2.7"])
def test_a_static_member_that_asks_for_no_time_to_rejoin_keeps_the_broker_from_nothing(
    release: str, rebalance_ms: int
) -> None:
    """It stays until its session ends, while the rebalance waits for it a millisecond at a time. Later releases remove
    it, because it does not send SyncGroup in time (KAFKA-12890).
    """
    kafka = grouped(release)
    silent = Member(kafka, instance_id="i", rebalance_ms=rebalance_ms)
    other = Member(kafka, rebalance_ms=rebalance_ms)
    silent.join()
    if other.join() is None:
        clock_of(kafka).advance(1)
        assert other.joined() is not None
    other.leave()
    clock_of(kafka).advance(5)
    group = coordinator_of(kafka).classic_groups.find("g")
    assert group is not None
    assert silent.id in group.members
    clock_of(kafka).advance(10_000)
    assert not group.members


@pytest.mark.parametrize(("release", "stays"), [("2.3", False), ("2.4.0", False), ("2.4.1", True), ("2.5", False)])
def test_a_new_member_that_never_syncs_stays_in_2_4_1(release: str, stays: bool) -> None:
    """KAFKA-9232, KAFKA-9752; 2.4.1 group_classic: "session2000"."""
    kafka = grouped(release)
    silent = Member(kafka)
    silent.join()
    clock_of(kafka).advance(10_000)
    group = coordinator_of(kafka).classic_groups.find("g")
    assert group is not None
    assert (silent.id in group.members) == stays
    if stays:
        silent.sync({silent: b""})
        clock_of(kafka).advance(10_000)
        assert silent.id not in group.members


@pytest.mark.parametrize("release", GENERATIONS)
def test_heartbeats_keep_a_session_alive(release: str) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    for _ in range(5):
        clock_of(kafka).advance(9_999)
        assert member.heartbeat() is ErrorCode.NONE


@pytest.mark.parametrize("release", ["0.10.1", "2.3", "4.3"])
def test_a_member_that_does_not_join_again_in_time_is_removed(release: str) -> None:
    kafka = grouped(release)
    versions = {ApiKey.JOIN_GROUP: 1 if release != "4.3" else 9}
    late = Member(kafka, session_ms=30_000, rebalance_ms=12_000, versions=versions)
    settled(late)
    new = Member(kafka, session_ms=30_000, rebalance_ms=12_000, versions=versions)
    assert new.join() is None
    clock_of(kafka).advance(11_999)
    assert late.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    assert new.joined() is None
    clock_of(kafka).advance(1)
    joined = new.joined()
    assert joined is not None
    assert (joined.leader, [m.member_id for m in joined.members]) == (new.id, [new.id])


def test_up_to_0_10_0_the_session_timeout_is_how_long_a_rebalance_waits() -> None:
    kafka = grouped("0.10.0")
    settled(Member(kafka, session_ms=8_000))
    new = Member(kafka, session_ms=20_000)
    assert new.join() is None
    clock_of(kafka).advance(8_000)
    assert new.joined() is not None  # the other one's session ended first


@pytest.mark.parametrize("release", ["0.11.0", "3.8", "4.3"])
def test_a_new_group_may_wait_for_more_members(release: str) -> None:
    kafka = grouped(release, group_initial_rebalance_delay_ms=3_000)
    one, two = Member(kafka), Member(kafka)
    assert one.join() is None
    clock_of(kafka).advance(2_000)
    assert two.join() is None
    clock_of(kafka).advance(1_000)  # the delay is prolonged, as another member has joined
    assert one.joined() is None
    clock_of(kafka).advance(3_000)
    first, second = one.joined(), two.joined()
    assert first is not None
    assert second is not None
    assert first.generation_id == second.generation_id == 1


def test_the_initial_delay_ends_with_the_rebalance_timeout() -> None:
    kafka = grouped("3.8", group_initial_rebalance_delay_ms=3_000)
    members = [Member(kafka, rebalance_ms=7_000) for _ in range(4)]
    for member in members[:3]:
        assert member.join() is None
        clock_of(kafka).advance(2_500)
    assert members[0].joined() is not None


def test_an_existing_group_does_not_wait_for_the_initial_delay_again() -> None:
    kafka = grouped("3.8", group_initial_rebalance_delay_ms=3_000)
    one = Member(kafka)
    assert one.join() is None
    clock_of(kafka).advance(3_000)
    assert one.joined() is not None
    one.sync({one: b""})
    two = Member(kafka)
    two.join()
    one.start_joining()
    assert two.joined() is not None


@pytest.mark.parametrize(("release", "removed"), [("2.7", False), ("2.8.1", True), ("4.3", True)])
def test_since_2_8_1_a_member_that_does_not_sync_in_time_is_removed(release: str, removed: bool) -> None:
    kafka = grouped(release)
    leader = Member(kafka, session_ms=60_000, rebalance_ms=10_000)
    leader.join()
    clock_of(kafka).advance(10_000)
    assert (leader.heartbeat() is ErrorCode.UNKNOWN_MEMBER_ID) == removed


def test_a_member_that_syncs_in_time_stays_when_another_does_not() -> None:
    kafka = grouped("3.8")
    one, two = (Member(kafka, session_ms=60_000, rebalance_ms=10_000) for _ in range(2))
    settled(one)
    two.join()
    one.start_joining()
    two.joined()
    one.sync({one: b"1", two: b"2"})
    clock_of(kafka).advance(10_000)
    assert one.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    assert two.heartbeat() is ErrorCode.UNKNOWN_MEMBER_ID


def test_a_waiting_member_is_answered_when_the_leader_leaves() -> None:
    kafka = grouped("3.8")
    leader, follower = Member(kafka), Member(kafka)
    leader.join()
    follower.join()
    leader.start_joining()
    follower.joined()
    assert follower.sync() is None
    assert leader.leave() is ErrorCode.NONE
    told = follower.synced()
    assert told is not None
    assert told.error_code == ErrorCode.REBALANCE_IN_PROGRESS


@pytest.mark.parametrize("release", GENERATIONS)
def test_a_leader_that_leaves_is_replaced_by_another_member(release: str) -> None:
    kafka = grouped(release)
    one, two = Member(kafka), Member(kafka)
    settled(one, two)
    assert one.leave() is ErrorCode.NONE
    assert two.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    joined = two.start_joining()
    assert joined is not None
    assert (joined.leader, joined.generation_id) == (two.id, 3)


@pytest.mark.parametrize(("release", "kept"), [("0.9.0", False), ("0.10.0", False), ("0.10.1", True), ("4.3", True)])
def test_a_group_without_members_is_forgotten_up_to_0_10_0(release: str, kept: bool) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    assert member.leave() is ErrorCode.NONE
    assert ("g" in coordinator_of(kafka).classic_groups.groups) == kept


def test_a_static_leader_stays_although_it_does_not_join_again() -> None:
    kafka = grouped("3.8")
    leader = Member(kafka, instance_id="i", session_ms=60_000, rebalance_ms=10_000)
    settled(leader)
    other = Member(kafka, session_ms=60_000, rebalance_ms=10_000)
    assert other.join() is None
    clock_of(kafka).advance(10_000)
    joined = other.joined()
    assert joined is not None
    assert joined.leader == other.id
    assert {m.group_instance_id for m in joined.members} == {None, "i"}


def test_a_rebalance_in_which_nobody_joins_again_goes_on_waiting() -> None:
    kafka = grouped("3.8")
    leader = Member(kafka, instance_id="i", session_ms=60_000, rebalance_ms=10_000)
    settled(leader)
    other = Member(kafka, session_ms=60_000, rebalance_ms=10_000)
    assert other.join() is None
    on_its_behalf = Member(kafka)
    on_its_behalf.id = other.id
    assert on_its_behalf.leave() is ErrorCode.NONE
    clock_of(kafka).advance(10_000)
    assert leader.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS
    clock_of(kafka).advance(40_000)
    joined = leader.start_joining()
    assert joined is not None
    assert joined.generation_id == 2


@pytest.mark.parametrize("release", ["2.2", "3.8", "4.3"])
def test_an_id_that_was_given_out_and_not_used_is_forgotten(release: str) -> None:
    kafka = grouped(release)
    here, absent, new = Member(kafka, session_ms=30_000), Member(kafka), Member(kafka, session_ms=30_000)
    settled(here)
    absent.start_joining()
    assert new.join() is None
    assert here.start_joining() is None  # the group waits for the third one, too
    clock_of(kafka).advance(10_000)
    assert here.joined() is not None
    assert new.joined() is not None
    refused = absent.start_joining()
    assert refused is not None
    assert refused.error_code == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize("release", ["2.2", "3.8", "4.3"])
def test_a_group_that_all_members_have_left_waits_for_no_id_that_was_given_out(release: str) -> None:
    kafka = grouped(release)
    here, absent = Member(kafka), Member(kafka)
    settled(here)
    absent.start_joining()
    assert here.leave() is ErrorCode.NONE
    joined = absent.start_joining()
    assert joined is not None
    assert joined.generation_id == 3  # the empty group was generation 2


def test_a_new_member_leaves_again_if_the_rebalance_takes_five_minutes() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka, instance_id="i", session_ms=1_800_000, rebalance_ms=1_000_000))
    new = Member(kafka, session_ms=10_000, rebalance_ms=1_000_000)
    assert new.join() is None
    clock_of(kafka).advance(300_000)
    told = new.joined()
    assert told is not None
    assert told.error_code == ErrorCode.UNKNOWN_MEMBER_ID
