"""The source `kafkalog_parts`, which only the audit reads: a row for each part of each segment and each log directory.

What a part says about itself goes through Spark as pickled bytes: nothing else is meant to read it.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from fakekafka_spark.files import layout, plan
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage, storage
from fakekafka_spark.query import Query
from fakekafka_spark.soundness.joined import of_root
from fakekafka_spark.soundness.part import check_part
from fakekafka_spark.source.reader import Task, give_back, paths, tasks

SCHEMA = "url string, directory string, topic string, partition int, segment bigint, size bigint, part binary"


class Root(InputPartition):
    """A broker's log directory."""

    def __init__(self, url: str, path: str) -> None:
        self.url = url
        self.path = path


class PartsSource(DataSource):
    """`kafkalog_parts`. Its options are `path`, `paths`, `splitBytes` and those of storages."""

    @classmethod
    def name(cls) -> str:
        return "kafkalog_parts"

    def schema(self) -> str:
        return SCHEMA

    def reader(self, schema: StructType) -> "PartsReader":
        return PartsReader(self.options)


class PartsReader(DataSourceReader):
    """Checks every part of every segment, each in a task."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = dict(options)
        self.query = Query.of(self.options)

    def partitions(self) -> Sequence[InputPartition]:
        """The parts of all segments, and the log directories."""
        planned: list[InputPartition] = []
        for url, place, searched in layout.layouts(paths(self.options), self.options):
            segments = [(one, segment) for one in searched.partitions for segment in one.segments]
            query = plan.paced(self.query, sum(segment.size for _, segment in segments))
            parts = ((url, split) for one, segment in segments for split in plan.parts_of(place, one, segment, query))
            planned += tasks(parts, query.split_bytes)
            planned += [Root(url, path) for path in searched.log_directories]
        return planned

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        """The rows of a task."""
        if isinstance(partition, Root):
            for row in of_root(storage(partition.url, self.options), partition.path):
                yield (partition.url, row.directory, None, None, None, None, pickle.dumps(row.findings))
        elif isinstance(partition, Task):
            place = storage(partition.url, self.options)
            for split in partition.splits:
                yield self._row(partition.url, place, split)
            give_back()

    def _row(self, url: str, place: Storage, split: Split) -> tuple[Any, ...]:
        directory = split.segment.path.rpartition("/")[0]
        return (url, directory, *split.place[:3], split.segment.size, self.examine(place, split))

    def examine(self, place: Storage, split: Split) -> bytes:
        """What a part says about itself."""
        return pickle.dumps(check_part(place, split))
