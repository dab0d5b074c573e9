"""A lane: a suite's tests, run against one setup after the other, and judged.

The exit status is 0 if each test passed, was skipped or failed as the table in `known/` says. It is 1 if one failed
that the table does not explain, if one passed that should have failed according to it, or if a broker did not start or
tests did not end in time. It is 2 if the tests cannot be had here; the reason is printed.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.acceptance.outcomes import Judgement, Outcome, judge, known
from tests.acceptance.processes import LaneBroken, Output
from tests.acceptance.setups import Setup, chosen


class NoSuite(Exception):
    """The tests, or what they need, cannot be had here; the text says why."""


class Suite(NamedTuple):
    """The tests of another project. `name` is also that of its table."""

    name: str
    about: str
    setups: tuple[Setup, ...]
    ready: Callable[[Path, Path | None], Path]
    """Make the tests ready below a new folder, or from a checkout, and return where to run them. Raises `NoSuite`."""
    run: Callable[[Setup, Path, Output], Iterable[Outcome]]
    """Run the tests where they were made ready. Raises `LaneBroken`."""
    wants_checkout: bool = False
    """Whether no registry carries the tests, so that the user has to name a checkout."""


def main(suite: Suite, arguments: Sequence[str] | None = None) -> int:
    """Run the tests and return the exit status."""
    options = _parser(suite).parse_args(arguments)
    clean, table = True, known(suite.name)
    with tempfile.TemporaryDirectory(prefix=f"{suite.name}-") as folder:
        try:
            root = suite.ready(Path(folder), options.checkout if suite.wants_checkout else None)
        except NoSuite as error:
            print(f"{suite.name}: {error}", file=sys.stderr)
            return 2
        print(f"{'brokers':20}{'passed':>7}{'skipped':>8}{'known':>6}{'failed':>7}", flush=True)
        for setup in chosen(options.release, suite.setups):
            try:
                result = judge(setup, suite.run(setup, root, Output(Path(folder) / "output.txt", options.log)), table)
            except LaneBroken as error:
                print(f"{setup!s:20} {error}", flush=True)
                clean = False
                continue
            show(setup, result, options.verbose)
            clean = clean and bool(result.passed) and not result.unexplained and not result.surprising
    return 0 if clean else 1


def _parser(suite: Suite) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(suite.name, description=suite.about)
    if suite.wants_checkout:
        parser.add_argument("checkout", type=Path, help="a checkout of the suite's project, made ready for its tests")
    usual = " ".join(dict.fromkeys(str(setup.release) for setup in suite.setups))
    parser.add_argument("release", nargs="*", help=f"Kafka releases ({usual})")
    parser.add_argument("--verbose", action="store_true", help="say why each skipped test was skipped")
    parser.add_argument("--log", action="store_true", help="show the tests' own output")
    return parser


def show(setup: Setup, result: Judgement, verbose: bool) -> None:
    """A line of the table, and any remarks on it."""
    counts = len(result.passed), len(result.skipped), len(result.explained), len(result.unexplained)
    print(f"{setup!s:20}{counts[0]:7}{counts[1]:8}{counts[2]:6}{counts[3]:7}")
    for outcome in result.unexplained:
        print(f"    FAILED {outcome.test}: {outcome.words}")
    for outcome, row in result.explained:
        print(f"    known  {outcome.test}: {row.why}")
    for row, test in result.surprising:
        print(f"    passed {test}, although the table says that {row.test} fails")
    for outcome in result.skipped if verbose else ():
        print(f"    skipped {outcome.test}: {outcome.words}")
    sys.stdout.flush()
