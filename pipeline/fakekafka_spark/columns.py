"""Kafka's files as Arrow record batches, without Spark: for pandas, DuckDB, Polars, and the source itself.

    from fakekafka_spark import columns

    for batch in columns.read("kafka-logs", topics=["orders"]):
        ...
    columns.table("kafka-logs/orders-0", view="batches").to_pandas()

Three million records a second on one core, where batches are of a usual size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from fakekafka.errors import UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName

from fakekafka_spark.files import plan
from fakekafka_spark.files.outcomes import Outcomes, decided
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage, urls_of
from fakekafka_spark.files.walk import walk
from fakekafka_spark.options import READ_UNCOMMITTED
from fakekafka_spark.parse.chunks import Fault
from fakekafka_spark.parse.units import Units
from fakekafka_spark.query import Query
from fakekafka_spark.rows import batch_view, index_view, record_view
from fakekafka_spark.views import BATCHES, INDEX, RECORDS, TIMEINDEX, arrow_schema
from fakekafka_spark.wanted import HIGHEST, LOWEST, Wanted

T = TypeVar("T")


def read(
    path: str | Path | Sequence[str | Path],
    view: str = "records",
    *,
    columns: Sequence[str] | str | None = None,
    mode: str | None = None,
    isolation: str = READ_UNCOMMITTED,
    topics: Iterable[TopicName] | TopicName | None = None,
    partitions: Iterable[PartitionIndex] | PartitionIndex | None = None,
    offsets: tuple[Offset | None, Offset | None] = (None, None),
    options: Mapping[str, str] | None = None,
) -> Iterator[Any]:
    """The view's rows as `pyarrow.RecordBatch`, by partition, then by place in the log.

    `path`: a log directory, a partition's directory or a segment, or several; URLs too. `columns`: names, or "all".
    `offsets`: from the first up to the second, which is left out. `options`: all others of the source, by its names
    (`control`, `deleted`, `checkCrcs`, `useIndex`, `storage.…`). Raises `UsageError`; `DamagedLog` in mode FAILFAST,
    which is the default of view "records".
    """
    given = {"view": view, "isolation": isolation, **(options or {})}
    given |= {} if mode is None else {"mode": mode}
    given |= {} if columns is None else {"columns": columns if isinstance(columns, str) else ",".join(columns)}
    query = Query.of(given)
    if topics is not None:
        chosen = _some(frozenset([topics] if isinstance(topics, str) else topics), "topics")
        query = query._replace(topics=chosen, named_topics=chosen)
    if partitions is not None:
        numbers = _some(frozenset([partitions] if isinstance(partitions, int) else partitions), "partitions")
        query = query._replace(partitions=numbers, named_partitions=numbers)
    lowest, end = (limit if limit is not None else default for limit, default in zip(offsets, (LOWEST, HIGHEST)))
    query = query._replace(bounds=query.bounds._replace(offset_from=lowest, offset_end=end))
    for _, place, partition in plan.located(urls_of(path), given, query):
        for split in plan.of_partition(place, partition, query):
            yield from of_split(place, split, query.wanted())


def _some(chosen: frozenset[T], what: str) -> frozenset[T]:
    if not chosen:
        raise UsageError(f"{what} names none: leave it out for all of them")
    return chosen


def table(path: str | Path | Sequence[str | Path], view: str = "records", **more: Any) -> Any:
    """All rows as one `pyarrow.Table`, with a schema even when there are no rows. Arguments as for `read`."""
    import pyarrow as pa

    batches = list(read(path, view, **more))
    if batches:
        return pa.Table.from_batches(batches)
    options = {"view": view} | {k: v for k, v in more.items() if k == "mode"}
    wanted = more.get("columns")
    query = Query.of(
        options | ({} if wanted is None else {"columns": wanted if isinstance(wanted, str) else ",".join(wanted)})
    )
    return arrow_schema(query.view, query.columns).empty_table()


def of_split(place: Storage, split: Split, wanted: Wanted) -> Iterator[Any]:
    """The rows of one split."""
    narrowed = plan.exact(place, split)
    if narrowed is None:
        return
    split = narrowed
    wanted = wanted._replace(bounds=split.bounds)
    if wanted.view in (INDEX, TIMEINDEX):
        yield from index_view.batches(place, split.segment, split.place, wanted)
        return
    assert wanted.view in (RECORDS, BATCHES)
    view = record_view if wanted.view is RECORDS else batch_view
    outcomes = Outcomes(place, split) if wanted.committed and wanted.view is RECORDS else None
    behind = split.segment.base_offset if split.first_key is None else split.first_key
    for piece in _units(place, split):
        if isinstance(piece, Fault):
            if not wanted.streamed or split.bounds.offset_from <= behind < split.bounds.offset_end:
                yield from view.of_fault(split.place, piece, wanted)
            continue
        behind = int(piece.last_offsets.max()) + 1
        if outcomes is None:
            yield from view.batches(split.place, piece, wanted)
        else:
            yield from record_view.batches(split.place, decided(piece, outcomes), wanted)


def _units(place: Storage, split: Split) -> Iterator[Units | Fault]:
    expected = split.first_key
    for units in walk(place, split.segment, split.start, split.end):
        if isinstance(units, Units):
            if expected is not None and units.magic == 2 and units.base_offsets[0] > expected:
                yield Fault(split.start, f"the index says that offset {expected} is at {split.start}")
            expected = None
        yield units
