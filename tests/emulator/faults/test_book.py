"""Which rule applies: `faults/book.py`, through a cluster."""

from collections.abc import Callable

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.message import Request

from tests.support.faults import NOW, Client, fetch, produce
from tests.support.functions_passed import functions_passed


def booted() -> FakeKafka:
    return FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()


def test_a_request_for_all_topics_is_about_each_of_them() -> None:
    kafka = booted()
    rule = kafka.faults.delay("Metadata", ms=0, topic="orders")
    client = Client(kafka)
    client.send(MetadataRequest(topics=None), 5)
    client.memory.expire()
    client.send(MetadataRequest(topics=[MetadataRequestTopic(name="other")]), 5)
    assert rule.hits == 1


def test_the_journal_says_which_rule_acted() -> None:
    kafka = booted()
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
    client = Client(kafka)
    for _ in range(2):
        client.ask(produce(("orders", 0)), 7, ProduceResponse)
    assert [entry.fault for entry in kafka.requests] == [
        "fail Produce: error=NOT_LEADER_OR_FOLLOWER, times=1 (acted once)",
        None,
    ]


def test_rules_may_be_for_one_client() -> None:
    kafka = booted()
    kafka.faults.drop("Metadata", client_id="svc-*")
    asked = MetadataRequest(topics=None)
    assert Client(kafka, "svc-1").send(asked, 5) == b""
    assert Client(kafka, "other").ask(asked, 5, MetadataResponse).topics


@pytest.mark.parametrize(("request_of", "version"), [(produce, 7), (fetch, 11)])
@pytest.mark.parametrize(
    ("begin", "most"),
    [
        (lambda kafka: kafka.faults.drop("Produce").remove(), 0),
        (lambda kafka: kafka.faults.drop("JoinGroup"), 1),
        (lambda kafka: kafka.faults.drop(client_id="another"), 13),
        (lambda kafka: kafka.faults.drop(("Produce", "Fetch"), topic="another"), 17),
    ],
)
def test_a_rule_that_does_not_match_costs_little(
    begin: Callable[[FakeKafka], object], most: int, request_of: Callable[..., Request], version: int
) -> None:
    def passed(kafka: FakeKafka) -> int:
        client, asked = Client(kafka), request_of(("orders", 0))
        for _ in range(3):
            client.send(asked, version)
        return functions_passed(lambda: client.send(asked, version))

    under = booted()
    begin(under)
    assert passed(booted()) <= passed(under) <= passed(booted()) + most


def test_without_rules_requests_are_not_examined() -> None:
    kafka = booted()
    router = kafka._running.router
    assert router.rules is None
    rule = kafka.faults.drop("Produce")
    assert router.rules is not None
    rule.remove()
    assert router.rules is None
