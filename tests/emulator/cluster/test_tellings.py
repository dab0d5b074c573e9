"""What a controller under ZooKeeper has announced."""

from fakekafka.cluster.tellings import Tellings, ToldAtStart
from fakekafka.ids import ZERO_UUID
from fakekafka.state.topics import Topic


def test_the_map_of_new_partitions_stays_as_large_as_it_has_been_until_another_broker_is_the_controller() -> None:
    tellings = Tellings()
    assert [tellings.tell(3), tellings.tell(), tellings.tell(30), tellings.tell(5)] == [3, 3, 30, 30]
    tellings.begin()
    assert tellings.tell(5) == 5
    assert tellings.times == 6


def test_a_broker_hears_about_all_partitions_when_it_starts() -> None:
    topic = Topic("t", ZERO_UUID, {})
    topic.add_without_leaders({0: [0], 1: [0]})
    at_start = ToldAtStart([topic], 4)
    topic.add_without_leaders({2: [0]})
    assert at_start.partitions == {topic: (0, 1)}
    assert [addition.size_before for addition in topic.additions] == [0, 2]
