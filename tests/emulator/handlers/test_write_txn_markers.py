"""The expected answers were asked of brokers: 2.3.1, 2.8.2, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.committed_readers import T0, ends, fetched
from tests.support.transaction_clients import TransactionalProducer, markers, transactional

Written = list[tuple[int, dict[tuple[str, int], int]]]


def marker(
    producer_id: int = 0,
    epoch: int = 0,
    *places: tuple[str, int],
    commit: bool = True,
    coordinator_epoch: int = 0,
    transaction_version: int = 0,
) -> WritableTxnMarker:
    return WritableTxnMarker(
        producer_id=producer_id,
        producer_epoch=epoch,
        transaction_result=commit,
        coordinator_epoch=coordinator_epoch,
        transaction_version=transaction_version,
        topics=[WritableTxnMarkerTopic(name=name, partition_indexes=[index]) for name, index in places or (("t", 0),)],
    )


def written(kafka: FakeKafka, *asked: WritableTxnMarker, version: int = 0) -> Written:
    """The errors of each producer's markers."""
    response = answer(kafka, WriteTxnMarkersRequest(markers=list(asked)), version, WriteTxnMarkersResponse)
    return [
        (
            result.producer_id,
            {(topic.name, row.partition_index): row.error_code for topic in result.topics for row in topic.partitions},
        )
        for result in response.markers
    ]


def hanging(release: str = "2.8") -> FakeKafka:
    """A partition with an open transaction that its coordinator knows nothing about."""
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    if release in ("3.9", "4.3"):
        producer.add()
    assert producer.produce(b"hangs") is ErrorCode.NONE
    return kafka


@pytest.mark.parametrize(("release", "version"), [("0.11.0", 0), ("2.8", 0), ("2.8", 1), ("4.3", 1), ("4.3", 2)])
@pytest.mark.parametrize("commit", [True, False])
def test_a_client_may_end_a_hanging_transaction(release: str, version: int, commit: bool) -> None:
    kafka = hanging(release)
    assert ends(kafka) == 0
    assert written(kafka, marker(commit=commit), version=version) == [(0, {("t", 0): 0})]
    assert ends(kafka) == 2
    assert fetched(kafka) == ([b"hangs"] if commit else [])


def test_every_partition_has_its_own_error() -> None:
    kafka = transactional()
    found = written(kafka, marker(5, 0, ("t", 0), ("t", 7), ("nope", 0)), marker(6))
    assert found == [(5, {("t", 0): 0, ("t", 7): 3, ("nope", 0): 3}), (6, {("t", 0): 0})]


def test_markers_of_one_producer_share_a_result_in_which_the_last_one_counts() -> None:
    kafka = transactional()
    later, older = marker(coordinator_epoch=3), marker(coordinator_epoch=2)
    assert written(kafka, later, older) == [(0, {("t", 0): ErrorCode.TRANSACTION_COORDINATOR_FENCED})]
    assert len(markers(kafka)) == 1


@pytest.mark.parametrize("release", ["0.11.0", "2.8", "3.6"])
def test_a_partition_that_is_named_twice_gets_one_marker(release: str) -> None:
    """KafkaApis makes a map of records by partition. Asked of 2.3.1, 2.8.2, 3.5.2 and 3.6.2."""
    kafka = transactional(release)
    assert written(kafka, marker(8, 0, T0, T0, T0)) == [(8, {T0: 0})]
    assert len(markers(kafka)) == 1


@pytest.mark.parametrize(("release", "version"), [("3.7", 1), ("3.9", 1), ("4.3", 1)])
def test_from_3_7_on_a_partition_that_is_named_twice_gets_one_marker_and_no_answer(release: str, version: int) -> None:
    """Asked of 3.7.2, 3.8.1, 3.9.1 and 4.3.1, which write the markers of other producers as well."""
    kafka = transactional(release)
    client = kafka.connect()
    asked = WriteTxnMarkersRequest(markers=[marker(8), marker(9, 0, T0, T0)])
    assert client.send(request_frame(asked, version, 1, "test")) == b""
    assert not client.closed
    assert len(markers(kafka)) == 2


def test_a_partition_that_the_broker_does_not_host_may_be_named_twice() -> None:
    """Asked of 2.8.2 to 4.3.1."""
    kafka = transactional("3.9")
    assert written(kafka, marker(7, 0, ("t", 7), ("t", 7)), version=1) == [(7, {("t", 7): 3})]


@pytest.mark.parametrize("impossible", [(-1, 0), (5, -1)])
def test_an_impossible_producer_fails_the_whole_answer(impossible: tuple[int, int]) -> None:
    kafka = transactional()
    found = written(kafka, marker(5), marker(*impossible, ("t", 1)))
    assert dict(found) == {5: {("t", 0): -1}} | {impossible[0]: {("t", 1): -1}}
    assert len(markers(kafka)) == 1  # the previous one is written all the same


@pytest.mark.parametrize(("transaction_version", "error"), [(0, 0), (1, 0), (2, 47)])
def test_with_transaction_version_2_the_epoch_must_have_risen(transaction_version: int, error: int) -> None:
    kafka = hanging("4.3")
    asked = marker(transaction_version=transaction_version)
    assert written(kafka, asked, version=2) == [(0, {("t", 0): error})]
    risen = marker(0, 1, transaction_version=2)
    assert written(kafka, risen, version=2) == [(0, {("t", 0): 0})]


def test_internal_topics_accept_markers_too() -> None:
    kafka = transactional()
    assert written(kafka, marker(9, 0, ("__transaction_state", 0))) == [(9, {("__transaction_state", 0): 0})]


@pytest.mark.parametrize(("release", "error"), [("0.11.0.0", 43), ("0.11.0.1", 3), ("4.3", 3)])
def test_a_partition_that_does_not_exist_has_no_format_in_0_11_0_0(release: str, error: int) -> None:
    """KAFKA-5610. Recorded from 0.11.0.0: transactions."""
    kafka = transactional(release)
    version = 0 if release != "4.3" else 1
    assert written(kafka, marker(0, 0, ("nope", 0)), version=version) == [(0, {("nope", 0): error})]
