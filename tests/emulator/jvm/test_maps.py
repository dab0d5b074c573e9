from fakekafka.jvm.hashes import java_hash
from fakekafka.jvm.maps import Hashed, buckets, champ, concurrent, old_buckets, timeline, trie
from hypothesis import given
from hypothesis import strategies as st

HASHED = st.lists(st.integers(0, 2**32 - 1).map(lambda value: (value, value)), unique=True, max_size=60)


def of_partitions(*partitions: int) -> list[Hashed[int]]:
    """Partitions of the topic "t" with the hash codes of their TopicPartitions."""
    return [(31 * (31 + partition) + ord("t"), partition) for partition in partitions]


def of_texts(*texts: str) -> list[Hashed[str]]:
    return [(java_hash(text) & 0xFFFFFFFF, text) for text in texts]


@given(HASHED)
def test_every_map_gives_back_what_was_put_in(hashed: list[Hashed[int]]) -> None:
    expected = sorted(key for _, key in hashed)
    for order in (buckets, champ, concurrent, old_buckets, timeline, trie):
        assert sorted(order(hashed)) == expected


@given(st.lists(st.just((7, "same")) | st.just((7, "other")), max_size=5))
def test_equal_hash_codes_are_no_problem(hashed: list[Hashed[str]]) -> None:
    for order in (buckets, champ, concurrent, old_buckets, timeline, trie):
        assert len(order(hashed)) == len(hashed)


def test_eight_partitions_as_scala_gives_them_back() -> None:
    """2.3.1 and 2.4.1 offsets: the tombstones of the group "order8"."""
    eight = of_partitions(*range(8))
    assert trie(eight) == champ(eight) == [5, 4, 6, 3, 2, 1, 7, 0]


def test_four_partitions_as_mutable_maps_give_them_back() -> None:
    """2.3.1 and 2.4.1 offsets: "order4", "epochs"."""
    assert old_buckets(of_partitions(0, 2, 5, 7)) == [7, 0, 5, 2]
    assert old_buckets(of_partitions(0, 1, 2, 3)) == [1, 3, 0, 2]
    assert buckets(of_partitions(0, 2, 5, 7)) == [5, 2, 0, 7]
    assert buckets(of_partitions(0, 1, 2, 3)) == [3, 2, 1, 0]


def test_eight_partitions_as_the_oldest_mutable_map_gives_them_back() -> None:
    """0.10.1.1 offsets: "order8"."""
    assert old_buckets(of_partitions(*range(8))) == [7, 4, 1, 6, 3, 0, 5, 2]


def test_partitions_as_kafkas_map_gives_them_back() -> None:
    """4.0.0 offsets: "order8", which was committed in this order, "meta2"."""
    assert timeline([(n, n) for n in (5, 0, 7, 2, 6, 1, 4, 3)]) == [0, 5, 2, 7, 4, 1, 6, 3]
    assert timeline([(n, n) for n in (0, 2, 4, 6, 7)]) == [2, 0, 7, 4, 6]


def test_a_map_may_have_more_entries_than_are_asked_for() -> None:
    few = of_partitions(0, 2, 5, 7)
    assert buckets(few, 4) == buckets(few)
    assert buckets(few, 40) != buckets(few)
    assert timeline([(n, n) for n in range(4)], 40) != timeline([(n, n) for n in range(4)])


def test_groups_as_the_concurrent_map_gives_them_back() -> None:
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
