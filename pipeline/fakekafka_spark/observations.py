"""What a cell of the compatibility matrix saw: the one table that the matrix writes and `verdicts` judges.

One file a cell, written in one go: a cell that crashed has no file, and the report says so. Its first row is of stage
`cell`; the others are of these kinds:

    produced, stored, consumed    one row a record: what the client handed over, what is in the broker's log, what a
                                  client got. Rows of one record have the same `uid`.
    fact                          a name, a value, and maybe the value that a real broker or client shows: API versions
                                  on the wire, conversions, errors; what it cost, in `amount`

Contents are hashes, so that millions of rows are cheap. A hash that is absent (None) was not observed, for instance by
a client that cannot show headers; a null key is *observed* and has the hash NULL_HASH. Needs nothing but the standard
library, except for Parquet, which pyarrow writes.
"""

import json
import os
import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

Stage: TypeAlias = Literal["cell", "produced", "stored", "consumed", "fact"]

Want: TypeAlias = Literal["once", "at least once", "never", "any"]
"""What must become of a produced record. "once": acknowledged, and committed if it was in a transaction. "at least
once": the same where the scenario allows a second delivery (a rebalance before a commit). "never": refused, or aborted.
"any": the client does not know (a timeout), or compaction may have taken it."""

NULL_HASH = 0
"""The hash of a null key or value, and of no headers."""


class Cell(NamedTuple):
    """Which cell it is. All of its rows repeat this."""

    cell: str
    """All the other fields joined by "/": unique."""
    client: str
    release: str
    format: str
    """The topic's message format as the release spells it ("0.9.0"), or "" for the release's own."""
    phase: str
    codec: str
    scenario: str

    @classmethod
    def of(cls, client: str, release: str, format: str, phase: str, codec: str, scenario: str) -> "Cell":
        parts = (client, release, format, phase, codec, scenario)
        return cls("/".join(part or "-" for part in parts), *parts)


class Observation(NamedTuple):
    """One row. None: does not apply, or was not observed."""

    stage: Stage
    uid: int | None = None
    """The record's own number in the cell; it travels in the value, and in a header where there are any."""
    reader: int | None = None
    """Of consumed rows: the number of the reader, 0 to 62. Consumers of one group are one reader: together they must
    get all.
    """
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    ordinal: int | None = None
    """Its number among the records of this stage (of consumed rows, among its reader's), which gives the order."""
    key_hash: int | None = None
    value_hash: int | None = None
    headers_hash: int | None = None
    timestamp: int | None = None
    timestamp_type: int | None = None
    """0 CreateTime, 1 LogAppendTime, -1 none."""
    magic: int | None = None
    """Stored: the format in the log. Consumed: the format in which the broker sent it."""
    want: Want | None = None
    """Only in produced rows."""
    name: str | None = None
    """Of facts: "version Fetch", "conversion", "error", "time to first record"."""
    value: str | None = None
    """Of facts: what was seen. Of the cell: "ran", "skipped" or "failed"."""
    expected: str | None = None
    """Of facts: what should have been seen; None: nothing particular, it is only reported."""
    amount: float | None = None
    """Of facts: milliseconds or a count. Of the cell: the number of its readers."""
    text: str | None = None
    """For people: a reason, an error's message, the first bytes that differ."""


def hash_of(data: bytes | None) -> int:
    """A key's or value's hash."""
    if data is None:
        return NULL_HASH
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True) or 1


def hash_of_headers(headers: Iterable[tuple[str, bytes | None]]) -> int:
    """The hash of a record's headers, in their order."""
    parts: list[bytes] = []
    for key, value in headers:
        name = key.encode(errors="replace")
        parts += (len(name).to_bytes(4, "big"), name)
        parts += (len(value).to_bytes(4, "big"), value) if value is not None else (b"\xff" * 4,)
    return hash_of(b"".join(parts)) if parts else NULL_HASH


COLUMNS: dict[str, str] = {
    **dict.fromkeys(Cell._fields + Observation._fields, "string"),
    **dict.fromkeys(("uid", "offset", "ordinal", "timestamp"), "bigint"),
    **dict.fromkeys(("key_hash", "value_hash", "headers_hash"), "bigint"),
    **dict.fromkeys(("reader", "partition", "timestamp_type", "magic"), "int"),
    "amount": "double",
}
"""The table's columns, those of `Cell` and then those of `Observation`, and their types by Spark's names."""

DDL = ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS.items())


def arrow_schema() -> Any:
    """The table's columns for Arrow."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "bigint": pa.int64(), "int": pa.int32(), "double": pa.float64()}
    return pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])


def stem_of(cell: Cell) -> str:
    """The name of a cell's file, in characters that every file system and Hadoop's paths, which are URIs, can have."""
    return re.sub(r"[^\w.,-]+", "_", cell.cell.replace("/", "--"), flags=re.ASCII)


def write(folder: Path, cell: Cell, observations: Iterable[Observation]) -> Path:
    """Write a cell's file into `folder`, which exists: all of it or nothing. JSON lines where pyarrow is missing."""
    rows = [{**cell._asdict(), **row._asdict()} for row in observations]
    name = stem_of(cell)
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        path, temporary = folder / f"{name}.jsonl", folder / f".{name}.{os.getpid()}"
        temporary.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        path, temporary = folder / f"{name}.parquet", folder / f".{name}.{os.getpid()}"
        parquet.write_table(pa.Table.from_pylist(rows, arrow_schema()), temporary, compression="zstd")
    temporary.replace(path)
    return path
