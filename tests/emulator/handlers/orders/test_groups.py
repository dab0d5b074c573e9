"""Facts: what brokers of these releases answered in recordings (group_classic, control_questions, odd_share_groups)."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.consumer_group_describe import ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse
from fakekafka.wire.apis.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse
from fakekafka.wire.apis.describe_groups import DescribeGroupsRequest, DescribeGroupsResponse
from fakekafka.wire.apis.list_groups import ListGroupsRequest, ListGroupsResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, grouped, settled, simple


def with_groups(release: str, *group_ids: str, partitions: int = 1) -> FakeKafka:
    """A broker with groups that have offsets and no members."""
    kafka = grouped(release, offsets_topic_num_partitions=partitions)
    for group_id in group_ids:
        simple(kafka, group_id).commit(5)
    return kafka


def listed(kafka: FakeKafka) -> list[str]:
    return [group.group_id for group in answer(kafka, ListGroupsRequest(), 0, ListGroupsResponse).groups]


NAMES = ["new4", "g", "odd", "new0", "new1", "new2", "new3"]


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "3.9"])
def test_groups_are_listed_in_the_order_of_one_map(release: str) -> None:
    """3.9.0 control_questions: "g" and "new4" share a bucket, in which the older one comes first."""
    assert listed(with_groups(release, "g", "new4", *NAMES[2:])) == ["new3", "new2", "new1", "new0", "g", "new4", "odd"]
    assert listed(with_groups(release, *NAMES)) == ["new3", "new2", "new1", "new0", "new4", "g", "odd"]


def test_the_java_coordinator_has_a_map_for_each_partition() -> None:
    """One partition: 3.9.0 group_consumer; several: CoordinatorRuntime."""
    names = ["e0x", "two0", "static0", "e0", "one0", "commits"]
    assert listed(with_groups("4.0", *names)) == ["commits", "one0", "e0", "static0", "two0", "e0x"]
    assert listed(with_groups("4.0", *names, partitions=50)) == ["commits", "e0", "static0", "two0", "e0x", "one0"]


def test_a_map_that_was_fuller_stays_large() -> None:
    """3.9.1 group_classic: before and after a restart, and groups that have been deleted."""
    small = (
        "silent one6 one7 one8 one9 simple e0 session2000 two0 e9 ready prepares one2 one3 one4 one5 two9 awaits one1"
    )
    large = (
        "simple session2000 two0 ready two9 awaits silent one6 one7 one8 one9 e0 e9 prepares one2 one3 one4 one5 one1"
    )
    others = [f"other-{n}" for n in range(10)]
    kafka = with_groups("3.9", *small.split())
    assert listed(kafka) == small.split()
    for group_id in others:
        simple(kafka, group_id).commit(5)
    answer(kafka, DeleteGroupsRequest(groups_names=others), 0, DeleteGroupsResponse)
    assert listed(kafka) == large.split()


@pytest.mark.parametrize(("release", "order"), [("2.3", ["two5", "one1"]), ("3.3", ["static5", "session2000"])])
def test_groups_come_back_from_the_log_in_the_order_of_a_map(release: str, order: list[str]) -> None:
    """2.3.0 and 3.3.2 group_classic: each two of these share a bucket."""
    kafka = grouped(release)
    for group_id in reversed(order):
        settled(Member(kafka, group_id))
    assert listed(kafka) == order[::-1]
    kafka.restart()
    assert listed(kafka) == order


def described(release: str, *group_ids: str) -> list[str]:
    request = DescribeGroupsRequest(groups=list(group_ids))
    return [group.group_id for group in answer(grouped(release), request, 0, DescribeGroupsResponse).groups]


@pytest.mark.parametrize(("release", "is_map"), [("2.2", True), ("2.3", False), ("4.3", False)])
def test_groups_are_described_in_the_order_of_a_map_up_to_2_2(release: str, is_map: bool) -> None:
    four, five = NAMES[:4], NAMES[:5]
    assert described(release, *four) == four
    assert (described(release, *five) != five) == is_map


def test_groups_of_one_partition_are_described_together_by_the_java_coordinator() -> None:
    """GroupCoordinatorService.describeGroups."""
    names = ["e0", "two0", "static0", "e0x", "one0", "commits"]
    kafka = grouped("4.3", offsets_topic_num_partitions=3)
    done = answer(kafka, DescribeGroupsRequest(groups=names), 0, DescribeGroupsResponse).groups
    assert [group.group_id for group in done] == ["two0", "static0", "one0", "e0", "e0x", "commits"]


def test_names_that_a_group_cannot_have_come_first() -> None:
    request = ConsumerGroupDescribeRequest(group_ids=["unknown", ""])
    done = answer(grouped("4.3"), request, 0, ConsumerGroupDescribeResponse).groups
    assert [group.group_id for group in done] == ["", "unknown"]


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.2", ["one0", "empty"]),
        ("2.4", ["empty", "one0"]),
        ("4.0", ["empty", "one0"]),
        ("4.1", ["one0", "empty"]),
    ],
)
def test_deleted_groups_come_in_the_order_of_sets_and_maps(release: str, order: list[str]) -> None:
    kafka = with_groups(release, "empty", "one0")
    done = answer(kafka, DeleteGroupsRequest(groups_names=["empty", "one0"]), 0, DeleteGroupsResponse)
    assert [result.group_id for result in done.results] == order


def test_groups_that_were_deleted_come_after_those_that_were_not() -> None:
    """GroupCoordinator.handleDeleteGroups up to 2.5."""
    kafka = with_groups("2.4", "empty")
    done = answer(kafka, DeleteGroupsRequest(groups_names=["empty", "nope"]), 0, DeleteGroupsResponse)
    assert [result.group_id for result in done.results] == ["nope", "empty"]


@pytest.mark.parametrize("release", ["2.3", "2.4", "4.0"])
def test_members_of_a_group_are_described_in_the_order_of_a_map(release: str) -> None:
    kafka = grouped(release)
    settled(*(Member(kafka) for _ in range(3)))
    (group,) = answer(kafka, DescribeGroupsRequest(groups=["g"]), 0, DescribeGroupsResponse).groups
    assert len({member.member_id for member in group.members}) == 3
