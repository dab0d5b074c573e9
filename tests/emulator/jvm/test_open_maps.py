"""Scala's open maps: as recorded from brokers, and what holds for all of them."""

from fakekafka.jvm.hashes import java_hash
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.jvm.open_maps import any_ref_map, long_map
from hypothesis import given
from hypothesis import strategies as st


def numbers(*keys: int) -> list[tuple[int, int]]:
    return [(key, key) for key in keys]


@given(st.lists(st.integers(0, 2**31 - 1), unique=True, max_size=60), st.integers(0, 100))
def test_a_long_map_returns_every_key_once(keys: list[int], planned: int) -> None:
    assert sorted(long_map(numbers(*keys), planned)) == sorted(keys)


@given(st.lists(st.text(max_size=5), unique=True, max_size=60))
def test_an_any_ref_map_returns_every_key_once(keys: list[str]) -> None:
    assert sorted(any_ref_map([(java_hash(key) & 0xFFFFFFFF, key) for key in keys])) == sorted(keys)


def test_the_partitions_of_a_topic_are_listed_as_recorded_from_2_2_on() -> None:
    """2.2.2 to 3.9.1 offsets, odd_requests, internal_questions."""
    assert long_map(numbers(0, 1, 2), 3) == [0, 2, 1]
    assert long_map(numbers(0, 1, 2), 16) == [0, 1, 2]
    assert long_map(numbers(0, 1, 2, 3), 4) == [0, 2, 3, 1]
    assert long_map(numbers(*range(8)), 8) == [0, 5, 1, 4, 6, 7, 2, 3]
    assert long_map(numbers(*reversed(range(8))), 8) == [0, 5, 4, 1, 6, 7, 2, 3]


def test_names_come_in_another_order_than_from_a_hash_map() -> None:
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    assert texts_in_order(names, MapKind.SCALA_ANY_REF) != texts_in_order(names, MapKind.JAVA)
