"""Where new partitions of a topic go, if the broker has several log directories."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.hosting_order import as_hosted
from fakekafka.releases.profile import profile
from fakekafka.releases.release import starting

from tests.support.seeded import broker_of


@pytest.mark.parametrize(
    ("release", "topic", "order"),
    [
        ("4.3", "f", [2, 1, 0]),  # recorded at 4.3.1: random_moves
        ("4.3", "g", [0, 2, 1]),
    ],
)
def test_partitions_are_taken_in_the_order_of_the_release_s_maps(release: str, topic: str, order: list[int]) -> None:
    states = FakeKafka(release, topics={topic: 3}).boot()._running.cluster.topics[topic].partitions
    assert [state.index for state in as_hosted(topic, states, profile(starting(release)))] == order


def test_each_partition_goes_where_the_fewest_are_as_its_turn_comes() -> None:
    """Recorded at 3.6.2: random_moves."""
    kafka = FakeKafka("3.6", config={"log.dirs": "/one,/two"}, topics={"a": 2}).boot()
    dirs = broker_of(kafka).log_dirs
    assert [dirs.of("a", index).path for index in range(2)] == ["/two", "/one"]
