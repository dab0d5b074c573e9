"""Check whether a broker's log directory is what it promises to be, leaving its partitions aside."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, TopicPartition
from fakekafka.log import names
from fakekafka.log.checkpoints import offset_rows
from fakekafka.log.findings import Finding, ReadableDirectory
from fakekafka.log.findings import FindingKind as Kind

OFFSETS: Final = (names.RECOVERY_POINTS, names.HIGH_WATERMARKS, names.LOG_STARTS, names.CLEANER_OFFSETS)
OF_EVERY_LOG: Final = (names.RECOVERY_POINTS, names.HIGH_WATERMARKS)
"""The checkpoints that name all logs of the directory and, unless they are seconds old, no other."""
ROOT_FILES: Final = (*OFFSETS, names.META_PROPERTIES)
"""Files that only the log directory of a broker has."""
MARKS: Final = (names.DELETE_DIRECTORY, names.FUTURE_DIRECTORY, names.STRAY_DIRECTORY)


class Noted(NamedTuple):
    """What the checkpoints of a log directory say about one of its partitions."""

    compacted_to: Offset = 0
    """Up to where it was compacted."""
    reached: Offset = 0
    """Up to where its log went, at least: the largest offset that any checkpoint has."""


def is_root(directory: ReadableDirectory) -> bool:
    """Whether a directory is the log directory of a broker."""
    return any(directory.exists(name) for name in ROOT_FILES)


def check_root(directory: ReadableDirectory) -> Iterator[Finding]:
    """Checkpoints that cannot be read, point before a log that is here or name one that is not, and directories that do
    not belong to a partition.
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
            first = _first_offset(directory.directory(folder)) if folder in folders else None
            if first is not None and offset < first:
                yield Finding(name, None, Kind.CHECKPOINT, f"{folder} begins after {offset}")
            elif first is None and offset > 0 and name in OF_EVERY_LOG and not _is_leaving(folder, folders):
                yield Finding(name, None, Kind.CHECKPOINT, f"{folder} has no log here, but had one up to {offset}")
    for name in sorted(folders - names.NO_PARTITIONS):
        if is_marked(name):
            mark = "-" + name.rpartition("-")[2]
            yield Finding(name, None, Kind(f"leftover {mark}"), "a partition that is being deleted or moved")
        elif names.partition_of(name) is None:
            yield Finding(name, None, Kind.UNKNOWN_DIRECTORY, "not a partition's name")


def is_marked(directory_name: str) -> bool:
    """Whether a directory is being deleted or moved."""
    return "." in directory_name and directory_name.endswith(MARKS)


def _is_leaving(folder: str, folders: Collection[str]) -> bool:
    return any(is_marked(name) and name.startswith(f"{folder}.") for name in folders)


def noted(directory: ReadableDirectory) -> dict[TopicPartition, Noted]:
    """What the checkpoints of a log directory say, by partition; one that cannot be read says nothing."""
    checkpoints: dict[str, dict[TopicPartition, Offset]] = {}
    for name in OFFSETS:
        with suppress(MalformedBytes):
            checkpoints[name] = read_offsets(directory, name)
    return noted_in(checkpoints)


def noted_in(checkpoints: Mapping[str, Mapping[TopicPartition, Offset]]) -> dict[TopicPartition, Noted]:
    """What checkpoints say that have been read already, by partition. `checkpoints`: by the names of the files."""
    result: dict[TopicPartition, Noted] = {}
    for name, offsets in checkpoints.items():
        for partition, offset in offsets.items():
            before = result.get(partition, Noted())
            compacted_to = offset if name == names.CLEANER_OFFSETS else before.compacted_to
            result[partition] = Noted(compacted_to, max(before.reached, offset))
    return result


def read_offsets(directory: ReadableDirectory, name: str) -> dict[TopicPartition, Offset]:
    """A checkpoint of offsets by partition; nothing if there is none. Raises `MalformedBytes`."""
    if not directory.exists(name):
        return {}
    try:
        return offset_rows(directory.read_all(name))
    except MalformedBytes as wrong:
        raise MalformedBytes(f"{name}: {wrong}") from wrong


def _first_offset(directory: ReadableDirectory) -> Offset | None:
    """Where a log begins; None if there is none."""
    bases = (names.offset_of(name) for name in directory.names() if names.is_segment_file(name, names.LOG))
    return min((base for base in bases if base is not None), default=None)
