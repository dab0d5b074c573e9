"""The smoke subset of the compatibility matrix, and what Spark says about it: the second part of `make demo`.

The matrix writes its observations into files, which two judges read independently: the matrix tool, and the Spark
pipeline, in a JVM that comes from pip. A page for the browser has both, and says where they disagree.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from fakekafka import FakeKafkaError
from fakekafka_compat.environments import default_cache
from fakekafka_compat.matrix import Work, run_all
from fakekafka_compat.report import html
from fakekafka_compat.report.command import report_of
from fakekafka_compat.table import cells, default_table, read_table
from fakekafka_compat.verdict import Verdict
from fakekafka_spark.observations import Cell

Row: TypeAlias = dict[str, object]
Advance: TypeAlias = Callable[[], None]

SUBSET: Final = "smoke"
SPARK: Final = "import sys; from fakekafka_spark.cli import main; sys.exit(main())"
SMALL: Final = {"spark.sql.shuffle.partitions": "2", "spark.ui.enabled": "false"}
"""Settings for a few dozen files."""
FAULTS: Final = {
    "lost": ("lost", "not_stored"),
    "twice": ("duplicated",),
    "moved": ("moved", "reordered"),
    "changed": ("changed_key", "changed_value", "changed_headers", "changed_timestamp"),
    "other": ("unwanted", "unknown", "facts_wrong"),
}
"""Columns, each with the columns of the verdicts that it sums up."""
COLUMNS: Final = ("client", "release", "cells", "ok", "skipped", "wrong", "records", *FAULTS)
WRONG: Final = COLUMNS.index("wrong")


class Played(NamedTuple):
    """The results."""

    verdicts: list[Verdict]
    """The verdicts of the matrix tool."""
    rows: list[Row]
    """The verdicts of Spark, one per cell."""
    page: Path

    @property
    def is_well(self) -> bool:
        """Whether neither judge found a fault."""
        well = all(each.outcome != "differs" for each in self.verdicts)
        return well and all(row["verdict"] in ("ok", "skipped") for row in self.rows)


def play(folder: Path, chosen: Sequence[Cell] | None = None) -> Played:
    """Run cells, the smoke subset unless others are `chosen`, have Spark judge them, write the page.

    Raises `FakeKafkaError` if Spark does not start.
    """
    table = read_table(default_table())
    observations, judged, page = folder / "observations", folder / "verdicts", folder / "report.html"
    for old in (observations, judged):
        shutil.rmtree(old, ignore_errors=True)
    observations.mkdir(parents=True)
    chosen = cells(table, SUBSET, {}) if chosen is None else chosen
    work = Work(table, observations, default_cache(), again=True)
    with _progress("real clients", len(chosen)) as advance:
        verdicts = run_all(chosen, work, os.cpu_count() or 1, lambda _: advance())
    with _progress("Spark", None):
        rows = spark_says(observations, judged)
    page.write_text(html.page(report_of(observations, judged)), "utf-8")
    return Played(verdicts, rows, page)


def spark_says(observations: Path, into: Path) -> list[Row]:
    """Spark's verdicts on the observations. Raises `FakeKafkaError` with Spark's last words if there are none."""
    settings = [word for name, value in SMALL.items() for word in ("--conf", f"{name}={value}")]
    command = [sys.executable, "-c", SPARK, "verdicts", str(observations), "--out", str(into), *settings]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if not (into / "rows").exists():
        raise FakeKafkaError(f"no verdicts from Spark: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    from pyarrow import parquet

    rows: list[Row] = parquet.read_table(into / "rows").to_pylist()
    return rows


# ---- showing


def summed(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """A line for each client and release, under the headings of `COLUMNS`."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        sum_ = sums.setdefault((str(row["client"]), str(row["release"])), Counter())
        sum_["cells"] += 1
        verdict = str(row["verdict"])
        sum_[verdict if verdict in ("ok", "skipped") else "wrong"] += 1
        sum_["records"] += _number(row["records"])
        for heading, names in FAULTS.items():
            sum_[heading] += sum(_number(row[name]) for name in names)
    order = sorted(sums, key=lambda place: (place[0], [int(n) for n in place[1].split(".")]))
    return [(*place, *(str(sums[place][heading]) for heading in COLUMNS[2:])) for place in order]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def show(played: Played) -> None:
    """Spark's verdicts as a table, a line for each client and release, and where the page is."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold underline")
    for heading in COLUMNS:
        table.add_column(heading, justify="left" if heading in COLUMNS[:2] else "right")
    last = ""
    for line in summed(played.rows):
        table.add_row("" if line[0] == last else line[0], *line[1:], style=None if line[WRONG] == "0" else "red")
        last = line[0]
    console = Console(highlight=False)
    console.print("Spark's verdicts of the compatibility matrix", style="bold")
    console.print(table)
    ok = sum(row["verdict"] == "ok" for row in played.rows)
    real = sum(each.outcome == "as the real broker" for each in played.verdicts)
    console.print(f"{ok} of {len(played.rows)} cells ok to Spark, {real} as a real broker to the matrix tool")
    console.print(f"the story of each cell: {played.page}", soft_wrap=True)


@contextmanager
def _progress(what: str, total: int | None) -> Iterator[Advance]:
    """A progress bar on a terminal, erased at the end."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
