"""A job's result for people: a table as Markdown, and the same with all rows as Parquet."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHOWN_ROWS = 200


def markdown(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], more: int = 0) -> str:
    """A heading and a table, padded so that it reads well as plain text. `more`: rows that are left out."""
    cells = [[_text(value) for value in row] for row in rows]
    widths = [max(len(line[n]) for line in [list(columns), *cells]) for n in range(len(columns))]
    lines = [_line(columns, widths), _line(["-" * width for width in widths], widths)]
    lines += [_line(row, widths) for row in cells]
    note = [f"\n… and {more:,} more rows"] if more > 0 else []
    return "\n".join([f"# {title}", "", *lines, *note, ""])


def save(title: str, result: "DataFrame", folder: Path | None) -> str:
    """The result as text; with a folder also as `<folder>/rows` (Parquet) and `<folder>/report.md`."""
    if folder is not None:
        result.write.mode("overwrite").parquet(str(folder / "rows"))
        result = (
            result.sparkSession.read.schema(result.schema).parquet(str(folder / "rows")).orderBy(*result.columns[:3])
        )
    rows = result.limit(SHOWN_ROWS).collect()
    more = result.count() - len(rows) if len(rows) == SHOWN_ROWS else 0
    text = markdown(title, result.columns, rows, more)
    if folder is not None:
        (folder / "report.md").write_text(text, "utf-8")
    return text


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return ("| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " |").rstrip()


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")
