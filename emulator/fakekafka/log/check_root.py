"""Check whether a broker's log directory is what it promises to be, leaving its partitions aside."""

from collections.abc import Iterator
from typing import Final

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, TopicPartition
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_rows
from fakekafka.log.findings import Finding, ReadableDirectory
from fakekafka.log.findings import FindingKind as Kind

OFFSETS: Final = (names.RECOVERY_POINTS, names.HIGH_WATERMARKS, names.LOG_STARTS, names.CLEANER_OFFSETS)
ROOT_FILES: Final = (*OFFSETS, names.META_PROPERTIES)
"""Files that only the log directory of a broker has."""
MARKS: Final = (names.DELETE_DIRECTORY, names.FUTURE_DIRECTORY, names.STRAY_DIRECTORY)


def is_root(directory: ReadableDirectory) -> bool:
    """Whether it is the log directory of a broker."""
    return any(directory.exists(name) for name in ROOT_FILES)


def check_root(directory: ReadableDirectory) -> Iterator[Finding]:
    """Checkpoints that cannot be read or lie before a log that is here, and directories that do not belong to a
    partition.
    """
    folders = frozenset(directory.directories())
    for name in OFFSETS:
        try:
            offsets = read_offsets(directory, name)
        except MalformedBytes as wrong:
            yield Finding(name, None, Kind.CHECKPOINT, str(wrong))
            continue
        for (topic, partition), offset in offsets.items():
            folder = names.partition_directory(topic, partition)
            if folder in folders and offset < _first_offset(directory.directory(folder)):
                yield Finding(name, None, Kind.CHECKPOINT, f"{folder} begins after {offset}")
    for name in sorted(folders - names.NO_PARTITIONS):
        if is_marked(name):
            mark = "-" + name.rpartition("-")[2]
            yield Finding(name, None, Kind(f"leftover {mark}"), "a partition that is being deleted or moved")
        elif names.partition_of(name) is None:
            yield Finding(name, None, Kind.UNKNOWN_DIRECTORY, "not a partition's name")


def is_marked(directory_name: str) -> bool:
    """Whether a directory is being deleted or moved."""
    return "." in directory_name and directory_name.endswith(MARKS)


def compacted(directory: ReadableDirectory) -> dict[TopicPartition, Offset]:
    """Up to where each partition was compacted; nothing if the checkpoint cannot be read."""
    try:
        return read_offsets(directory, names.CLEANER_OFFSETS)
    except MalformedBytes:
        return {}


def read_offsets(directory: ReadableDirectory, name: str) -> dict[TopicPartition, Offset]:
    """A checkpoint of offsets by partition; nothing if there is none. Raises `MalformedBytes`."""
    if not directory.exists(name):
        return {}
    try:
        return {
            (topic, int(number)): int(offset) for topic, number, offset in checkpoint_rows(directory.read_all(name))
        }
    except ValueError as wrong:
        raise MalformedBytes(f"{name}: {wrong}") from wrong


def _first_offset(directory: ReadableDirectory) -> Offset:
    bases = (names.offset_of(name) for name in directory.names() if names.is_segment_file(name, names.LOG))
    return min((base for base in bases if base is not None), default=0)
