"""The audit without Spark: every part of every segment below some paths, one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fakekafka_spark.files import layout, plan
from fakekafka_spark.files.layout import Partition, Segment
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage, urls_of
from fakekafka_spark.query import Query
from fakekafka_spark.soundness.joined import AuditRow, join, of_partition, of_root
from fakekafka_spark.soundness.part import check_part
from fakekafka_spark.wanted import Bounds, SegmentFile


def audit_rows(path: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None) -> Iterator[AuditRow]:
    """The rows of the audit of everything below `path`. Raises `UsageError` where there is no partition."""
    given = dict(options or {})
    query = Query.of(given)
    for _, place, searched in layout.layouts(urls_of(path), given):
        for root in searched.log_directories:
            yield from of_root(place, root)
        for partition in searched.partitions:
            yield from _rows(place, partition, query)


def _rows(place: Storage, partition: Partition, query: Query) -> list[AuditRow]:
    rows = []
    for segment in partition.segments:
        parts = [check_part(place, split) for split in parts_of(place, partition, segment, query)]
        rows.append(join(place, partition.path, segment.base_offset, segment.size, parts))
    named = partition.topic, partition.partition
    return of_partition(place, partition.path, named, rows, partition.noted)


def parts_of(place: Storage, partition: Partition, segment: Segment, query: Query) -> list[Split]:
    """The parts of a segment, of about `query.split_bytes` each; at least one, also of an empty one."""
    place_of_it = SegmentFile(partition.topic, partition.partition, segment.base_offset, segment.path)
    whole = Split(place_of_it, segment, 0, segment.size, Bounds())
    return plan.divided(place, whole, query) or [whole]
