"""What `test_speculation` runs: a write in which one task is slow at first, so that a second attempt overtakes it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from fakekafka_spark import session
from pyspark import TaskContext

SLOW = 1
"""The task that waits."""
SETTINGS = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.minTaskRuntime": "0ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.5",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "600m",
    "spark.executor.memory": "600m",
}


class Attempts:
    """Notes each attempt of each task in a folder, and holds the first attempt of one task until its second is done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pipe = folder / "second-is-done"

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        context = TaskContext.get()
        assert context is not None
        task, attempt = context.partitionId(), context.attemptNumber()
        (self.folder / f"{task}-{attempt}").touch()
        for batch in batches:
            yield batch
            if (task, attempt) == (SLOW, 0):
                self.pipe.read_bytes()  # ends when another process has opened the pipe for writing
        if (task, attempt) == (SLOW, 1):
            with suppress(OSError):  # the first attempt has been killed
                os.close(os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK))


if __name__ == "__main__":
    master, made, folder = sys.argv[1:]
    spark = session(master, SETTINGS)
    rows = spark.range(0, 30, 1, 3).selectExpr(  # a partition of the topic for each task
        "'t' topic", "int(id div 10) partition", "id % 10 offset", "cast('new' as binary) value", "1000L timestamp_ms"
    )
    written = rows.mapInArrow(Attempts(Path(folder)), rows.schema)
    written.write.format("kafkalog").option("release", "2.3").mode("overwrite").save(made)
    spark.stop()
