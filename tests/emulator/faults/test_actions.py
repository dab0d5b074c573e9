"""What rules do to requests: `faults/actions.py`, through the whole broker."""

from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.handlers import SERVED
from fakekafka.handlers.refusal import error_field, lists_with_errors
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse

from tests.support.faults import NOW, Client, fetch, fetched, produce, produced, read

PRODUCE, FETCH = 7, 11
NOT_LEADER = ErrorCode.NOT_LEADER_OR_FOLLOWER


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", topics={"orders": 2, "other": 1}, clock=ManualClock(NOW)).boot()


def ends(kafka: FakeKafka, *topics: str) -> dict[str, int]:
    return {topic: len(kafka.records(topic)) for topic in topics}


def test_a_refused_produce_is_answered_with_the_error_and_stores_nothing(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=2)
    client = Client(kafka)
    for _ in range(2):
        answer = client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse)
        assert produced(answer) == {("orders", 0): NOT_LEADER}
    assert ends(kafka, "orders") == {"orders": 0}
    assert produced(client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse)) == {("orders", 0): 0}
    assert ends(kafka, "orders") == {"orders": 1}
    assert (rule.hits, rule.active) == (2, False)


def test_a_rule_for_a_topic_refuses_that_topic_and_carries_out_the_rest(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_ENOUGH_REPLICAS", topic="orders", partition=1)
    answer = Client(kafka).ask(produce(("orders", 0), ("orders", 1), ("other", 0)), PRODUCE, ProduceResponse)
    assert produced(answer) == {
        ("orders", 0): 0,
        ("orders", 1): ErrorCode.NOT_ENOUGH_REPLICAS,
        ("other", 0): 0,
    }
    assert ends(kafka, "orders", "other") == {"orders": 1, "other": 1}


def test_a_refused_produce_with_acks_0_ends_the_connection(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    client = Client(kafka)
    assert client.send(produce(("orders", 0), acks=0), PRODUCE) == b""
    assert client.memory.closed
    assert ends(kafka, "orders") == {"orders": 0}


def test_a_refused_fetch_returns_the_error_of_the_partition_at_once(kafka: FakeKafka) -> None:
    kafka.faults.fail("Fetch", "NOT_LEADER_OR_FOLLOWER", topic="orders")
    kafka.send("other", b"1")
    asked = fetch(("orders", 0), ("other", 0), max_wait_ms=60_000)
    answer = Client(kafka).ask(asked, FETCH, FetchResponse)
    assert fetched(answer) == {("orders", 0): NOT_LEADER, ("other", 0): 0}


@pytest.mark.parametrize("epoch", [-1, 0])
def test_a_refused_fetch_names_each_partition_once_and_brings_no_records(kafka: FakeKafka, epoch: int) -> None:
    kafka.faults.fail("Fetch", "NOT_LEADER_OR_FOLLOWER", topic="orders")
    for topic in ("orders", "other"):
        kafka.send(topic, b"1")
    answer = Client(kafka).ask(fetch(("orders", 0), ("other", 0), epoch=epoch), FETCH, FetchResponse)
    found = [(t.topic, p.error_code, p.high_watermark, bool(p.records)) for t in answer.responses for p in t.partitions]
    assert found == [("orders", NOT_LEADER, -1, False), ("other", 0, 1, True)]


def test_a_fetch_within_a_session_gets_the_error_of_partitions_that_it_does_not_name(kafka: FakeKafka) -> None:
    client = Client(kafka)
    first = client.ask(fetch(("orders", 0), epoch=0), FETCH, FetchResponse)
    kafka.faults.fail("Fetch", "NOT_LEADER_OR_FOLLOWER", topic="orders")
    answer = client.ask(fetch(session=first.session_id, epoch=1, max_wait_ms=60_000), FETCH, FetchResponse)
    assert fetched(answer) == {("orders", 0): NOT_LEADER}


def test_an_answer_can_be_lost_after_the_request_was_carried_out(kafka: FakeKafka) -> None:
    kafka.faults.lose_answer("Produce", nth=2)
    client = Client(kafka)
    assert client.send(produce(("orders", 0)), PRODUCE)
    assert client.send(produce(("orders", 0)), PRODUCE) == b""
    assert client.memory.closed
    assert ends(kafka, "orders") == {"orders": 2}


def test_a_lost_answer_can_leave_the_connection_open_and_silent(kafka: FakeKafka) -> None:
    kafka.faults.lose_answer("Produce", how="silence", times=1)
    client = Client(kafka)
    assert client.send(produce(("orders", 0)), PRODUCE) == b""
    with pytest.raises(UsageError, match="reads no more"):
        client.send(produce(("orders", 0)), PRODUCE)
    assert not client.memory.closed
    assert ends(kafka, "orders") == {"orders": 1}


def test_a_dropped_request_is_neither_carried_out_nor_answered(kafka: FakeKafka) -> None:
    kafka.faults.drop("Produce")
    client = Client(kafka)
    assert client.send(produce(("orders", 0)), PRODUCE) == b""
    assert not client.memory.closed
    assert ends(kafka, "orders") == {"orders": 0}


@pytest.mark.parametrize(("before", "stored"), [(False, 1), (True, 0)])
def test_a_delayed_answer_comes_when_the_broker_s_clock_says_so(kafka: FakeKafka, before: bool, stored: int) -> None:
    assert isinstance(kafka.clock, ManualClock)
    kafka.faults.delay("Produce", ms=300, before=before)
    client = Client(kafka)
    assert client.send(produce(("orders", 0)), PRODUCE) == b""
    assert ends(kafka, "orders") == {"orders": stored}
    kafka.clock.advance(299)
    assert client.memory.receive() == b""
    kafka.clock.advance(1)
    assert produced(read(client.memory.receive(), PRODUCE, ProduceResponse)) == {("orders", 0): 0}
    assert ends(kafka, "orders") == {"orders": 1}


def test_a_fetch_that_waits_for_data_is_delayed_after_its_wait(kafka: FakeKafka) -> None:
    assert isinstance(kafka.clock, ManualClock)
    kafka.faults.delay("Fetch", ms=100)
    client = Client(kafka)
    assert client.send(fetch(("orders", 0), max_wait_ms=1000), FETCH) == b""
    kafka.clock.advance(500)
    kafka.send("orders", b"1", partition=0)
    assert client.memory.receive() == b""
    kafka.clock.advance(100)
    assert fetched(read(client.memory.receive(), FETCH, FetchResponse)) == {("orders", 0): 0}


def test_the_first_rule_that_matches_acts_and_the_others_do_not(kafka: FakeKafka) -> None:
    first = kafka.faults.fail("Produce", "NOT_ENOUGH_REPLICAS", times=1)
    second = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    client = Client(kafka)
    errors = [produced(client.ask(produce(("orders", 0)), PRODUCE, ProduceResponse)) for _ in range(2)]
    assert [list(each.values()) for each in errors] == [[ErrorCode.NOT_ENOUGH_REPLICAS], [NOT_LEADER]]
    assert (first.hits, second.hits) == (1, 1)


def test_an_error_can_have_a_throttle_time(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", throttle_ms=77)
    assert Client(kafka).ask(produce(("orders", 0)), PRODUCE, ProduceResponse).throttle_time_ms == 77


@pytest.mark.parametrize("key", SERVED, ids=lambda key: key.name)
def test_every_answer_with_room_for_an_error_can_hold_one(key: ApiKey) -> None:
    """Whatever the API's shape: in every version some error field holds the error, or the rule is refused at once."""
    from fakekafka.faults.possible import carrying
    from fakekafka.handlers.refusal import refusal

    from tests.emulator.wire.values import filled, restricted

    shape = response_class(key)
    for version in range(shape.VERSIONS.low, shape.VERSIONS.high + 1):
        asked = restricted(filled(request_class(key)), version)
        for inner in (False, True):
            errors = list(_errors(refusal(asked, version, ErrorCode.KAFKA_STORAGE_ERROR, inner=inner), version))
            assert (version in carrying(key)) == bool(errors), (version, inner)
            assert set(errors) <= {ErrorCode.KAFKA_STORAGE_ERROR}


def _errors(answer: object, version: int) -> list[int]:
    from fakekafka.wire.message import Struct

    assert isinstance(answer, Struct)
    own = error_field(type(answer), version)
    found = [] if own is None or own not in vars(answer) else [getattr(answer, own)]
    inner = [each for name, _ in lists_with_errors(type(answer), version) for each in getattr(answer, name)]
    return found + [code for each in inner for code in _errors(each, version)]


def test_a_rule_for_the_metadata_of_one_topic_leaves_the_others_alone(kafka: FakeKafka) -> None:
    kafka.faults.fail("Metadata", "LEADER_NOT_AVAILABLE", topic="orders")
    from fakekafka.wire.apis.metadata import MetadataRequestTopic

    asked = MetadataRequest(topics=[MetadataRequestTopic(name="orders"), MetadataRequestTopic(name="other")])
    answer = Client(kafka).ask(asked, 5, MetadataResponse)
    assert {t.name: t.error_code for t in answer.topics} == {"orders": ErrorCode.LEADER_NOT_AVAILABLE, "other": 0}
    assert [b.node_id for b in answer.brokers] == [0]


@pytest.mark.parametrize(
    ("api", "error", "match", "says"),
    [
        ("Prodouce", "NOT_LEADER_OR_FOLLOWER", {}, "did you mean Produce"),
        ("Produce", "NOT_LEADER", {}, "did you mean"),
        ("Heartbeat", "UNKNOWN_MEMBER_ID", {"topic": "orders"}, "names no topic"),
        ("Produce", "NOT_LEADER_OR_FOLLOWER", {"group": "g"}, "names no group"),
        ("Produce", "NOT_LEADER_OR_FOLLOWER", {"topics": "orders"}, "did you mean topic="),
        ("Produce", "NOT_LEADER_OR_FOLLOWER", {"until": 700}, "did you mean until_ms="),
        ("Metadata", "NONE", {}, "not an error"),
        ("OffsetFetch", "NOT_COORDINATOR", {"nth": 0}, "counts from 1"),
        ("Vote", "NOT_CONTROLLER", {}, "Vote is not served by any release here"),
        ("Produce", "NOT_LEADER_OR_FOLLOWER", {"version": 99}, "Produce has no version 99: it has 0 to"),
        (("Produce", "Fetch"), "NOT_LEADER_OR_FOLLOWER", {"version": (50, 60)}, r"no version \(50, 60\)"),
    ],
)
def test_a_rule_that_could_never_act_is_refused_at_once(
    kafka: FakeKafka, api: Any, error: str, match: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.faults.fail(api, error, **match)
    assert list(kafka.faults.rules) == []


def test_an_error_for_which_an_answer_has_no_room_is_refused(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer of every release so far has room, so one without is made up."""
    monkeypatch.setattr("fakekafka.faults.possible.carries_error", lambda shape, version: version > 3)
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", version=(3, 4))
    with pytest.raises(UsageError, match=r"no room for an error in this version; versions with room: 4, 5, .*: use"):
        kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", version=3)
    monkeypatch.setattr("fakekafka.faults.possible.carries_error", lambda shape, version: False)
    with pytest.raises(UsageError, match="Produce has no room for an error: use lose_answer, drop or delay"):
        kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
