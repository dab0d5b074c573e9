"""Kinds of numbers, and the table of API keys."""

from fakekafka import ids
from fakekafka.ids import ApiKey


def test_the_keys_are_those_of_kafka_without_a_gap() -> None:
    assert [int(key) for key in ApiKey] == list(range(95))


def test_missing_values_have_numbers_that_no_value_has() -> None:
    nothing = [value for name, value in vars(ids).items() if name.startswith("NO_")]
    assert nothing == [-1] * 6
    assert bytes(16) == ids.ZERO_UUID
