"""The share assignor "simple"."""

from fakekafka.coordinators.groups.share.assignor import hashed, simple
from hypothesis import given
from hypothesis import strategies as st

T, U = b"t" * 16, b"u" * 16


@given(st.integers(1, 7), st.integers(1, 7))
def test_every_partition_gets_a_member_and_every_member_a_partition(members: int, partitions: int) -> None:
    ids = [f"m{n}" for n in range(members)]
    answer = simple(dict.fromkeys(ids, frozenset({T})), {}, {T: range(partitions)}, alike=True)
    counts = [sum(map(len, share.values())) for share in answer.values()]
    assert {p for share in answer.values() for p in share.get(T, ())} == set(range(partitions))
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1


def test_members_keep_their_partitions() -> None:
    before = {"a": {T: frozenset({1})}}
    answer = simple({"a": frozenset({T}), "b": frozenset({T})}, before, {T: [0, 1]}, alike=True)
    assert answer == {"a": {T: frozenset({1})}, "b": {T: frozenset({0})}}


def test_members_get_only_topics_that_they_subscribe_to() -> None:
    answer = simple({"a": frozenset({T}), "b": frozenset({T, U})}, {}, {T: [0], U: [0]}, alike=False)
    assert answer == {"a": {T: frozenset({0})}, "b": {T: frozenset({0}), U: frozenset({0})}}


def test_without_partitions_nothing_is_assigned() -> None:
    assert simple({"a": frozenset()}, {}, {}, alike=True) == {"a": {}}


T, U = b"t" * 16, b"u" * 16
BOTH = frozenset({T, U})


@given(st.integers(1, 7), st.integers(1, 7))
def test_when_hashed_every_partition_gets_a_member_and_every_member_a_partition(members: int, partitions: int) -> None:
    ids = [f"m{n}" for n in range(members)]
    answer = hashed(dict.fromkeys(ids, frozenset({T})), {}, {T: range(partitions)}, alike=True)
    assert {p for share in answer.values() for p in share.get(T, ())} == set(range(partitions))
    assert all(share.get(T) for share in answer.values())


def test_members_are_hashed_onto_partitions_and_the_rest_is_distributed() -> None:
    answer = hashed({"a": frozenset({T}), "c": frozenset({T})}, {}, {T: [0, 1, 2]}, alike=True)
    assert answer == {"a": {T: frozenset({1, 2})}, "c": {T: frozenset({0})}}


def test_when_hashed_members_keep_their_partitions_unless_another_is_hashed_onto_them() -> None:
    members = {"a": frozenset({T}), "b": frozenset({T})}
    before = {"a": {T: frozenset({0, 2})}}
    answer = hashed(members, before, {T: [0, 1, 2, 3]}, alike=True)
    assert answer == {"a": {T: frozenset({0, 1, 3})}, "b": {T: frozenset({2})}}


def test_when_hashed_members_get_only_topics_that_they_subscribe_to() -> None:
    answer = hashed({"a": frozenset({T}), "b": BOTH}, {}, {T: [0], U: [0]}, alike=False)
    assert set(answer["a"]) == {T}
    assert answer["b"][U] == frozenset({0})


def test_when_hashed_without_partitions_nothing_is_assigned() -> None:
    assert hashed({"a": frozenset()}, {}, {}, alike=True) == {"a": {}}
    assert hashed({"a": frozenset(), "b": frozenset()}, {}, {}, alike=False) == {"a": {}, "b": {}}
