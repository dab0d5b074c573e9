"""What was written when, in which format and with which codec: how far a fleet of clients has been upgraded.

One row a topic, span of time, format and codec. Time is that of the records: the largest timestamp of a batch; a batch
without timestamps (format 0) has none. Only headers of batches are read, so that terabytes are counted in minutes.
"""

from typing import TYPE_CHECKING

from fakekafka.errors import UsageError

from fakekafka_spark.jobs.source import Paths, checked, read

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SPANS = ("hour", "day", "week", "month", "year")
COLUMNS = ("topic", "partition", "size", "records", "max_timestamp_ms", "magic", "codec", "producer_id",
           "is_transactional", "is_control")  # fmt: skip


def census(spark: "SparkSession", path: Paths, every: str = "day") -> "DataFrame":
    """Batches, records and bytes by topic, span of time, format and codec. Raises `UsageError` for no known span."""
    from pyspark.sql import functions as f

    if every not in SPANS:
        raise UsageError(f"every is one of {', '.join(SPANS)}, not {every!r}")
    batches = read(spark, checked(spark, path), "batches", COLUMNS, mode="DROPMALFORMED", checkCrcs="false")
    timestamp = f.when(f.col("max_timestamp_ms") >= 0, f.timestamp_millis("max_timestamp_ms"))
    groups = ("topic", f.date_trunc(every, timestamp).alias(every), f.col("magic").alias("format"), "codec")
    return (
        batches.where("not is_control")
        .groupBy(*groups)
        .agg(
            f.count("*").alias("batches"),
            f.sum("records").alias("records"),
            f.sum("size").alias("bytes"),
            f.countDistinct("partition").alias("partitions"),
            f.countDistinct(f.when(f.col("producer_id") >= 0, f.col("producer_id"))).alias("idempotent_producers"),
            f.count_if("is_transactional").alias("transactional_batches"),
        )
        .orderBy("topic", every, "format", "codec")
    )
