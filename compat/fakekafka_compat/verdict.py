"""The outcome of a cell, told from its observations alone; and which differences are known.

The rules are those of the pipeline's `verdicts`, which judges millions of rows: a record that was acknowledged is
stored and consumed once, in order, with all that the formats on its way can hold.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka_spark.observations import Cell, Observation

Outcome: TypeAlias = Literal["as the real broker", "differs", "not runnable here"]
Place: TypeAlias = tuple[str | None, int | None]
NEWEST_FORMAT: Final = 2
_CELL: Final = re.compile(r"^- `([^`]+)`", re.MULTILINE)


class Verdict(NamedTuple):
    """Of one cell."""

    cell: Cell
    outcome: Outcome
    reasons: list[str]
    """What differs, or why it cannot be run."""


def verdict(cell: Cell, rows: Sequence[Observation]) -> Verdict:
    """The outcome of a cell with these observations."""
    first = rows[0]
    if first.value == "skipped":
        return Verdict(cell, "not runnable here", [first.text or ""])
    if first.value == "failed":
        return Verdict(cell, "differs", [first.text or ""])
    found = list(_differences(rows))
    return Verdict(cell, "differs" if found else "as the real broker", found)


def known_differences(findings: Path) -> list[str]:
    """The cells that FINDINGS.md lists: bullets that begin with a cell's name, or a pattern, in backquotes."""
    return _CELL.findall(findings.read_text()) if findings.exists() else []


def is_known(cell: Cell, known: Sequence[str]) -> bool:
    """Does one of these patterns name it?"""
    return any(fnmatchcase(cell.cell, pattern) for pattern in known)


def load(path: Path) -> tuple[Cell, list[Observation]]:
    """What `observations.write` wrote."""
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        from pyarrow import parquet

        rows = parquet.read_table(path).to_pylist()
    found = [Observation(**{name: row[name] for name in Observation._fields}) for row in rows]
    return Cell(**{name: rows[0][name] or "" for name in Cell._fields}), found


def _differences(rows: Sequence[Observation]) -> Iterator[str]:
    for row in rows:
        if row.stage == "fact" and row.expected is not None and row.expected != row.value:
            yield f"{row.name}: {row.value!r}, not {row.expected!r}"
    produced = [row for row in rows if row.stage == "produced"]
    stored = {row.uid: row for row in rows if row.stage == "stored"}
    yield from _counts("stored", produced, [row for row in rows if row.stage == "stored"], aborted_too=True)
    for reader in range(int(rows[0].amount or 0)):
        consumed = [row for row in rows if row.stage == "consumed" and row.reader == reader]
        yield from _counts("consumed", produced, consumed, aborted_too=False)
        yield from _order(consumed)
        for row in consumed:
            yield from _fields(row, stored.get(row.uid))
    for row in produced:
        yield from _fields(row, stored.get(row.uid))
        at = stored.get(row.uid)
        if row.offset is not None and at is not None and (row.partition, row.offset) != (at.partition, at.offset):
            yield f"record {row.uid} was acknowledged at {row.offset} and is at {at.partition}-{at.offset}"


def _counts(
    stage: str, produced: Sequence[Observation], found: Sequence[Observation], aborted_too: bool
) -> Iterator[str]:
    counts = Counter(row.uid for row in found)
    for row in produced:
        count = counts.pop(row.uid, 0)
        must = row.want in ("once", "at least once")
        if must and not count:
            yield f"record {row.uid} is not {stage}"
        elif count > 1 and row.want == "once":
            yield f"record {row.uid} is {stage} {count} times"
        elif count and row.want == "never" and not aborted_too:
            yield f"record {row.uid} is {stage}, and must never be"
    yield from (f"a record that nobody produced is {stage}: {uid}" for uid in counts)


def _order(consumed: Sequence[Observation]) -> Iterator[str]:
    """Of what comes again, which `_counts` judges, only the first time."""
    last: dict[Place, int] = {}
    seen: set[int | None] = set()
    for row in consumed:
        if row.uid in seen:
            continue
        seen.add(row.uid)
        place = (row.topic, row.partition)
        if row.offset is not None and row.offset <= last.get(place, -1):
            yield f"record {row.uid} comes after offset {last[place]} and is at {row.offset}"
        last[place] = row.offset or 0


def _fields(row: Observation, stored: Observation | None) -> Iterator[str]:
    """What a record that was produced or consumed has otherwise than the stored one, as far as the formats hold it."""
    if stored is None:
        return
    magic = min(stored.magic or 0, NEWEST_FORMAT if row.magic is None else row.magic)
    compared = ["key_hash", "value_hash"]
    if magic >= NEWEST_FORMAT:
        compared.append("headers_hash")
    if magic >= 1 and (row.stage == "consumed" or stored.timestamp_type == 0):
        compared.append("timestamp")
    for name in compared:
        seen, there = getattr(row, name), getattr(stored, name)
        if seen is not None and seen != there:
            yield f"record {row.uid} is {row.stage} with another {name.removesuffix('_hash')} than is stored"
