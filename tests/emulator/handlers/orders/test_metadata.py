"""The order of answers about topics, as recorded."""

import pytest
from fakekafka import FakeKafka
from fakekafka.ids import TopicName
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse

from tests.support.brokers import answer
from tests.support.seeded import booted, with_topics

GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def metadata(kafka: FakeKafka, *names: TopicName, version: int = 1) -> MetadataResponse:
    topics = [MetadataRequestTopic(name=name) for name in names] or (None if version else [])
    request = MetadataRequest(topics=topics, allow_auto_topic_creation=True)
    return answer(kafka, request, version, MetadataResponse)


def listed(response: MetadataResponse) -> list[TopicName | None]:
    return [topic.name for topic in response.topics]


def numbers(response: MetadataResponse) -> list[int]:
    return [partition.partition_index for partition in response.topics[0].partitions]


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.3.1", ["alpha", "zeta", "epsilon", "delta", "beta", "gamma"]),
        ("2.4.0", ["alpha", "zeta", "epsilon", "gamma", "delta", "beta"]),
        ("3.9.1", ["alpha", "zeta", "epsilon", "gamma", "delta", "beta"]),
    ],
)
def test_topics_that_are_named_come_in_the_order_of_a_set(release: str, order: list[str]) -> None:
    """internal_questions. Up to four, they come as they were named."""
    kafka = with_topics(release, *GREEK)
    assert listed(metadata(kafka, *GREEK)) == order
    assert listed(metadata(kafka, *GREEK[:4])) == list(GREEK[:4])


def test_topics_that_do_not_exist_follow_the_others() -> None:
    """controller_lost: illegal names come before those that are created, from 2.8 on."""
    for release, missing in (("2.7.2", ["new", "bad name"]), ("2.8.2", ["bad name", "new"])):
        kafka = with_topics(release, "known")
        assert listed(metadata(kafka, "new", "known", "bad name")) == ["known", *missing]


def test_all_topics_come_in_the_order_of_the_brokers_map() -> None:
    releases = ("0.8.2.2", "2.0.1", "2.8.2")
    orders = [listed(metadata(with_topics(release, *GREEK), version=release[:3] != "0.8")) for release in releases]
    assert {tuple(sorted(order, key=str)) for order in orders} == {(*sorted(GREEK[:5]), "t", "zeta")}
    assert len(set(map(tuple, orders))) == len(orders)


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("0.8.2.2", [2, 5, 4, 7, 1, 3, 6, 0]),
        ("2.0.1", [2, 5, 4, 7, 1, 3, 6, 0]),
        ("2.2.2", [0, 5, 4, 1, 6, 7, 2, 3]),
        ("3.3.2", [0, 3, 5, 1, 2, 6, 7, 4]),
        ("4.3.1", [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_partitions_come_in_the_order_of_the_brokers_map(release: str, order: list[int]) -> None:
    """offsets: a topic "t"; KRaft brokers put what they answer into a set."""
    kafka = booted(release, 8)
    kafka.create_topic("u")
    assert numbers(metadata(kafka, "t", version=0)) == order


@pytest.mark.parametrize(("release", "order"), [("2.5.1", [0, 2, 1]), ("2.6.0", [0, 1, 2])])
def test_the_newest_topic_is_in_a_map_that_was_not_copied_yet(release: str, order: list[int]) -> None:
    """internal_questions of 2.5.1 and 2.6.0."""
    kafka = booted(release, 3)
    assert numbers(metadata(kafka, "t")) == order
    kafka.create_topic("u")
    assert numbers(metadata(kafka, "t")) == [0, 2, 1]


def test_partitions_that_were_added_later_were_put_in_later() -> None:
    """2.8.1 patch_questions: three partitions and then three more."""
    kafka = booted("2.8.1", 3)
    kafka.create_topic("u")
    enlarged = [CreatePartitionsTopic(name="t", count=6, assignments=None)]
    answer(kafka, CreatePartitionsRequest(topics=enlarged, timeout_ms=1000), 0, CreatePartitionsResponse)
    kafka.create_topic("v")
    assert numbers(metadata(kafka, "t")) == [0, 5, 1, 4, 2, 3]


@pytest.mark.parametrize(
    ("release", "order"), [("0.9.0.1", [0, 1, 2]), ("0.10.2.2", [2, 1, 0]), ("2.8.2", [0, 2, 1]), ("3.9.1", [0, 1, 2])]
)
def test_brokers_come_in_the_order_of_the_maps_of_the_asked_one(release: str, order: list[int]) -> None:
    """The trios of brokers in tests/golden/trio_recordings."""
    kafka = FakeKafka(release, brokers=3).boot()
    kafka.create_topic("t")
    response = metadata(kafka, "t", version=0)
    assert [broker.node_id for broker in response.brokers] == order
