"""Some of the cases of each parametrized test: what `pytest --most-cases` runs."""

from collections.abc import Iterable


def few_cases(ids: Iterable[str], most: int) -> set[str]:
    """At most `most` cases of each test, by pytest's ids: the first, the last, and others at equal distances."""
    by_test: dict[str, list[str]] = {}
    for id in ids:
        by_test.setdefault(id.partition("[")[0], []).append(id)
    return {case for cases in by_test.values() for case in _spread(cases, most)}


def _spread(cases: list[str], most: int) -> list[str]:
    if len(cases) <= most:
        return cases
    return [cases[place * (len(cases) - 1) // max(1, most - 1)] for place in range(most)]
