"""The order of maps: as recorded from brokers, and what holds for all of them."""

import pytest
from fakekafka.jvm.hashes import java_hash, long_hash, topic_partition_hash
from fakekafka.jvm.maps import (
    Hashed,
    MapKind,
    buckets,
    champ,
    concurrent,
    in_order,
    old_buckets,
    sized,
    texts_in_order,
    timeline,
    trie,
)
from fakekafka.log.producer_snapshot import read_snapshot
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import rules
from tests.golden.transcript import load

HASHED = st.lists(st.integers(0, 2**32 - 1).map(lambda value: (value, value)), unique=True, max_size=60)


def of_partitions(*partitions: int) -> list[Hashed[int]]:
    """Partitions of the topic "t" with the hash codes of their TopicPartitions."""
    return [(31 * (31 + partition) + ord("t"), partition) for partition in partitions]


def of_texts(*texts: str) -> list[Hashed[str]]:
    return [(java_hash(text) & 0xFFFFFFFF, text) for text in texts]


@given(HASHED)
def test_every_map_returns_the_items_that_were_put_in(hashed: list[Hashed[int]]) -> None:
    expected = sorted(key for _, key in hashed)
    for order in (buckets, champ, concurrent, old_buckets, timeline, trie):
        assert sorted(order(hashed)) == expected


@given(st.lists(st.just((7, "same")) | st.just((7, "other")), max_size=5))
def test_a_map_holds_keys_with_equal_hash_codes(hashed: list[Hashed[str]]) -> None:
    for order in (buckets, champ, concurrent, old_buckets, timeline, trie):
        assert len(order(hashed)) == len(hashed)


@given(HASHED)
def test_a_map_made_for_its_entries_returns_them(hashed: list[Hashed[int]]) -> None:
    assert sorted(sized(hashed, len(hashed))) == sorted(key for _, key in hashed)


def test_a_map_made_for_two_entries_has_four_buckets() -> None:
    """4.3.1 odd_admin: the keys and entity types of which the first mistake is named."""
    for first, second in (("client-id", "user"), ("client-id", "nope"), ("consumer_byte_rate", "producer_byte_rate")):
        assert texts_in_order([second, first], MapKind.JAVA_SIZED) == [first, second]


def test_a_map_filled_at_once_with_three_entries_has_eight_buckets() -> None:
    """4.3.1 random_moves: the order in which the logs of a topic's partitions are created."""
    hashed = [(topic_partition_hash("g", index), index) for index in range(3)]
    assert in_order(hashed, MapKind.JAVA_PUT_ALL) == [0, 2, 1]
    assert in_order(hashed, MapKind.JAVA) == [2, 1, 0]


def test_a_mutable_map_of_scala_compares_hash_codes_with_their_signs() -> None:
    """3.9.1: the order in which wrong values of a broker's configs are named."""
    for first, second in (("log.roll.jitter.ms", "log.preallocate"), ("log.cleaner.backoff.ms", "log.segment.bytes")):
        assert texts_in_order([second, first], MapKind.SCALA_2_13_MUTABLE) == [first, second]


def test_eight_partitions_are_in_the_order_of_scala() -> None:
    """2.3.1 and 2.4.1 offsets: the tombstones of the group "order8"."""
    eight = of_partitions(*range(8))
    assert trie(eight) == champ(eight) == [5, 4, 6, 3, 2, 1, 7, 0]


def test_four_partitions_are_in_the_order_of_mutable_maps() -> None:
    """2.3.1 and 2.4.1 offsets: "order4", "epochs"."""
    assert old_buckets(of_partitions(0, 2, 5, 7)) == [7, 0, 5, 2]
    assert old_buckets(of_partitions(0, 1, 2, 3)) == [1, 3, 0, 2]
    assert buckets(of_partitions(0, 2, 5, 7)) == [5, 2, 0, 7]
    assert buckets(of_partitions(0, 1, 2, 3)) == [3, 2, 1, 0]


def test_eight_partitions_are_in_the_order_of_the_oldest_mutable_map() -> None:
    """0.10.1.1 offsets: "order8"."""
    assert old_buckets(of_partitions(*range(8))) == [7, 4, 1, 6, 3, 0, 5, 2]


def test_partitions_are_in_the_order_of_kafka_s_map() -> None:
    """4.0.0 offsets: "order8", which was committed in this order, "meta2"."""
    assert timeline([(n, n) for n in (5, 0, 7, 2, 6, 1, 4, 3)]) == [0, 5, 2, 7, 4, 1, 6, 3]
    assert timeline([(n, n) for n in (0, 2, 4, 6, 7)]) == [2, 0, 7, 4, 6]


def test_a_table_may_be_made_for_more_entries_than_it_holds() -> None:
    few = of_partitions(0, 2, 5, 7)
    assert buckets(few, 4) == buckets(few)
    assert buckets(few, 40) != buckets(few)
    assert timeline([(n, n) for n in range(4)], 40) != timeline([(n, n) for n in range(4)])


def test_groups_are_in_the_order_of_the_concurrent_map() -> None:
    """2.4.1 offsets: groups that share a bucket after the map has grown."""
    groups = of_texts("plain6", "times", "members", "plain3")
    assert [g for g in concurrent(groups) if g in ("times", "plain6")] == ["plain6", "times"]
    many = [*groups, *of_texts(*(f"group-{n}" for n in range(40)))]
    assert set(concurrent(many)) == {text for _, text in many}


@given(HASHED)
def test_a_concurrent_map_orders_by_the_low_bits_of_the_hash_codes(hashed: list[Hashed[int]]) -> None:
    size = 16
    while len(hashed) >= size * 3 // 4:
        size *= 2
    places = [(value ^ value >> 16) & size - 1 for value in concurrent(hashed)]
    assert places == sorted(places)


# ---- kinds


MUTABLE = [MapKind.SCALA_2_12_MUTABLE, MapKind.SCALA_2_13_MUTABLE, MapKind.JAVA]


def ids_in_order(ids: list[int], kind: MapKind) -> list[int]:
    return in_order([(long_hash(number), number) for number in ids], kind)


@given(st.sampled_from(MapKind), st.lists(st.integers(0, 2**40), unique=True, max_size=80))
def test_every_kind_of_map_returns_each_key_once(kind: MapKind, ids: list[int]) -> None:
    assert sorted(ids_in_order(ids, kind)) == sorted(ids)


@given(st.lists(st.integers(0, 2**31 - 1), unique=True, max_size=80))
def test_a_mutable_map_of_scala_2_13_does_not_depend_on_the_order_of_filling(ids: list[int]) -> None:
    assert ids_in_order(ids, MapKind.SCALA_2_13_MUTABLE) == ids_in_order(sorted(ids), MapKind.SCALA_2_13_MUTABLE)


def test_small_numbers_come_in_ascending_order_from_a_large_table() -> None:
    for kind in MUTABLE[1:]:
        assert ids_in_order([3, 1, 2], kind) == [1, 2, 3]


def test_java_chains_in_the_order_of_arrival_and_scala_by_hash() -> None:
    assert ids_in_order([17, 1], MapKind.JAVA) == [17, 1]
    assert ids_in_order([17, 1], MapKind.SCALA_2_13_MUTABLE) == [1, 17]


def test_a_table_grows_when_it_is_three_quarters_full() -> None:
    ids = [0, 16, *range(1, 11)]
    assert ids_in_order(ids, MapKind.JAVA)[:2] == [0, 16]
    assert ids_in_order([*ids, 11], MapKind.JAVA)[:2] == [0, 1]
    assert ids_in_order(ids, MapKind.SCALA_2_13_MUTABLE)[:2] == [0, 1]


@pytest.mark.parametrize("release", ["0.11.0.3", "1.1.1", "2.3.1", "2.8.2", "3.3.2", "3.5.2", "4.1.1"])
def test_entries_of_real_snapshots_are_in_the_order_of_their_map(release: str) -> None:
    """Twenty producers with scattered ids, each of which sent one record."""
    files = {file.path: file.content for file in load(f"{release}-storage_producer_state").files}
    entries = read_snapshot(files["many-0/00000000000000000020.snapshot"])
    arrived = sorted(entries, key=lambda entry: entry.last_offset)
    kind = rules(release).producer_map
    assert ids_in_order([e.producer_id for e in arrived], kind) == [e.producer_id for e in entries]
