"""The command `fakekafka-compat report`."""

import argparse
import sys
from pathlib import Path

from fakekafka_compat.findings import read_findings
from fakekafka_compat.report.html import page
from fakekafka_compat.report.junit import junit
from fakekafka_compat.report.markdown import markdown
from fakekafka_compat.report.matrix_report import Report, date_of, matrix_report, read_stories
from fakekafka_compat.report.spark_verdicts import spark_verdicts
from fakekafka_compat.table import default_table, read_table

TITLE = "Compatibility matrix"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("folder", type=Path, metavar="DIR", help="what `run --into` wrote")
    command.add_argument("--into", type=Path, metavar="FILE", help="the HTML page; DIR/report.html if nothing is named")
    command.add_argument("--markdown", type=Path, metavar="FILE", help="Markdown, for a CI summary")
    command.add_argument("--junit", type=Path, metavar="FILE", help="JUnit XML, a testcase for each cell")
    command.add_argument("--verdicts", type=Path, metavar="PATH", help="what `fakekafka-spark verdicts --out` wrote")
    command.add_argument("--title", default=TITLE)
    command.add_argument("--date", help="when it was run; default: the day of the newest file, in UTC")
    command.add_argument("--cells", type=Path, default=default_table(), metavar="FILE", help="another cells.toml")


def report(options: argparse.Namespace) -> int:
    """Write the reports that are asked for and return the exit status. Raises `UsageError` if there are no
    observations.
    """
    summary = report_of(options.folder, options.verdicts, options.cells, options.title, options.date)
    into = options.into
    if into is None and options.markdown is None and options.junit is None:
        into = options.folder / "report.html"
    for path, write in ((into, page), (options.markdown, markdown), (options.junit, junit)):
        if path is not None:
            path.write_text(write(summary), "utf-8")
            print(path, file=sys.stderr)
    return 0


def report_of(
    folder: Path, verdicts: Path | None = None, cells: Path | None = None, title: str = TITLE, date: str | None = None
) -> Report:
    """The report of a folder of observations, with Spark's `verdicts`. `cells`: the table, if it is not this tool's."""
    cells = cells or default_table()
    stories = read_stories(folder)
    spark = None if verdicts is None else spark_verdicts(verdicts, stories)
    findings = read_findings(cells.with_name("FINDINGS.md"))
    return matrix_report(title, date or date_of(folder), stories, dict(read_table(cells).clients), findings, spark)
