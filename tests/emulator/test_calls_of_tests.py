"""The calls that tests make, in one place: faults, barriers, waits and requests, called as users call them."""

import asyncio
import inspect
from typing import Any, get_args

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.faults.corruption import How
from fakekafka.faults.faults import Faults
from fakekafka.faults.rule import Rule
from fakekafka.watching.coroutines import Aio
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse
from kafka import KafkaConsumer, KafkaProducer

from tests.support.faults import NOW, Client, fetch, produce, produced
from tests.support.librdkafka import librdkafka_producer
from tests.support.polled import members

FAULTS = (
    *("fail", "lose_answer", "drop", "delay", "disconnect", "refuse_connections", "throttle", "slice", "corrupt"),
    *("hold", "intercept", "add", "load", "clear", "rules"),
)
WAITS = ("records", "commit", "group", "request", "transaction")


def test_every_fault_and_every_wait_has_its_method() -> None:
    assert set(FAULTS) <= set(dir(Faults))
    for wait in WAITS:
        assert callable(getattr(FakeKafka, f"wait_for_{wait}"))
        assert inspect.iscoroutinefunction(getattr(Aio, f"wait_for_{wait}"))


@pytest.fixture
def booted() -> FakeKafka:
    return FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()


def test_two_requests_are_refused_and_a_later_answer_is_lost(booted: FakeKafka) -> None:
    kafka, client = booted, Client(booted)
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=2, topic="orders")
    kafka.faults.lose_answer("Produce", nth=3)
    errors = [produced(client.ask(produce(("orders", 0)), 7, ProduceResponse))["orders", 0] for _ in range(4)]
    assert errors == [6, 6, 0, 0]
    assert len(kafka.records("orders")) == 2  # a refused request is not applied
    assert client.send(produce(("orders", 0)), 7) == b""
    assert client.memory.closed
    assert len(kafka.records("orders")) == 3  # a request whose answer is lost is applied


def test_every_rule_prints_as_one_line_counts_and_ends(booted: FakeKafka) -> None:
    def function(request: MetadataRequest) -> None:
        request.topics = []

    kafka = booted
    rules: list[Any] = [
        kafka.faults.lose_answer("Produce", how="silence"),
        kafka.faults.drop("OffsetCommit", group="shop"),
        kafka.faults.delay("Fetch", ms=300, jitter_ms=50, client_id="slow-*"),
        kafka.faults.disconnect(client_id="svc-1"),
        kafka.faults.throttle(bytes_per_s=1000),
        kafka.faults.slice(bytes=1),
        *(kafka.faults.corrupt("Fetch", topic="orders", how=how) for how in get_args(How)),
        kafka.faults.hold("JoinGroup", times=1),
        kafka.faults.intercept("Metadata", function),
    ]
    assert list(map(str, rules)) == [
        "lose_answer Produce: how='silence' (never acted)",
        "drop OffsetCommit: group='shop' (never acted)",
        "delay Fetch: ms=300, jitter_ms=50, client_id='slow-*' (never acted)",
        "disconnect: client_id='svc-1' (never acted)",
        "throttle any request: bytes_per_s=1000 (never acted)",
        "slice any request (never acted)",
        "corrupt Fetch: topic='orders' (never acted)",
        "corrupt Fetch: how='bad crc', topic='orders' (never acted)",
        "corrupt Fetch: how='cut', topic='orders' (never acted)",
        "hold JoinGroup: times=1 (never acted)",
        "intercept Metadata: function=function (never acted)",
    ]
    assert [rule.hits for rule in rules] == [0] * len(rules)
    assert [rule.active for rule in rules] == [rule is not rules[3] for rule in rules]
    for rule in rules:
        with rule as entered:
            assert entered is rule
        rule.remove()
        assert not rule.active
    assert list(kafka.faults.rules) == []


def test_rules_are_added_written_loaded_and_cleared(booted: FakeKafka) -> None:
    kafka = booted
    rule = kafka.faults.delay("Fetch", ms=300)
    plan = str(kafka.faults.rules)
    kafka.faults.clear()
    (loaded,) = kafka.faults.load(plan)
    assert isinstance(loaded, Rule)
    assert kafka.faults.add(rule) is rule
    assert list(kafka.faults.rules) == [loaded, rule]


def test_connections_are_refused_for_a_while() -> None:
    clock = ManualClock()
    with FakeKafka("2.3", clock=clock) as kafka:
        rule = kafka.faults.refuse_connections(for_ms=2000)
        clock.advance(1999)
        assert rule.active
        clock.advance(1)
        assert not rule.active


def test_functions_change_requests_and_answers(booted: FakeKafka) -> None:
    kafka = booted

    def hide(request: MetadataRequest, answer: MetadataResponse) -> None:
        answer.topics = [topic for topic in answer.topics if topic.name != "orders"]

    with kafka.faults.intercept("Metadata", hide) as rule:
        assert Client(kafka).ask(MetadataRequest(topics=None), 5, MetadataResponse).topics == []
    assert rule.hits == 1


def test_records_are_damaged_at_rest(booted: FakeKafka) -> None:
    booted.send("orders", b"1")
    assert booted.damage("orders", 0) == 0


def test_a_barrier_holds_a_member_back() -> None:
    with (
        FakeKafka("2.3", topics={"orders": 2}, config={"group.initial.rebalance.delay.ms": 0}) as kafka,
        members(kafka, "kafka-python", quick=True) as group,
        kafka.faults.hold("JoinGroup", times=1) as held,
    ):
        group.join("first")
        held.wait(timeout=20)
        assert [request.group_id for request in held.requests] == ["shop"]
        assert kafka.wait_for_group("shop", state="Dead", timeout=20).members == ()
        held.release()
        group.join("second")
        assert len(kafka.wait_for_group("shop", state="Stable", members=2, timeout=30).members) == 2


def sent(kafka: FakeKafka, count: int) -> None:
    producer = KafkaProducer(**kafka.client_config("kafka-python"), client_id="svc-1", linger_ms=0)
    for _ in range(count):
        producer.send("orders", b"an apple", partition=0).get(timeout=20)
    producer.close()


def test_waits_return_what_they_waited_for() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        sent(kafka, 10)
        assert len(kafka.wait_for_records("orders", 10, timeout=20)) == 10
        assert len(kafka.wait_for_request("Produce", client_id="svc-1", count=3)) >= 3
        settings = kafka.client_config("kafka-python", quick=True)
        consumer = KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings)
        for _ in range(10):
            next(consumer)
        consumer.commit()
        assert kafka.wait_for_commit("shop", "orders", partition=0, offset=10).offset == 10
        consumer.close()
        with pytest.raises(TimeoutError, match="orders has 10 of 11 records"):
            kafka.wait_for_records("orders", 11, timeout=0.01)


def test_a_transaction_is_waited_for() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        settings = {**kafka.client_config("confluent-kafka"), "transactional.id": "svc"}
        with librdkafka_producer(settings) as producer:
            producer.init_transactions(20)
            producer.begin_transaction()
            producer.produce("orders", b"1")
            producer.commit_transaction(20)
            assert kafka.wait_for_transaction("svc").state == "CompleteCommit"


async def waits(kafka: FakeKafka) -> None:
    assert len(await kafka.aio.wait_for_records("orders", 1, timeout=20)) == 1
    assert len(await kafka.aio.wait_for_request("Produce", client_id="svc-1", count=1)) >= 1


def test_coroutines_wait_for_records_and_requests() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        sent(kafka, 1)
        asyncio.run(waits(kafka))


def test_the_last_request_can_be_inspected(booted: FakeKafka) -> None:
    kafka = booted
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    client = Client(kafka, "svc-1")
    client.send(fetch(("orders", 0)), 11)
    client.send(produce(("orders", 0), acks=1), 7)
    assert kafka.requests.where(api="Produce", topic="orders")[-1].request.acks == 1
    entry = kafka.requests.where(api="Produce", topic="orders")[-1]
    assert entry.response.responses[0].partition_responses[0].error_code == 6
    assert (entry.error, entry.at_ms, entry.took_ms, entry.fault) == ("NOT_LEADER_OR_FOLLOWER", NOW, 0, str(rule))
    assert repr(entry).startswith("<Produce v7 by 'svc-1' to broker 0: orders-0, ")
