import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.describe_groups import DescribedGroup, DescribeGroupsRequest, DescribeGroupsResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, coordinator_of, grouped, settled, simple


def describe(kafka: FakeKafka, version: int, *groups: str, operations: bool = False) -> list[DescribedGroup]:
    request = DescribeGroupsRequest(groups=list(groups), include_authorized_operations=operations)
    return list(answer(kafka, request, version, DescribeGroupsResponse).groups)


@pytest.mark.parametrize(("release", "version"), [("0.9.0", 0), ("2.2", 2), ("3.8", 5), ("4.3", 6)])
def test_a_stable_group_is_described_in_full(release: str, version: int) -> None:
    kafka = grouped(release)
    member = Member(kafka, protocols=[("range", b"topics")])
    settled(member)
    (group,) = describe(kafka, version, "g")
    (shown,) = group.members
    assert (group.error_code, group.group_state, group.protocol_type, group.protocol_data) == (
        0,
        "Stable",
        "consumer",
        "range",
    )
    assert (shown.member_id, shown.client_id, shown.client_host) == (member.id, "test", "/127.0.0.1")
    assert (shown.member_metadata, shown.member_assignment) == (b"topics", b"0")


def test_2_3_shows_the_assignment_as_metadata() -> None:
    kafka = grouped("2.3")
    settled(Member(kafka, protocols=[("range", b"topics")]))
    (group,) = describe(kafka, 3, "g")
    assert (group.members[0].member_metadata, group.members[0].member_assignment) == (b"0", b"0")


@pytest.mark.parametrize(("release", "assignment"), [("3.8", b""), ("4.3", b"0")])
def test_a_rebalancing_group_shows_no_metadata(release: str, assignment: bytes) -> None:
    kafka = grouped(release)
    settled(Member(kafka, protocols=[("range", b"topics")]))
    Member(kafka, protocols=[("range", b"topics")]).join()
    (group,) = describe(kafka, 5, "g")
    assert (group.group_state, group.protocol_data, len(group.members)) == ("PreparingRebalance", "", 2)
    assert {m.member_metadata for m in group.members} == {b""}
    assert group.members[0].member_assignment == assignment


@pytest.mark.parametrize(("release", "state"), [("0.10.0", "Dead"), ("0.10.1", "Empty"), ("4.3", "Empty")])
def test_a_group_that_has_only_offsets_is_described_without_members(release: str, state: str) -> None:
    kafka = grouped(release)
    simple(kafka).commit(5)
    (group,) = describe(kafka, 0, "g")
    assert (group.error_code, group.group_state, group.protocol_type, group.members) == (0, state, "", [])


def test_missing_groups_are_dead_or_not_found() -> None:
    kafka = grouped("4.3")
    dead, not_found = describe(kafka, 5, "g") + describe(kafka, 6, "g")
    assert (dead.error_code, dead.group_state) == (ErrorCode.NONE, "Dead")
    assert (not_found.error_code, not_found.group_state) == (ErrorCode.GROUP_ID_NOT_FOUND, "Dead")
    assert not_found.error_message == "Group g not found."


def test_groups_of_another_coordinator_are_an_error() -> None:
    kafka = grouped("3.8")
    coordinator_of(kafka).unload(0)
    (group,) = describe(kafka, 5, "g")
    assert (group.error_code, group.group_state) == (ErrorCode.NOT_COORDINATOR, "")


@pytest.mark.parametrize(
    ("release", "asked", "operations"),
    [("2.3", True, 328), ("2.3", False, 0), ("2.5", False, -(2**31)), ("3.9", True, 328), ("4.0", True, 3400)],
)
def test_authorized_operations_are_reported_on_request(release: str, asked: bool, operations: int) -> None:
    kafka = grouped(release)
    settled(Member(kafka))
    (group,) = describe(kafka, 3, "g", operations=asked)
    assert group.authorized_operations == operations


@pytest.mark.parametrize(("release", "count"), [("0.9.0", 1), ("2.2", 1), ("2.3", 2), ("4.3", 2)])
def test_a_group_that_is_named_twice_is_described_twice_from_2_3_on(release: str, count: int) -> None:
    """Recorded from 1.1.1 to 4.3.1: odd_requests."""
    request = DescribeGroupsRequest(groups=["g", "g"])
    assert len(answer(grouped(release), request, 0, DescribeGroupsResponse).groups) == count


@pytest.mark.parametrize(("release", "error"), [("2.4.1", 0), ("2.5.0", 35), ("2.5.1", 0)])
def test_in_2_5_0_old_versions_cannot_describe_groups_beside_static_members(release: str, error: int) -> None:
    """KAFKA-10239. Recorded from 2.4.1 to 2.5.1: patch_questions."""
    kafka = grouped(release)
    settled(Member(kafka, instance_id="i"))
    assert [group.error_code for group in describe(kafka, 3, "g", "nobody")] == [error, error]
    assert [group.error_code for group in describe(kafka, 4, "g", "nobody")] == [0, 0]
