"""controller_mutation_rate (KIP-599): which requests are refused or throttled, and for how long. Recorded: quotas."""

from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from fakekafka.wire.frames import read_response, request_frame

TOO_MUCH = ErrorCode.THROTTLING_QUOTA_EXCEEDED
REFUSES, WAITS = 6, 4
"""Versions of CreateTopics."""


@pytest.fixture(params=["2.8", "3.9", "4.3"])
def kafka(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    with FakeKafka(request.param, clock=ManualClock()).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "c"),)] = {"controller_mutation_rate": 1.0}
        yield kafka


def create(
    kafka: FakeKafka, name: str, partitions: int = 6, version: int = REFUSES, *, validate_only: bool = False
) -> tuple[int, int]:
    """The error, and how long the client is throttled."""
    topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    body = CreateTopicsRequest(topics=[topic], timeout_ms=9000, validate_only=validate_only)
    answer = kafka.connect().send(request_frame(body, version, 1, "c"))
    _, response = read_response(CreateTopicsResponse, version, answer[4:])
    return response.topics[0].error_code, response.throttle_time_ms


def test_the_request_that_exceeds_the_quota_is_served_and_the_next_refused(kafka: FakeKafka) -> None:
    assert [create(kafka, name) for name in "abc"] == [(0, 0), (0, 0), (TOO_MUCH, 1000)]
    assert set(kafka.topics()) == {"a", "b"}


def test_a_refused_request_uses_up_no_quota(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    assert [create(kafka, name) for name in "bc"] == [(TOO_MUCH, 1000)] * 2


def test_used_quota_comes_back_with_time(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    kafka._running.cluster.clock.advance(1000)  # type: ignore[attr-defined]
    assert create(kafka, "b") == (0, 0)


def test_a_request_of_an_older_version_is_served_and_throttled(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    assert create(kafka, "b", version=WAITS) == (0, 7000)


def test_added_partitions_count_against_the_quota(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    body = CreatePartitionsRequest(
        topics=[CreatePartitionsTopic(name="a", count=13, assignments=None)], timeout_ms=9000
    )
    answer = kafka.connect().send(request_frame(body, 3, 1, "c"))
    _, response = read_response(CreatePartitionsResponse, 3, answer[4:])
    assert (response.results[0].error_code, response.throttle_time_ms) == (TOO_MUCH, 1000)


def test_deleted_partitions_count_against_the_quota(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    answer = kafka.connect().send(request_frame(DeleteTopicsRequest(topic_names=["a"], timeout_ms=9000), 5, 1, "c"))
    _, response = read_response(DeleteTopicsResponse, 5, answer[4:])
    assert (response.responses[0].error_code, response.throttle_time_ms) == (TOO_MUCH, 1000)
    assert kafka.topics() == {"a": 12}


def test_the_quota_of_one_client_does_not_limit_another(kafka: FakeKafka) -> None:
    create(kafka, "a", 12)
    kafka._running.cluster.settings.quotas[(("client-id", "other"),)] = {"controller_mutation_rate": 5.0}
    topic = CreatableTopic(name="b", num_partitions=1, replication_factor=1)
    body = CreateTopicsRequest(topics=[topic], timeout_ms=9000)
    answer = kafka.connect().send(request_frame(body, REFUSES, 1, "other"))
    _, response = read_response(CreateTopicsResponse, REFUSES, answer[4:])
    assert response.topics[0].error_code == 0


@pytest.mark.parametrize(("release", "error"), [("2.8", 0), ("4.3", TOO_MUCH)])
def test_only_a_kraft_controller_counts_requests_that_only_validate(release: str, error: int) -> None:
    with FakeKafka(release, clock=ManualClock()).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "c"),)] = {"controller_mutation_rate": 1.0}
        create(kafka, "a", 12, validate_only=True)
        assert create(kafka, "b")[0] == error


@pytest.mark.parametrize(("release", "error"), [("2.8", TOO_MUCH), ("3.3", 0), ("3.4", 0), ("3.5", TOO_MUCH)])
def test_the_first_controllers_of_kraft_have_no_such_quota(release: str, error: int) -> None:
    """KAFKA-14351; 2.8 is under ZooKeeper by default. Recorded at 3.3.2, 3.4.1 and 3.5.2: quotas."""
    with FakeKafka(release, clock=ManualClock()).boot() as kafka:
        kafka._running.cluster.settings.quotas[(("client-id", "c"),)] = {"controller_mutation_rate": 1.0}
        create(kafka, "first", 20)
        assert create(kafka, "second")[0] == error
