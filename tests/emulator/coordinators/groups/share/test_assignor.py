"""The assignor "simple"."""

from fakekafka.coordinators.groups.share.assignor import simple
from hypothesis import given
from hypothesis import strategies as st

T, U = b"t" * 16, b"u" * 16


@given(st.integers(1, 7), st.integers(1, 7))
def test_every_partition_and_every_member_has_somebody(members: int, partitions: int) -> None:
    ids = [f"m{n}" for n in range(members)]
    answer = simple(dict.fromkeys(ids, frozenset({T})), {}, {T: range(partitions)}, alike=True)
    counts = [sum(map(len, share.values())) for share in answer.values()]
    assert {p for share in answer.values() for p in share.get(T, ())} == set(range(partitions))
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1


def test_members_keep_what_they_have() -> None:
    before = {"a": {T: frozenset({1})}}
    answer = simple({"a": frozenset({T}), "b": frozenset({T})}, before, {T: [0, 1]}, alike=True)
    assert answer == {"a": {T: frozenset({1})}, "b": {T: frozenset({0})}}


def test_members_get_only_what_they_subscribe_to() -> None:
    answer = simple({"a": frozenset({T}), "b": frozenset({T, U})}, {}, {T: [0], U: [0]}, alike=False)
    assert answer == {"a": {T: frozenset({0})}, "b": {T: frozenset({0}), U: frozenset({0})}}


def test_without_partitions_there_is_nothing() -> None:
    assert simple({"a": frozenset()}, {}, {}, alike=True) == {"a": {}}
