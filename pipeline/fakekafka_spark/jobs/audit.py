"""Are these logs what they promise to be, and what would it cost to serve them to old clients?

One row a segment. Counts of what is wrong come first to the eye: `faults` is their sum. The checks are those of
`fakekafka.log.check`, for logs that are too big to be looked at in one process:

    damaged             units with a wrong checksum, and bytes that are no units
    offset_disorder     units whose offsets do not come after those of the unit before
    index_wrong         entries of the offset index that point at no unit, or lie before it
    timeindex_wrong     entries of the time index that something older contradicts

`timestamp_disorder` counts units that are older than one before; that is no fault: producers set timestamps.

Who would be down-converted (KIP-31, KIP-32, KIP-98): a consumer gets format 2 from Fetch 4 on (0.11), format 1 from
Fetch 2 on (0.10.0), else format 0. What is stored in a newer format is converted for it, at the broker's cost. zstd is
refused below Fetch 10 (KIP-110, 2.1).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka_spark.jobs.source import read
from fakekafka_spark.views import CORRUPT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SEGMENT = ("topic", "partition", "segment")
UNIT = (*SEGMENT, "position", "size", "base_offset", "last_offset", "records", "max_timestamp_ms", "magic", "codec",
        "crc_ok", CORRUPT)  # fmt: skip
FAULTS = ("damaged", "offset_disorder", "index_wrong", "timeindex_wrong")


def audit(spark: "SparkSession", path: str | Path | Sequence[str]) -> "DataFrame":
    """One row a segment below `path`: what is in it, what is wrong with it, who would be down-converted."""
    from pyspark.sql import functions as f

    units = read(spark, path, "batches", UNIT).cache()
    entries = read(spark, path, "index", (*SEGMENT, "offset", "position")).where("position is not null")
    times = read(spark, path, "timeindex", (*SEGMENT, "offset", "timestamp_ms")).where("offset is not null")
    found = (
        _contents(_with_order(units))
        .join(_wrong_entries(units, entries), list(SEGMENT), "left")
        .join(_wrong_times(units, times), list(SEGMENT), "left")
        .na.fill(0, list(FAULTS))
    )
    faults = found.withColumn("faults", sum((f.col(name) for name in FAULTS), f.lit(0)))
    return faults.orderBy(*SEGMENT)


def _with_order(units: "DataFrame") -> "DataFrame":
    """Each unit with what came before it in its partition."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    before = Window.partitionBy("topic", "partition").orderBy("segment", "position").rowsBetween(
        Window.unboundedPreceding, -1
    )  # fmt: skip
    return units.select(
        "*",
        f.max("last_offset").over(before).alias("before"),
        f.max("max_timestamp_ms").over(before).alias("youngest"),
    )


def _contents(units: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as f

    is_unit = f.col("size").isNotNull()
    first = f.coalesce("base_offset", "last_offset")
    return units.groupBy(*SEGMENT).agg(
        f.sum("size").alias("bytes"),
        f.count_if(is_unit).alias("units"),
        f.sum("records").alias("records"),
        f.min(first).alias("first_offset"),
        f.max("last_offset").alias("last_offset"),
        f.sort_array(f.collect_set("magic")).alias("formats"),
        f.sort_array(f.collect_set("codec")).alias("codecs"),
        f.count_if(f.col(CORRUPT).isNotNull()).alias("damaged"),
        f.count_if(first <= f.col("before")).alias("offset_disorder"),
        f.count_if(f.col("max_timestamp_ms") < f.col("youngest")).alias("timestamp_disorder"),
        f.sum(f.when(f.col("magic") >= 1, f.col("size")).otherwise(0)).alias("bytes_converted_below_fetch_2"),
        f.sum(f.when(f.col("magic") >= 2, f.col("size")).otherwise(0)).alias("bytes_converted_below_fetch_4"),
        f.sum(f.when(f.col("codec") == "zstd", f.col("size")).otherwise(0)).alias("bytes_refused_below_fetch_10"),
    )


def _wrong_entries(units: "DataFrame", entries: "DataFrame") -> "DataFrame":
    """Entries of offset indexes without a unit at their position, or with an offset before it."""
    from pyspark.sql import functions as f

    places = units.select(*SEGMENT, "position", f.coalesce("base_offset", "last_offset").alias("first"))
    joined = entries.join(places, [*SEGMENT, "position"], "left")
    wrong = f.col("first").isNull() | (f.col("offset") < f.col("first"))
    return joined.groupBy(*SEGMENT).agg(f.count_if(wrong).alias("index_wrong"))


def _wrong_times(units: "DataFrame", times: "DataFrame") -> "DataFrame":
    """Entries of time indexes that say "nothing up to this offset is younger" where something is, or lie outside."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    unknown = f.lit(None).cast("bigint")
    rows = units.select(*SEGMENT, "last_offset", "max_timestamp_ms", unknown.alias("entry_ms")).where(
        "last_offset is not null"
    )
    rows = rows.unionByName(
        times.select(
            *SEGMENT,
            f.col("offset").alias("last_offset"),
            unknown.alias("max_timestamp_ms"),
            f.col("timestamp_ms").alias("entry_ms"),
        )
    )
    upto = Window.partitionBy(*SEGMENT).orderBy("last_offset")  # rows with the same offset count, too
    behind = Window.partitionBy(*SEGMENT)
    seen = rows.select(
        "*",
        f.max("max_timestamp_ms").over(upto).alias("youngest"),
        f.max(f.when(f.col("entry_ms").isNull(), f.col("last_offset"))).over(behind).alias("end"),
    )
    wrong = (f.col("youngest") > f.col("entry_ms")) | (f.col("last_offset") > f.coalesce("end", f.lit(-1)))
    return seen.groupBy(*SEGMENT).agg(f.count_if(f.col("entry_ms").isNotNull() & wrong).alias("timeindex_wrong"))
