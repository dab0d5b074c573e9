"""The source `kafkalog` as the jobs read it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka_spark.session import register

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read(
    spark: "SparkSession", path: str | Path | Sequence[str], view: str, columns: Sequence[str], **options: str
) -> "DataFrame":
    """Some columns of a view."""
    register(spark)
    reader = spark.read.format("kafkalog").options(view=view, columns=",".join(columns), **options)
    return reader.load(list(path) if not isinstance(path, (str, Path)) else str(path))
