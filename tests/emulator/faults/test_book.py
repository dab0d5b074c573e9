"""Which rule applies: `faults/book.py`, through a cluster."""

from fakekafka import FakeKafka, ManualClock
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse

from tests.support.faults import NOW, Client, produce


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


def test_the_journal_tells_which_rule_acted() -> None:
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


def test_without_rules_requests_are_not_looked_at() -> None:
    kafka = booted()
    router = kafka._running.router
    assert router.rules is None
    rule = kafka.faults.drop("Produce")
    assert router.rules is not None
    rule.remove()
    assert router.rules is None
