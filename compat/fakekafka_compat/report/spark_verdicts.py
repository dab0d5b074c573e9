"""What `fakekafka-spark verdicts --out` wrote, beside what this tool says about the same cells."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakekafka import UsageError

from fakekafka_compat.report.story import Story

SAME: Final = {"as the real broker": {"ok"}, "differs": {"differs", "failed"}, "not runnable here": {"skipped"}}
"""Outcomes, and the words of Spark's verdicts that mean the same."""
NOT_COUNTS: Final = frozenset({"first_uid", "records"})
"""Numeric columns that do not count faults."""


class Disagreement(NamedTuple):
    """A cell on which the two judges disagree."""

    cell: str
    tool: str
    spark: str


class SparkVerdicts(NamedTuple):
    """The verdicts of a file."""

    counts: Mapping[str, int]
    """How many cells have each verdict."""
    records: int
    faults: Mapping[str, int]
    """How many records are at fault, by kind; kinds without any are included."""
    disagreements: Sequence[Disagreement]


def spark_verdicts(path: Path, stories: Iterable[Story]) -> SparkVerdicts:
    """Read verdicts, Parquet or JSON, and compare them with the report's. Raises `UsageError` if there are none."""
    try:
        rows = list(_rows(path))
    except ValueError:
        rows = []
    if not rows or not {"cell", "verdict"} <= rows[0].keys():
        raise UsageError(f"{path}: no verdicts; `fakekafka-spark verdicts OBSERVATIONS --out {path}` writes them")
    numbers = [name for name, value in rows[0].items() if isinstance(value, int) and name not in NOT_COUNTS]
    by_cell = {row["cell"]: str(row["verdict"]) for row in rows}
    return SparkVerdicts(
        Counter(by_cell.values()),
        sum(row.get("records") or 0 for row in rows),
        {name: sum(row[name] or 0 for row in rows) for name in numbers},
        list(_disagreements(by_cell, {story.cell.cell: story.outcome for story in stories})),
    )


def _disagreements(spark: Mapping[str, str], tool: Mapping[str, str]) -> Iterable[Disagreement]:
    for cell in sorted(spark.keys() | tool.keys()):
        ours, theirs = tool.get(cell, "no observations"), spark.get(cell, "no verdict")
        if theirs not in SAME.get(ours, {"missing"}):
            yield Disagreement(cell, ours, theirs)


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    folder = path / "rows" if (path / "rows").is_dir() else path
    files = sorted(folder.glob("*.parquet")) + sorted(folder.glob("*.json*")) if folder.is_dir() else [folder]
    for file in files:
        if file.suffix == ".parquet":
            parquet = _parquet()
            yield from parquet.read_table(file).to_pylist()
        else:
            yield from _json_rows(file.read_text("utf-8"))


def _parquet() -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise UsageError("verdicts in Parquet need pyarrow: install fakekafka[compat]") from None
    return parquet


def _json_rows(text: str) -> Iterable[dict[str, Any]]:
    """Read a list of objects, or one object per line."""
    if text.lstrip().startswith("["):
        yield from json.loads(text)
    else:
        yield from (json.loads(line) for line in text.splitlines() if line.strip())
