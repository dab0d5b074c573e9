"""The writer of the source `kafkalog`: a DataFrame as segments of a chosen release, format and codec.

    df.repartition("topic", "partition").sortWithinPartitions("topic", "partition", "offset") \\
        .write.format("kafkalog").option("release", "0.9.0").option("codec", "gzip").mode("append").save(path)

Columns: `topic`, `partition`, `offset`, `value`; if there, `key`, `timestamp` (or `timestamp_ms`), `timestampType`,
`headers`. Others are refused. Mode `append` adds partitions, never records to a log; `overwrite` replaces every
partition that is there. Paths are of a file system that is mounted on the driver and the executors alike.

The driver makes `_temporary/<run>/`, and each task writes below it. The commit checks whether a partition came from two
tasks, then moves all directories to their places; `journal` says what becomes of that if the driver dies. An abort
removes the run's directory: a task that failed without a message has left its files there, too, and one that still runs
when another one has failed can begin nothing more there.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from fakekafka.clock import SystemClock
from fakekafka.errors import UsageError
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_bytes
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType
from pyspark.taskcontext import TaskContext

from fakekafka_spark.files.layout import UNCOMMITTED
from fakekafka_spark.files.storage import local_path
from fakekafka_spark.source import journal
from fakekafka_spark.source.log_bounds import BOUNDS, Bounds, end_at, rows_of
from fakekafka_spark.source.partition_writer import PartitionWriter, Written
from fakekafka_spark.source.target import Target
from fakekafka_spark.source.to_records import columns_of, records_of

EMPTY = "empty"
"""Below a run's directory: the partitions without records."""


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
        self.root = local_root(options)
        self.overwrite = overwrite
        self.bounds = Bounds.parsed(options.get(BOUNDS, "{}"))
        journal.finish_others(self.root)
        self.run = self.root / UNCOMMITTED / uuid4().hex
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
                    start = self.bounds[name].start if name in self.bounds else None
                    writers[name] = PartitionWriter(folder / name, self.target, now, start)
                writers[name].add(record for _, record in some)
        return TaskWrote([WrittenPartition(name, folder / name, one.close()) for name, one in writers.items()])

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Move everything to its place. Raises `UsageError`, and leaves nothing, if it does not fit together."""
        made = [one for message in messages if isinstance(message, TaskWrote) for one in message.partitions]
        try:
            self._check(made)
            made += self._padded(made)
            self._replace(made)
        finally:
            self.abort(messages)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Leave nothing. Tasks that failed have no message here, but their files are in the run's directory."""
        journal.remove(self.run)
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

    def _padded(self, made: Sequence[WrittenPartition]) -> list[WrittenPartition]:
        """Logs up to the ends that were asked for; the partitions among those of which no record was written."""
        written = {one.name: one.folder for one in made}
        now, empty = SystemClock().now_ms, []
        for name, bounds in self.bounds.items():
            if name in written:
                end_at(written[name], bounds.end)
            elif (self.root / name).exists() and not self.overwrite:
                raise UsageError(f"{self.root / name} exists: a log that is there cannot be continued")
            else:
                folder = self.run / EMPTY / name
                folder.parent.mkdir(exist_ok=True)
                done = PartitionWriter(folder, self.target, now, bounds.end).close()
                empty.append(WrittenPartition(name, folder, done))
        return empty

    def _checkpoints(self) -> Iterator[tuple[Path, Path]]:
        """Files of the log directory that say where the logs begin, and that offsets may be missing in them."""
        for name, offsets in (
            (names.LOG_STARTS, {name: bounds.start for name, bounds in self.bounds.items() if bounds.start}),
            (names.CLEANER_OFFSETS, {name: bounds.end for name, bounds in self.bounds.items() if bounds.end}),
        ):
            there = self.root / name
            kept = {} if self.overwrite else rows_of(there)
            rows = kept | {" ".join(map(str, names.partition_of(key) or ())): value for key, value in offsets.items()}
            if rows:
                made = self.run / name
                made.write_bytes(checkpoint_bytes(f"{key} {value}" for key, value in rows.items()))
                if there.exists():
                    yield there, self.run / f"{name}.old"
                yield made, there

    def _replace(self, made: Sequence[WrittenPartition]) -> None:
        """Old partitions into the run's directory, which is deleted, new ones out of it."""
        moves: list[tuple[Path, Path]] = []
        if self.overwrite:
            old = self.run / "old"
            old.mkdir(parents=True, exist_ok=True)
            moves += ((path, old / path.name) for path in self.root.iterdir() if names.partition_of(path.name))
        moves += ((one.folder, self.root / one.name) for one in made)
        moves += self._checkpoints() if self.bounds else ()
        journal.commit(self.root, self.run, moves)


def local_root(options: Mapping[str, str]) -> Path:
    """Where to write. Raises `UsageError` for another file system: what is written is renamed, as a whole and at once,
    which object stores cannot do.
    """
    path = local_path(options.get("path", ""))
    if path is None:
        raise UsageError(
            f"segments are written to a path of a mounted file system, not to {options.get('path', '')!r}: "
            "object stores cannot rename a directory at once. Write to a disk, then copy"
        )
    return path.absolute()


def _task() -> str:
    context = TaskContext.get()
    return "task" if context is None else f"{context.partitionId()}-{context.taskAttemptId()}"
