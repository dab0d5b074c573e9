"""A report's contents: the stories of all cells, in order, with totals. There is no markup here."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka import UsageError

from fakekafka_compat.findings import Finding, finding_of
from fakekafka_compat.report.spark_verdicts import SparkVerdicts
from fakekafka_compat.report.story import Handling, Story, story
from fakekafka_compat.table import Client
from fakekafka_compat.verdict import load

FILTERS: Final = ("scenario", "format", "phase", "codec")
"""Axes that distinguish the cells of one client and release."""
OWN: Final = {"format": "the release's own", "phase": "no upgrade"}
"""What an empty value of an axis means."""
OUTCOMES: Final = ("as the real broker", "differs", "known difference", "not runnable here")
HANDLINGS: Final[tuple[Handling, ...]] = ("zero-copy", "converted", "refused")


class ReportedCell(NamedTuple):
    """A cell's story, and what FINDINGS.md says about it."""

    number: int
    story: Story
    outcome: str
    """One of OUTCOMES."""
    finding: str | None
    """The title of the finding that lists it, if it differs."""


class Report(NamedTuple):
    """Everything that a report shows."""

    title: str
    date: str
    cells: Sequence[ReportedCell]
    """Keyed by client, release, and then the axes of FILTERS."""
    clients: dict[str, str]
    """Library and version by the client's name."""
    releases: list[str]
    spark: SparkVerdicts | None

    @property
    def groups(self) -> dict[tuple[str, str], list[ReportedCell]]:
        """The cells of each client and release."""
        grouped: dict[tuple[str, str], list[ReportedCell]] = {}
        for reported in self.cells:
            grouped.setdefault((reported.story.cell.client, reported.story.cell.release), []).append(reported)
        return grouped

    def values(self, axis: str) -> list[str]:
        """The values of an axis that occur in the report."""
        distinct = {str(getattr(reported.story.cell, axis)) for reported in self.cells}
        return sorted(distinct, key=_natural)

    def count(self, outcome: str) -> int:
        return sum(reported.outcome == outcome for reported in self.cells)

    def count_handling(self, handling: Handling) -> int:
        return sum(reported.story.handling == handling for reported in self.cells)

    @property
    def hindrances(self) -> list[tuple[str, int]]:
        """Why cells cannot be run here, and how many cells each reason concerns, the most frequent first."""
        skipped = (reported.story for reported in self.cells if reported.outcome == OUTCOMES[3])
        return Counter(reason for story in skipped for reason in story.reasons).most_common()


def read_stories(folder: Path) -> list[Story]:
    """The report of all observations in a folder. Raises `UsageError` if it has none."""
    files = sorted([*folder.glob("*.parquet"), *folder.glob("*.jsonl")])
    if not files:
        raise UsageError(f"{folder} has no observations: `fakekafka-compat run --into {folder}` writes them")
    return [story(*load(file)) for file in files]


def date_of(folder: Path) -> str:
    """The day of the newest observations, in UTC."""
    files = [*folder.glob("*.parquet"), *folder.glob("*.jsonl")]
    newest = max((file.stat().st_mtime for file in files), default=0)
    day = datetime.fromtimestamp(newest, UTC)
    return f"{day.day} {day:%B %Y}"


def matrix_report(
    title: str,
    date: str,
    stories: Iterable[Story],
    clients: dict[str, Client],
    findings: Sequence[Finding],
    spark: SparkVerdicts | None,
) -> Report:
    """Put stories in order: clients as the table has them, releases by age."""
    names = list(clients)
    inside = sorted(stories, key=lambda s: _order(s, names))
    reported = [_reported(number, each, findings) for number, each in enumerate(inside)]
    seen = dict.fromkeys(each.cell.client for each in inside)
    labels = {name: f"{clients[name].library} {clients[name].version}" if name in clients else "" for name in seen}
    releases = sorted({each.cell.release for each in inside}, key=_natural)
    return Report(title, date, reported, labels, releases, spark)


def _reported(number: int, each: Story, findings: Sequence[Finding]) -> ReportedCell:
    finding = finding_of(each.cell, findings) if each.outcome == "differs" else None
    return ReportedCell(number, each, each.outcome if finding is None else OUTCOMES[2], finding and finding.title)


def _order(each: Story, names: list[str]) -> tuple[object, ...]:
    cell = each.cell
    client = names.index(cell.client) if cell.client in names else len(names)
    return (client, cell.client, _natural(cell.release), *(_natural(getattr(cell, axis)) for axis in FILTERS))


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts 0.9.0 before 0.10.0, and "capped at 2" before "capped at 10"."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]
