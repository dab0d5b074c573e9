"""Which classic groups exist, and what their members may ask for."""

import pytest
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.errors import ErrorCode as E

from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, coordinator_of, grouped, settled


@pytest.mark.parametrize(("release", "state"), [("0.9.0", None), ("2.3", State.EMPTY), ("4.3", State.EMPTY)])
def test_a_group_may_exist_through_its_offsets_alone(release: str, state: State | None) -> None:
    kafka = grouped(release)
    Member(kafka).commit(5)
    groups = coordinator_of(kafka).classic_groups
    group = groups.find("g")
    assert (None if group is None else group.state) == state
    assert [g.id for g in groups.everyone()] == ([] if state is None else ["g"])
    assert groups.groups == {}


def test_a_group_of_another_kind_is_not_found() -> None:
    kafka = grouped("4.3")
    ConsumerMember(kafka).join()
    assert coordinator_of(kafka).classic_groups.find("g") is None


@pytest.mark.parametrize(("release", "stranger"), [("2.3", E.UNKNOWN_MEMBER_ID), ("4.3", E.UNKNOWN_MEMBER_ID)])
def test_a_member_is_known_by_its_id_and_fenced_by_its_instance_id(release: str, stranger: E) -> None:
    kafka = grouped(release)
    member = Member(kafka, instance_id="i")
    settled(member)
    groups = coordinator_of(kafka).classic_groups
    group = groups.groups["g"]
    assert groups.validate_member(group, Identity(member.id, "i")) is E.NONE
    assert groups.validate_member(group, Identity("stranger")) is stranger
    assert groups.validate_member(group, Identity("stranger", "i")) is E.FENCED_INSTANCE_ID


def test_a_dropped_group_has_no_deadlines_left() -> None:
    kafka = grouped()
    member = Member(kafka)
    settled(member)
    groups = coordinator_of(kafka).classic_groups
    group = groups.groups["g"]
    timer = group.members[member.id].session_timer
    assert timer is not None
    groups.drop("g")
    groups.drop("g")
    assert (groups.groups, group.state, timer.action) == ({}, State.DEAD, None)
