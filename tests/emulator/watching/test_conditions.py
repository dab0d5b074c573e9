"""Records and commits that are waited for: `watching/conditions.py`."""

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

from tests.support.faults import NOW, Client


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", topics={"orders": 2}, clock=ManualClock(NOW)).boot()


def commit(kafka: FakeKafka, offset: int) -> None:
    partition = OffsetCommitRequestPartition(partition_index=1, committed_offset=offset, committed_metadata="")
    topic = OffsetCommitRequestTopic(name="orders", partitions=[partition])
    client = Client(kafka)
    client.send(FindCoordinatorRequest(key="shop"), 1)
    answer = client.ask(OffsetCommitRequest(group_id="shop", topics=[topic]), 2, OffsetCommitResponse)
    assert answer.topics[0].partitions[0].error_code == 0


def test_records_are_counted_over_all_partitions_or_in_one_alone(kafka: FakeKafka) -> None:
    for partition in (0, 1, 1):
        kafka.send("orders", b"1", partition=partition)
    assert len(kafka.wait_for_records("orders", 2)) == 3
    assert {record.partition for record in kafka.wait_for_records("orders", 2, partition=1)} == {1}
    with pytest.raises(TimeoutError, match="orders-0 has 1 of 2 records"):
        kafka.wait_for_records("orders", 2, partition=0)


def test_a_topic_that_does_not_exist_yet_has_no_records(kafka: FakeKafka) -> None:
    with pytest.raises(TimeoutError, match="there is no topic 'other'; there are: orders"):
        kafka.wait_for_records("other", 1)


def test_a_partition_that_will_never_exist_is_refused(kafka: FakeKafka) -> None:
    with pytest.raises(UsageError, match="orders has no partition 7: it has 2"):
        kafka.wait_for_records("orders", 1, partition=7)


def test_a_commit_of_the_offset_or_a_higher_one_is_found(kafka: FakeKafka) -> None:
    commit(kafka, 10)
    assert kafka.wait_for_commit("shop", "orders").offset == 10
    assert kafka.wait_for_commit("shop", "orders", partition=1, offset=9).offset == 10
    for partition, offset in ((0, None), (1, 11)):
        with pytest.raises(TimeoutError, match="group 'shop' has committed orders-1 at 10"):
            kafka.wait_for_commit("shop", "orders", partition, offset)


def test_a_wait_for_a_group_without_commits_says_so(kafka: FakeKafka) -> None:
    with pytest.raises(TimeoutError, match="group 'shop' has committed nothing"):
        kafka.wait_for_commit("shop", "orders")
