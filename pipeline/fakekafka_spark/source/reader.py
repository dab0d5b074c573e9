"""The batch reader of the source `kafkalog`: plans splits, and reads them as Arrow record batches.

Readers and splits are pickled and hold paths and numbers only; files are opened in `read`. Planning runs in a Python
worker beside the driver, so paths must mean the same there and on the executors.
"""

import ctypes
import gc
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fakekafka.errors import UsageError
from pyspark.sql.datasource import DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from fakekafka_spark import columns
from fakekafka_spark.files import plan
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import storage
from fakekafka_spark.query import Query
from fakekafka_spark.source import filters
from fakekafka_spark.views import check_columns

OPEN_BYTES = 1 << 20
"""What opening a file costs, in bytes that could be read meanwhile."""
MOST_ROWS = 1 << 16
"""The most rows that are sent to the JVM at once: its Arrow takes what exceeds 16 MiB from the system each time."""


class Task(InputPartition):
    """Some splits of one of the paths, for one Spark task."""

    def __init__(self, url: str, splits: Sequence[Split]) -> None:
        self.url = url
        self.splits = tuple(splits)


def tasks(located: Iterable[tuple[str, Split]], split_bytes: int) -> list[Task]:
    """The splits of each URL, small ones together: a Spark task costs as much as reading megabytes."""
    made: list[tuple[str, list[Split]]] = []
    size = 0
    for url, split in located:
        own = split.end - split.start + OPEN_BYTES
        if not made or made[-1][0] != url or size + own > split_bytes:
            made.append((url, []))
            size = 0
        made[-1][1].append(split)
        size += own
    return [Task(url, splits) for url, splits in made]


class KafkalogReader(DataSourceReader):
    """Reads a view of the segments below some paths."""

    def __init__(self, options: Mapping[str, str], query: Query) -> None:
        self.options = dict(options)
        self.query = query

    def partitions(self) -> Sequence[InputPartition]:
        """What Spark is to run."""
        located = plan.located(paths(self.options), self.options, self.query)
        total = sum(segment.size for one in located for segment in one.partition.segments)
        query = plan.paced(self.query, total)
        splits = ((one.url, split) for one in located for split in plan.of_partition(one.storage, one.partition, query))
        planned = tasks(splits, query.split_bytes)
        _spare_the_collector()
        return planned

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of some splits as record batches."""
        return read_task(partition, self.options, self.query)


class FilteringReader(KafkalogReader):
    """A reader that is asked for its filters first."""

    def pushFilters(self, filters_: list[Filter]) -> Iterable[Filter]:
        """Take note of the filters that save reading. Spark applies all of them again."""
        self.query = filters.push(self.query, filters_)
        return filters_


def read_task(task: InputPartition, options: Mapping[str, str], query: Query) -> Iterator[Any]:
    """The rows of some splits as record batches; nothing for Spark's stand-in where there is no split."""
    if isinstance(task, Task):
        place, wanted = storage(task.url, options), query.wanted()
        for split in task.splits:
            for rows in columns.of_split(place, split, wanted):
                yield from (rows.slice(at, MOST_ROWS) for at in range(0, rows.num_rows, MOST_ROWS))
        _spare_the_collector()
        give_back()


def give_back() -> None:
    """Return the memory that this task has freed to the system, before another task finds the worker large.

    What a batch inflates to is freed in pieces, and glibc keeps most of them: 45 MB after a batch of 38 M records.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


@cache
def _spare_the_collector() -> None:
    """What this worker has loaded for its first task stays: the garbage collector need not look at it again.

    Workers that Spark uses again collect everything after each task, and the modules of pandas, pyarrow and PySpark
    alone are some hundred thousand objects: a tenth of all that reading costs, the JVM's part included.
    """
    if "SPARK_REUSE_WORKER" in os.environ:
        gc.freeze()


def query_of(options: Mapping[str, str], schema: StructType) -> Query:
    """The query of these options with the columns of `schema`. Raises `UsageError`."""
    query = Query.of({name: value for name, value in options.items() if name.lower() != "columns"})
    names = tuple(schema.fieldNames())
    check_columns(query.view, names, query.mode)
    for field in schema.fields:
        if field.dataType.simpleString() != query.view.columns[field.name]:
            raise UsageError(
                f"column {field.name} of view {query.view.name} is {query.view.columns[field.name]}, "
                f"not {field.dataType.simpleString()}: cast it after loading"
            )
    return query._replace(columns=names)


def paths(options: Mapping[str, str]) -> list[str]:
    """What was given to `load`: one path, or several as a JSON array."""
    if "paths" in options:
        return list(json.loads(options["paths"]))
    if "path" not in options:
        raise UsageError("load() needs a path: a log directory, a partition's directory or a segment")
    return [options["path"]]
