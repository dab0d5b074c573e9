"""What the controller knows about topics."""

from fakekafka.state.topics import PartitionState, Topic, assign_replicas


def test_replicas_are_spread_with_a_growing_shift() -> None:
    """The example in AdminUtils, for five brokers and three replicas."""
    found = assign_replicas([0, 1, 2, 3, 4], 10, 3, 0)
    assert found[:5] == [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 0], [4, 0, 1]]
    assert found[5:] == [[0, 2, 3], [1, 3, 4], [2, 4, 0], [3, 0, 1], [4, 1, 2]]


def test_later_partitions_go_on_where_the_first_ones_ended() -> None:
    assert assign_replicas([4, 7, 9], 2, 1, 1, first_index=2) == [[4], [7]]


def test_indexes_may_have_gaps() -> None:
    topic = Topic("t", bytes(16), {})
    topic.partitions = [PartitionState(0, [1]), PartitionState(2, [])]
    assert topic.partition(2) is topic.partitions[1]
    assert topic.partition(1) is topic.partition(-1) is None
    assert (topic.partitions[0].leader, topic.partitions[1].leader) == (1, -1)


def test_a_topic_knows_whether_it_is_internal_and_its_id_as_text() -> None:
    assert Topic("__consumer_offsets", bytes(16), {}).is_internal
    topic = Topic("t", bytes(range(16)), {})
    assert not topic.is_internal
    assert topic.id_text == "AAECAwQFBgcICQoLDA0ODw"
