"""What became of each test, compared with what is known about it."""

import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from fakekafka.releases.release import Release

Verdict = Literal["passed", "failed", "skipped"]
KNOWN = Path(__file__).with_name("known.toml")


class Outcome(NamedTuple):
    """One test's end. `words`: the reason why it was skipped, or the first line of its error."""

    test: str
    verdict: Verdict
    words: str


class Known(NamedTuple):
    """A test that is known to fail, and the reason."""

    test: str
    first: Release
    last: Release
    why: str

    def covers(self, release: Release, test: str) -> bool:
        return (
            test.split("[")[0] == self.test and self.first.line_number <= release.line_number <= self.last.line_number
        )


def known() -> list[Known]:
    """The table in `known.toml`."""
    rows = tomllib.loads(KNOWN.read_text("utf-8")).get("known", [])
    return [Known(row["test"], Release.parse(row["from"]), Release.parse(row["to"]), row["why"]) for row in rows]


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
    """The tests of one release, sorted."""

    passed: list[str]
    skipped: list[Outcome]
    explained: list[tuple[Outcome, Known]]
    """Failures that are known."""
    unexplained: list[Outcome]
    surprising: list[Known]
    """Known failures that did not happen: the table is out of date."""


def judge(release: Release, found: Iterable[Outcome], table: Iterable[Known]) -> Judgement:
    """Sort the outcomes of a run on `release`."""
    result = Judgement([], [], [], [], [])
    for outcome in found:
        row = next((row for row in table if row.covers(release, outcome.test)), None)
        if outcome.verdict == "skipped":
            result.skipped.append(outcome)
        elif outcome.verdict == "passed":
            result.passed.append(outcome.test)
            if row is not None:
                result.surprising.append(row)
        elif row is not None:
            result.explained.append((outcome, row))
        else:
            result.unexplained.append(outcome)
    return result
