"""How many partitions internal topics are to have."""

import pytest
from fakekafka.coordinators.groups.streams.topology.configured import parts
from fakekafka.coordinators.groups.streams.topology.partition_counts import Incomplete, PartitionCounts, copartitioned
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.streams_topologies import topology_of
from fakekafka.wire.apis.streams_group_heartbeat import Subtopology

from tests.support.streams_group_clients import internal, part, plan

EXISTING = {"four": 4, "two": 2, "three": 3}


def counts(*subtopologies: Subtopology) -> dict[str, int]:
    by_id = parts(topology_of(plan(*subtopologies)))
    return PartitionCounts(by_id, copartitioned(by_id), EXISTING).decided


def test_a_written_topic_gets_as_many_partitions_as_the_largest_that_is_read() -> None:
    found = counts(
        part("0", ["four", "two"], sinks=["a"]),
        part("1", ["two"], repartition=[internal("a")], sinks=["b"], changelogs=[internal("c")]),
        part("2", repartition=[internal("b")], changelogs=[internal("d")]),
    )
    assert found == {"a": 4, "b": 4, "c": 4, "d": 4}


def test_an_explicit_partition_count_is_kept() -> None:
    found = counts(
        part("0", ["four"], sinks=["a"]), part("1", repartition=[internal("a", 7)], changelogs=[internal("c")])
    )
    assert found == {"a": 7, "c": 7}


def test_topics_that_are_read_together_get_the_same_partition_count() -> None:
    pair = part("1", ["two"], repartition=[internal("a")], together=[([0], [0])])
    assert counts(part("0", ["four"], sinks=["a"]), pair) == {"a": 2}
    both = part("2", repartition=[internal("a"), internal("b")], together=[([], [0, 1])])
    assert counts(part("0", ["four"], sinks=["a"]), part("1", ["two"], sinks=["b"]), both) == {"a": 4, "b": 4}
    fixed = part("2", repartition=[internal("a", 5), internal("b")], together=[([], [0, 1])])
    assert counts(part("0", ["four"], sinks=["a", "b"]), fixed) == {"a": 5, "b": 5}


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (part("1", ["four", "two"], together=[([0, 1], [])]), r"\[\{four=4, two=2\}\]"),
        (
            part("1", ["two"], repartition=[internal("a", 5)], together=[([0], [0])]),
            r"\[5\] of repartition topic \[a\]",
        ),
        (part("1", repartition=[internal("a", 5), internal("b", 6)], together=[([], [0, 1])]), r"\[\{a=5, b=6\}\]"),
    ],
)
def test_partition_counts_that_contradict_each_other_are_refused(pair: Subtopology, words: str) -> None:
    with pytest.raises(Incomplete, match=words):
        counts(part("0", ["four"], sinks=["a", "b"]), pair)


@pytest.mark.parametrize(
    ("subtopologies", "words"),
    [
        ([part("0", ["two"]), part("1", repartition=[internal("a")])], "never used as a sink topic"),
        ([part("0", sinks=["a"], repartition=[internal("a")])], "loops in the topology"),
        ([part("0")], "No source topics found for subtopology 0"),
    ],
)
def test_impossible_topologies_are_invalid(subtopologies: list[Subtopology], words: str) -> None:
    with pytest.raises(ApiError, match=words) as refused:
        counts(*subtopologies)
    assert refused.value.code is ErrorCode.STREAMS_INVALID_TOPOLOGY


@pytest.mark.parametrize("places", [([1], []), ([-1], []), ([], [0])])
def test_positions_outside_the_list_of_topics_are_an_unknown_error(places: tuple[list[int], list[int]]) -> None:
    with pytest.raises(ApiError) as refused:
        counts(part("0", ["two"], together=[places]))
    assert refused.value.code is ErrorCode.UNKNOWN_SERVER_ERROR
