"""The order in which brokers' maps of producers give them back."""

import pytest
from fakekafka.log.producer_order import ProducerOrder, hash_of, in_order
from fakekafka.log.producer_snapshot import read_snapshot
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import rules
from tests.golden.transcript import load

KINDS: list[ProducerOrder] = ["scala 2.12", "scala 2.13", "java"]


@given(st.sampled_from(KINDS), st.lists(st.integers(0, 2**40), unique=True, max_size=80))
def test_every_producer_is_given_back_once(kind: ProducerOrder, ids: list[int]) -> None:
    assert sorted(in_order(ids, kind)) == sorted(ids)


@given(st.lists(st.integers(0, 2**31 - 1), unique=True, max_size=80))
def test_in_scala_2_13_it_does_not_depend_on_the_order_of_arrival(ids: list[int]) -> None:
    assert in_order(ids, "scala 2.13") == in_order(sorted(ids), "scala 2.13")


def test_small_ids_come_in_their_order_in_a_table_that_is_large_enough() -> None:
    for kind in KINDS[1:]:
        assert in_order([3, 1, 2], kind) == [1, 2, 3]


def test_java_chains_in_the_order_of_arrival_and_scala_by_hash() -> None:
    assert in_order([17, 1], "java") == [17, 1]
    assert in_order([17, 1], "scala 2.13") == [1, 17]


def test_a_table_grows_when_it_is_three_quarters_full() -> None:
    ids = [0, 16, *range(1, 11)]
    assert in_order(ids, "java")[:2] == [0, 16]
    assert in_order([*ids, 11], "java")[:2] == [0, 1]
    assert in_order(ids, "scala 2.13")[:2] == [0, 1]


@pytest.mark.parametrize(("number", "hashed"), [(0, 0), (5, 5), (1 << 32, 1), ((1 << 32) + 1, 0)])
def test_the_two_halves_of_a_number_are_joined(number: int, hashed: int) -> None:
    assert hash_of(number) == hashed


@pytest.mark.parametrize("release", ["0.11.0.3", "1.1.1", "2.3.1", "2.8.2", "3.3.2", "3.5.2", "4.1.1"])
def test_snapshots_of_real_brokers_have_that_order(release: str) -> None:
    """Twenty producers with scattered ids, each of which sent one record."""
    files = {file.path: file.content for file in load(f"{release}-storage_producer_state").files}
    entries = read_snapshot(files["many-0/00000000000000000020.snapshot"])
    arrived = sorted(entries, key=lambda entry: entry.last_offset)
    order = rules(release).producer_order
    assert in_order([e.producer_id for e in arrived], order) == [e.producer_id for e in entries]
