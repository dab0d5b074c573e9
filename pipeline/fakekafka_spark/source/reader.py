"""The batch reader of the source `kafkalog`: plans splits, reads them as Arrow record batches.

Readers and splits are pickled and hold paths and numbers only; files are opened in `read`. Planning runs in a Python
worker beside the driver, so paths must mean the same there and on the executors.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fakekafka.errors import UsageError
from pyspark.sql.datasource import DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from fakekafka_spark import columns
from fakekafka_spark.files import plan
from fakekafka_spark.files.plan import Split
from fakekafka_spark.files.storage import storage
from fakekafka_spark.query import Query
from fakekafka_spark.source import filters
from fakekafka_spark.views import check_columns


class SplitPartition(InputPartition):
    """A split of one of the paths."""

    def __init__(self, url: str, split: Split) -> None:
        self.url = url
        self.split = split


class KafkalogReader(DataSourceReader):
    """Reads a view of the segments below some paths."""

    def __init__(self, options: Mapping[str, str], query: Query) -> None:
        self.options = dict(options)
        self.query = query

    def partitions(self) -> Sequence[InputPartition]:
        """One for each split."""
        return [
            SplitPartition(url, split)
            for url, place, partition in plan.located(paths(self.options), self.options, self.query)
            for split in plan.of_partition(place, partition, self.query)
        ]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of a split as record batches."""
        if not isinstance(partition, SplitPartition):
            return  # Spark's stand-in where there is no split
        place = storage(partition.url, self.options)
        yield from columns.of_split(place, partition.split, self.query.wanted())


class FilteringReader(KafkalogReader):
    """The same, asked for its filters first."""

    def pushFilters(self, filters_: list[Filter]) -> Iterable[Filter]:
        """Takes note of what spares reading. Spark looks at all of them again."""
        self.query = filters.push(self.query, filters_)
        return filters_


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
