"""The expected orders were asked of brokers: 2.3.1, 4.0.0, 4.2.1 and 4.3.1."""

from collections.abc import Sequence

import pytest
from fakekafka.coordinators.transactions.map_order import ids_order, logged_order, marked_order
from fakekafka.ids import TopicPartition
from fakekafka.releases.behaviours.transactions import LoggedOrder
from hypothesis import given
from hypothesis import strategies as st

ORDERS = ["scala 2.12", "scala 2.13", "scala 2.13 of java", "java"]
TEN = ["alpha", "beta", "gamma", "delta", "orders-in", "zeta", "some.topic", "x1", "y", "a-very-long-topic-name-here"]


def topics(names: Sequence[str], order: LoggedOrder) -> str:
    found = logged_order([(name, 1) for name in names], order, 0)
    return " ".join(name.split("-")[0] for name, _ in found)


@pytest.mark.parametrize(
    ("order", "few", "many"),
    [
        ("scala 2.12", "beta alpha delta gamma", "y some.topic zeta x1 orders"),
        ("scala 2.13", "alpha gamma delta beta", "y some.topic zeta x1 orders"),
        ("scala 2.13 of java", "alpha gamma delta beta", "y some.topic zeta x1 orders"),
        ("java", "alpha delta gamma beta", "zeta some.topic y x1 orders"),
    ],
)
def test_topics_are_in_the_order_of_the_release_s_maps(order: LoggedOrder, few: str, many: str) -> None:
    assert topics(TEN[:4], order) == few
    assert topics(TEN[4:9], order) == many


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("scala 2.12", [0, 5, 10, 1, 6, 9, 2, 7, 3, 11, 8, 4]),
        ("scala 2.13", [0, 5, 10, 1, 6, 9, 2, 7, 3, 11, 8, 4]),
        ("scala 2.13 of java", list(range(12))),
        ("java", [6, 7, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9]),
    ],
)
def test_many_partitions_of_a_topic_are_in_the_order_of_the_release_s_maps(
    order: LoggedOrder, expected: list[int]
) -> None:
    assert logged_order([("alpha", index) for index in range(12)], order, 0) == [("alpha", expected)]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("scala 2.12", [3, 7, 5, 11]),
        ("scala 2.13", [7, 5, 3, 11]),
        ("scala 2.13 of java", [3, 5, 7, 11]),
        ("java", [7, 5, 3, 11]),
    ],
)
def test_few_partitions_are_in_the_order_of_the_set_of_all(order: LoggedOrder, expected: list[int]) -> None:
    assert logged_order([("x1", index) for index in (11, 7, 5, 3)], order, 3) == [("x1", expected)]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("scala 2.12", [("beta", [2]), ("delta", [1, 9, 2]), ("zeta", [0, 5, 1])]),
        ("scala 2.13", [("zeta", [0, 5, 1]), ("delta", [1, 9, 2]), ("beta", [2])]),
        ("scala 2.13 of java", [("zeta", [0, 1, 5]), ("delta", [1, 2, 9]), ("beta", [2])]),
        ("java", [("zeta", [0, 1, 5]), ("delta", [9, 2, 1]), ("beta", [2])]),
    ],
)
def test_few_partitions_of_a_topic_among_many_are_in_the_order_of_the_release_s_maps(
    order: LoggedOrder, expected: list[tuple[str, list[int]]]
) -> None:
    zeta, delta = [("zeta", index) for index in (1, 0, 5)], [("delta", index) for index in (9, 1, 2)]
    assert logged_order([*zeta, *delta, ("beta", 2)], order, 5) == expected


def test_a_java_set_copied_from_twelve_entries_is_larger_than_one_that_grew_to_twelve() -> None:
    places = [("alpha", index * 16) for index in range(12)]
    assert logged_order(places, "java", 0) != logged_order(places, "java", 12)


@pytest.mark.parametrize("order", ORDERS)
@given(places=st.lists(st.tuples(st.sampled_from(TEN), st.integers(0, 100)), unique=True), held=st.integers(0, 40))
def test_every_partition_comes_once(order: LoggedOrder, places: list[TopicPartition], held: int) -> None:
    found = logged_order(places, order, held)
    assert sorted((name, index) for name, indexes in found for index in indexes) == sorted(places)


def test_ids_are_checked_in_the_order_of_a_concurrent_map() -> None:
    made = ["warm", "off", "other", "prod", "prod2", "own", "open"]
    assert ids_order(made) == ["warm", "other", "prod", "prod2", "own", "off", "open"]


@pytest.mark.parametrize(
    ("order", "few", "first_of_many"),
    [("scala 2.12", [2, 0, 1], [("b", 0), ("a", 1)]), ("scala 2.13", [2, 1, 0], [("b", 0), ("a", 2)])],
)
def test_markers_are_written_in_the_order_of_the_set_of_partitions(
    order: LoggedOrder, few: list[int], first_of_many: list[TopicPartition]
) -> None:
    """Recorded from 1.1.1 and 2.4.1: waits_of_several."""
    places = [(topic, n) for topic in "ab" for n in range(3)]
    assert [n for _, n in marked_order(places[:3], order)] == few
    assert marked_order(places, order)[:2] == first_of_many
