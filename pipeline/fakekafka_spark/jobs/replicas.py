"""Whether several brokers' copies of a partition are equal and, if not, which one is right.

One row a copy of each partition. Copies are told apart by their directories; give the log directories of the brokers,
or a folder with all of them. The columns are those of `copies.rows.CopyRow`; `since` is the time of the first record
that differs.

Three levels, none of which has more to do than a part of a segment or a range of offsets. Each part of each copy sums
up its units by ranges of 65,536 offsets. The sums of a partition are compared. Only the ranges in which copies differ
are read again, record by record. In compacted logs those are all ranges that a cleaner has been at, since every broker
cleans at its own pace.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakekafka_spark.files.layout import partition_at
from fakekafka_spark.files.storage import storage
from fakekafka_spark.jobs.source import absolute, checked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITION = ("topic", "partition")
WORK = "topic string, partition int, number bigint, work binary"
"""For each partition, one row with its copies, whose number is -1, and one for each range that has to be examined."""
OFFSETS = ("log_start_offset", "log_end_offset")
COUNTS = ("diverged", "damaged", "altered", "missing", "repacked")
RESULT = {
    "topic": "string", "partition": "int", "directory": "string", "verdict": "string", "is_right": "boolean",
    **dict.fromkeys(OFFSETS, "bigint"), "last_epoch": "int", **dict.fromkeys(COUNTS, "bigint"),
    "first_offset": "bigint", "last_offset": "bigint", "since_ms": "bigint", "segment": "bigint", "position": "bigint",
    "truncates_to": "bigint", "reason": "string",
}  # fmt: skip
"""The columns of the comparison, with Spark's types."""


def replicas(
    spark: "SparkSession", path: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None
) -> "DataFrame":
    """One row for each copy of each partition below `path`: what in it differs from the others, and which one is right.

    `options`: `splitBytes` and those of storages. Raises `UsageError` for a path that is not there or holds no log.
    """
    from pyspark.sql import functions as f

    from fakekafka_spark.source.copies import CopiesSource

    given = dict(options or {})
    spark.dataSource.register(CopiesSource)
    parts = spark.read.format(CopiesSource.name()).options(**given).load(absolute(checked(spark, path, given)))

    def to_work(table: Any) -> Any:
        return _work(table, given)

    def to_digests(tables: Iterator[Any]) -> Iterator[Any]:
        return (_digests(table, given) for table in tables)

    work = parts.groupBy(*PARTITION).applyInArrow(to_work, WORK)
    digested = work.repartition(*PARTITION, "number").mapInArrow(to_digests, WORK)
    columns = ", ".join(f"{name} {kind}" for name, kind in RESULT.items())
    rows = digested.groupBy(*PARTITION).applyInArrow(_rows, columns)
    return rows.withColumn("since", f.timestamp_millis("since_ms")).drop("since_ms").orderBy(*PARTITION, "directory")


def _table(named: tuple[str, int], rows: Sequence[tuple[int, object]]) -> Any:
    import pyarrow as pa

    schema = pa.schema(
        [("topic", pa.string()), ("partition", pa.int32()), ("number", pa.int64()), ("work", pa.binary())]
    )
    made = [(*named, number, pickle.dumps(work)) for number, work in rows]
    return pa.Table.from_pylist([dict(zip(schema.names, row)) for row in made], schema)


def _named(table: Any) -> tuple[str, int]:
    return table["topic"][0].as_py(), table["partition"][0].as_py()


def _work(table: Any, options: Mapping[str, str]) -> Any:
    """The copies of a partition, and the ranges in which they differ; from what the parts say."""
    from fakekafka_spark.copies.copies import copy_of, suspects

    named = _named(table)
    by_copy: dict[tuple[str, str], list[Any]] = {}
    for row in table.select(["url", "directory", "part"]).to_pylist():
        by_copy.setdefault((row["url"], row["directory"]), []).append(pickle.loads(row["part"]))
    copies, parts = [], []
    for (url, directory), some in sorted(by_copy.items()):
        place = storage(url, options)
        ordered = sorted(some, key=lambda part: (part.split.segment.base_offset, part.split.start))
        copies.append(copy_of(url, place, partition_at(place, directory), ordered))
        parts.append(ordered)
    ranges = [(suspect.number, (copies, suspect)) for suspect in suspects(copies, parts)]
    return _table(named, [(-1, copies), *ranges])


def _digests(batch: Any, options: Mapping[str, str]) -> Any:
    """The rows of `_work`, with differences in place of ranges to be examined."""
    import pyarrow as pa

    from fakekafka_spark.copies.differences import differences

    made = []
    for row in batch.to_pylist():
        if row["number"] >= 0:
            copies, suspect = pickle.loads(row["work"])
            storages = [storage(copy.url, options) for copy in copies]
            row["work"] = pickle.dumps(differences(copies, storages, suspect))
        made.append(row)
    return pa.RecordBatch.from_pylist(made, batch.schema)


def _rows(table: Any) -> Any:
    """The rows of a partition's copies."""
    import pyarrow as pa

    from fakekafka_spark.copies.differences import Differences
    from fakekafka_spark.copies.rows import rows_of

    work = {row["number"]: pickle.loads(row["work"]) for row in table.select(["number", "work"]).to_pylist()}
    copies = work.pop(-1)
    total = [sum(some, Differences()) for some in zip(*work.values())] or [Differences() for _ in copies]
    kinds = {"string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "boolean": pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in RESULT.items()])
    return pa.Table.from_pylist([row._asdict() for row in rows_of(_named(table), copies, total)], schema)
