from fakekafka.coordinators.groups.arrivals import Arrivals


def test_groups_are_in_the_order_in_which_they_came() -> None:
    arrivals = Arrivals()
    for group_id in ("b", "a", "b", "c"):
        arrivals.add(0, group_id)
    assert list(arrivals.maps[0].ids) == ["b", "a", "c"]


def test_a_group_that_comes_again_is_the_newest() -> None:
    arrivals = Arrivals()
    for group_id in ("b", "a"):
        arrivals.add(0, group_id)
    arrivals.remove(0, "b")
    arrivals.remove(1, "b")
    arrivals.add(0, "b")
    assert list(arrivals.maps[0].ids) == ["a", "b"]


def test_a_map_remembers_how_full_it_has_been() -> None:
    arrivals = Arrivals()
    for group_id in ("a", "b"):
        arrivals.add(7, group_id)
        arrivals.remove(7, group_id)
    arrivals.add(7, "c")
    arrivals.add(7, "d")
    arrivals.remove(7, "c")
    assert (arrivals.maps[7].most, list(arrivals.maps[7].ids)) == (2, ["d"])
