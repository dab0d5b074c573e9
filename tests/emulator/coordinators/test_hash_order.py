"""The order of a coordinator's maps."""

from fakekafka.coordinators.hash_order import (
    grown_map_order,
    hash_set_order,
    named_partitions,
    partition_order,
    topic_order,
)
from fakekafka.state.topics import Topic

LOW, HIGH = bytes(15) + b"\1", bytes(15) + b"\2"


def test_texts_lie_by_their_hash() -> None:
    assert hash_set_order(["b", "a", "q"]) == ["a", "q", "b"], "97, 113 and 98 in a table of 16"


def test_partitions_and_topics_lie_by_their_hash() -> None:
    assert partition_order([17, 0, 3]) == [0, 17, 3]
    assert topic_order([HIGH, LOW]) == [LOW, HIGH]


def test_topics_that_are_gone_have_no_name() -> None:
    assigned = {HIGH: frozenset({1, 0}), LOW: frozenset({2})}
    assert named_partitions(assigned, {HIGH: Topic("t", HIGH, {})}) == [(HIGH, "t", [0, 1])]


def test_subtopologies_come_by_their_last_digits() -> None:
    assert grown_map_order(str(n) for n in range(12)) == ["0", "11", *map(str, range(1, 10)), "10"]
    assert grown_map_order([]) == []
    assert grown_map_order(["1", "1"]) == ["1"]


def test_a_map_grows_behind_its_twelfth_entry() -> None:
    twelve = [chr(65 + 2 * n) for n in range(12)]
    assert grown_map_order(twelve) == [*"AQCSEUGWIKMO"]
    assert grown_map_order([*twelve, "Z"]) == [*"ACEGIKMOQSUWZ"]


def test_a_copied_set_has_the_larger_table_from_the_twelfth_entry_on() -> None:
    """As OpenJDK 17 prints `new HashMap` filled one by one, and `new HashSet<>(map.keySet())`, of 11 to 25 entries."""
    twelve = [f"topic-{n * 37}" for n in range(12)]
    grown = [111, 37, 296, 185, 148, 333, 222, 0, 74, 259, 370, 407]
    copied = [111, 296, 185, 148, 333, 222, 0, 74, 259, 407, 37, 370]
    assert grown_map_order(twelve) == [f"topic-{n}" for n in grown]
    assert hash_set_order(twelve) == [f"topic-{n}" for n in copied]
    with_444 = [f"topic-{n}" for n in (111, 296, 185, 148, 444, 333, 222, 0, 74, 259, 407, 37, 370)]
    assert grown_map_order([*twelve, "topic-444"]) == with_444
    assert hash_set_order([*twelve, "topic-444"]) == with_444
