"""`python -m tests.coverage_figure REPORT.json`: coverage's report of the emulator in one line, for the end of a log.

The line has the figure and the files with the largest holes. Branches count as coverage counts them: each line, and
each way out of a line that has several.
"""

import json
import sys
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

MOST_FILES: Final = 5


class Totals(TypedDict):
    percent_covered_display: str
    missing_lines: int
    missing_branches: int


class FileReport(TypedDict):
    summary: Totals


class Report(TypedDict):
    """The parts of `coverage json` that are read."""

    totals: Totals
    files: dict[str, FileReport]


class Hole(NamedTuple):
    """The lines and branches of a file that no test reaches."""

    size: int
    file: str

    def __str__(self) -> str:
        return f"{self.file.partition('fakekafka/')[2] or self.file} ({self.size})"


def figure(report: Report) -> str:
    """The figure, and the files with the most lines and branches that no test reaches."""
    holes = [hole_in(name, file["summary"]) for name, file in report["files"].items()]
    largest = [str(hole) for hole in sorted(holes, reverse=True)[:MOST_FILES] if hole.size]
    covered = f"Branch coverage of the emulator: {report['totals']['percent_covered_display']} %"
    return f"{covered}. Not reached, lines and branches: {', '.join(largest)}" if largest else covered


def hole_in(file: str, summary: Totals) -> Hole:
    return Hole(summary["missing_lines"] + summary["missing_branches"], file)


def main() -> None:
    print(figure(json.loads(Path(sys.argv[1]).read_text("utf-8"))))


if __name__ == "__main__":
    main()
