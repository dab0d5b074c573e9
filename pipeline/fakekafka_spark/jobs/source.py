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
    """Some columns of a view. A path is relative to where the caller is now, not to where Spark was started."""
    register(spark)
    reader = spark.read.format("kafkalog").options(view=view, columns=",".join(columns), **options)
    return reader.load(absolute(path) if isinstance(path, (str, Path)) else [absolute(one) for one in path])


def absolute(path: str | Path) -> str:
    """A path that means the same in Spark's workers; URLs as they are."""
    return str(path) if "://" in str(path) else str(Path(path).absolute())
