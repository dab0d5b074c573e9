import sys
import tracemalloc

import pytest
from fakekafka.coordinators.groups.offsets.store import FEW, Committed, OffsetStore
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.support.examples import at_most

GROUPS = st.sampled_from(["g", "h"])
TOPICS = st.sampled_from(["t", "u"])
PARTITIONS = st.integers(0, 5) | st.integers(60, 100) | st.sampled_from([-1, -(2**31), 5_000, 2**31 - 1])
COMMITTED = st.builds(
    Committed,
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-1, 2**31 - 1),
    st.sampled_from(["", "m", "é"]),
    st.integers(-1, 2**62) | st.just(-(2**63)),
    st.none() | st.integers(-(2**63), 2**63 - 1),
)
Model = dict[str, dict[tuple[str, int], Committed]]


class StoreLikeADict(RuleBasedStateMachine):
    """The packed store does what nested dicts would do."""

    def __init__(self) -> None:
        super().__init__()
        self.store = OffsetStore()
        self.model: Model = {}

    @rule(group=GROUPS, topic=TOPICS, partition=PARTITIONS, committed=COMMITTED)
    def put(self, group: str, topic: str, partition: int, committed: Committed) -> None:
        self.store.put(group, topic, partition, committed)
        self.model.setdefault(group, {})[topic, partition] = committed

    @rule(group=GROUPS, topic=TOPICS, start=st.integers(0, 200), count=st.integers(1, 30), committed=COMMITTED)
    def put_a_run_backwards(self, group: str, topic: str, start: int, count: int, committed: Committed) -> None:
        for partition in reversed(range(start, start + count)):
            self.put(group, topic, partition, committed)

    @rule(group=GROUPS, data=st.data(), stranger=st.tuples(TOPICS, PARTITIONS))
    def remove(self, group: str, data: st.DataObject, stranger: tuple[str, int]) -> None:
        kept = self.model.get(group, {})
        places = data.draw(st.lists(st.sampled_from([stranger, *sorted(kept)])))
        expected = [(*place, kept.pop(place)) for place in dict.fromkeys(places) if place in kept]
        assert self.store.remove(group, places) == expected
        self.forget_if_empty(group)

    @rule(group=GROUPS)
    def remove_group(self, group: str) -> None:
        self.store.remove_group(group)
        self.model.pop(group, None)

    @rule()
    def go_through_another_store(self) -> None:
        other, self.store = self.store, OffsetStore()
        self.store.absorb(other, list(other.groups()))

    @rule()
    def clear(self) -> None:
        self.store.clear()
        self.model.clear()

    def forget_if_empty(self, group: str) -> None:
        if not self.model.get(group, True):
            del self.model[group]

    @invariant()
    def has_the_same(self) -> None:
        assert set(self.store.groups()) == set(self.model)
        assert len(self.store) == sum(map(len, self.model.values()))
        for group in ("g", "h"):
            expected = self.model.get(group, {})
            entries = list(self.store.of_group(group))
            assert {(topic, partition): c for topic, partition, c in entries} == expected
            assert len(entries) == len(expected)
            assert (group in self.store) == bool(expected)

    @invariant()
    def looks_up_the_same(self) -> None:
        partitions = [-1, 0, 1, 64, 5_000]
        for group, topic in (("g", "t"), ("h", "u")):
            expected = [self.model.get(group, {}).get((topic, partition)) for partition in partitions]
            assert [self.store.get(group, topic, partition) for partition in partitions] == expected
            assert self.store.of_topic(group, topic, partitions) == expected
            assert self.store.of_topic(group, topic, partitions * FEW) == expected * FEW
            assert sorted(self.store.partitions(group, topic)) == sorted(
                partition for name, partition in self.model.get(group, {}) if name == topic
            )


TestStoreLikeADict = StoreLikeADict.TestCase
TestStoreLikeADict.settings = at_most(60, stateful_step_count=25, deadline=None)


def test_a_large_partition_number_takes_no_extra_memory() -> None:
    store = OffsetStore()
    store.put("g", "t", 2**31 - 1, Committed(1, -1, "", 2))
    assert store.get("g", "t", 2**31 - 1) == Committed(1, -1, "", 2)
    assert store.get("g", "t", 0) is None


@given(st.permutations([("t", 2), ("u", 1), ("t", 0), ("u", -1), ("v", 7)]))
def test_entries_of_the_store_come_topic_by_topic(order: list[tuple[str, int]]) -> None:
    store = OffsetStore()
    for topic in "tuv":
        store.put("h", topic, 0, Committed(0, -1, "", 2))
    for topic, partition in order:
        store.put("g", topic, partition, Committed(partition, -1, "", 2))
    assert [entry[:2] for entry in store.of_group("g")] == [("t", 0), ("t", 2), ("u", 1), ("u", -1), ("v", 7)]


@pytest.mark.statement("S4-13")
@pytest.mark.parametrize(("topics", "partitions"), [(1, 10), (10, 1), (2, 5), (1, 1000)])
def test_an_offset_takes_no_more_than_64_bytes(topics: int, partitions: int) -> None:
    tracemalloc.start()
    try:
        store = OffsetStore()
        before = tracemalloc.get_traced_memory()[0]
        groups = 10_000 // (topics * partitions)
        for group in range(groups):
            name = f"group-{group}"
            for topic in range(topics):
                for partition in range(partitions):
                    store.put(name, f"topic-{topic}", partition, Committed(partition, -1, "", 1_600_000_000_000))
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert used / 10_000 <= 64 + sys.getsizeof("group-0000") / (topics * partitions)


def test_many_partitions_of_a_topic_are_looked_up_at_once() -> None:
    store = OffsetStore()
    for partition in (0, 2):
        store.put("g", "t", partition, Committed(partition, 5, "", 6))
    assert store.of_topic("g", "t", [2, 1, 9, -1, 0]) == [
        Committed(2, 5, "", 6),
        None,
        None,
        None,
        Committed(0, 5, "", 6),
    ]
    assert store.of_topic("g", "u", [0]) == store.of_topic("h", "t", [0]) == [None]
