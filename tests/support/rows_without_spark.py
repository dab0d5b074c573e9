"""What the jobs `audit` and `replicas` report, computed in this process, one partition after the other."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fakekafka.ids import PartitionIndex, TopicName
from fakekafka_spark.copies.copies import copy_of, suspects
from fakekafka_spark.copies.differences import Differences, differences
from fakekafka_spark.copies.digest import PartDigest, digest_of
from fakekafka_spark.copies.rows import CopyRow, rows_of
from fakekafka_spark.files import layout
from fakekafka_spark.files.layout import Partition
from fakekafka_spark.files.plan import parts_of
from fakekafka_spark.files.storage import Storage, urls_of
from fakekafka_spark.query import Query
from fakekafka_spark.soundness.joined import AuditRow, join, of_partition, of_root
from fakekafka_spark.soundness.part import check_part


def audit_rows(path: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None) -> Iterator[AuditRow]:
    """The rows of the audit of everything below `path`. Raises `UsageError` if there is no partition."""
    given = dict(options or {})
    query = Query.of(given)
    for _, place, searched in layout.layouts(urls_of(path), given):
        for root in searched.log_directories:
            yield from of_root(place, root)
        for partition in searched.partitions:
            yield from _audited(place, partition, query)


def _audited(place: Storage, partition: Partition, query: Query) -> list[AuditRow]:
    rows = []
    for segment in partition.segments:
        parts = [check_part(place, split) for split in parts_of(place, partition, segment, query)]
        rows.append(join(place, partition.path, segment.base_offset, segment.size, parts))
    named = partition.topic, partition.partition
    return of_partition(place, partition.path, named, rows, partition.noted)


def replica_rows(
    path: str | Path | Sequence[str | Path], options: Mapping[str, str] | None = None
) -> Iterator[CopyRow]:
    """Compare all copies of each partition below some paths. Raises `UsageError` if there is no partition."""
    given = dict(options or {})
    by_partition: dict[tuple[TopicName, PartitionIndex], list[tuple[str, Storage, Partition]]] = {}
    for url, place, below in layout.layouts(urls_of(path), given):
        for partition in below.partitions:
            by_partition.setdefault((partition.topic, partition.partition), []).append((url, place, partition))
    for named, some in sorted(by_partition.items()):
        yield from _compared(named, some, Query.of(given))


def _compared(
    named: tuple[TopicName, PartitionIndex], some: Sequence[tuple[str, Storage, Partition]], query: Query
) -> list[CopyRow]:
    storages = [place for _, place, _ in some]
    parts = [_digests(place, partition, query) for _, place, partition in some]
    copies = [copy_of(*one, digests) for one, digests in zip(some, parts)]
    total = [Differences() for _ in copies]
    for suspect in suspects(copies, parts):
        total = [one + more for one, more in zip(total, differences(copies, storages, suspect))]
    return rows_of(named, copies, total)


def _digests(place: Storage, partition: Partition, query: Query) -> list[PartDigest]:
    splits = (split for segment in partition.segments for split in parts_of(place, partition, segment, query))
    return [digest_of(place, split) for split in splits]
