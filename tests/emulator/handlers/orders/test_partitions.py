"""Topics with partitions in the order of maps."""

from fakekafka.handlers.orders.partitions import Names, Place, arrange
from fakekafka.jvm.chains import place_hash
from fakekafka.jvm.maps import MapKind
from fakekafka.releases.behaviours.order_maps import AS_ASKED, PartitionMaps
from fakekafka.wire.apis.produce import PartitionProduceResponse, TopicProduceResponse

NAMES = Names("name", "partition_responses", "index")


def answered(*places: Place) -> list[TopicProduceResponse]:
    return [
        TopicProduceResponse(
            name=name, partition_responses=[PartitionProduceResponse(index=n) for topic, n in places if topic == name]
        )
        for name in dict.fromkeys(topic for topic, _ in places)
    ]


def arranged(asked: list[Place], maps: PartitionMaps, late: Place | None = None) -> list[Place]:
    topics = answered(*sorted(asked))
    arrange(topics, asked, maps, NAMES, place_hash, lambda place, _: int(place == late))
    return NAMES.places(topics)


def test_without_maps_the_order_is_that_of_the_request() -> None:
    asked: list[Place] = [("u", 1), ("t", 2), ("u", 0), ("t", 1)]
    assert arranged(asked, AS_ASKED) == [("u", 1), ("u", 0), ("t", 2), ("t", 1)]


def test_partitions_pass_the_maps_of_all_partitions_and_those_of_their_topic() -> None:
    asked: list[Place] = [("t", 7), ("t", 0), ("t", 3)]
    assert arranged(asked, PartitionMaps(indexes=(MapKind.JAVA,))) == [("t", 0), ("t", 3), ("t", 7)]
    both = PartitionMaps((MapKind.SCALA_2_13_MUTABLE,), grouped=(MapKind.SCALA_2_13_MUTABLE,))
    assert sorted(arranged(asked, both)) == sorted(asked)


def test_each_topic_has_a_table_of_its_own_once_it_is_grouped() -> None:
    """4.0.0 offsets: 16 partitions of two topics are in one table of 32 buckets, then in two of 16."""
    asked: list[Place] = [(topic, n) for topic in ("t", "many") for n in (0, 3, 5, 1, 2, 6, 7, 4)]
    maps = PartitionMaps(
        (MapKind.SCALA_2_13_MUTABLE,), topics=(MapKind.SCALA_2_13,), grouped=(MapKind.SCALA_2_13_MUTABLE,)
    )
    assert arranged(asked, maps) == [("t", n) for n in (5, 4, 3, 2, 1, 0, 7, 6)] + [
        ("many", n) for n in (0, 5, 6, 7, 1, 2, 3, 4)
    ]


def test_what_is_added_later_comes_last_where_the_map_is_small_or_it_stays_apart() -> None:
    asked: list[Place] = [("a", 0), ("b", 0), ("c", 0)]
    small = PartitionMaps(answered=(MapKind.SCALA_2_13_MAP,))
    assert arranged(asked, small, late=("a", 0)) == [("b", 0), ("c", 0), ("a", 0)]
    apart = PartitionMaps(answered=(MapKind.SCALA_2_13_MUTABLE,), late_apart=True)
    assert arranged(asked, apart, late=("a", 0))[-1] == ("a", 0)


def test_a_list_of_one_partition_has_no_order() -> None:
    assert not NAMES.is_long([])
    assert not NAMES.is_long(answered(("t", 0)))
    assert NAMES.is_long(answered(("t", 0), ("t", 1)))
    assert NAMES.is_long(answered(("t", 0), ("u", 0)))


def test_what_comes_first_and_what_is_added_later_pass_maps_of_their_own() -> None:
    """3.3.2 txn_commit_questions: eight offsets; 2.4.1: two, and a partition that does not exist."""
    asked: list[Place] = [("t", n) for n in range(8)]
    mutable = (MapKind.SCALA_2_13_MUTABLE,)
    assert arranged(asked, PartitionMaps(first=mutable)) == [("t", n) for n in (5, 4, 3, 2, 1, 0, 7, 6)]
    assert arranged(asked, PartitionMaps(later=mutable)) == asked
    late = ("t", 99)
    three: list[Place] = [late, ("t", 0), ("t", 1)]
    assert arranged(three, PartitionMaps(first=mutable), late=late) == [("t", 1), ("t", 0), ("t", 99)]
