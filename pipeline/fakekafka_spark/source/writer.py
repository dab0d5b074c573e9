"""The writer of the source `kafkalog`: a DataFrame as segments of a chosen release, format and codec.

    df.repartition("topic", "partition").sortWithinPartitions("topic", "partition", "offset") \\
        .write.format("kafkalog").option("release", "0.9.0").option("codec", "gzip").mode("append").save(path)

Columns: `topic`, `partition`, `offset`, `value`; if there, `key`, `timestamp` (or `timestamp_ms`), `timestampType`,
`headers`. Others are refused. Mode `append` adds partitions, never records to a log; `overwrite` replaces every
partition that is there. Paths are of a file system that is mounted on the driver and the executors alike.

The driver makes `_temporary/<run>/`, and each task writes below it. The commit looks whether a partition came from two
tasks, then moves all directories to their places. An abort takes the run's directory away: there a task that failed
without a word has left its files, too, and one that still runs, since another one failed, can begin no more there.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from fakekafka.clock import SystemClock
from fakekafka.errors import UsageError
from fakekafka.log import names
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType
from pyspark.taskcontext import TaskContext

from fakekafka_spark.source.partition_writer import PartitionWriter, Written
from fakekafka_spark.source.target import Target
from fakekafka_spark.source.to_records import columns_of, records_of

TEMPORARY = "_temporary"


class WrittenPartition(NamedTuple):
    """A partition's directory that waits to be moved."""

    name: str
    folder: Path
    written: Written


class TaskWrote(WriterCommitMessage):
    """What one task wrote."""

    def __init__(self, partitions: Sequence[WrittenPartition]) -> None:
        self.partitions = tuple(partitions)


class KafkalogWriter(DataSourceArrowWriter):
    """Writes records below a path."""

    def __init__(self, options: Mapping[str, str], schema: StructType, overwrite: bool) -> None:
        self.target = Target.of(options)
        self.columns = columns_of(schema)
        self.root = local_path(options)
        self.overwrite = overwrite
        self.run = self.root / TEMPORARY / uuid4().hex
        self.run.mkdir(parents=True)

    def write(self, iterator: Iterator[Any]) -> TaskWrote:
        """Write a task's records. Raises `UsageError` for an order that a log cannot have."""
        folder = self.run / _task()
        folder.mkdir()
        writers: dict[str, PartitionWriter] = {}
        now = SystemClock().now_ms
        for batch in iterator:
            rows = records_of(batch, self.columns)
            for name, some in groupby(rows, key=lambda row: row[0]):
                if name not in writers:
                    writers[name] = PartitionWriter(folder / name, self.target, now)
                writers[name].add(record for _, record in some)
        return TaskWrote([WrittenPartition(name, folder / name, one.close()) for name, one in writers.items()])

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Move everything to its place. Raises `UsageError`, and leaves nothing, if it does not fit together."""
        made = [one for message in messages if isinstance(message, TaskWrote) for one in message.partitions]
        try:
            self._check(made)
            self._replace(made)
        finally:
            self.abort(messages)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Leave nothing. Tasks that failed have no message here, but their files lie in the run's directory."""
        gone = self.run.with_name(f"{self.run.name}-gone")
        if self.run.exists():
            self.run.rename(gone)  # at once, so that no task adds to what is being deleted
        shutil.rmtree(gone, ignore_errors=True)
        for empty in (self.run.parent, self.root):
            if empty.is_dir() and not any(empty.iterdir()):
                empty.rmdir()

    def _check(self, made: Sequence[WrittenPartition]) -> None:
        seen: set[str] = set()
        for one in made:
            if one.name in seen:
                raise UsageError(
                    f"records of {one.name} came from two tasks, so their order is not known: "
                    "repartition('topic', 'partition') before writing"
                )
            seen.add(one.name)
            if not self.overwrite and (self.root / one.name).exists():
                raise UsageError(f"{self.root / one.name} exists: a log that is there cannot be continued")

    def _replace(self, made: Sequence[WrittenPartition]) -> None:
        """Old partitions into the run's directory, which is deleted, new ones out of it."""
        moves: list[tuple[Path, Path]] = []
        if self.overwrite:
            old = self.run / "old"
            old.mkdir(parents=True, exist_ok=True)
            moves += ((path, old / path.name) for path in self.root.iterdir() if names.partition_of(path.name))
        moves += ((one.folder, self.root / one.name) for one in made)
        done: list[tuple[Path, Path]] = []
        try:
            for source, place in moves:
                source.rename(place)
                done.append((source, place))
        except OSError:
            for source, place in reversed(done):
                place.rename(source)
            raise


def local_path(options: Mapping[str, str]) -> Path:
    """Where to write. Raises `UsageError` for another file system."""
    path = options.get("path", "")
    if "://" in path.removeprefix("file://") or not path:
        raise UsageError(f"segments are written to a path of a mounted file system, not to {path!r}")
    return Path(path.removeprefix("file://")).absolute()


def _task() -> str:
    context = TaskContext.get()
    return "task" if context is None else f"{context.partitionId()}-{context.taskAttemptId()}"
