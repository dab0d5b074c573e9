"""Facts: what brokers of these releases answered in recordings (offsets)."""

import pytest
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import grouped, simple


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("0.9.0", [1, 2, 0, 99]),
        ("2.3", [0, 1, 2, 99]),
        ("2.4", [2, 1, 0, 99]),
        ("3.8", [2, 1, 0, 99]),
        ("4.3", [0, 1, 2, 99]),
    ],
)
def test_fetched_partitions_come_in_the_order_of_the_releases_maps(release: str, order: list[int]) -> None:
    asked = [("t", [0, 1, 2, 99]), ("nope", [0])]
    topics = [OffsetFetchRequestTopic(name=name, partition_indexes=indexes) for name, indexes in asked]
    done = answer(grouped(release), OffsetFetchRequest(group_id="g", topics=topics), 1, OffsetFetchResponse).topics
    assert [[partition.partition_index for partition in topic.partitions] for topic in done] == [order, [0]]


@pytest.mark.parametrize(
    ("release", "version", "order"), [("0.10.2", 2, [0, 1]), ("2.4", 6, [1, 0]), ("3.9", 7, [1, 0]), ("4.3", 7, [0, 1])]
)
def test_all_partitions_come_in_the_order_of_the_groups_map(release: str, version: int, order: list[int]) -> None:
    kafka = grouped(release)
    simple(kafka).commit(15, 25)
    (done,) = answer(kafka, OffsetFetchRequest(group_id="g", topics=None), version, OffsetFetchResponse).topics
    assert [partition.partition_index for partition in done.partitions] == order


@pytest.mark.parametrize(
    ("release", "order"),
    [("3.3", ["", "plain5", "plain2", "unknown"]), ("3.5", ["plain2", "plain5", "unknown", "", "plain2"])],
)
def test_groups_come_in_the_order_of_a_map_up_to_3_4(release: str, order: list[str]) -> None:
    kafka = grouped(release)
    topics = [OffsetFetchRequestTopics(name="t", partition_indexes=[0])]
    asked = [
        OffsetFetchRequestGroup(group_id=id, topics=topics) for id in ("plain2", "plain5", "unknown", "", "plain2")
    ]
    done = answer(kafka, OffsetFetchRequest(groups=asked), 8, OffsetFetchResponse)
    assert [group.group_id for group in done.groups] == order


def test_topics_that_are_not_known_by_their_id_come_last() -> None:
    """As recorded from 4.3.1: random_odd."""
    kafka = grouped("4.3")
    known = kafka.connect().core.cluster.topics["t"].id
    topics = [OffsetFetchRequestTopics(topic_id=id, partition_indexes=[0]) for id in (b"1" * 16, known)]
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id="g", topics=topics)])
    (group,) = answer(kafka, request, 10, OffsetFetchResponse).groups
    assert [topic.topic_id for topic in group.topics] == [known, b"1" * 16]
