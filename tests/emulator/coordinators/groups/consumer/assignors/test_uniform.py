"""The uniform assignor for members that subscribe to the same topics. Its general rules are in `test_ranges`."""

from fakekafka.coordinators.groups.consumer.assignors import Answer, Candidate, Question
from fakekafka.coordinators.groups.consumer.assignors.uniform import by_count, by_count_of_4_0

T = b"t" * 16


def question(partitions: int, *before: tuple[str, set[int]]) -> Question:
    candidates = [Candidate(id, None, frozenset({T}), {T: frozenset(had)} if had else {}) for id, had in before]
    return Question(candidates, True, {T: partitions})


def shares(answer: Answer) -> dict[str, list[int]]:
    return {id: sorted(share.get(T, ())) for id, share in answer.items()}


def test_the_uniform_assignor_lets_members_keep_as_much_as_possible() -> None:
    answer = by_count(question(4, ("a", {0, 1, 2, 3}), ("b", set())))
    assert shares(answer) == {"a": [0, 1], "b": [2, 3]}


def test_from_4_0_1_on_members_with_more_keep_more() -> None:
    asked = question(3, ("a", {0}), ("b", {1, 2}))
    assert shares(by_count(asked)) == {"a": [0], "b": [1, 2]}
    assert shares(by_count_of_4_0(asked)) == {"a": [0, 2], "b": [1]}


def test_without_partitions_the_uniform_assignor_assigns_nothing() -> None:
    assert by_count(Question([Candidate("a", None, frozenset(), {})], True, {})) == {}
