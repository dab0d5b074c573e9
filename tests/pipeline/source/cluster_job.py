"""What `test_cluster` submits: reads, writes and reads again, and prints where the executors found this package."""

import json
import sys
from collections.abc import Iterable, Iterator

from fakekafka_spark import audit, convert, session


def origins(_: Iterable[int]) -> Iterator[tuple[str, int]]:
    import os

    import fakekafka_spark.columns

    yield str(fakekafka_spark.columns.__file__), os.getppid()


if __name__ == "__main__":
    logs, made = sys.argv[1:]
    spark = session()
    context = spark.sparkContext
    losses = convert(spark, logs, made, release="0.10.2", codec="gzip").collect()
    found = {
        "master": context.master,
        "records": spark.read.format("kafkalog").load(made).count(),
        "kept": sum(row.records for row in losses),
        "faults": sum(row.faults for row in audit(spark, made).collect()),
        "origins": sorted(set(context.parallelize(range(8), 8).mapPartitions(origins).collect())),
    }
    print("found " + json.dumps(found))
    spark.stop()
