"""What `test_killed_driver` runs: a write in which a task fails at first, and whose driver is killed in the commit."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fakekafka_spark import session
from fakekafka_spark.source.kafkalog import KafkalogSource
from fakekafka_spark.source.writer import KafkalogWriter
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceWriter, WriterCommitMessage
from pyspark.sql.types import StructType

AT = 4
"""The number of renames before the kill: the journal's, two old partitions out of the way, the first new one into
place.
"""


def failing_at_first(batches: Iterator[Any]) -> Iterator[Any]:
    """Pass batches on; the second task fails after its first batch, and is tried again."""
    context = TaskContext.get()
    assert context is not None
    for batch in batches:
        yield batch
        if context.partitionId() == 1 and context.attemptNumber() == 0:
            raise ValueError("a disk is full")


class KilledWriter(KafkalogWriter):
    """Kills the driver with its JVM in the middle of the commit."""

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        renames, rename = 0, Path.rename

        def counted(path: Path, target: Path) -> Path:
            nonlocal renames
            if renames == AT:
                os.kill(jvm, signal.SIGKILL)
                os._exit(9)
            renames += 1
            return rename(path, target)

        Path.rename = counted  # type: ignore[method-assign,assignment]
        super().commit(messages)


class KilledSource(KafkalogSource):
    """The source `killed`: `kafkalog` with that writer."""

    @classmethod
    def name(cls) -> str:
        return "killed"

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        return KilledWriter(self.options, schema, overwrite)


if __name__ == "__main__":
    settings = {"spark.sql.shuffle.partitions": "3", "spark.sql.adaptive.enabled": "false"}
    spark = session("local[2,3]", settings | {"spark.driver.memory": "600m", "spark.ui.enabled": "false"})
    gateway = spark.sparkContext._gateway
    assert gateway is not None
    jvm = gateway.proc.pid
    spark.dataSource.register(KilledSource)
    rows = spark.range(30).selectExpr(
        "'t' topic", "int(id % 3) partition", "id div 3 offset", "cast('new' as binary) value", "1000L timestamp_ms"
    )
    ordered = rows.repartition("partition").sortWithinPartitions("partition", "offset")
    written = ordered.mapInArrow(failing_at_first, ordered.schema).write.format("killed").option("release", "2.3")
    written.mode("overwrite").save(sys.argv[1])
