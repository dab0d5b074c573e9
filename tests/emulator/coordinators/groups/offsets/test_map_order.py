import pytest
from fakekafka.coordinators.groups.offsets.map_order import (
    MANY,
    committed_order,
    deleted_order,
    expired_order,
    groups_order,
    loaded_order,
    order_of_all,
)
from fakekafka.releases.behaviours.offsets import DeletedOrder, ExpiredOrder, MapOrder

EIGHT = [("t", n) for n in (5, 0, 7, 2, 6, 1, 4, 3)]
"""In the order in which the recorded scenario "offsets" commits them in the group "order8"."""


@pytest.mark.parametrize(
    ("order", "four", "eight"),
    [
        ("request", [5, 0, 7, 2], [5, 0, 7, 2, 6, 1, 4, 3]),
        ("scala", [5, 0, 7, 2], [1, 2, 3, 7, 0, 5, 4, 6]),
        ("java", [5, 2, 0, 7], [5, 4, 6, 3, 2, 1, 7, 0]),
        ("scala 2.12", [5, 0, 7, 2], [5, 4, 6, 3, 2, 1, 7, 0]),
        ("scala 2.13", [5, 0, 7, 2], [5, 4, 6, 3, 2, 1, 7, 0]),
        ("mutable", [5, 2, 0, 7], [3, 2, 0, 5, 1, 6, 4, 7]),
    ],
)
def test_commits_are_written_in_the_order_of_the_release_s_maps(
    order: MapOrder, four: list[int], eight: list[int]
) -> None:
    assert [p for _, p in committed_order(EIGHT[:4], order)] == four
    assert [p for _, p in committed_order(EIGHT, order)] == eight


def test_a_partition_that_is_named_twice_is_written_once() -> None:
    assert committed_order([("t", 1), ("t", 0), ("t", 1)], "scala 2.12") == [("t", 1), ("t", 0)]
    assert committed_order([("t", 1), ("t", 1)], "java") == [("t", 1)]


@pytest.mark.parametrize(
    ("order", "four", "eight"),
    [
        ("map", [7, 0, 5, 2], [7, 4, 1, 6, 3, 0, 5, 2]),
        ("map of 2.12", [7, 0, 5, 2], [5, 4, 6, 3, 2, 1, 7, 0]),
        ("map of 2.13", [5, 2, 0, 7], [5, 4, 6, 3, 2, 1, 7, 0]),
        ("by topic", [2, 0, 5, 7], [0, 5, 2, 7, 4, 1, 6, 3]),
    ],
)
def test_tombstones_of_a_group_are_written_in_the_order_of_its_map(
    order: ExpiredOrder, four: list[int], eight: list[int]
) -> None:
    assert [p for _, p in expired_order(EIGHT[:4], order)] == four
    assert [p for _, p in expired_order(EIGHT, order)] == eight


def test_in_4_x_topics_have_their_own_order() -> None:
    places = [("t", 1), ("t", 2), ("many", 3), ("many", 4), ("many", 5)]
    assert expired_order(places, "by topic") == [("many", 5), ("many", 4), ("many", 3), ("t", 2), ("t", 1)]


@pytest.mark.parametrize(
    ("case_class", "expected"),
    [
        (True, ["order4 2", "order4 5", "order4 7", "order4 0"]),
        (False, ["order4 5", "order4 0", "order4 7", "order4 2"]),
    ],
)
def test_up_to_0_10_0_all_offsets_are_in_one_map(case_class: bool, expected: list[str]) -> None:
    """0.9.0.1 and 0.10.0.1 offsets: 55 offsets expired at once."""
    places = [("order4", topic, partition) for topic, partition in EIGHT[:4]]
    others = [("others", "t", partition) for partition in range(61)]
    ordered = order_of_all([*places, *others], case_class=case_class)
    assert [f"{group} {partition}" for group, _, partition in ordered if group == "order4"] == expected


def test_two_offsets_in_one_bucket_of_the_map_keep_the_order_of_their_commits() -> None:
    """Recorded from 0.10.0.0: offsets."""
    others = [("others", "t", partition) for partition in range(63)]
    for places in ([("order5", "t", 0), ("order5", "t", 7)], [("order5", "t", 7), ("order5", "t", 0)]):
        ordered = order_of_all([*others, *places], case_class=False)
        assert [place for place in ordered if place[0] == "order5"] == places


def test_groups_are_checked_in_the_order_of_their_map() -> None:
    groups = ["", "odd", "members", "order8", "plain2", "meta2"]
    of_scala, of_java = (groups_order(groups, by_topic=by_topic) for by_topic in (False, True))
    assert sorted(of_scala) == sorted(of_java) == sorted(groups)
    assert of_scala != of_java


@pytest.mark.parametrize("order", ["offsets", "map", "map of 2.12", "map of 2.13", "by topic"])
def test_loaded_groups_come_in_the_order_of_a_map_before_4_0(order: ExpiredOrder) -> None:
    groups = [f"group-{n}" for n in range(40)]
    ordered = loaded_order(groups, order)
    assert sorted(ordered) == sorted(groups)
    assert (ordered == groups) == (order in ("offsets", "by topic"))


@pytest.mark.parametrize(
    ("order", "two"),
    [
        ("set of 2.12", ["one0", "empty"]),
        ("set of 2.13", ["empty", "one0"]),
        ("request", ["empty", "one0"]),
        ("java set", ["one0", "empty"]),
    ],
)
def test_groups_that_one_request_deletes_are_deleted_in_the_order_of_the_map(
    order: DeletedOrder, two: list[str]
) -> None:
    """2.2.2, 2.4.1 and 4.1.1 group_classic: the tombstones."""
    assert deleted_order(["empty", "one0"], order) == two
    many = [f"group-{n}" for n in range(9)]
    assert sorted(deleted_order(many, order)) == many
    assert (deleted_order(many, order) == many) == (order == "request")


def test_very_many_groups_are_not_sorted() -> None:
    groups = [f"group-{n}" for n in range(MANY + 1)]
    assert groups_order(groups, by_topic=False) == loaded_order(groups, "map") == groups
