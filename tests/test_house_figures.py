"""The figures of the house: chains and circles of imports."""

from tests.house_figures import circles, longest_chain


def test_the_longest_chain_of_imports_is_found() -> None:
    graph: dict[str, set[str]] = {"a": {"b", "d"}, "b": {"c"}, "c": {"d"}, "d": set()}
    assert longest_chain(graph) == 4
    assert circles(graph)["b"] == {"b"}


def test_a_circle_of_imports_is_one_step() -> None:
    graph: dict[str, set[str]] = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert longest_chain(graph) == 3
    assert circles(graph) == {"a": {"a"}, "b": {"b", "c"}, "c": {"b", "c"}, "d": {"d"}}
