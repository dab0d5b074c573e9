"""Brokers of a lifelike cluster that start again: what they do not know yet, and coordinators that load."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.clusters import advance, cluster_of, fetched, formed
from tests.support.producing import T0, batch, errors, messages, produce, request

E = ErrorCode
LONG_MS = 10_000
UNDER_ZOOKEEPER = ["0.10.2", "1.1", "2.8"]
IN_KRAFT_MODE = ["3.9", "4.3"]


def alone(release: str) -> FakeKafka:
    return formed(release, 1, pace="lifelike")


def metadata(kafka: FakeKafka) -> tuple[int, int, int]:
    """How many brokers the broker knows, the error of "t", and its leader."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
    found = answer(kafka, asked, 1, MetadataResponse)
    (topic,) = found.topics
    return len(found.brokers), topic.error_code, topic.partitions[0].leader_id if topic.partitions else -1


def commit(kafka: FakeKafka) -> int:
    part = OffsetCommitRequestPartition(partition_index=0, committed_offset=1, committed_metadata="")
    topics = [OffsetCommitRequestTopic(name="t", partitions=[part])]
    asked = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=topics)
    return answer(kafka, asked, 2, OffsetCommitResponse).topics[0].partitions[0].error_code


def begin_transactions(kafka: FakeKafka) -> int:
    asked = InitProducerIdRequest(transactional_id="x", transaction_timeout_ms=60_000)
    return answer(kafka, asked, 0, InitProducerIdResponse).error_code


def coordinator(kafka: FakeKafka, kind: int = 0) -> int:
    asked = FindCoordinatorRequest(key="x" if kind else "g", key_type=kind)
    return answer(kafka, asked, kind, FindCoordinatorResponse).error_code


@pytest.mark.parametrize("release", UNDER_ZOOKEEPER)
@pytest.mark.parametrize("crash", [False, True])
def test_a_broker_under_zookeeper_that_restarts_must_be_told_what_it_leads(release: str, crash: bool) -> None:
    kafka = alone(release)
    kafka.send("t", b"kept")
    kafka.restart(crash=crash)
    brokers, error, leader = metadata(kafka)
    assert (brokers, leader) == (0, -1)
    assert error == E.LEADER_NOT_AVAILABLE
    data = messages() if release == "0.10.2" else batch()
    version = 2 if release == "0.10.2" else 3
    assert errors(produce(kafka, request({T0: data}), version)) == {T0: E.UNKNOWN_TOPIC_OR_PARTITION}
    assert fetched(kafka, 0, 3).error == E.UNKNOWN_TOPIC_OR_PARTITION
    advance(kafka, LONG_MS)
    assert metadata(kafka) == (1, E.NONE, 0)
    assert errors(produce(kafka, request({T0: data}), version)) == {T0: E.NONE}
    assert next(record.value for record in kafka.records("t")) == b"kept"
    assert not kafka.failures


@pytest.mark.parametrize("release", IN_KRAFT_MODE)
def test_a_broker_in_kraft_mode_knows_what_it_leads_when_it_serves(release: str) -> None:
    kafka = alone(release)
    kafka.restart()
    assert metadata(kafka) == (1, E.NONE, 0)
    assert errors(produce(kafka, request({T0: batch()}), 3)) == {T0: E.NONE}


@pytest.mark.parametrize("release", [*UNDER_ZOOKEEPER, *IN_KRAFT_MODE])
def test_a_new_cluster_is_ready_when_it_has_started(release: str) -> None:
    assert metadata(alone(release)) == (1, E.NONE, 0)


def test_a_broker_that_restarts_in_an_instant_cluster_knows_everything() -> None:
    kafka = formed("2.8", 1)
    kafka.restart()
    assert metadata(kafka) == (1, E.NONE, 0)


def test_a_fresh_broker_names_no_coordinator() -> None:
    kafka = alone("2.8")
    coordinator(kafka)
    advance(kafka, LONG_MS)
    assert coordinator(kafka) == E.NONE
    kafka.restart()
    assert coordinator(kafka) == E.COORDINATOR_NOT_AVAILABLE
    advance(kafka, LONG_MS)
    assert coordinator(kafka) == E.NONE


def test_a_fresh_broker_that_stops_at_once_keeps_everything() -> None:
    kafka = alone("2.8")
    kafka.send("t", b"kept")
    for _ in range(3):
        kafka.restart()
    advance(kafka, LONG_MS)
    assert [record.value for record in kafka.records("t")] == [b"kept"]
    assert not kafka.failures


def test_one_broker_of_several_is_fresh_alone() -> None:
    kafka = formed("2.8", 3, pace="lifelike")
    kafka.stop_broker(0)
    kafka.start_broker(0)
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
    assert answer(kafka, asked, 1, MetadataResponse, 0).brokers == []
    assert len(answer(kafka, asked, 1, MetadataResponse, 1).brokers) == 3
    kafka.stop_broker(0)
    kafka.start_broker(0)
    advance(kafka, LONG_MS)
    assert set(cluster_of(kafka).topics["t"].partitions[0].isr) == {0, 1, 2}
    assert not kafka.failures


@pytest.mark.parametrize(("release", "errors_"), [("1.1", {15, 16}), ("2.8", {15}), ("3.9", {16}), ("4.3", {16})])
def test_after_a_restart_a_coordinator_loads_for_a_moment_and_has_the_committed_offsets(
    release: str, errors_: set[int]
) -> None:
    kafka = alone(release)
    coordinator(kafka)
    advance(kafka, LONG_MS)
    assert commit(kafka) == E.NONE
    kafka.restart()
    seen = set()
    while error := coordinator(kafka) or commit(kafka):
        seen.add(error)
        advance(kafka, 1)
    assert seen == errors_
    assert [found.offset for found in kafka.committed("g").values()] == [1]


@pytest.mark.parametrize(("release", "error"), [("2.8", 14), ("3.9", 16), ("4.3", 16)])
def test_transactional_ids_are_loaded_after_a_restart(release: str, error: int) -> None:
    kafka = alone(release)
    coordinator(kafka, 1)
    advance(kafka, LONG_MS)
    assert begin_transactions(kafka) == E.NONE
    kafka.restart()
    seen = set()
    while found := coordinator(kafka, 1) or begin_transactions(kafka):
        seen.add(found)
        advance(kafka, 1)
    assert error in seen
