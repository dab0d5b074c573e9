"""The outcome of a cell, judged from its observations alone.

The rules are those of the pipeline's `verdicts`, which judges millions of rows, and a test keeps the two equal: what
was acknowledged is stored and consumed once, in order, with everything that the formats on its way can hold.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka_spark.observations import Cell, Observation

Outcome: TypeAlias = Literal["as the real broker", "differs", "not runnable here"]
ReaderAndPartition: TypeAlias = tuple[int | None, str | None, int | None]
"""Reader, topic, partition."""
_Record: TypeAlias = dict[str, list[Observation]]
"""All rows of a record, by stage."""
LOG_APPEND_TIME: Final = 1
NEWEST_FORMAT: Final = 2


class Verdict(NamedTuple):
    """The verdict on one cell."""

    cell: Cell
    outcome: Outcome
    reasons: list[str]
    """What differs, or why the cell cannot be run."""


def verdict(cell: Cell, rows: Sequence[Observation]) -> Verdict:
    """The outcome of a cell with these observations."""
    first = rows[0]
    if first.value == "skipped":
        return Verdict(cell, "not runnable here", [first.text or ""])
    if first.value == "failed":
        return Verdict(cell, "differs", [first.text or ""])
    differences = list(_differences(rows))
    return Verdict(cell, "differs" if differences else "as the real broker", differences)


def load(path: Path) -> tuple[Cell, list[Observation]]:
    """Read what `observations.write` wrote."""
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    else:
        from pyarrow import parquet

        rows = parquet.read_table(path).to_pylist()
    observations = [Observation(**{name: row[name] for name in Observation._fields}) for row in rows]
    return Cell(**{name: rows[0][name] or "" for name in Cell._fields}), observations


def _differences(rows: Sequence[Observation]) -> Iterator[str]:
    for row in rows:
        if row.stage == "fact" and row.expected is not None and row.expected != row.value:
            yield f"{row.name}: {row.value!r}, not {row.expected!r}"
    log_seen = any(row.stage == "stored" for row in rows)
    backwards = set(_backwards(rows))
    for uid, record in _by_uid(rows).items():
        if not record["produced"]:
            yield f"a record that nobody produced is {'stored' if record['stored'] else 'consumed'}: {uid}"
        else:
            yield from _counts(record, int(rows[0].amount or 0), log_seen)
            yield from _places(record, backwards)
            yield from _contents(record)


def _by_uid(rows: Sequence[Observation]) -> dict[int | None, _Record]:
    records: dict[int | None, _Record] = {}
    for row in rows:
        if row.stage in ("produced", "stored", "consumed"):
            records.setdefault(row.uid, {"produced": [], "stored": [], "consumed": []})[row.stage].append(row)
    return records


def _counts(record: _Record, readers: int, log_seen: bool) -> Iterator[str]:
    (first, *_), stored = record["produced"], len(record["stored"])
    by_reader = Counter(row.reader for row in record["consumed"])
    if first.want in ("once", "at least once"):
        if log_seen and not stored:
            yield f"record {first.uid} is not stored"
        if len(by_reader) < readers:
            yield f"record {first.uid} is not consumed" + (f" by {readers - len(by_reader)}" if readers > 1 else "")
    if first.want == "once":
        most = {"stored": stored, "consumed": max(by_reader.values(), default=0)}
        yield from (f"record {first.uid} is {stage} {n} times" for stage, n in most.items() if n > 1)
    if first.want == "never" and by_reader:
        yield f"record {first.uid} is consumed, and must never be"


def _places(record: _Record, backwards: Collection[int | None]) -> Iterator[str]:
    uid = record["produced"][0].uid
    if len(record["stored"]) <= 1:
        partitions, offsets = _seen(record, "partition"), _seen(record, "offset")
        if len(partitions) > 1 or len(offsets) > 1:
            yield f"record {uid} is at several places: partitions {sorted(partitions)}, offsets {sorted(offsets)}"
    once_each = len(record["consumed"]) == len({row.reader for row in record["consumed"]})
    if uid in backwards and once_each:
        yield f"record {uid} comes after one with a higher offset"


def _backwards(rows: Sequence[Observation]) -> Iterator[int | None]:
    """The records that a reader got after one with a higher offset of the same partition."""
    highest: dict[ReaderAndPartition, int] = {}
    for row in sorted((row for row in rows if row.stage == "consumed"), key=lambda row: row.ordinal or 0):
        place = (row.reader, row.topic, row.partition)
        before = highest.get(place, -1)
        if row.offset is not None and row.offset < before:
            yield row.uid
        highest[place] = max(before, row.offset or 0)


def _contents(record: _Record) -> Iterator[str]:
    """Fields that have changed on the way, as far as the formats on the way can hold them."""
    (first, *_), stored, consumed = record["produced"], record["stored"], record["consumed"]
    for name in ("key", "value"):
        if len(_seen(record, f"{name}_hash")) > 1:
            yield f"record {first.uid} has several {name}s"
    log_magic = max((row.magic for row in stored if row.magic is not None), default=None)
    if _is_other(stored, "headers_hash", NEWEST_FORMAT, first.headers_hash):
        yield f"record {first.uid} is stored with other headers"
    held = log_magic in (None, NEWEST_FORMAT)
    if held and _is_other(consumed, "headers_hash", NEWEST_FORMAT, first.headers_hash):
        yield f"record {first.uid} is consumed with other headers"
    kept = any(row.timestamp_type != LOG_APPEND_TIME for row in stored)
    if kept and _is_other(stored, "timestamp", 1, first.timestamp):
        yield f"record {first.uid} is stored with another timestamp"
    times = [row.timestamp for row in stored if (row.magic or 0) >= 1 and row.timestamp is not None]
    log_timestamp = first.timestamp if log_magic is None else max(times, default=None)
    if _is_other(consumed, "timestamp", 1, log_timestamp):
        yield f"record {first.uid} is consumed with another timestamp"


def _seen(record: _Record, name: str) -> set[int]:
    """All values of a column, wherever they were seen."""
    return {getattr(row, name) for rows in record.values() for row in rows if getattr(row, name) is not None}


def _is_other(rows: Sequence[Observation], name: str, first_format: int, wanted: int | None) -> bool:
    """Whether any row whose format has this column differs in it. A consumed row of unknown format has all columns."""
    if wanted is None:
        return False
    shown = [row for row in rows if (NEWEST_FORMAT if row.magic is None else row.magic) >= first_format]
    return any(getattr(row, name) not in (None, wanted) for row in shown)
