import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.wire.apis.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
    PartitionResponse,
    ProducerState,
    TopicRequest,
)

from tests.support.brokers import answer
from tests.support.producing import batch, produce, request
from tests.support.seeded import NOW, booted, in_transaction, marker, store


def test_producers_are_described_with_their_open_transactions() -> None:
    kafka = booted("2.8", 2)
    store(kafka, in_transaction(0), marker(2), in_transaction(3, sequence=2), in_transaction(5, producer=7))
    request = DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0, 1])])
    (topic,) = answer(kafka, request, 0, DescribeProducersResponse).topics
    first = ProducerState(
        producer_id=1,
        producer_epoch=0,
        last_sequence=3,
        last_timestamp=NOW + 4000,
        coordinator_epoch=0,
        current_txn_start_offset=3,
    )
    second = ProducerState(
        producer_id=7,
        producer_epoch=0,
        last_sequence=1,
        last_timestamp=NOW + 6000,
        coordinator_epoch=-1,
        current_txn_start_offset=5,
    )
    assert topic.name == "t"
    assert topic.partitions == [
        PartitionResponse(partition_index=0, active_producers=[first, second]),
        PartitionResponse(partition_index=1, active_producers=[]),
    ]


def test_unknown_topics_and_partitions_are_error_3() -> None:
    topics = [TopicRequest(name="t", partition_indexes=[5]), TopicRequest(name="u", partition_indexes=[0])]
    response = answer(booted("2.8"), DescribeProducersRequest(topics=topics), 0, DescribeProducersResponse)
    assert [p.error_code for topic in response.topics for p in topic.partitions] == [3, 3]


@pytest.mark.parametrize(
    ("release", "words"), [("2.8", None), ("3.0", "This server does not host this topic-partition.")]
)
def test_newer_releases_give_a_message_about_an_unknown_topic(release: str, words: str | None) -> None:
    topics = [TopicRequest(name="t", partition_indexes=[5]), TopicRequest(name="u", partition_indexes=[0])]
    response = answer(booted(release), DescribeProducersRequest(topics=topics), 0, DescribeProducersResponse)
    assert [p.error_message for topic in response.topics for p in topic.partitions] == [None, words]


@pytest.mark.parametrize(
    ("release", "error", "words"),
    [
        ("2.8", 3, None),
        ("3.0", 17, 'Topic name "a/b" is illegal, it contains a character other than ASCII alphanumerics, '
         "'.', '_' and '-'"),
        ("3.4", 17, "Topic name is invalid: 'a/b' contains one or more characters other than ASCII alphanumerics, "
         "'.', '_' and '-'"),
    ],
)  # fmt: skip
def test_a_name_that_no_topic_may_have_is_refused_from_3_0_on(release: str, error: int, words: str | None) -> None:
    """Recorded from 2.8.0 to 4.3.1: odd_requests."""
    request = DescribeProducersRequest(topics=[TopicRequest(name="a/b", partition_indexes=[0])])
    (topic,) = answer(booted(release), request, 0, DescribeProducersResponse).topics
    assert [(p.error_code, p.error_message) for p in topic.partitions] == [(error, words)]


def test_a_follower_describes_the_producers_that_it_knows_as_3_9_1_did() -> None:
    config = {"default.replication.factor": "2"}
    kafka = FakeKafka("3.9", brokers=2, config=config, topics={"t": 1}, clock=ManualClock(NOW)).boot()
    leader = kafka.describe_topics()["t"].partitions[0].leader
    produce(kafka, request({("t", 0): batch(producer=4000)}, acks=-1), 9, leader)
    for node_id in (0, 1):
        part = _described(kafka, node_id)
        assert (part.error_code, [each.producer_id for each in part.active_producers]) == (0, [4000])


def _described(kafka: FakeKafka, node_id: int) -> PartitionResponse:
    asked = DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0])])
    (topic,) = answer(kafka, asked, 0, DescribeProducersResponse, node_id).topics
    return topic.partitions[0]
