"""Numbers are cast and rounded as Java does it."""

import math

import pytest
from fakekafka.jvm.numbers import MAX_INT, MAX_LONG, low_int, ratio, rounded, whole


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1.9, 1), (-1.9, -1), (-0.0, 0), (2.0**31, MAX_INT), (-(2.0**40), -MAX_INT - 1), (math.nan, 0),
        (math.inf, MAX_INT), (-math.inf, -MAX_INT - 1),
    ],
)  # fmt: skip
def test_a_cast_stops_at_the_ends_of_the_type(value: float, number: int) -> None:
    assert whole(value) == number


@pytest.mark.parametrize(
    ("value", "number"), [(2.5, 3), (-2.5, -2), (0.4, 0), (math.nan, 0), (math.inf, MAX_LONG), (1e300, MAX_LONG)]
)
def test_halves_are_rounded_up(value: float, number: int) -> None:
    assert rounded(value) == number


@pytest.mark.parametrize(("number", "lower"), [(7, 7), (2**31, -(2**31)), (MAX_LONG, -1), (2**32 + 5, 5), (-1, -1)])
def test_an_int_is_the_lower_half_of_a_long(number: int, lower: int) -> None:
    assert low_int(number) == lower


def test_numbers_can_be_divided_by_zero() -> None:
    assert ratio(1, 0.0) == math.inf
    assert ratio(1, -0.0) == -math.inf
    assert math.isnan(ratio(0, 0.0))
    assert ratio(1, 4) == 0.25
