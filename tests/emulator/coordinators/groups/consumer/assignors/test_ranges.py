"""The server-side assignors: the rules that hold for any input, and what they assigned to real members."""

from collections.abc import Mapping

import pytest
from fakekafka.coordinators.groups.consumer.assignors import Answer, Assignor, Candidate, Question
from fakekafka.coordinators.groups.consumer.assignors.ranges import by_range, by_sticky_range
from fakekafka.coordinators.groups.consumer.assignors.uniform import by_count, by_count_of_4_0
from hypothesis import given
from hypothesis import strategies as st

T, U, V = b"t" * 16, b"u" * 16, b"v" * 16
ALL: list[Assignor] = [by_range, by_sticky_range, by_count, by_count_of_4_0]
NOTHING: Mapping[bytes, frozenset[int]] = {}


def ask(assignor: Assignor, members: Mapping[str, set[bytes]], before: Answer, counts: Mapping[bytes, int]) -> Answer:
    candidates = [Candidate(m, None, frozenset(topics), before.get(m, NOTHING)) for m, topics in members.items()]
    return assignor(Question(candidates, len({frozenset(t) for t in members.values()}) < 2, counts))


def sizes(answer: Answer) -> dict[str, int]:
    return {member: sum(len(p) for p in share.values()) for member, share in answer.items()}


members = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "e"]), st.sets(st.sampled_from([T, U, V]), min_size=1), min_size=1
)
counts = st.fixed_dictionaries({t: st.integers(1, 9) for t in (T, U, V)})


@pytest.mark.parametrize("assignor", ALL)
@given(first=members, second=members, counts=counts)
def test_each_partition_goes_to_one_subscriber(
    assignor: Assignor, first: dict[str, set[bytes]], second: dict[str, set[bytes]], counts: dict[bytes, int]
) -> None:
    before: Answer = {}
    for group in (first, second):
        wanted = {t: n for t, n in counts.items() if any(t in topics for topics in group.values())}
        before = ask(assignor, group, before, wanted)
        given_out = [(t, p) for share in before.values() for t, partitions in share.items() for p in partitions]
        assert sorted(given_out) == sorted((t, p) for t, count in wanted.items() for p in range(count))
        assert all(set(share) <= group[member] for member, share in before.items())


@pytest.mark.parametrize("assignor", [by_count, by_count_of_4_0])
@given(names=st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), counts=counts)
def test_uniform_shares_differ_by_one_at_most(assignor: Assignor, names: list[str], counts: dict[bytes, int]) -> None:
    shares = sizes(ask(assignor, {name: {T, U, V} for name in names}, {}, counts)).values()
    assert max(shares) - min(shares) <= 1


@given(names=st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), counts=counts)
def test_uniform_leaves_members_their_partitions_when_nothing_changes(
    names: list[str], counts: dict[bytes, int]
) -> None:
    group = {name: {T, U, V} for name in names}
    once = ask(by_count, group, {}, counts)
    assert ask(by_count, group, once, counts) == once


def test_uniform_moves_only_partitions_that_a_new_member_needs() -> None:
    first = ask(by_count, {"a": {T}, "b": {T}}, {}, {T: 7})
    second = ask(by_count, {"a": {T}, "b": {T}, "c": {T}}, first, {T: 7})
    assert sorted(sizes(second).values()) == [2, 2, 3]
    assert all(second[m][T] <= first[m][T] for m in "ab")


def test_up_to_4_0_0_the_first_member_has_the_extra_partition_even_if_another_one_had_it() -> None:
    before: Answer = {"a": {T: frozenset({0})}, "b": {T: frozenset({1, 2})}}
    group = {"a": {T}, "b": {T}}
    assert sizes(ask(by_count_of_4_0, group, before, {T: 3})) == {"a": 2, "b": 1}
    assert sizes(ask(by_count, group, before, {T: 3})) == {"a": 1, "b": 2}


def test_range_gives_the_first_partitions_of_each_topic_to_the_first_member() -> None:
    answer = ask(by_range, {"b": {T, U}, "a": {T, U}}, {}, {T: 3, U: 2})
    assert answer == {"a": {T: frozenset({0, 1}), U: frozenset({0})}, "b": {T: frozenset({2}), U: frozenset({1})}}


def test_range_sorts_static_members_first() -> None:
    people = [Candidate("a", None, frozenset({T}), NOTHING), Candidate("z", "i", frozenset({T}), NOTHING)]
    assert by_range(Question(people, True, {T: 3}))["z"] == {T: frozenset({0, 1})}


def test_the_range_assignor_of_3_8_leaves_members_their_partitions() -> None:
    before: Answer = {"a": {T: frozenset({2, 3})}}
    assert ask(by_sticky_range, {"a": {T}, "b": {T}}, before, {T: 4}) == {
        "a": {T: frozenset({2, 3})},
        "b": {T: frozenset({0, 1})},
    }
    assert ask(by_range, {"a": {T}, "b": {T}}, before, {T: 4})["a"] == {T: frozenset({0, 1})}


def test_members_of_different_topics_are_balanced() -> None:
    answer = ask(by_count, {"a": {T}, "b": {T, U}, "c": {U}}, {}, {T: 4, U: 2})
    assert sizes(answer) == {"a": 3, "b": 1, "c": 2} or sizes(answer) == {"a": 2, "b": 2, "c": 2}


def test_without_topics_members_get_no_partitions() -> None:
    assert ask(by_count, {"a": set()}, {}, {}) == {}
    assert ask(by_range, {"a": set()}, {}, {}) == {"a": {}}
