"""What `test_connect` runs in a separate process: the source and the jobs through a session of Spark Connect."""

import json
import sys
from pathlib import Path

from fakekafka_spark import audit, convert, replicas, watch
from fakekafka_spark.jobs.failures import failure_of
from fakekafka_spark.session import SETTINGS, register
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession


def connected(folder: Path) -> SparkSession:
    """A session whose server runs beside this process."""
    builder = SparkSession.builder.remote("local[2]")
    settings = SETTINGS | {
        "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "2", "spark.driver.memory": "600m",
        "spark.local.dir": str(folder),
    }  # fmt: skip
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    register(spark)
    return spark


def complaint(spark: SparkSession, path: str) -> str:
    """The message that a reader of missing logs gets."""
    try:
        spark.read.format("kafkalog").load(path).count()
    except PySparkException as wrong:
        return str(failure_of(str(wrong)))
    return ""


def alerts(spark: SparkSession, logs: str, folder: Path) -> int:
    """How many alerts a watch gives for what is there."""
    stream = watch(spark, logs).writeStream.format("memory").queryName("alerts")
    query = stream.option("checkpointLocation", str(folder / "seen")).trigger(availableNow=True).start()
    query.awaitTermination()
    return spark.table("alerts").count()


if __name__ == "__main__":
    logs, made = sys.argv[1:]
    folder = Path(made).parent
    spark = connected(folder)
    spark.sql(f"CREATE TABLE kept USING kafkalog OPTIONS (path '{logs}')")
    spark.sql(f"CREATE TEMPORARY VIEW seen USING kafkalog OPTIONS (path '{logs}', view 'batches')")
    found = {
        "session": type(spark).__module__,
        "records": spark.read.format("kafkalog").load(logs).count(),
        "in the table": spark.sql("SELECT count(*) n FROM kept").collect()[0].n,
        "formats": sorted(row.magic for row in spark.sql("SELECT DISTINCT magic FROM seen").collect()),
        "faults": sorted({kind for row in audit(spark, logs).collect() for kind in row.kinds}),
        "copies": [row.verdict for row in replicas(spark, logs).collect()],
        "converted": sum(row.records for row in convert(spark, logs, made, release="0.10.2").collect()),
        "read again": spark.read.format("kafkalog").load(made).count(),
        "alerts": alerts(spark, logs, folder),
        "complaint": complaint(spark, f"{logs}/nowhere"),
    }
    print("found " + json.dumps(found))
    spark.stop()
