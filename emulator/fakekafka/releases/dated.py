"""Values that change from release to release, written as `{"0.8.0": old, "2.5.1": new}`.

A key is the release line or the patch release from which the value holds; "2.5" means from 2.5.0 on. Lists of releases
are not needed: a fix that went into several lines is written with each of them, so `{"0.8.0": a, "3.9.2": b, "4.0": a,
"4.0.1": b}` is a fix of 3.9.2 and of 4.0.1.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import TypeVar

from fakekafka.errors import UsageError
from fakekafka.releases.release import Release, starting

T = TypeVar("T")
D = TypeVar("D")


def at(values: Mapping[str, T], release: Release, before: D) -> T | D:
    """The value that holds in `release`; `before` if the first one came later."""
    in_force: T | D = before
    for date, value in values.items():
        if starting(date) > release:
            break
        in_force = value
    return in_force


def check(values: Mapping[str, object], first: str | None = None) -> None:
    """Check that the dates are known, ascend and begin with `first`, and that each value is new. A test calls this for
    every table.

    Raises `UsageError` naming the entry that does not fit.
    """
    dates = list(values)
    if not dates or (first is not None and dates[0] != first):
        raise UsageError(f"{dict(values)!r} does not begin with {first or 'any release'}")
    for earlier, later in pairwise(dates):
        if starting(earlier) >= starting(later):
            raise UsageError(f"{earlier!r} does not come before {later!r}")
        if type(values[earlier]) is type(values[later]) and values[earlier] == values[later]:
            raise UsageError(f"{later!r} repeats the value of {earlier!r}: {values[later]!r}")
    starting(dates[-1])
