"""Everything that is wrong with a log directory, a partition's directory, or the directories of several brokers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.log import names
from fakekafka.log.check import check, ignored, left_over
from fakekafka.log.checkpoints import Checkpoints, topic_id_of
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.findings import Finding
from fakekafka.log.findings import FindingKind as Kind

OFFSETS: Final = (names.RECOVERY_POINTS, names.HIGH_WATERMARKS, names.LOG_STARTS, names.CLEANER_OFFSETS)
MARKS: Final = (names.DELETE_DIRECTORY, names.FUTURE_DIRECTORY, names.STRAY_DIRECTORY)


class Found(NamedTuple):
    """A finding, and the directory in which it was made."""

    directory: Path
    finding: Finding


def log_bytes(path: Path) -> int:
    """How many bytes of logs a check will read, for showing its progress."""
    return sum(file.stat().st_size for file in path.rglob(f"*{names.LOG}"))


def check_directory(path: Path, seen: Callable[[int], None] = ignored) -> Iterator[Found]:
    """`path`: of one partition, of one broker, or of several (`broker-0` and so on).

    `seen` is called with the number of log bytes as they are read. Raises `UsageError` if it is not a directory.
    """
    if not path.is_dir():
        raise UsageError(f"{path} is not a directory")
    directory = DiskDirectory(path)
    if any(names.is_segment_file(name, names.LOG) for name in directory.names()):
        yield from _partition(path, directory, seen)
        return
    yield from (Found(path, finding) for finding in _root(directory))
    for name in directory.directories():
        yield from _inside(path / name, directory.directory(name), seen)


def _inside(path: Path, directory: Directory, seen: Callable[[int], None]) -> Iterator[Found]:
    name = path.name
    if directory.directories():  # a partition's has none: it is one of several brokers
        yield from check_directory(path, seen)
    elif any(name.endswith(mark) for mark in MARKS) and "." in name:
        mark = "-" + name.rpartition("-")[2]
        yield Found(path.parent, Finding(name, None, Kind(f"left over {mark}"), "a partition that is on its way out"))
    elif names.partition_of(name) is not None and name not in names.NO_PARTITIONS:
        yield from _partition(path, directory, seen)
    elif name not in names.NO_PARTITIONS:
        yield Found(path.parent, Finding(name, None, Kind.UNKNOWN_DIRECTORY, "not a partition's name"))


def _partition(path: Path, directory: Directory, seen: Callable[[int], None]) -> Iterator[Found]:
    yield from (Found(path, finding) for finding in check(directory, seen))
    yield from (Found(path, finding) for finding in left_over(directory))
    if directory.exists(names.PARTITION_METADATA):
        try:
            topic_id_of(directory.read_all(names.PARTITION_METADATA))
        except MalformedBytes as wrong:
            yield Found(path, Finding(names.PARTITION_METADATA, None, Kind.PARTITION_METADATA, str(wrong)))


def _root(directory: Directory) -> Iterator[Finding]:
    """Check that the checkpoints can be read, and that their offsets lie within the partitions that are here."""
    checkpoints = Checkpoints(directory)
    for name in OFFSETS:
        try:
            offsets = checkpoints.offsets(name)
        except MalformedBytes as wrong:
            yield Finding(name, None, Kind.CHECKPOINT, str(wrong))
            continue
        for (topic, partition), offset in offsets.items():
            folder = names.partition_directory(topic, partition)
            if folder in directory.directories() and offset < _first_offset(directory.directory(folder)):
                yield Finding(name, None, Kind.CHECKPOINT, f"{folder} begins behind {offset}")


def _first_offset(directory: Directory) -> int:
    bases = [names.offset_of(name) for name in directory.names() if names.is_segment_file(name, names.LOG)]
    return min((base for base in bases if base is not None), default=0)
