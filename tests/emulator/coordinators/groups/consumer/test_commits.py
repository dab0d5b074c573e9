"""Who may commit into a consumer group. Asked of 4.1.1 and 4.3.1, and recorded from 3.8.1 to 4.3.1: group_consumer."""

import pytest
from fakekafka.coordinators.groups.consumer.commits import (
    refusal_of_commit,
    refusal_of_fetch,
    refusal_of_partition,
    refusal_of_txn_commit,
)
from fakekafka.errors import ErrorCode

from tests.support.consumer_group_clients import ConsumerMember, group_of, groups_of, settle
from tests.support.group_clients import grouped


def two(release: str) -> ConsumerMember:
    """Member "a", which has partitions since its first epoch and has come to its second one."""
    at_once = {"group_consumer_assignment_interval_ms": 0} if release == "4.3" else {}
    kafka = grouped(release, partitions=4, **at_once)
    a, b = ConsumerMember(kafka, "a", assignor="range"), ConsumerMember(kafka, "b", assignor="range")
    a.join()
    b.join()
    settle(a, b)
    return a


@pytest.mark.parametrize(
    ("epoch", "member", "version", "error"),
    [
        (2, "a", 9, ErrorCode.NONE),
        (1, "a", 9, ErrorCode.STALE_MEMBER_EPOCH),
        (3, "a", 9, ErrorCode.STALE_MEMBER_EPOCH),
        (2, "x", 9, ErrorCode.UNKNOWN_MEMBER_ID),
        (-1, "", 9, ErrorCode.UNKNOWN_MEMBER_ID),
        (2, "a", 8, ErrorCode.UNSUPPORTED_VERSION),
    ],
)
def test_a_commit_needs_the_epoch_of_its_member(epoch: int, member: str, version: int, error: ErrorCode) -> None:
    kafka = two("4.1").kafka
    assert refusal_of_commit(groups_of(kafka), group_of(kafka), epoch, member, version) is error


def test_from_4_3_on_an_older_epoch_is_enough_for_what_the_member_had_by_then() -> None:
    a = two("4.3")
    on, group = groups_of(a.kafka), group_of(a.kafka)
    first = a.epoch - 1
    assert refusal_of_commit(on, group, first, "a", 9) is ErrorCode.NONE
    assert refusal_of_partition(on, group, first, "a", "t", 0) is ErrorCode.NONE
    assert refusal_of_partition(on, group, first - 1, "a", "t", 0) is ErrorCode.STALE_MEMBER_EPOCH
    assert refusal_of_partition(on, group, first, "a", "t", 3) is ErrorCode.STALE_MEMBER_EPOCH
    assert refusal_of_commit(on, group, a.epoch + 1, "a", 9) is ErrorCode.STALE_MEMBER_EPOCH


def test_who_says_nothing_may_commit_into_an_empty_group_and_read_from_every_one() -> None:
    kafka = two("4.1").kafka
    on, group = groups_of(kafka), group_of(kafka)
    assert refusal_of_fetch(group, -1, None) is ErrorCode.NONE
    assert refusal_of_fetch(group, 0, "") is ErrorCode.UNKNOWN_MEMBER_ID
    assert refusal_of_fetch(group, 1, "a") is ErrorCode.STALE_MEMBER_EPOCH
    assert refusal_of_txn_commit(group, -1, "", None) is ErrorCode.NONE
    assert refusal_of_txn_commit(group, 1, "a", None) is ErrorCode.ILLEGAL_GENERATION
    group.members.clear()
    assert refusal_of_commit(on, group, -1, "", 2) is ErrorCode.NONE
