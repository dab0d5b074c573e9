"""Rows for the writer without Spark: Arrow batches, and the schema that Spark would give with them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from fakekafka.errors import UsageError
from fakekafka_spark.source import writer as module
from fakekafka_spark.source.writer import KafkalogWriter, TaskWrote
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

SCHEMA = StructType(
    [
        StructField("topic", StringType()),
        StructField("partition", IntegerType()),
        StructField("offset", LongType()),
        StructField("value", BinaryType()),
        StructField("timestamp_ms", LongType()),
    ]
)
ARROW = pa.schema(
    [("topic", pa.string()), ("partition", pa.int32()), ("offset", pa.int64()), ("value", pa.binary()),
     ("timestamp_ms", pa.int64())]
)  # fmt: skip


def batch(rows: Sequence[tuple[Any, ...]]) -> Any:
    """Rows of topic, partition, offset, value, timestamp."""
    return pa.RecordBatch.from_pylist([dict(zip(ARROW.names, row)) for row in rows], ARROW)


def some(value: bytes, partitions: int = 2, each: int = 5) -> Any:
    """Some records of `t`, in order."""
    return batch([("t", p, offset, value, 1000 + offset) for p in range(partitions) for offset in range(each)])


def writer(path: Path | str, *, overwrite: bool = True) -> KafkalogWriter:
    return KafkalogWriter({"path": str(path), "release": "2.3"}, SCHEMA, overwrite)


def attempted(path: Path, value: bytes, partitions: int = 2) -> tuple[KafkalogWriter, TaskWrote]:
    """A write that may be committed, by the third attempt of a task. The first attempt was slow, so that a second one
    was started (speculation), and the second failed half-way. What they wrote is still there.
    """
    one = writer(path)
    attempts = iter(["0-1", "0-2", "0-3"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_task", lambda: next(attempts))
        one.write(iter([some(b"slow", partitions)]))
        with pytest.raises(UsageError, match="Offsets must grow"):
            one.write(iter([some(b"failing", partitions), some(b"failing", partitions)]))
        return one, one.write(iter([some(value, partitions)]))


def write(path: Path, value: bytes, partitions: int = 2) -> None:
    """Write and commit."""
    one = writer(path)
    one.commit([one.write(iter([some(value, partitions)]))])
