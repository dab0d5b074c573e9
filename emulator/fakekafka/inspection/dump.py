"""The rows of any file of a log directory. A file's name says what it contains; its folder's name gives the topic."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.inspection import small_files
from fakekafka.inspection.dialects import dialect_of, drafts_beside
from fakekafka.inspection.internal_records import METADATA
from fakekafka.inspection.log_files import log_rows
from fakekafka.inspection.row import Row
from fakekafka.log import names
from fakekafka.log.check import ignored
from fakekafka.log.drafts.wide_index import WIDE_ENTRIES
from fakekafka.log.files import DiskDirectory

MARKS: Final = (names.DELETED, names.CLEANED, names.SWAP, names.TEMPORARY)
CHECKPOINTS: Final = (
    names.RECOVERY_POINTS, names.HIGH_WATERMARKS, names.LOG_STARTS, names.CLEANER_OFFSETS, names.LEADER_EPOCHS,
)  # fmt: skip
PROPERTIES: Final = (names.META_PROPERTIES, names.PARTITION_METADATA)
KRAFT_SNAPSHOT: Final = ".checkpoint"
"""The suffix of the metadata log's snapshots, and of a new cluster's `bootstrap.checkpoint`: files in the format of a
log."""


def dump(path: Path, *, records: bool = True, seen: Callable[[int], None] = ignored) -> Iterator[Row]:
    """What is in a file. `records`: for a log, the records as well as the batches. `seen` is called with the number of
    a log's bytes as they are read.

    A damaged file gives the rows that can be read, then a row "broken". Raises `UsageError` for a file of no known
    kind.
    """
    name = _unmarked(path.name)
    if not path.is_file():
        raise UsageError(f"{path} is not a file")
    directory = DiskDirectory.for_reading(path.parent)
    if name.endswith((names.LOG, KRAFT_SNAPSHOT)):
        topic = METADATA if name.endswith(KRAFT_SNAPSHOT) else _topic(path)
        try:
            yield from log_rows(directory.open(path.name, 0), topic, records, seen, dialect_of(path.parent))
        finally:
            directory.close()
        return
    try:
        if name.endswith(names.OFFSET_INDEX) and WIDE_ENTRIES in drafts_beside(path.parent):
            yield from small_files.wide_index_rows(directory.read_all(path.name), names.offset_of(name) or 0)
        else:
            yield from _small(name, directory.read_all(path.name))
    except MalformedBytes as wrong:
        yield Row("broken", None, {"why": str(wrong)})


def _small(name: str, data: bytes) -> Iterator[Row]:
    base = names.offset_of(name) or 0
    if name.endswith(names.OFFSET_INDEX):
        return small_files.offset_index_rows(data, base)
    if name.endswith(names.TIME_INDEX):
        return small_files.time_index_rows(data, base)
    if name.endswith(names.TXN_INDEX):
        return small_files.txn_index_rows(data)
    if name.endswith(names.SNAPSHOT):
        return small_files.snapshot_rows(data)
    if name in CHECKPOINTS:
        return small_files.checkpoint_file_rows(data)
    if name in PROPERTIES:
        return small_files.property_rows(data)
    raise UsageError(f"{name} is not a file that a broker writes into a log directory")


def _unmarked(name: str) -> str:
    """The name without the suffix for a file that is being written, swapped or deleted."""
    for mark in MARKS:
        name = name.removesuffix(mark)
    return name


def _topic(path: Path) -> str:
    folder = path.resolve().parent.name
    named = names.partition_of(folder.split(".", 1)[0] if folder.endswith(names.DELETE_DIRECTORY) else folder)
    return folder if named is None else named[0]
