"""The uniform assignor for members that subscribe to different topics. Its general rules are in `test_ranges`."""

from collections.abc import Mapping

from fakekafka.coordinators.groups.consumer.assignors import Answer, Candidate, Question
from fakekafka.coordinators.groups.consumer.assignors.uniform_balance import balanced
from fakekafka.coordinators.hash_order import partition_order
from hypothesis import given
from hypothesis import strategies as st

T, U = b"t" * 16, b"u" * 16


def ask(members: Mapping[str, set[bytes]], counts: Mapping[bytes, int], before: Answer | None = None) -> Answer:
    had: Answer = before or {}
    candidates = [Candidate(m, None, frozenset(topics), had.get(m, {})) for m, topics in members.items()]
    return balanced(Question(candidates, False, counts))


def sizes(answer: Answer) -> list[int]:
    return [sum(map(len, share.values())) for share in answer.values()]


def test_partitions_of_a_topic_with_few_subscribers_count_against_their_share() -> None:
    answer = ask({"a": {T, U}, "b": {T}}, {T: 3, U: 3})
    assert answer["a"] == {U: frozenset({0, 1, 2})}
    assert answer["b"] == {T: frozenset({0, 1, 2})}


def test_a_set_that_is_new_has_a_table_for_an_even_share() -> None:
    """Recorded from 4.3.1: random_consumer--seed1."""
    before: Answer = {"a": {T: frozenset({0, 1, 2, 3, 4})}}
    answer = ask({"a": {T}, "b": {T}, "c": {T, U}}, {T: 5, U: 1}, before)
    assert [partition_order(answer[member][T]) for member in "abc"] == [[0, 1], [4, 3], [2]]


@given(st.integers(1, 9), st.integers(1, 9))
def test_a_second_run_of_the_uniform_assignor_changes_nothing(first: int, second: int) -> None:
    members = {"a": {T}, "b": {T, U}, "c": {U}}
    counts = {T: first, U: second}
    answer = ask(members, counts)
    assert ask(members, counts, answer) == answer


@given(st.integers(1, 12))
def test_similar_members_get_similar_shares(partitions: int) -> None:
    counted = sizes(ask({"a": {T}, "b": {T}, "c": {T, U}, "d": {T, U}}, {T: partitions, U: partitions}))
    assert max(counted) - min(counted) <= 1 or sum(counted) == 2 * partitions
