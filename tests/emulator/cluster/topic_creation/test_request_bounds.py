"""How much one request may create. Asked of 3.3.2 to 4.3.1."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import response_class
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.create_topics import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
    CreateTopicsResponse,
)
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

PARTITIONS = (44, "Excessively large number of partitions per request.")
RECORDS = (44, "Unable to perform excessively large batch operation.")
FINE = (0, None)


def ask(kafka: FakeKafka, request: Request, version: int) -> Response:
    answer = kafka.connect().send(request_frame(request, version, 1, "test"))
    return read_response(response_class(ApiKey(request.KEY)), version, answer[SIZE.size :])[1]


def created(kafka: FakeKafka, *counts: int, configs: int = 0, version: int = 5) -> list[tuple[int, str | None]]:
    names = ("retention.ms", "segment.ms", "flush.ms")[:configs]
    topics = [
        CreatableTopic(
            name=f"t{n}",
            num_partitions=count,
            replication_factor=1,
            configs=[CreatableTopicConfig(name=name, value="100000") for name in names],
        )
        for n, count in enumerate(counts)
    ]
    answer = ask(kafka, CreateTopicsRequest(topics=topics, timeout_ms=1000, validate_only=True), version)
    assert isinstance(answer, CreateTopicsResponse)
    return [(topic.error_code, topic.error_message) for topic in answer.topics]


@pytest.mark.parametrize("release", ["3.9", "4.3"])
def test_a_request_creates_at_most_10_000_partitions_and_records(release: str) -> None:
    kafka = FakeKafka(release, clock=ManualClock()).boot()
    assert created(kafka, 10_001) == [PARTITIONS]
    assert created(kafka, 6000, 6000) == [PARTITIONS, PARTITIONS]
    assert created(kafka, 10_000) == [RECORDS]
    assert created(kafka, 5000, 5000) == [RECORDS, RECORDS]
    assert created(kafka, 9999) == [FINE]
    assert created(kafka, 4999, 4999) == [FINE, FINE]
    assert created(kafka, 9999, configs=1) == [RECORDS]


def test_from_3_5_on_only_records_are_counted() -> None:
    kafka = FakeKafka("3.7", clock=ManualClock()).boot()
    assert created(kafka, 10_001) == [RECORDS]
    assert created(kafka, 9999) == [FINE]


@pytest.mark.parametrize("release", ["2.3", "3.4"])
def test_releases_without_a_bound_have_our_own_which_can_be_set(release: str) -> None:
    kafka = FakeKafka(release, clock=ManualClock(), partition_limit=20).boot()
    ((code, message),) = created(kafka, 21, version=3)
    assert code == 37
    assert message == "21 partitions in one request: FakeKafka(partition_limit=20) allows no more"
    assert created(kafka, 20, version=3) == [FINE]


def test_a_million_partitions_are_refused_at_once() -> None:
    kafka = FakeKafka("1.1", clock=ManualClock()).boot()
    assert [code for code, _ in created(kafka, 2**31 - 1, version=2)] == [37]


def test_a_test_cannot_create_a_million_partitions_by_mistake() -> None:
    words = r"FakeKafka\(partition_limit=100000\) allows no more"
    with pytest.raises(UsageError, match=words):
        FakeKafka("1.1", topics={"t": 2**31 - 1}).boot()
    kafka = FakeKafka("4.3", clock=ManualClock()).boot()
    with pytest.raises(UsageError, match=words):
        kafka.create_topic("t", 2**31 - 1)


@pytest.mark.parametrize("release", ["2.3", "4.3"])
def test_an_internal_topic_beyond_the_bounds_is_not_created(release: str) -> None:
    kafka = FakeKafka(release, clock=ManualClock(), config={"offsets.topic.num.partitions": 2**31 - 1}).boot()
    answer = ask(kafka, FindCoordinatorRequest(key="g"), 0)
    assert isinstance(answer, FindCoordinatorResponse)
    assert answer.error_code == ErrorCode.COORDINATOR_NOT_AVAILABLE


def asked_for(kafka: FakeKafka, count: int, version: int) -> set[int]:
    """The errors of this many new topics, which a client creates by asking for them."""
    names = [MetadataRequestTopic(name=f"new{n}") for n in range(count)]
    answer = ask(kafka, MetadataRequest(topics=names, allow_auto_topic_creation=True), version)
    assert isinstance(answer, MetadataResponse)
    assert len(answer.topics) == count
    return {topic.error_code for topic in answer.topics}


@pytest.mark.parametrize(("release", "told"), [("3.9", 3), ("4.3", 3)])
def test_topics_that_are_created_by_asking_have_the_bound_of_the_controllers(release: str, told: int) -> None:
    """The broker sends its controllers one CreateTopics for all of them, and does not wait."""
    kafka = FakeKafka(release, clock=ManualClock()).boot()
    assert asked_for(kafka, 5001, 9) == {told}
    assert kafka.topics() == {}
    assert asked_for(kafka, 4999, 9) == {told}
    assert len(kafka.topics()) == 4999


@pytest.mark.parametrize("release", ["0.9.0", "2.3"])
def test_topics_that_are_created_by_asking_have_our_own_bound_in_other_releases(release: str) -> None:
    kafka = FakeKafka(release, clock=ManualClock(), partition_limit=20).boot()
    assert asked_for(kafka, 21, 0) == {37}
    assert kafka.topics() == {}
    assert asked_for(kafka, 20, 0) == {5}
    assert len(kafka.topics()) == 20


def test_partitions_are_added_up_to_the_bound_and_the_rest_is_error_minus_1() -> None:
    kafka = FakeKafka("3.9", clock=ManualClock(), topics={"x": 1, "y": 1}).boot()
    topics = [
        CreatePartitionsTopic(name=name, count=count, assignments=None) for name, count in (("x", 10_002), ("y", 2))
    ]
    answer = ask(kafka, CreatePartitionsRequest(topics=topics, timeout_ms=1000), 1)
    assert isinstance(answer, CreatePartitionsResponse)
    assert [(each.name, each.error_code, each.error_message) for each in answer.results] == [
        ("x", -1, None),
        ("y", -1, None),
    ]
    assert kafka.topics() == {"x": 10_001, "y": 1}
