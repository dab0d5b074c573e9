"""Which cases of a test `pytest --most-cases` runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cases import few_cases

IDS = ["a.py::test_one", *(f"a.py::test_many[{n}]" for n in range(10)), "a.py::test_two[x]", "a.py::test_two[y]"]
SPREAD = "test_the_cases_of_each_test_are_spread"


@pytest.mark.parametrize(
    ("most", "many"), [(1, [0]), (2, [0, 9]), (3, [0, 4, 9]), (10, list(range(10))), (99, list(range(10)))]
)
def test_the_cases_of_each_test_are_spread(most: int, many: list[int]) -> None:
    kept = few_cases(IDS, most)
    assert {id for id in kept if "many" in id} == {f"a.py::test_many[{n}]" for n in many}
    assert "a.py::test_one" in kept
    assert len([id for id in kept if "two" in id]) == min(2, most)


def kept_of_a_shuffle(seed: int) -> list[str]:
    """The cases of the test above that are kept when pytest-randomly shuffles with this seed, in their usual order."""
    options = ("--collect-only", "-q", "-n", "0", "--most-cases", "2", "-p", "randomly", f"--randomly-seed={seed}")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", f"{__file__}::{SPREAD}"],
        cwd=Path(__file__).parents[1], capture_output=True, text=True, encoding="utf-8", timeout=120, check=True,
    )  # fmt: skip
    return sorted(line.partition("::")[2] for line in done.stdout.splitlines() if SPREAD in line)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_shuffle_of_the_tests_does_not_change_which_cases_are_kept(seed: int) -> None:
    assert kept_of_a_shuffle(seed) == [f"{SPREAD}[1-many0]", f"{SPREAD}[99-many4]"]
