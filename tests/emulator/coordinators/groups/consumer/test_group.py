"""What follows from the members of a consumer group."""

import pytest
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, Member, MemberState, ResolvedRegex, assignment
from fakekafka.coordinators.groups.modern_group import NameAndId
from fakekafka.errors import ErrorCode

from tests.support.consumer_group_clients import ConsumerMember, group_of, settle
from tests.support.group_clients import grouped
from tests.support.seeded import broker_of

T = b"t" * 16
ME = Member("me", epoch=4, previous_epoch=3, assigned={T: {0: 2, 1: 4}}, revoking={T: {2: 1}})


def test_a_member_in_a_new_epoch_is_still_accepted_with_the_previous_one() -> None:
    assert ME.in_epoch(6) == ME._replace(epoch=6, previous_epoch=4)


def test_only_a_stable_member_in_the_target_epoch_has_everything() -> None:
    assert ME.is_reconciled(4)
    assert not ME.is_reconciled(5)
    assert not ME._replace(state=MemberState.UNREVOKED_PARTITIONS).is_reconciled(4)


def test_partitions_with_other_epochs_are_not_other_partitions() -> None:
    assert assignment(ME.assigned) == {T: frozenset({0, 1})}
    assert not ME.has_other_partitions(ME._replace(assigned={T: {0: 9, 1: 9}}))
    assert ME.has_other_partitions(ME._replace(assigned={T: {0: 2}}))


def test_a_member_can_be_taken_to_have_had_its_partitions_since_epoch_0() -> None:
    fresh = ME.since_epoch_0()
    assert (fresh.assigned, fresh.revoking) == ({T: {0: 0, 1: 0}}, {})


def group(*members: Member, epoch: int = 3, assignment_epoch: int = 3) -> ConsumerGroup:
    made = ConsumerGroup("g", 0)
    made.epoch, made.assignment_epoch = epoch, assignment_epoch
    for member in members:
        made.put(member)
    return made


def test_the_state_of_a_consumer_group_follows_from_epochs_and_members() -> None:
    there = Member("m", epoch=3)
    assert group().state == "Empty"
    assert group(there).state == "Stable"
    assert group(there, epoch=4).state == "Assigning"
    assert group(there, Member("n", epoch=2)).state == "Reconciling"
    assert group(there._replace(state=MemberState.UNRELEASED_PARTITIONS)).state == "Reconciling"


def test_static_members_are_found_by_their_instance_id() -> None:
    one = group(Member("m", "i"))
    holder = one.static_member("i")
    assert holder is not None
    assert holder.id == "m"
    one.remove("m")
    assert one.static_member("i") is None


def test_a_member_that_replaces_a_static_one_takes_its_target() -> None:
    one = group(Member("m", "i"), Member("n"))
    one.target = {"m": {T: frozenset({1})}}
    new = Member("new", "i")
    assert one.target_of(new) == {T: frozenset({1})}
    assert list(one.with_member(new)) == ["n", "new"]


def test_topics_come_from_names_and_patterns() -> None:
    named, by_pattern = Member("m", topics=frozenset({"a"})), Member("n", regex="t.*")
    one = group(named, by_pattern)
    assert one.topics(one.members.values()) == {"a"}
    one.regexes["t.*"] = ResolvedRegex(frozenset({"t1", "t2"}), 1, 0)
    assert one.topics(one.members.values()) == {"a", "t1", "t2"}
    assert (one.subscribes_to("t1"), one.subscribes_to("b"), one.subscribers("t.*")) == (True, False, 1)
    assert not one.is_homogeneous(one.members.values())


def test_the_assignor_with_the_most_votes_is_used() -> None:
    one = group(Member("a", assignor="range"), Member("b", assignor="range"), Member("c", assignor="uniform"))
    assert one.assignor(one.members.values(), "uniform", counted_in_hash_map=True) == "range"
    assert one.assignor([], "uniform", counted_in_hash_map=False) == "uniform"


def test_partitions_that_must_be_given_up_still_have_an_owner() -> None:
    one = group(Member("m", assigned={T: {0: 1}}, revoking={T: {1: 1}}))
    assert one.owned == {(T, 0), (T, 1)}


def two(release: str) -> ConsumerMember:
    """Member "a", which has had partitions since its first epoch and is now in its second one."""
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
    assert group_of(kafka).validate_offset_commit(epoch, member, version) is error


def test_from_4_3_on_a_member_may_commit_in_an_older_epoch_for_partitions_that_it_had_by_then() -> None:
    a = two("4.3")
    group = group_of(a.kafka)
    t = NameAndId("t", broker_of(a.kafka).cluster.topics["t"].id)
    first = a.epoch - 1
    assert group.validate_offset_commit(first, "a", 9) is ErrorCode.NONE
    assert group.validate_partition(first, "a", t, 0) is ErrorCode.NONE
    assert group.validate_partition(first - 1, "a", t, 0) is ErrorCode.STALE_MEMBER_EPOCH
    assert group.validate_partition(first, "a", t, 3) is ErrorCode.STALE_MEMBER_EPOCH
    assert group.validate_offset_commit(a.epoch + 1, "a", 9) is ErrorCode.STALE_MEMBER_EPOCH


def test_a_client_without_a_member_id_may_commit_into_an_empty_group_and_read_from_any() -> None:
    kafka = two("4.1").kafka
    group = group_of(kafka)
    assert group.validate_offset_fetch(-1, None) is ErrorCode.NONE
    assert group.validate_offset_fetch(0, None) is ErrorCode.UNKNOWN_SERVER_ERROR, "asked of 4.0.1 and 4.3.1"
    assert group.validate_offset_fetch(0, "") is ErrorCode.UNKNOWN_MEMBER_ID
    assert group.validate_offset_fetch(1, "a") is ErrorCode.STALE_MEMBER_EPOCH
    assert group.validate_txn_offset_commit(-1, "", None) is ErrorCode.NONE
    assert group.validate_txn_offset_commit(1, "a", None) is ErrorCode.ILLEGAL_GENERATION
    group.members.clear()
    assert group.validate_offset_commit(-1, "", 2) is ErrorCode.NONE
