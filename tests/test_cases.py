"""Which cases of a test `pytest --most-cases` runs."""

import pytest

from tests.support.cases import few_cases

IDS = ["a.py::test_one", *(f"a.py::test_many[{n}]" for n in range(10)), "a.py::test_two[x]", "a.py::test_two[y]"]


@pytest.mark.parametrize(
    ("most", "many"), [(1, [0]), (2, [0, 9]), (3, [0, 4, 9]), (10, list(range(10))), (99, list(range(10)))]
)
def test_the_cases_of_each_test_are_spread(most: int, many: list[int]) -> None:
    kept = few_cases(IDS, most)
    assert {id for id in kept if "many" in id} == {f"a.py::test_many[{n}]" for n in many}
    assert "a.py::test_one" in kept
    assert len([id for id in kept if "two" in id]) == min(2, most)
