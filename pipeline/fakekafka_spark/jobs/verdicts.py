"""The verdicts of the compatibility matrix: what became of every record in every cell, from its observations.

Stages become columns by one conditional aggregation, not by joins: one shuffle for millions of rows, and one window
over what was consumed, for its order. What the rows mean: `observations`. What a format cannot hold is not compared:
headers only where log and answer are of format 2, timestamps only where both have them, and an append time is compared
with what the log says, not with what the client sent.

    lost            a wanted record that some reader did not get
    not_stored      a wanted record that is not in the log (in cells whose log was inspected)
    duplicated      wanted once, but got or stored twice
    unwanted        got, although it was refused or aborted
    unknown         stored or got, but never produced
    moved           another offset or partition than the client was told
    reordered       got after a record with a higher offset
    changed_key, changed_value, changed_headers, changed_timestamp
"""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

from fakekafka.errors import UsageError
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE

from fakekafka_spark.observations import DDL, Cell, Want

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

STAGES = ("produced", "stored", "consumed")
ONCE, AT_LEAST_ONCE, NEVER, ANY = range(4)
assert get_args(Want) == ("once", "at least once", "never", "any")

FAULTS = ("lost", "not_stored", "duplicated", "unwanted", "unknown", "moved", "reordered", "changed_key",
          "changed_value", "changed_headers", "changed_timestamp")  # fmt: skip
DIMENSIONS = Cell._fields


def verdicts(observations: "DataFrame", cells: "DataFrame | None" = None) -> "DataFrame":
    """One row a cell: its verdict ("ok", "differs", "skipped", "failed", "missing"), and how many records are at fault.

    `cells`: all cells that should have run, with the columns of `Cell`; those without a file are "missing".
    """
    from pyspark.sql import functions as f

    stories = _cells(observations)
    judged = record_faults(observations)
    counts = judged.groupBy("cell").agg(
        f.count("*").alias("records"),
        *(f.count_if(name).alias(name) for name in FAULTS),
        f.min(f.when(_any_of(judged), f.col("uid"))).alias("first_uid"),
    )
    wrong = sum((f.col(name) for name in FAULTS), f.col("facts_wrong"))
    verdict = (
        f.when(f.col("ran") == "skipped", "skipped")
        .when(f.col("ran").isNull() | (f.col("ran") != "ran"), "failed")
        .when(wrong > 0, "differs")
        .otherwise("ok")
    )
    verdict_rows = (
        stories.join(counts, "cell", "left")
        .na.fill(0, ["records", "facts_wrong", *FAULTS])
        .withColumn("verdict", verdict)
    )
    columns = (*DIMENSIONS, "verdict", "records", *FAULTS, "facts_wrong", "first_uid", "reason")
    verdict_rows = verdict_rows.select(*columns)
    if cells is not None:
        missing = (
            cells.select(*DIMENSIONS).join(verdict_rows, "cell", "left_anti").withColumn("verdict", f.lit("missing"))
        )
        verdict_rows = verdict_rows.unionByName(missing, allowMissingColumns=True)
    return verdict_rows.orderBy("cell")


def read_observations(spark: "SparkSession", folder: str | Path) -> "DataFrame":
    """What the cells wrote into `folder`: Parquet, and JSON lines of those that had no pyarrow.

    Raises `UsageError` for a folder without any.
    """
    reader = spark.read.schema(DDL)
    written = reader.option("pathGlobFilter", "*.parquet").parquet(str(folder))
    observations = written.unionByName(reader.option("pathGlobFilter", "*.jsonl").json(str(folder)))
    if not observations.inputFiles():
        raise UsageError(f"{folder} holds no observations: those are files *.parquet and *.jsonl")
    return observations


def record_faults(observations: "DataFrame") -> "DataFrame":
    """One row a record: cell, uid, and a boolean for each of FAULTS. For those who want to know which ones."""
    from pyspark.sql import functions as f

    cells = _cells(observations).select("cell", "readers", "log_seen")
    records = _records(observations).join(f.broadcast(cells.withColumn("cell_id", f.xxhash64("cell"))), "cell_id")
    wanted = f.col("want") <= AT_LEAST_ONCE
    once, produced = f.col("want") == ONCE, f.col("produced") > 0
    tests = {
        "lost": wanted & (f.col("readers_seen") < f.col("readers")),
        "not_stored": wanted & (f.col("stored") == 0) & f.col("log_seen"),
        "duplicated": once & ((f.col("consumed") > f.col("readers_seen")) | (f.col("stored") > 1)),
        "unwanted": (f.col("want") == NEVER) & (f.col("consumed") > 0),
        "unknown": ~produced,
        "moved": produced & (f.col("stored") <= 1) & (_differ("offset") | _differ("partition")),
        "reordered": (f.col("backwards") > 0) & (f.col("consumed") == f.col("readers_seen")),
        "changed_key": produced & _differ("key_hash"),
        "changed_value": produced & _differ("value_hash"),
        "changed_headers": produced & _changed_headers(),
        "changed_timestamp": produced & _changed_timestamp(),
    }
    return records.select("cell", "uid", *(f.coalesce(test, f.lit(False)).alias(name) for name, test in tests.items()))


def _any_of(judged: "DataFrame") -> "Column":
    from pyspark.sql import functions as f

    return f.greatest(*(judged[name] for name in FAULTS))


def _differ(name: str) -> "Column":
    from pyspark.sql import functions as f

    return f.col(f"least_{name}") != f.col(f"greatest_{name}")


def _cells(observations: "DataFrame") -> "DataFrame":
    """One row a cell: what is said about the whole of it."""
    from pyspark.sql import functions as f

    of_cell = f.col("stage") == "cell"
    wrong = ~of_cell & f.col("expected").isNotNull() & ~f.col("value").eqNullSafe(f.col("expected"))
    every = observations.groupBy("cell").agg(f.max(f.col("stage") == "stored").alias("log_seen"))
    per_cell = observations.where(f.col("stage").isin("cell", "fact")).groupBy(*DIMENSIONS)
    stories = per_cell.agg(
        f.max(f.when(of_cell, f.col("value"))).alias("ran"),
        f.max(f.when(of_cell, f.col("amount"))).alias("readers"),
        f.max(f.when(of_cell, f.col("text"))).alias("reason"),
        f.count_if(wrong).alias("facts_wrong"),
    )
    return every.join(stories, "cell", "left")


def _records(observations: "DataFrame") -> "DataFrame":
    """One row a record: how often it was seen where, and the least and greatest of what must be equal."""
    from pyspark.sql import functions as f

    produced, stored, consumed = (f.col("stage") == number for number in range(len(STAGES)))
    sent_as = f.coalesce("magic", f.lit(2))
    parts = {
        "offset": f.col("offset"),
        "partition": f.col("partition"),
        "key_hash": f.col("key_hash"),
        "value_hash": f.col("value_hash"),
        "stored_headers": f.when(stored & (f.col("magic") == 2), f.col("headers_hash")),
        "consumed_headers": f.when(consumed & (sent_as == 2), f.col("headers_hash")),
        "stored_timestamp": f.when(stored & (f.col("magic") >= 1), f.col("timestamp")),
        "consumed_timestamp": f.when(consumed & (sent_as >= 1), f.col("timestamp")),
    }
    return (
        _with_backwards(observations)
        .groupBy("cell_id", "uid")
        .agg(
            *(f.count_if(test).alias(name) for name, test in zip(STAGES, (produced, stored, consumed))),
            f.coalesce(f.bit_count(f.bit_or(f.expr("shiftleft(1L, reader)"))), f.lit(0)).alias("readers_seen"),
            f.coalesce(f.max("want"), f.lit(ANY)).alias("want"),
            f.count_if("backwards").alias("backwards"),
            f.max(f.when(produced, f.col("headers_hash"))).alias("headers"),
            f.max(f.when(produced, f.col("timestamp"))).alias("timestamp"),
            f.max(f.when(stored, f.col("magic"))).alias("log_magic"),
            f.max(f.when(stored, f.col("timestamp_type"))).alias("log_type"),
            *(f.min(part).alias(f"least_{name}") for name, part in parts.items()),
            *(f.max(part).alias(f"greatest_{name}") for name, part in parts.items()),
        )
    )


def _changed_headers() -> "Column":
    from pyspark.sql import functions as f

    held = f.coalesce("log_magic", f.lit(2)) == 2
    return _other_than("stored_headers", f.col("headers")) | (held & _other_than("consumed_headers", f.col("headers")))


def _changed_timestamp() -> "Column":
    """The log's own timestamp is what consumers must get; that is the client's, unless the broker puts in its own."""
    from pyspark.sql import functions as f

    log_timestamp = f.when(f.col("log_magic").isNull(), f.col("timestamp")).otherwise(
        f.col("greatest_stored_timestamp")
    )
    return ((f.col("log_type") != LOG_APPEND_TIME_TYPE) & _other_than("stored_timestamp", f.col("timestamp"))) | (
        _other_than("consumed_timestamp", log_timestamp)
    )


def _other_than(name: str, right: "Column") -> "Column":
    """Whether any observed value differs; null, which counts as no, if nothing was observed."""
    from pyspark.sql import functions as f

    return (f.col(f"least_{name}") != right) | (f.col(f"greatest_{name}") != right)


def _with_backwards(observations: "DataFrame") -> "DataFrame":
    """The rows of records; of consumed ones, whether a higher offset was consumed before.

    Cells and partitions are numbers here, hashes of their names: sorting long texts that begin alike is slow.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    def number(name: str, words: tuple[str, ...]) -> "Column":
        return f.coalesce(*(f.when(f.col(name) == word, n) for n, word in enumerate(words))).alias(name)

    columns = ("uid", "partition", "offset", "key_hash", "value_hash", "headers_hash", "timestamp", "timestamp_type",
               "magic")  # fmt: skip
    common = (f.xxhash64("cell").alias("cell_id"), number("stage", STAGES), number("want", get_args(Want)), *columns)
    sent = observations.where(f.col("stage").isin("produced", "stored"))
    got = observations.where("stage = 'consumed'")
    before = Window.partitionBy("log").orderBy("ordinal").rowsBetween(Window.unboundedPreceding, -1)
    log = f.xxhash64("cell", "reader", "topic", "partition").alias("log")
    back = (f.max("offset").over(before) > f.col("offset")).alias("backwards")
    return sent.select(*common, f.lit(None).cast("int").alias("reader"), f.lit(False).alias("backwards")).unionByName(
        got.select(*common, "reader", "ordinal", log).select("*", back).drop("log", "ordinal")
    )
