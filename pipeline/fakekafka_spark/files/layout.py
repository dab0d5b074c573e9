"""Which segments are below a path: a segment file, a partition, a broker's log directory, or an archive of many.

    kafka-logs/orders-3/000...042.log      one segment
    kafka-logs/orders-3/                   one partition
    kafka-logs/                            a log directory: every partition in it
    archive/2024-01/broker-0/              ... at any depth, among whatever else is there

A directory is a partition if it holds segments; its name says which one. So `2024-01` in an archive is a folder, not
partition 1 of a topic 2024. Directories that are being deleted or moved (`-delete`, `-future`, `-stray`) and files with
another last suffix (`.deleted`, `.cleaned`, `.swap`) are not part of any log. What is passed over is kept in
`Layout.skipped`, so that it can be reported. Names are those of `fakekafka.log.names`.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.log import check_root, names
from fakekafka.log.check_root import Noted
from fakekafka.log.checkpoints import offset_rows
from fakekafka.log.drafts.wide_index import WIDE_ENTRIES
from fakekafka.plugins.dialects import drafts_in

from fakekafka_spark.files.dialects import drafts_beside
from fakekafka_spark.files.storage import Entry, Storage, places

UNCOMMITTED: Final = "_temporary"
"""Where this package's writer keeps what is not committed yet."""
HIGHEST_PARTITION: Final = (1 << 31) - 1


class Segment(NamedTuple):
    """One segment: its log file and what is beside it."""

    path: str
    size: int
    base_offset: Offset
    is_last: bool
    """Whether it is the newest of its partition, the one that a broker appends to."""
    offset_index: str | None
    """The paths of its indexes; None: there is none of that kind."""
    time_index: str | None
    txn_index: str | None
    has_wide_entries: bool
    """Whether the entries of its offset index have timestamps: those of a draft of KIP-33 have 16 bytes."""


class Partition(NamedTuple):
    """One partition's directory."""

    topic: TopicName
    partition: PartitionIndex
    path: str
    log_start_offset: Offset
    """Below it, records were deleted (DeleteRecords); 0 when the directory's checkpoint does not say."""
    noted: Noted
    """What else the checkpoints beside it say."""
    segments: tuple[Segment, ...]
    """The segments by base offset. A path that names one segment gives just that one."""
    files: Mapping[str, int]
    """The sizes of all files, by name."""

    @property
    def compacted_to(self) -> Offset:
        """Below it, the log cleaner has been at work, so offsets may be missing; 0 when the checkpoint does not say."""
        return self.noted.compacted_to


class Layout(NamedTuple):
    """What is below a path."""

    partitions: list[Partition]
    """Ordered by topic, number and path."""
    skipped: list[str]
    """What was passed over, and why: a line each."""
    log_directories: list[str]
    """Where checkpoints are: the directories of brokers, and those of partitions whose logs are gone while what was
    beside them is not.
    """


class Located(NamedTuple):
    """What is below one of several paths."""

    url: str
    storage: Storage
    layout: Layout


class Checkpoints(NamedTuple):
    """What the checkpoints of a log directory say about its partitions."""

    log_starts: Mapping[tuple[TopicName, PartitionIndex], Offset]
    noted: Mapping[tuple[TopicName, PartitionIndex], Noted]


class Beside(NamedTuple):
    """What the directories above a partition say about it."""

    checkpoints: Checkpoints
    drafts: Sequence[str]
    """The drafts of the cluster that wrote it."""


LOGGER: Final = logging.getLogger("fakekafka_spark")

NO_CHECKPOINTS: Final = Checkpoints({}, {})


def partitions(storage: Storage) -> list[Partition]:
    """The partitions below `storage.path`. Raises `UsageError` where there is none."""
    return layout(storage).partitions


def layouts(urls: Iterable[str], options: Mapping[str, str] | None = None) -> list[Located]:
    """What is below some URLs, each directory once: one that is named twice, or of which several segments are named,
    is one partition, where it was found first. Raises `UsageError` as `layout` does.
    """
    located: list[Located] = []
    seen: dict[tuple[str, str], tuple[list[Partition], int]] = {}
    for url in urls:
        for place in places(url, options):
            below = layout(place)
            new: list[Partition] = []
            for partition in below.partitions:
                known, number = seen.setdefault(_identity(place, partition.path), (new, len(new)))
                if number == len(known):
                    known.append(partition)
                else:
                    known[number] = _with_segments(known[number], partition.segments)
            roots = {_identity(place, path) for one in located for path in one.layout.log_directories}
            fresh = [path for path in below.log_directories if _identity(place, path) not in roots]
            located.append(Located(url, place, Layout(new, below.skipped, fresh)))
    return located


def _identity(storage: Storage, path: str) -> tuple[str, str]:
    return storage.filesystem.type_name, storage.real(path)


def _with_segments(partition: Partition, more: Iterable[Segment]) -> Partition:
    by_offset = {segment.base_offset: segment for segment in (*more, *partition.segments)}
    return partition._replace(segments=tuple(segment for _, segment in sorted(by_offset.items())))


def layout(storage: Storage) -> Layout:
    """What is below `storage.path`. Raises `UsageError` for a path that does not exist or holds no partition."""
    root = storage.entry(storage.path)
    if root is None:
        raise UsageError(f"{storage.path} does not exist")
    result = Layout([], [], [])
    if root.is_file:
        result.partitions.append(_of_segment_file(storage, root))
    else:
        parent = Beside(_checkpoints(storage, _parent(root.path)), drafts_beside(storage, root.path))
        _search(storage, root.path, parent, frozenset(), result)
    if not result.partitions:
        raise UsageError(
            f"{storage.path} holds no partition: give a broker's log directory, a directory such as 'orders-0', "
            "or a segment file in one" + "".join(f"\n  passed over: {line}" for line in result.skipped[:20])
        )
    result.partitions.sort(key=lambda partition: (partition.topic, partition.partition, partition.path))
    return result


def say_skipped(searched: Layout) -> None:
    """Report what was passed over, on the logger `fakekafka_spark`."""
    for line in searched.skipped:
        LOGGER.warning("passed over: %s", line)


def partition_at(storage: Storage, path: str) -> Partition:
    """The partition whose directory `path` is. Raises `UsageError` for a name that is not a partition's."""
    beside = Beside(_checkpoints(storage, _parent(path)), drafts_beside(storage, path))
    return _partition(path, storage.entries(path), beside)


def _search(storage: Storage, path: str, beside: Beside, above: frozenset[str], result: Layout) -> None:
    """Note the partition that `path` is, or else those below it. `beside`: what the directories above it say about it;
    `above`: all directories above it.
    """
    entries = storage.entries(path)
    if any(e.is_file and names.is_segment_file(e.name, names.LOG) for e in entries):
        if _named(path) is None:
            result.skipped.append(f"{path} holds segments, but is not named like a partition: '<topic>-<number>'")
        else:
            result.partitions.append(_partition(path, entries, beside))
        return
    folders = [entry for entry in entries if not entry.is_file]
    if _named(path) is not None and not folders:
        result.skipped.append(f"{path} is called like a partition, but holds no segment")
    here, own = storage.real(path), beside._replace(checkpoints=NO_CHECKPOINTS)
    if here in above:
        result.skipped.append(f"{path} is a link to a directory above it")
        return
    inside = above | {here}
    if any(entry.name in check_root.OFFSETS for entry in entries):
        own = own._replace(checkpoints=_checkpoints(storage, path))
    if any(entry.name == names.CLUSTER_FILE for entry in entries):
        own = own._replace(drafts=drafts_in(storage.read(f"{path}/{names.CLUSTER_FILE}")))
    if any(entry.is_file and (entry.name in ROOT_FILES or names.is_beside_log(entry.name)) for entry in entries):
        result.log_directories.append(path)
    for folder in folders:
        if check_root.is_marked(folder.name):
            result.skipped.append(f"{folder.path} is being deleted or moved")
        elif folder.name == UNCOMMITTED:
            result.skipped.append(f"{folder.path} holds what a writer has not committed; the next write finishes it")
        elif folder.name == names.REMOTE_INDEX_CACHE:
            result.skipped.append(f"{folder.path} is a cache of tiered storage")
        else:
            _search(storage, folder.path, own, inside, result)


ROOT_FILES: Final = frozenset({*check_root.ROOT_FILES, names.CLUSTER_FILE})


def _of_segment_file(storage: Storage, file: Entry) -> Partition:
    if not names.is_segment_file(file.name, names.LOG):
        raise UsageError(f"{file.path} is not a segment: those are called {names.of_offset(0, names.LOG)}")
    whole = partition_at(storage, _parent(file.path))
    return whole._replace(segments=tuple(s for s in whole.segments if _name(s.path) == file.name))


def _partition(path: str, entries: list[Entry], beside: Beside) -> Partition:
    named = _named(path)
    if named is None:
        raise UsageError(f"{path} is not named like a partition: '<topic>-<number>'")
    files = {entry.name: entry.size for entry in entries if entry.is_file}
    known, is_wide = beside.checkpoints, WIDE_ENTRIES in beside.drafts
    start, noted = known.log_starts.get(named, 0), known.noted.get(named, Noted())
    return Partition(*named, path, start, noted, tuple(_segments(path, files, is_wide)), files)


def _segments(folder: str, files: Mapping[str, int], is_wide: bool) -> Iterable[Segment]:
    bases = sorted((names.offset_of(name) or 0, name) for name in files if names.is_segment_file(name, names.LOG))
    for number, (base, name) in enumerate(bases, 1):
        stem = f"{folder}/{name.removesuffix(names.LOG)}"
        offset_index, time_index, txn_index = (
            f"{stem}{kind}" if f"{name.removesuffix(names.LOG)}{kind}" in files else None
            for kind in (names.OFFSET_INDEX, names.TIME_INDEX, names.TXN_INDEX)
        )
        path, is_last = f"{folder}/{name}", number == len(bases)
        yield Segment(path, files[name], base, is_last, offset_index, time_index, txn_index, is_wide)


def _checkpoints(storage: Storage, root: str) -> Checkpoints:
    """The checkpoints of a log directory. One that cannot be read is ignored, as brokers do."""
    by_name = {name: _offsets(storage, f"{root}/{name}") for name in check_root.OFFSETS}
    return Checkpoints(by_name[names.LOG_STARTS], check_root.noted_in(by_name))


def _offsets(storage: Storage, path: str) -> dict[tuple[TopicName, PartitionIndex], Offset]:
    if storage.entry(path) is None:
        return {}
    try:
        return offset_rows(storage.read(path))
    except MalformedBytes:
        return {}


def _named(path: str) -> tuple[TopicName, PartitionIndex] | None:
    """The partition that a directory is named after; None for a name that no partition has."""
    named = names.partition_of(_name(path))
    return None if named is None or named[1] > HIGHEST_PARTITION else named


def _parent(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0] or "/"


def _name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
