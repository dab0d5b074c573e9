"""Makes the source `kafkalog` known to every Spark session: Spark imports top-level packages called `pyspark_*` when a
data source is first used, and registers their `DefaultSource`. Everybody who has this installed pays for the import, so
there is nothing else here.
"""

from fakekafka_spark.source.kafkalog import KafkalogSource as DefaultSource

__all__ = ["DefaultSource"]
