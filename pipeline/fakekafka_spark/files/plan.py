"""Which parts of which files a query reads: splits, from directory listings and indexes alone.

A split is a range of one segment that begins and ends at units, because index entries point at units; no byte of a log
file is read for it. Bounds on offsets and timestamps rule out splits, or parts of them: see `indexes` for why that is
right for the entries of every release. Where there are no bounds, older segments are cut at round numbers, and the task
reads the index to find the units after those (`exact`): so a hundred thousand large segments are planned without
opening a file.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from fakekafka.errors import UsageError
from fakekafka.ids import Offset, PartitionIndex, Position, TopicName

from fakekafka_spark.files import layout, tail
from fakekafka_spark.files.indexes import NO_ENTRIES, OffsetEntries, read_offset_entries, read_time_entries
from fakekafka_spark.files.layout import Partition, Segment
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.query import SPLIT_BYTES, Query
from fakekafka_spark.views import INDEX, RECORDS, TIMEINDEX
from fakekafka_spark.wanted import LOWEST, Bounds, SegmentFile

MOST_TASKS = 100_000
"""The most tasks of one job: Spark's driver keeps a few kilobytes for each."""


class LocatedPartition(NamedTuple):
    """A partition, and where it was found."""

    url: str
    storage: Storage
    partition: Partition


def located(urls: Iterable[str], options: Mapping[str, str], query: Query) -> list[LocatedPartition]:
    """The partitions that a query asks for. Raises `UsageError` for one that is found twice: those are replicas; and
    for topics and partitions that were asked for by name and are not there.
    """
    by_partition: dict[tuple[TopicName, PartitionIndex], LocatedPartition] = {}
    seen: set[tuple[TopicName, PartitionIndex]] = set()
    for url, place, below in layout.layouts(urls, options):
        layout.say_skipped(below)
        for partition in below.partitions:
            named = partition.topic, partition.partition
            seen.add(named)
            if _is_asked_for(partition, query):
                twin = by_partition.setdefault(named, LocatedPartition(url, place, partition))
                if twin.partition is not partition:
                    raise UsageError(
                        f"{twin.partition.path} and {partition.path} are replicas: load the log directory of one broker"
                    )
    _check_names(seen, query)
    return list(by_partition.values())


def _check_names(seen: Iterable[tuple[TopicName, PartitionIndex]], query: Query) -> None:
    """Raises `UsageError` for a name that nothing has."""
    there = list(seen)
    for kind, named, known in (
        ("topic", query.named_topics, {topic for topic, _ in there}),
        ("partition", query.named_partitions, {partition for _, partition in there}),
    ):
        for name in sorted(named - known, key=str):
            raise UsageError(f"there is no {kind} {name} here: there are {', '.join(map(str, sorted(known)[:20]))}")


def _is_asked_for(partition: Partition, query: Query) -> bool:
    return (query.topics is None or partition.topic in query.topics) and (
        query.partitions is None or partition.partition in query.partitions
    )


def of_partition(storage: Storage, partition: Partition, query: Query) -> list[Split]:
    """The splits of one partition."""
    bounds = query.of_partition(partition.topic, partition.partition)
    if query.view is RECORDS and query.committed:
        stable = tail.stable_end(storage, partition)
        bounds = bounds._replace(offset_end=bounds.offset_end if stable is None else min(bounds.offset_end, stable))
    return list(between(storage, partition, query, bounds))


def between(storage: Storage, partition: Partition, query: Query, bounds: Bounds) -> Iterator[Split]:
    """The splits of one partition within bounds."""
    if query.view is RECORDS and not query.deleted and partition.log_start_offset > 0:
        bounds = bounds._replace(offset_from=max(bounds.offset_from, partition.log_start_offset))
    for number, segment in enumerate(partition.segments):
        behind = partition.segments[number + 1].base_offset if number + 1 < len(partition.segments) else None
        if bounds.offset_end <= segment.base_offset or (behind is not None and behind <= bounds.offset_from):
            continue
        place = SegmentFile(partition.topic, partition.partition, segment.base_offset, segment.path)
        yield from _of_segment(storage, Split(place, segment, 0, segment.size, bounds), query)


def _of_segment(storage: Storage, whole: Split, query: Query) -> Iterator[Split]:
    if query.view in (INDEX, TIMEINDEX):
        yield whole
    else:
        yield from divided(storage, whole, query)


def divided(storage: Storage, whole: Split, query: Query) -> list[Split]:
    """A split in parts of about the size that the query asks for; none if nothing in it is wanted."""
    segment, parts = whole.segment, []
    if _may_be_rough(whole, query):
        edges = [*range(0, segment.size, query.split_bytes), segment.size]
        return [whole._replace(start=start, end=end, is_rough=True) for start, end in pairwise(edges)]
    entries = _entries(storage, segment, whole.bounds, query)
    start, end = _range(storage, segment, entries, whole.bounds)
    while start < end:
        upto = _first_at(entries, start + query.split_bytes, end)
        parts.append(whole._replace(start=start, end=upto, first_key=_key_at(entries, start)))
        start = upto
    return parts


def parts_of(storage: Storage, partition: Partition, segment: Segment, query: Query) -> list[Split]:
    """The parts of a segment, of about `query.split_bytes` each; at least one, even of an empty segment."""
    place = SegmentFile(partition.topic, partition.partition, segment.base_offset, segment.path)
    whole = Split(place, segment, 0, segment.size, Bounds())
    return divided(storage, whole, query) or [whole]


def _may_be_rough(whole: Split, query: Query) -> bool:
    """Whether a segment can be cut without reading its index. That of the newest one may grow meanwhile."""
    segment = whole.segment
    is_cut = segment.size > query.split_bytes and query.use_index and segment.offset_index is not None
    is_bounded = whole.bounds != Bounds(whole.bounds.offset_from) or whole.bounds.offset_from > segment.base_offset
    return is_cut and not segment.is_last and not is_bounded


def exact(storage: Storage, split: Split) -> Split | None:
    """The split, from the beginning of a unit to the end of one; None if it holds no unit."""
    if not split.is_rough:
        return split
    entries, size = read_offset_entries(storage, split.segment), split.segment.size
    start = _first_at(entries, split.start, size) if split.start else 0
    end = _first_at(entries, split.end, size)
    if start >= end:
        return None
    return split._replace(start=start, end=end, first_key=_key_at(entries, start), is_rough=False)


def paced(query: Query, total_bytes: int) -> Query:
    """The query with larger splits if there were too many of the usual size for one job."""
    if query.split_bytes != SPLIT_BYTES:
        return query  # the user's choice
    return query._replace(split_bytes=max(SPLIT_BYTES, -(-total_bytes // MOST_TASKS)))


def _entries(storage: Storage, segment: Segment, bounds: Bounds, query: Query) -> OffsetEntries:
    """The offset index, if it is of any use here."""
    is_cut = bounds.offset_from > segment.base_offset or bounds != Bounds(bounds.offset_from)
    if not query.use_index or not (is_cut or segment.size > query.split_bytes):
        return NO_ENTRIES
    return read_offset_entries(storage, segment)


def _range(storage: Storage, segment: Segment, entries: OffsetEntries, bounds: Bounds) -> tuple[Position, Position]:
    start = entries.start_of(bounds.offset_from)
    if bounds.timestamp_from != LOWEST and len(entries.offsets):
        times = read_time_entries(storage, segment)
        before = None if times is None else times.offset_before(bounds.timestamp_from)
        if before is not None:
            start = max(start, entries.start_of(before + 1))
    end = entries.end_of(bounds.offset_end - 1)
    return start, segment.size if end is None else end


def _first_at(entries: OffsetEntries, position: Position, end: Position) -> Position:
    """The first entry's position from `position` on; `end` if none comes before that."""
    later = entries.positions[entries.positions >= position]
    return min(int(later[0]), end) if len(later) else end


def _key_at(entries: OffsetEntries, position: Position) -> Offset | None:
    offsets = entries.offsets[entries.positions == position]
    return int(offsets[0]) if len(offsets) else None
