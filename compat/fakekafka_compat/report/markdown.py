"""The report as Markdown, for the summary of a CI run: the matrix in signs, and what differs."""

from collections.abc import Iterator, Sequence
from typing import Final

from fakekafka.escaping import escaped

from fakekafka_compat.report.matrix_report import OUTCOMES, Report, ReportedCell
from fakekafka_compat.report.squares import SIGNS, squares

MOST: Final = 50
"""Beyond this number, differing cells and hindrances are only counted: a summary has a size limit."""


def markdown(report: Report) -> str:
    """The summary: a heading, totals, the matrix, differences, what cannot be run, and what Spark says."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {report.title}"
    yield ""
    counts = [f"{report.count(name):,} {name}" for name in OUTCOMES if report.count(name)]
    yield f"{len(report.cells):,} cells, run on {report.date}: {', '.join(counts)}."
    yield ""
    yield from _matrix(report)
    yield ""
    yield ", ".join(f"{sign} {name}" for name, sign in SIGNS.items()) + "; z zero-copy, c converted, r refused."
    for outcome, heading in ((OUTCOMES[1], "Differs"), (OUTCOMES[2], "Known differences")):
        yield from _section(
            heading, [_difference(reported) for reported in report.cells if reported.outcome == outcome]
        )
    yield from _section("Not runnable here", [f"- {n:,} × {_plain(reason)}" for reason, n in report.hindrances])
    yield from _spark(report)


def _matrix(report: Report) -> Iterator[str]:
    by_pair = squares(report)
    yield _row(["client", *report.releases])
    yield _row(["---"] * (1 + len(report.releases)))
    for client in report.clients:
        row = [client]
        for release in report.releases:
            square = by_pair.get((client, release))
            row.append("" if square is None else f"{square.sign} {square.letters or len(square.cells)}")
        yield _row(row)


def _difference(reported: ReportedCell) -> str:
    reasons = "; ".join(reported.story.reasons[:3]) + (" …" if len(reported.story.reasons) > 3 else "")
    known = f" ({reported.finding})" if reported.finding else ""
    return f"- `{reported.story.cell.cell}`{_plain(known)}: {_plain(reasons)}"


def _section(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"## {heading}", "")
        yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"- and {len(lines) - MOST:,} more"


def _spark(report: Report) -> Iterator[str]:
    spark = report.spark
    if spark is None:
        return
    counts = ", ".join(f"{n:,} {verdict}" for verdict, n in sorted(spark.counts.items()))
    yield from ("", "## Spark's verdicts", "", f"{counts}; {spark.records:,} records.")
    lines = [f"- `{cell}`: {tool} here, {said} by Spark" for cell, tool, said in spark.disagreements]
    yield from _section("Spark says otherwise", lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """The text on one line, with Markdown's own characters escaped."""
    return "".join(f"\\{c}" if c in "\\`*_<>|[]" else c for c in escaped(" ".join(text.split())))
