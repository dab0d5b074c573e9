"""Whether logs are intact, and what it would cost to serve them to old clients.

One row a segment, even for one that is empty; one more for the other files of a partition or of a broker's log
directory if anything is wrong with those. `faults` counts the findings, `kinds` names them, `findings` says what they
are. The findings are those of `fakekafka check`, from the same code (`fakekafka.log.findings.FindingKind`), for logs
that are too big to be checked in one process.

`timestamp_disorder` counts units that are older than the one before; that is not a fault, since producers set
timestamps.

Which consumers would need down-conversion (KIP-31, KIP-32, KIP-98): a consumer gets format 2 from Fetch 4 on (0.11),
format 1 from Fetch 2 on (0.10.0), otherwise format 0. What is stored in a newer format is converted for it, at the
broker's cost. zstd is refused below Fetch 10 (KIP-110, 2.1).

There are two levels, so that no task has more to do than a part of a segment: each part says whether everything in it
is sound and what its neighbours need to know; the parts of a segment are joined, and the segments of a partition. Only
a segment in which something is odd is read again, as a whole.
"""

import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakekafka.log.findings import Finding

from fakekafka_spark.files.layout import partition_at
from fakekafka_spark.files.storage import storage
from fakekafka_spark.jobs.source import absolute, checked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from fakekafka_spark.soundness.joined import AuditRow

MOST_FINDINGS = 100
"""Findings shown in one row; `faults` counts all."""
SEGMENT = ("url", "directory", "topic", "partition", "segment")
JOINED = "url string, directory string, topic string, partition int, segment bigint, row binary"
COUNTS = ("bytes", "units", "records", "first_offset", "last_offset")
COSTS = ("timestamp_disorder", "bytes_converted_below_fetch_2", "bytes_converted_below_fetch_4",
         "bytes_refused_below_fetch_10")  # fmt: skip
RESULT = {
    "topic": "string", "partition": "int", "segment": "bigint", "faults": "bigint", "kinds": "array<string>",
    **dict.fromkeys(COUNTS, "bigint"), "formats": "array<int>", "codecs": "array<string>",
    **dict.fromkeys(COSTS, "bigint"), "findings": "array<string>", "directory": "string",
}  # fmt: skip
"""The columns of the audit, with Spark's types."""


def audit(
    spark: "SparkSession", path: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None
) -> "DataFrame":
    """One row a segment below `path`: what is in it, what is wrong with it, and what would be down-converted.

    `options`: `splitBytes` and those of storages. Raises `UsageError` for a path that is not there or holds no log.
    """
    from fakekafka_spark.source.parts import PartsSource

    given = dict(options or {})
    spark.dataSource.register(PartsSource)
    reader = spark.read.format(PartsSource.name()).options(**given)
    paths = absolute(checked(spark, path, given))
    parts = reader.load(paths)

    def to_segment(table: Any) -> Any:
        return _joined(table, given)

    def to_rows(table: Any) -> Any:
        return _rows(table, given)

    segments = parts.groupBy("url", "directory", "segment").applyInArrow(to_segment, JOINED)
    audited = segments.groupBy("url", "directory").applyInArrow(
        to_rows, ", ".join(f"{name} {kind}" for name, kind in RESULT.items())
    )
    return audited.orderBy("topic", "partition", "directory", "segment")


def _joined(table: Any, options: Mapping[str, str]) -> Any:
    """The row of one segment, from its parts."""
    import pyarrow as pa

    from fakekafka_spark.soundness.joined import join

    first, parts_checked = table.slice(0, 1).to_pylist()[0], table["part"].to_pylist()
    if first["topic"] is None:
        row = parts_checked[0]
    else:
        place = storage(first["url"], options)
        parts = map(pickle.loads, parts_checked)
        row = pickle.dumps(join(place, first["directory"], first["segment"], first["size"], parts))
    return table.select(SEGMENT).slice(0, 1).append_column(pa.field("row", pa.binary()), pa.array([row], pa.binary()))


def _rows(table: Any, options: Mapping[str, str]) -> Any:
    """The rows of the audit of one partition, or of one log directory."""
    import pyarrow as pa

    from fakekafka_spark.soundness.joined import AuditRow, of_partition
    from fakekafka_spark.soundness.part import Contents

    first, parts = table.slice(0, 1).to_pylist()[0], [pickle.loads(row) for row in table["row"].to_pylist()]
    if first["topic"] is None:
        rows = [AuditRow(first["directory"], None, None, None, Contents(), parts[0])]
    else:
        named = first["topic"], first["partition"]
        place = storage(first["url"], options)
        known = partition_at(place, first["directory"]).noted
        rows = of_partition(place, first["directory"], named, parts, known)
    kinds = {"string": pa.string(), "int": pa.int32(), "bigint": pa.int64()}
    kinds |= {f"array<{name}>": pa.list_(kind) for name, kind in kinds.items()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in RESULT.items()])
    return pa.Table.from_pylist([_as_dict(row) for row in rows], schema)


def _as_dict(row: "AuditRow") -> dict[str, Any]:
    contents = row.contents._asdict() | {
        "formats": sorted(row.contents.formats),
        "codecs": sorted(row.contents.codecs),
    }
    return {
        "topic": row.topic,
        "partition": row.partition,
        "segment": row.segment,
        "faults": len(row.findings),
        "kinds": sorted({finding.kind for finding in row.findings}),
        **contents,
        "findings": [text(finding) for finding in row.findings[:MOST_FINDINGS]],
        "directory": row.directory,
    }


def text(finding: Finding) -> str:
    """The file, the place in it, and what is wrong there."""
    at = "" if finding.position is None else f" at {finding.position}"
    return f"{finding.file}{at}: {finding.what}"
