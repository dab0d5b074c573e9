import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
)

from tests.support.brokers import answer
from tests.support.clusters import cluster_of


@pytest.mark.parametrize(("release", "replicas", "error"), [("1.1.1", [1], 3), ("2.0", [1], 6), ("1.1.1", [1, 0], 6)])
def test_a_broker_that_does_not_lead_deletes_nothing(release: str, replicas: list[int], error: int) -> None:
    """1.1.1 answered 3 about a partition that only another broker has."""
    kafka = FakeKafka(release, brokers=2).boot()
    kafka._on_loop(lambda: cluster_of(kafka).new_topic("t", {0: replicas}, {}, with_id=False))
    part = DeleteRecordsPartition(partition_index=0, offset=-1)
    request = DeleteRecordsRequest(topics=[DeleteRecordsTopic(name="t", partitions=[part])], timeout_ms=1000)
    assert answer(kafka, request, 0, DeleteRecordsResponse).topics[0].partitions[0].error_code == error
