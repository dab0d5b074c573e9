"""The source `kafkalog_copies`, which only the comparison of replicas reads: a row for each part of each segment."""

import pickle
from collections.abc import Sequence

from pyspark.sql.datasource import InputPartition
from pyspark.sql.types import StructType

from fakekafka_spark.copies.digest import digest_of
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.source.parts import PartsReader, PartsSource
from fakekafka_spark.source.reader import Task


class CopiesSource(PartsSource):
    """`kafkalog_copies`, with the options and the columns of `kafkalog_parts`."""

    @classmethod
    def name(cls) -> str:
        return "kafkalog_copies"

    def reader(self, schema: StructType) -> "CopiesReader":
        return CopiesReader(self.options)


class CopiesReader(PartsReader):
    """Sums up the units of every part, each in a task."""

    def partitions(self) -> Sequence[InputPartition]:
        """The parts of all segments."""
        return [task for task in super().partitions() if isinstance(task, Task)]

    def examine(self, place: Storage, split: Split) -> bytes:
        return pickle.dumps(digest_of(place, split))
