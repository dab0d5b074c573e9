"""Filters narrow a query, but never too far: no wanted row is lost."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fakekafka_spark.query import Query
from fakekafka_spark.source.filters import push
from fakekafka_spark.wanted import HIGHEST, LOWEST, Bounds
from pyspark.sql.datasource import (
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    LessThan,
    LessThanOrEqual,
    Not,
)

MOMENT = datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC)


def pushed(*filters: Filter, **options: str) -> Query:
    return push(Query.of(options), filters)


@pytest.mark.parametrize(
    ("one", "low", "end"),
    [
        (EqualTo(("offset",), 5), 5, 6),
        (GreaterThan(("offset",), 5), 6, HIGHEST),
        (GreaterThanOrEqual(("offset",), 5), 5, HIGHEST),
        (LessThan(("offset",), 5), LOWEST, 5),
        (LessThanOrEqual(("offset",), 5), LOWEST, 6),
        (In(("offset",), (7, 3, None)), 3, 8),
        (Not(EqualTo(("offset",), 5)), LOWEST, HIGHEST),
        (IsNotNull(("offset",)), LOWEST, HIGHEST),
    ],
)
def test_comparisons_with_offsets_are_bounds(one: Filter, low: int, end: int) -> None:
    assert pushed(one).bounds == Bounds(low, end)


def test_bounds_are_intersected() -> None:
    query = pushed(GreaterThan(("offset",), 5), LessThan(("offset",), 9), EqualTo(("offset",), 7))
    assert query.bounds == Bounds(7, 8)


@pytest.mark.parametrize(
    ("one", "field", "value"),
    [
        (EqualTo(("topic",), "a"), "topics", {"a"}),
        (In(("topic",), ("a", "b")), "topics", {"a", "b"}),
        (EqualTo(("partition",), 3), "partitions", {3}),
        (GreaterThan(("partition",), 3), "partitions", None),
        (EqualTo(("key",), b"a"), "topics", None),
    ],
)
def test_equalities_choose_partitions(one: Filter, field: str, value: Any) -> None:
    assert getattr(pushed(one), field) == value


def test_a_topic_must_satisfy_all_filters() -> None:
    assert pushed(In(("topic",), ("a", "b")), topic="b,c").topics == frozenset({"b"})


def test_only_lower_bounds_of_timestamps_are_used() -> None:
    at = int(MOMENT.timestamp() * 1000)
    assert at - 2 <= pushed(GreaterThanOrEqual(("timestamp",), MOMENT)).bounds.timestamp_from <= at
    assert pushed(LessThan(("timestamp",), MOMENT)).bounds.timestamp_from == LOWEST


def test_bounds_are_only_for_records() -> None:
    assert pushed(EqualTo(("offset",), 5), view="index").bounds == Bounds()
