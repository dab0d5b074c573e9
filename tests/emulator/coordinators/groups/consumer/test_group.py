"""What follows from the members of a consumer group."""

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, ResolvedRegex
from fakekafka.coordinators.groups.consumer.member import Member, MemberState

T = b"t" * 16


def group(*members: Member, epoch: int = 3, assignment_epoch: int = 3) -> ConsumerGroup:
    made = ConsumerGroup("g", 0)
    made.epoch, made.assignment_epoch = epoch, assignment_epoch
    for member in members:
        made.put(member)
    return made


def test_the_state() -> None:
    there = Member("m", epoch=3)
    assert group().state == "Empty"
    assert group(there).state == "Stable"
    assert group(there, epoch=4).state == "Assigning"
    assert group(there, Member("n", epoch=2)).state == "Reconciling"
    assert group(there._replace(state=MemberState.UNRELEASED_PARTITIONS)).state == "Reconciling"


def test_static_members_are_found_by_their_name() -> None:
    one = group(Member("m", "i"))
    holder = one.static_member("i")
    assert holder is not None
    assert holder.id == "m"
    one.remove("m")
    assert one.static_member("i") is None


def test_who_takes_a_static_members_place_takes_its_target() -> None:
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


def test_most_votes_make_the_assignor() -> None:
    one = group(Member("a", assignor="range"), Member("b", assignor="range"), Member("c", assignor="uniform"))
    assert one.assignor(one.members.values(), "uniform", counted_in_hash_map=True) == "range"
    assert one.assignor([], "uniform", counted_in_hash_map=False) == "uniform"


def test_what_must_be_given_up_still_belongs_to_somebody() -> None:
    one = group(Member("m", assigned={T: {0: 1}}, revoking={T: {1: 1}}))
    assert one.owned == {(T, 0), (T, 1)}
