import pytest
from fakekafka.coordinators.groups.administration import delete_groups, delete_offsets, listed, state_name
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.errors import ErrorCode

from tests.support.group_clients import Member, coordinator_of, grouped, settled, simple

E = ErrorCode
TO_T = (("range", bytes.fromhex("0000 00000001 0001 74 ffffffff")),)
"""A subscription to the topic "t"."""


@pytest.mark.parametrize(("release", "name"), [("1.0", "AwaitingSync"), ("1.1", "CompletingRebalance")])
def test_awaiting_sync_is_called_completing_rebalance_since_1_1(release: str, name: str) -> None:
    coordinator = coordinator_of(grouped(release))
    assert state_name(coordinator, State.COMPLETING_REBALANCE) == name
    assert state_name(coordinator, State.STABLE) == "Stable"


def test_groups_are_listed_by_state_and_type() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka, "stable"))
    Member(kafka, "syncs").join()
    simple(kafka, "offsets").commit(5)
    coordinator = coordinator_of(kafka)

    def names(states: list[str], kinds: list[str]) -> set[str]:
        return {group.id for group in listed(coordinator, states, kinds)}

    assert names([], []) == names([], ["Classic"]) == {"stable", "syncs", "offsets"}
    assert names(["stable", "Empty"], []) == {"stable", "offsets"}
    assert names(["CompletingRebalance"], []) == {"syncs"}
    assert names(["nonsense"], []) == names([], ["consumer"]) == set()


@pytest.mark.parametrize(("release", "found"), [("3.7", 0), ("3.8", 1)])
def test_names_of_states_are_compared_exactly_up_to_3_7(release: str, found: int) -> None:
    kafka = grouped(release)
    simple(kafka).commit(5)
    assert len(listed(coordinator_of(kafka), ["empty"], [])) == found


@pytest.mark.parametrize("release", ["1.1", "3.8", "4.3"])
def test_groups_without_members_can_be_deleted(release: str) -> None:
    kafka = grouped(release)
    settled(Member(kafka, "busy"))
    simple(kafka, "offsets").commit(5, 6)
    left = Member(kafka, "left")
    settled(left)
    left.leave()
    coordinator = coordinator_of(kafka)
    errors = delete_groups(coordinator, ["busy", "offsets", "left", "unknown"])
    assert errors == [E.NON_EMPTY_GROUP, E.NONE, E.NONE, E.GROUP_ID_NOT_FOUND]
    assert [group.id for group in coordinator.classic_groups.everyone()] == ["busy"]
    assert simple(kafka, "offsets").fetch(0) == [-1]
    kafka.restart()
    assert [group.id for group in coordinator_of(kafka).classic_groups.everyone()] == ["busy"]


@pytest.mark.parametrize(("release", "error"), [("1.1", E.INVALID_GROUP_ID), ("2.0", E.GROUP_ID_NOT_FOUND)])
def test_the_group_with_an_empty_name_cannot_be_deleted(release: str, error: ErrorCode) -> None:
    assert delete_groups(coordinator_of(grouped(release)), [""]) == [error]


def test_a_group_of_another_coordinator_cannot_be_deleted() -> None:
    coordinator = coordinator_of(grouped())
    coordinator.unload(0)
    assert delete_groups(coordinator, ["g"]) == [E.NOT_COORDINATOR]
    assert delete_offsets(coordinator, "g", []) == (E.NOT_COORDINATOR, [])


# ---- OffsetDelete


@pytest.mark.parametrize(("release", "stays"), [("2.4", False), ("3.9", False), ("4.0", True)])
def test_offsets_of_a_group_without_members_can_be_deleted(release: str, stays: bool) -> None:
    kafka = grouped(release)
    client = simple(kafka)
    client.commit(5, 6)
    coordinator = coordinator_of(kafka)
    assert delete_offsets(coordinator, "g", [("t", 0), ("t", 7)]) == (E.NONE, [E.NONE, E.NONE])
    assert client.fetch(0, 1) == [-1, 6]
    assert delete_offsets(coordinator, "g", [("t", 1)]) == (E.NONE, [E.NONE])
    assert (coordinator.classic_groups.find("g") is not None) == stays


def test_offsets_of_topics_that_a_consumer_group_consumes_cannot_be_deleted() -> None:
    kafka = grouped()
    kafka.create_topic("u")
    member = Member(kafka, protocols=TO_T)
    settled(member)
    member.commit(5)
    member.commit(6, topic="u")
    asked = [("t", 0), ("u", 0)]
    found = delete_offsets(coordinator_of(kafka), "g", asked)
    assert found == (E.NONE, [E.GROUP_SUBSCRIBED_TO_TOPIC, E.NONE])
    assert [member.fetch(0), member.fetch(0, topic="u")] == [[5], [-1]]
    assert delete_offsets(coordinator_of(kafka), "g", [("t", 0)]) == (E.NONE, [E.GROUP_SUBSCRIBED_TO_TOPIC])


def test_offsets_of_other_groups_with_members_cannot_be_deleted() -> None:
    kafka = grouped()
    settled(Member(kafka, protocol_type="connect"))
    assert delete_offsets(coordinator_of(kafka), "g", [("t", 0)]) == (E.NON_EMPTY_GROUP, [])


def test_offsets_can_be_deleted_only_of_an_existing_group() -> None:
    coordinator = coordinator_of(grouped())
    assert delete_offsets(coordinator, "g", [("t", 0)]) == (E.GROUP_ID_NOT_FOUND, [])
    assert delete_offsets(coordinator, "", [("t", 0)]) == (E.INVALID_GROUP_ID, [])
