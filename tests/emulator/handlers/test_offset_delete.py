import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import grouped, simple

E = ErrorCode


def delete(kafka: FakeKafka, *partitions: int, group: str = "g", topic: str = "t") -> OffsetDeleteResponse:
    asked = [OffsetDeleteRequestPartition(partition_index=n) for n in partitions]
    request = OffsetDeleteRequest(group_id=group, topics=[OffsetDeleteRequestTopic(name=topic, partitions=asked)])
    return answer(kafka, request, 0, OffsetDeleteResponse)


def test_offsets_are_deleted_only_for_existing_partitions() -> None:
    kafka = grouped("3.8")
    client = simple(kafka)
    client.commit(5, 6)
    done = delete(kafka, 0, 7, 99)
    assert done.error_code == E.NONE
    errors = {p.partition_index: p.error_code for t in done.topics for p in t.partitions}
    assert errors == {0: E.NONE, 7: E.NONE, 99: E.UNKNOWN_TOPIC_OR_PARTITION}
    assert client.fetch(0, 1) == [-1, 6]
    (topic,) = delete(kafka, 0, topic="nope").topics
    assert [p.error_code for p in topic.partitions] == [E.UNKNOWN_TOPIC_OR_PARTITION]


def test_an_error_of_the_group_comes_without_topics() -> None:
    done = delete(grouped("3.8"), 0)
    assert (done.error_code, done.topics) == (E.GROUP_ID_NOT_FOUND, [])


@pytest.mark.parametrize(("release", "times"), [("2.4", 2), ("2.5", 2), ("2.6", 1), ("4.3", 1)])
def test_up_to_2_5_a_topic_is_answered_once_for_each_partition(release: str, times: int) -> None:
    kafka = grouped(release)
    simple(kafka).commit(5, 6)
    assert [{p.partition_index for p in t.partitions} for t in delete(kafka, 0, 1).topics] == [{0, 1}] * times


@pytest.mark.parametrize(
    ("release", "missing", "deleted", "unknown"), [("3.4", 1, 1, False), ("3.5", 3, 1, True), ("4.3", 3, 3, True)]
)
def test_how_often_a_partition_is_answered_that_is_named_three_times(
    release: str, missing: int, deleted: int, unknown: bool
) -> None:
    """Recorded from 2.4.1 to 4.3.1: control_questions."""
    kafka = grouped(release)
    simple(kafka).commit(5)
    assert bool(delete(kafka, topic="nope").topics) == unknown
    (topic,) = delete(kafka, 99, 99, 99).topics
    assert [p.partition_index for p in topic.partitions] == [99] * missing
    (topic,) = delete(kafka, 0, 0, 0).topics
    assert [p.error_code for p in topic.partitions] == [E.NONE] * deleted
