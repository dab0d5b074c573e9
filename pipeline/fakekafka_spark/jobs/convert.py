"""Logs in another format or codec: to roll back, to move forward, or to make fixtures. Says what was lost.

Every record that is kept has its offset, key and value. What the new format cannot hold is lost, and counted:

    headers_lost            records with headers, into format 0 or 1
    timestamps_lost         records with a timestamp, into format 0
    control_lost            commit and abort marks: the records of aborted transactions are left out with
                            `isolation="read_committed"`, else they look like any other afterwards
    producers_lost          records of idempotent or transactional producers: who they were, and their sequences
    timestamps_missing      records without a timestamp in a format that has them (they stay without: -1)
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.releases.release import NEWEST

from fakekafka_spark.jobs.source import absolute, read
from fakekafka_spark.options import READ_UNCOMMITTED
from fakekafka_spark.views import RECORDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITION = ("topic", "partition")
LOOKED_AT = (*PARTITION, "offset", "headers", "timestamp_ms", "is_control", "producer_id", "magic", "codec")
WRITTEN = (*(name for name in RECORDS.default if name != "timestamp"), "timestamp_ms")


def convert(
    spark: "SparkSession",
    path: str | Path | Sequence[str],
    target: str | Path,
    *,
    magic: int | None = None,
    codec: str = "none",
    release: str = NEWEST,
    isolation: str = READ_UNCOMMITTED,
    overwrite: bool = False,
) -> "DataFrame":
    """Write the records below `path` to `target` as `release` would, and give the losses: one row a partition.

    Raises `UsageError` for what the release cannot write, before anything is read.
    """
    from fakekafka_spark.source.target import Target

    options = {"release": release, "codec": codec} | ({} if magic is None else {"format": str(magic)})
    into = Target.of(options).magic
    lost = losses_of(read(spark, path, "records", LOOKED_AT, control="true", isolation=isolation), into)
    losses = spark.createDataFrame(lost.collect(), lost.schema)  # a row a partition, found before anything is replaced
    names = [name for name in WRITTEN if name != "headers" or into == 2]
    kept = read(spark, path, "records", names, isolation=isolation)
    ordered = kept.repartition(*PARTITION).sortWithinPartitions(*PARTITION, "offset")
    mode = "overwrite" if overwrite else "append"
    ordered.write.format("kafkalog").options(**options).mode(mode).save(str(absolute(target)))
    return losses


def losses_of(records: "DataFrame", into: int) -> "DataFrame":
    """What is lost of records (columns LOOKED_AT, control records among them) in format `into`: one row a partition."""
    from pyspark.sql import functions as f

    data = ~f.col("is_control")
    none = f.lit(False)
    return (
        records.groupBy(*PARTITION)
        .agg(
            f.count_if(data).alias("records"),
            f.sort_array(f.collect_set(f.when(data, f.col("magic")))).alias("from_formats"),
            f.sort_array(f.collect_set(f.when(data, f.col("codec")))).alias("from_codecs"),
            f.count_if(data & f.col("headers").isNotNull() if into < 2 else none).alias("headers_lost"),
            f.count_if(data & (f.col("timestamp_ms") >= 0) if into == 0 else none).alias("timestamps_lost"),
            f.count_if(data & (f.col("timestamp_ms") < 0) if into > 0 else none).alias("timestamps_missing"),
            f.count_if("is_control").alias("control_lost"),
            f.count_if(data & (f.col("producer_id") >= 0)).alias("producers_lost"),
        )
        .orderBy(*PARTITION)
    )
