"""The source `kafkalog` as the jobs read it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka_spark.files import layout
from fakekafka_spark.files.storage import local_path, urls_of
from fakekafka_spark.session import register

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Paths = str | Path | Sequence[str | Path]


def read(spark: "SparkSession", path: Paths, view: str, columns: Sequence[str], **options: str) -> "DataFrame":
    """Some columns of a view. A path is relative to where the caller is now, not to where Spark was started."""
    register(spark)
    reader = spark.read.format("kafkalog").options(view=view, columns=",".join(columns), **options)
    return reader.load(absolute(path))


def absolute(path: Paths) -> str | list[str]:
    """Paths that mean the same in Spark's workers; URLs as they are."""
    if not isinstance(path, (str, Path)):
        return [str(absolute(one)) for one in path]
    local = local_path(str(path))
    return str(path) if local is None else str(local.absolute())


def checked(spark: "SparkSession", path: Paths, options: Mapping[str, str] | None = None) -> Paths:
    """The path, if logs are below it. Raises `UsageError`, where the files can be seen from here, before Spark starts.

    What is not a log below it is reported on the logger `fakekafka_spark`.
    """
    if not type(spark).__module__.startswith("pyspark.sql.connect"):
        for located in layout.layouts(urls_of(path), options):
            layout.say_skipped(located.layout)
    return path
