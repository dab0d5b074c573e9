"""Keys on their way through maps, and the hash codes of keys."""

from fakekafka.ids import ZERO_UUID
from fakekafka.jvm.chains import (
    case_class_hash,
    id_place_hash,
    message_hash,
    number_hash,
    numbers_through,
    place_hash,
    texts_through,
    through,
)
from fakekafka.jvm.maps import MapKind
from hypothesis import given
from hypothesis import strategies as st

CHAINS = st.lists(st.sampled_from(MapKind), max_size=3).map(tuple)


def test_an_empty_chain_keeps_the_order() -> None:
    assert texts_through((), ["b", "a"]) == ["b", "a"]


@given(CHAINS, st.lists(st.integers(0, 2**31 - 1), unique=True, max_size=20))
def test_nothing_is_lost_in_a_chain(chain: tuple[MapKind, ...], keys: list[int]) -> None:
    assert sorted(numbers_through(chain, keys)) == sorted(keys)


def test_what_one_map_gives_back_is_put_into_the_next_one() -> None:
    """-1 and 0 share a bucket of a HashMap of Java, which keeps the order in which they were put in.

    0.10.1.1 and 0.11.0.3 produce_refusals.
    """
    places = [("two", 1), ("two", -1), ("two", 0)]
    for chain, order in (((MapKind.JAVA,), [0, -1, 1]), ((MapKind.JAVA, MapKind.SCALA_2_12_MUTABLE), [-1, 0, 1])):
        given_back = through(chain, places, place_hash)
        assert numbers_through((MapKind.JAVA,), [number for _, number in given_back]) == order


def test_hash_codes_are_those_of_java_and_scala() -> None:
    assert number_hash(-1) == 0xFFFFFFFF
    assert place_hash(("t", 1)) == 31 * 32 + ord("t")
    assert id_place_hash(ZERO_UUID, ("t", 1)) == 31 * 31 + place_hash(("t", 1))
    assert case_class_hash(("t", 1)) != place_hash(("t", 1))
    assert message_hash([1, 2], []) == 31 + 2
    assert message_hash([1], [[3, 4]]) == 31 + (31 * (31 + 3) + 4)
    assert message_hash([0], [[]]) == 1
