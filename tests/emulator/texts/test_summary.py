"""What a failed test shows about its brokers."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.ids import ApiKey
from fakekafka.texts.summary import api_name
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.support.brokers import answer

ALL = MetadataRequest(topics=[])


def lines(kafka: FakeKafka) -> list[str]:
    """The summary without the spaces that make columns."""
    return [" ".join(line.split()) for line in kafka.summary().splitlines()]


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", clock=ManualClock()).boot()


def test_an_empty_broker_is_summed_up_in_four_lines(kafka: FakeKafka) -> None:
    assert lines(kafka) == [
        "Kafka 2.3.1, 1 broker: 127.0.0.1:0",
        "topics: none",
        "groups: none",
        "last 0 requests of 0 remembered: none",
    ]


def test_every_broker_is_named() -> None:
    with FakeKafka("0.10.2", brokers=2) as kafka:
        first, second = kafka.bootstrap_servers.split(",")
        assert lines(kafka)[0] == f"Kafka 0.10.2.2, 2 brokers: {first}, {second}"


def test_a_topic_is_shown_with_the_end_offsets_of_partitions_that_have_records(kafka: FakeKafka) -> None:
    kafka.create_topic("orders", partitions=3)
    kafka.create_topic("empty")
    for partition in (2, 0, 2):
        kafka.send("orders", b"value", partition=partition)
    assert lines(kafka)[1:4] == ["topics:", "orders 3 partitions end offsets 0: 1, 2: 2", "empty 1 partition empty"]


def test_rows_stand_in_columns(kafka: FakeKafka) -> None:
    kafka.create_topic("a")
    kafka.create_topic("longer")
    assert kafka.summary().splitlines()[2:4] == ["  a       1 partition  empty", "  longer  1 partition  empty"]


def test_long_lists_are_cut(kafka: FakeKafka) -> None:
    kafka.create_topic("orders", partitions=30)
    for partition in range(30):
        kafka.send("orders", b"value", partition=partition)
    (row,) = [line for line in lines(kafka) if line.startswith("orders ")]
    assert row.endswith("18: 1, 19: 1 and 10 more")


def test_a_partition_without_a_leader_says_so(kafka: FakeKafka) -> None:
    kafka.create_topic("orders")
    kafka._running.cluster.topics["orders"].partitions[0].leader = -1
    assert "orders 1 partition end offsets 0: no leader" in lines(kafka)


def test_groups_are_shown_with_members_and_commits(kafka: FakeKafka) -> None:
    cluster = kafka._running.cluster
    groups = coordinators_of(cluster.brokers[0]).groups
    kafka.create_topic("__consumer_offsets")
    groups.classic_groups.groups["billing"] = Group("billing", State.EMPTY, now=0)
    groups.offsets.put("billing", "orders", 0, Committed(5, -1, "", 0))
    groups.offsets.put("shipping", "orders", 1, Committed(7, -1, "", 0))
    assert lines(kafka)[2:5] == [
        "groups:",
        "billing Empty no members committed orders-0: 5",
        "shipping Empty no members committed orders-1: 7",
    ]


def test_the_last_twenty_requests_are_shown_with_their_errors(kafka: FakeKafka) -> None:
    for _ in range(24):
        answer(kafka, ALL, 0, MetadataResponse)
    answer(kafka, MetadataRequest(topics=[MetadataRequestTopic(name="a b")]), 4, MetadataResponse)
    shown = lines(kafka)
    assert shown[-21] == "last 20 requests of 25 remembered:"
    assert shown[-20] == "Metadata v0 test ok"
    assert shown[-1] == "Metadata v4 test INVALID_TOPIC_EXCEPTION a b"


def test_a_request_without_an_answer_says_why(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[Result] = [None, Outcome.SILENCE]

    def handle(request: Request, call: Call) -> Result:
        return results.pop(0)

    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: handle)
    client = kafka.connect()
    for _ in range(2):
        client.send(request_frame(ALL, 0, 1, None))
    assert lines(kafka)[-2:] == [
        "Metadata v0 (no client id) no answer, or not yet",
        f"Metadata v0 (no client id) {Outcome.SILENCE.value}",
    ]


def test_apis_are_called_as_in_kafkas_documentation() -> None:
    assert [api_name(key) for key in (ApiKey.PRODUCE, ApiKey.LIST_OFFSETS)] == ["Produce", "ListOffsets"]


def test_the_last_records_are_shown_with_their_values(kafka: FakeKafka) -> None:
    kafka.create_topic("orders")
    for n in range(7):
        kafka.send("orders", b"value %d" % n, key=None if n % 2 else b"key")
    kafka.send("orders", b"x" * 1000)
    shown = lines(kafka)
    at = shown.index("last records:")
    assert shown[at + 1] == "orders-0 at 3 b'value 3'"
    assert shown[at + 4] == "orders-0 at 6 b'value 6' key b'key'"
    assert shown[at + 5] == f"orders-0 at 7 {b'x' * 60!r}… (1000 bytes)"


def test_the_fault_that_acted_is_shown_with_the_request(kafka: FakeKafka) -> None:
    kafka.faults.fail("Metadata", "LEADER_NOT_AVAILABLE")
    answer(kafka, MetadataRequest(topics=[MetadataRequestTopic(name="a")]), 4, MetadataResponse)
    (row,) = [line for line in lines(kafka) if "fault:" in line]
    assert row.startswith("Metadata v4 test LEADER_NOT_AVAILABLE a fault: fail Metadata")
