"""Filters that Spark hands down, and what they save.

Equality and IN on `topic` and `partition`, and bounds on `offset` and `timestamp`, choose partitions and blocks by the
indexes. Every filter goes back to Spark, which checks each row again.

The source may take filters only from a Spark that keeps them with the scan. Up to 4.3 (seen with 4.1.4, 4.2.1
and 4.3.0) the outcome of `pushFilters`, the partitions and the pickled reader, stays with the relation
(`PythonDataSourceV2.setReadInfo`), and a scan without filters asks for nothing new. So of one DataFrame `df`:

    df.where("topic = 'a'").count(); df.count()                  gives the first number twice
    df.where("topic = 'a'").explain(); df.count()                counts topic a, though nothing had run before
    df.where("topic = 'a'").union(df.where("topic = 'b'"))       reads b only, in one query

Handing all filters back, as is done here, does not help: what was read is wrong, and no reader learns which scan its
task belongs to. So there the source takes no filters unless the user asks for it (option `pushdown`), and for a
DataFrame that serves one scan only; the options `topic`, `partition`, `startingOffsets`, ... save the same reading
without that trap. Spark's main branch has kept the outcome in the scan since it learned to push limits; there, filters
are taken.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias, TypeVar

from pyspark.sql.datasource import (
    DataSourceReader,
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
)

from fakekafka_spark.query import Query
from fakekafka_spark.views import RECORDS
from fakekafka_spark.wanted import Bounds

Comparison: TypeAlias = EqualTo | EqualNullSafe | GreaterThan | GreaterThanOrEqual | LessThan | LessThanOrEqual | In

T = TypeVar("T")

KEPT_WITH_SCAN = hasattr(DataSourceReader, "pushLimit")
"""Whether this Spark keeps the plan of a filtered scan with the scan, as the release that learned to push limits does.
"""


def push(query: Query, filters: Iterable[Filter]) -> Query:
    """The query with what the filters say."""
    for one in filters:
        query = _pushed(query, one) or query
    return query


def _pushed(query: Query, one: Filter) -> Query | None:
    """The query narrowed by one filter; None if that does not help."""
    if not isinstance(one, Comparison) or len(one.attribute) != 1:
        return None
    column = one.attribute[0]
    if column == "topic" and (topics := _values(one, str)) is not None:
        return query._replace(topics=topics if query.topics is None else query.topics & topics)
    if column == "partition" and (numbers := _values(one, int)) is not None:
        return query._replace(partitions=numbers if query.partitions is None else query.partitions & numbers)
    if column == "offset" and query.view is RECORDS:
        return _by_offset(query, one)
    if column == "timestamp" and query.view is RECORDS:
        return _by_timestamp(query, one)
    return None


def _values(one: Comparison, kind: type[T]) -> frozenset[T] | None:
    """The values that a column may have by an equality or IN; None for other filters."""
    if isinstance(one, (EqualTo, EqualNullSafe)) and isinstance(one.value, kind):
        return frozenset([one.value])
    if isinstance(one, In):
        return frozenset(value for value in one.value if isinstance(value, kind))
    return None


def _by_offset(query: Query, one: Comparison) -> Query | None:
    value = one.value
    if isinstance(one, In):
        numbers = [v for v in value if v is not None]
        return _within(query, min(numbers), max(numbers) + 1) if numbers else None
    if not isinstance(value, int):
        return None
    if isinstance(one, (EqualTo, EqualNullSafe)):
        return _within(query, value, value + 1)
    if isinstance(one, (GreaterThan, GreaterThanOrEqual)):
        return _within(query, value + isinstance(one, GreaterThan), query.bounds.offset_end)
    return _within(query, query.bounds.offset_from, value + isinstance(one, LessThanOrEqual))


def _within(query: Query, start: int, end: int) -> Query:
    bounds = query.bounds
    narrowed = Bounds(max(bounds.offset_from, start), min(bounds.offset_end, end), bounds.timestamp_from)
    return query._replace(bounds=narrowed)


def _by_timestamp(query: Query, one: Comparison) -> Query | None:
    """Only lower bounds help: a time index says what is older than something."""
    if isinstance(one, (LessThan, LessThanOrEqual, In)) or not isinstance(one.value, datetime):
        return None
    milliseconds = int(one.value.timestamp() * 1000) - 1  # floating: one less, to be on the safe side
    bounds = query.bounds._replace(timestamp_from=max(query.bounds.timestamp_from, milliseconds))
    return query._replace(bounds=bounds)
