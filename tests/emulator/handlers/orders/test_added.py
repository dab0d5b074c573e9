from typing import NamedTuple, TypeAlias

from fakekafka.handlers.orders.added import Added
from fakekafka.handlers.orders.partitions import Names
from fakekafka.jvm.chains import Chain, place_hash
from fakekafka.jvm.maps import MapKind


class Row(NamedTuple):
    number: int
    error: int = 0


class Topic(NamedTuple):
    name: str
    rows: list[Row]


NAMES = Names("name", "rows", "number")


Asked: TypeAlias = tuple[str, list[int]]


def arranged(chain: Chain, topics: list[Topic], *asked: Asked) -> list[tuple[str, list[int]]]:
    Added(NAMES, chain, place_hash, lambda row: row.error == 3, lambda row: row.error == 86).arrange(topics, asked)
    return [(topic.name, [row.number for row in topic.rows]) for topic in topics]


def test_what_is_refused_comes_first_as_the_request_names_it() -> None:
    topics = [Topic("a", [Row(0), Row(9, 3)]), Topic("b", [Row(0, 3)]), Topic("c", [Row(0)])]
    asked = ("c", [0]), ("b", [0]), ("a", [0, 9])
    assert arranged((), topics, *asked) == [("b", [0]), ("a", [9, 0]), ("c", [0])]


def test_the_rest_comes_out_of_maps() -> None:
    topics = [Topic("t", [Row(number) for number in range(8)])]
    maps = (MapKind.SCALA_2_13_MAP,)
    assert arranged(maps, topics, ("t", list(range(8)))) == [("t", [5, 4, 6, 3, 2, 1, 7, 0])]


def test_what_is_put_into_a_small_map_before_others_comes_before_them() -> None:
    topics = [Topic("t", [Row(0), Row(1, 86), Row(2)])]
    assert arranged((MapKind.SCALA_2_13_MAP,), topics, ("t", [0, 1, 2])) == [("t", [1, 0, 2])]


def test_what_is_named_twice_stays_where_it_is_if_there_are_no_maps() -> None:
    topics = [Topic("t", [Row(0), Row(1), Row(0)]), Topic("t", [Row(0)])]
    assert arranged((), topics, ("t", [0, 1, 0]), ("t", [0])) == [("t", [0, 1, 0]), ("t", [0])]


def test_topics_without_partitions_are_refused_if_the_request_names_none_of_theirs() -> None:
    topics = [Topic("known", [Row(0)]), Topic("nope", []), Topic("forgotten", [])]
    nothing: list[int] = []
    asked = ("known", [0]), ("nope", nothing), ("forgotten", [0])
    assert [name for name, _ in arranged((), topics, *asked)] == ["nope", "known", "forgotten"]
