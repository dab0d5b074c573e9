"""What became of each test, compared with what is known about it."""

import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from fakekafka.releases.release import Release

from tests.acceptance.setups import Pace, Setup

Verdict = Literal["passed", "failed", "skipped"]
TABLES = Path(__file__).with_name("known")


class Outcome(NamedTuple):
    """One test's end. `words`: the reason why it was skipped, or the first line of its error."""

    test: str
    verdict: Verdict
    words: str


class Known(NamedTuple):
    """A test that is known to fail, and the reason."""

    test: str
    """The test's name, which stands for its cases as well; with a final `*`, for every test whose name begins like
    this.
    """
    first: Release
    last: Release
    why: str
    pace: Pace | None = None
    """The only pace in which it fails."""
    sometimes: bool = False
    """Whether it may also pass."""

    def covers(self, setup: Setup, test: str) -> bool:
        inside = self.first.line_number <= setup.release.line_number <= self.last.line_number
        return inside and self.pace in (None, setup.pace) and self._names(test)

    def _names(self, test: str) -> bool:
        if self.test.endswith("*"):
            return test.startswith(self.test[:-1])
        return test == self.test or test.startswith((f"{self.test}[", f"{self.test}/"))


def known(suite: str) -> list[Known]:
    """The table of a suite. A row has a `test`, or `tests` that fail for one reason."""
    rows = tomllib.loads((TABLES / f"{suite}.toml").read_text("utf-8")).get("known", [])
    return [_known(test, row) for row in rows for test in row.get("tests") or [row["test"]]]


def _known(test: str, row: dict[str, Any]) -> Known:
    first, last = Release.parse(row["from"]), Release.parse(row["to"])
    return Known(test, first, last, row["why"], row.get("pace"), row.get("sometimes", False))


def outcomes(report: Path) -> list[Outcome]:
    """The tests of a JUnit report."""
    return [_outcome(case) for case in ET.parse(report).getroot().iter("testcase")]


def _outcome(case: ET.Element) -> Outcome:
    name = case.get("name") or ""
    for part in case:
        words = (part.get("message") or part.text or "").strip().split("\n", 1)[0]
        if part.tag in ("failure", "error"):
            return Outcome(name, "failed", words)
        if part.tag == "skipped":
            return Outcome(name, "skipped", words)
    return Outcome(name, "passed", "")


class Judgement(NamedTuple):
    """The tests of one setup, sorted."""

    passed: list[str]
    skipped: list[Outcome]
    explained: list[tuple[Outcome, Known]]
    """Failures that are known."""
    unexplained: list[Outcome]
    surprising: list[tuple[Known, str]]
    """Known failures whose test passed: the table is out of date."""


def judge(setup: Setup, found: Iterable[Outcome], table: Iterable[Known]) -> Judgement:
    """Sort the outcomes of a run against `setup`."""
    result = Judgement([], [], [], [], [])
    for outcome in found:
        row = next((row for row in table if row.covers(setup, outcome.test)), None)
        if outcome.verdict == "skipped":
            result.skipped.append(outcome)
        elif outcome.verdict == "passed":
            result.passed.append(outcome.test)
            if row is not None and not row.sometimes:
                result.surprising.append((row, outcome.test))
        elif row is not None:
            result.explained.append((outcome, row))
        else:
            result.unexplained.append(outcome)
    return result
