"""Which segments lie below a path: the directory of a broker, of one partition, or a single segment file.

    kafka-logs/                        a log directory: every partition in it
    kafka-logs/orders-3/               one partition
    kafka-logs/orders-3/000...042.log  one segment

A directory without partitions is searched one level deeper, for the log directories of several brokers or disks.
Directories that are being deleted or moved (`-delete`, `-future`, `-stray`) and files with another last suffix
(`.deleted`, `.cleaned`, `.swap`) are no part of any log. Names are those of `fakekafka.log.names`.
"""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_rows

from fakekafka_spark.files.storage import Entry, Storage


class Segment(NamedTuple):
    """One segment: its log file and what lies beside it."""

    path: str
    size: int
    base_offset: Offset
    is_last: bool
    """Is it the newest of its partition, the one that a broker appends to?"""
    offset_index: str | None
    """The paths of its indexes; None: there is none of that kind."""
    time_index: str | None
    txn_index: str | None


class Partition(NamedTuple):
    """One partition's directory."""

    topic: TopicName
    partition: PartitionIndex
    path: str
    log_start_offset: Offset
    """Below it, records were deleted (DeleteRecords); 0 when the directory's checkpoint does not say."""
    segments: tuple[Segment, ...]
    """By base offset. A path that names one segment gives just that one."""
    files: frozenset[str]


def partitions(storage: Storage) -> list[Partition]:
    """The partitions below `storage.path`, by topic and number. Raises `UsageError` where there is none."""
    root = storage.entry(storage.path)
    if root is None:
        raise UsageError(f"{storage.path} does not exist")
    found = [_of_segment_file(storage, root)] if root.is_file else list(_below(storage, root.path))
    if not found:
        raise UsageError(
            f"{storage.path} holds no partition: give a broker's log directory, a directory such as 'orders-0', "
            "or a segment file in one"
        )
    return sorted(found, key=lambda partition: (partition.topic, partition.partition, partition.path))


def _below(storage: Storage, path: str) -> Iterator[Partition]:
    """A partition, the partitions of a log directory, or those of several log directories."""
    entries = storage.entries(path)
    if any(e.is_file and names.is_segment_file(e.name, names.LOG) for e in entries):
        yield _partition(path, entries, _log_starts(storage, str(PurePosixPath(path).parent)))
        return
    direct = list(_of_log_directory(storage, path, entries))
    if direct:
        yield from direct
        return
    for entry in entries:
        if not entry.is_file:
            yield from _of_log_directory(storage, entry.path, storage.entries(entry.path))


def _of_log_directory(storage: Storage, path: str, entries: list[Entry]) -> Iterator[Partition]:
    starts = _log_starts(storage, path) if any(e.name == names.LOG_STARTS for e in entries) else {}
    for entry in entries:
        if not entry.is_file and names.partition_of(entry.name) is not None:
            yield _partition(entry.path, storage.entries(entry.path), starts)


def _of_segment_file(storage: Storage, file: Entry) -> Partition:
    if not names.is_segment_file(file.name, names.LOG):
        raise UsageError(f"{file.path} is no segment: those are called {names.of_offset(0, names.LOG)}")
    folder = str(PurePosixPath(file.path).parent)
    whole = _partition(folder, storage.entries(folder), _log_starts(storage, str(PurePosixPath(folder).parent)))
    return whole._replace(segments=tuple(s for s in whole.segments if PurePosixPath(s.path).name == file.name))


def _partition(path: str, entries: list[Entry], log_starts: dict[tuple[str, int], Offset]) -> Partition:
    name = PurePosixPath(path).name
    named = names.partition_of(name)
    if named is None:
        raise UsageError(f"{path} is not called like a partition: '<topic>-<number>'")
    files = frozenset(entry.name for entry in entries if entry.is_file)
    logs = [entry for entry in entries if entry.is_file and names.is_segment_file(entry.name, names.LOG)]
    return Partition(*named, path, log_starts.get(named, 0), tuple(_segments(logs, files)), files)


def _segments(logs: list[Entry], files: frozenset[str]) -> Iterable[Segment]:
    bases = sorted((names.offset_of(entry.name) or 0, entry) for entry in logs)
    for number, (base, entry) in enumerate(bases, 1):
        beside = (names.of_offset(base, kind) for kind in (names.OFFSET_INDEX, names.TIME_INDEX, names.TXN_INDEX))
        folder = PurePosixPath(entry.path).parent
        indexes = [str(folder / name) if name in files else None for name in beside]
        yield Segment(entry.path, entry.size, base, number == len(bases), *indexes)


def _log_starts(storage: Storage, root: str) -> dict[tuple[str, int], Offset]:
    """The checkpoint of log start offsets of a log directory. One that cannot be read is ignored, as brokers do."""
    path = str(PurePosixPath(root) / names.LOG_STARTS)
    if storage.entry(path) is None:
        return {}
    try:
        rows = checkpoint_rows(storage.read(path))
        return {(topic, int(partition)): int(offset) for topic, partition, offset in rows}
    except (MalformedBytes, ValueError):
        return {}
