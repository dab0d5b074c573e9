"""Subscriptions to clients' metrics (KIP-714): what clients are asked for, how often, and which pushes are refused."""

from typing import Any

import pytest
from fakekafka import ErrorCode, FakeKafka, ManualClock
from fakekafka.cluster.telemetry import EVERYTHING, LONGEST_INTERVAL_MS, RESERVED, Push, Subscription, Telemetry, labels

CLIENT = bytes(range(16))
NOW = 1_600_000_000_000


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("3.9", clock=ManualClock(NOW)).boot()


@pytest.fixture
def telemetry(kafka: FakeKafka) -> Telemetry:
    return kafka._running.cluster.brokers[0].telemetry


def subscribe(kafka: FakeKafka, name: str, **configs: str) -> None:
    overrides = {config.replace("_", "."): text for config, text in configs.items()}
    kafka._running.cluster.settings.client_metrics[name] = overrides


def asked(telemetry: Telemetry, client_id: str = "shop", now: int = NOW) -> Subscription:
    found = telemetry.get(CLIENT, labels(CLIENT, client_id, "127.0.0.1"), now)
    assert isinstance(found, Subscription)
    return found


def pushed(telemetry: Telemetry, now: int = NOW, **changes: Any) -> ErrorCode:
    push = Push(subscription_id=asked_id(telemetry), terminating=False, codec=0, size=10)._replace(**changes)
    return telemetry.push(CLIENT, labels(CLIENT, "shop", "127.0.0.1"), now, push)


def asked_id(telemetry: Telemetry) -> int:
    return telemetry._subscription(CLIENT, labels(CLIENT, "shop", "127.0.0.1")).id


def test_without_a_subscription_clients_push_no_metrics_and_rarely_ask_again(telemetry: Telemetry) -> None:
    found = asked(telemetry)
    assert (found.metrics, found.push_interval_ms) == ((), LONGEST_INTERVAL_MS)


def test_subscriptions_that_match_add_up_and_the_shortest_interval_counts(
    kafka: FakeKafka, telemetry: Telemetry
) -> None:
    subscribe(kafka, "one", metrics="a,b", interval_ms="1000", match="client_id=sh.*")
    subscribe(kafka, "two", metrics="b,c", interval_ms="500", match="client_source_address=127\\.0\\.0\\.1")
    subscribe(kafka, "other", metrics="d", interval_ms="100", match="client_id=bakery")
    found = asked(telemetry)
    assert (found.metrics, found.push_interval_ms) == (("a", "b", "c"), 500)


def test_a_star_subscribes_to_every_metric(kafka: FakeKafka, telemetry: Telemetry) -> None:
    subscribe(kafka, "one", metrics=f"a,{EVERYTHING}")
    assert asked(telemetry).metrics == (EVERYTHING,)


def test_asking_again_too_soon_is_throttled_unless_something_changed(kafka: FakeKafka, telemetry: Telemetry) -> None:
    subscribe(kafka, "one", metrics="a", interval_ms="1000")
    first = asked(telemetry)
    again = telemetry.get(CLIENT, labels(CLIENT, "shop", "127.0.0.1"), NOW + 999)
    assert again is ErrorCode.THROTTLING_QUOTA_EXCEEDED
    subscribe(kafka, "two", metrics="b")
    assert asked(telemetry, now=NOW + 999).id != first.id
    asked(telemetry, now=NOW + 2000)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({}, ErrorCode.NONE),
        ({"subscription_id": 1}, ErrorCode.UNKNOWN_SUBSCRIPTION_ID),
        ({"codec": 5}, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        ({"size": 1 << 20}, ErrorCode.NONE),
        ({"size": (1 << 20) + 1}, ErrorCode.TELEMETRY_TOO_LARGE),
    ],
)
def test_a_push_of_metrics_is_checked(telemetry: Telemetry, changes: dict[str, int], error: ErrorCode) -> None:
    assert pushed(telemetry, **changes) is error


def test_a_push_too_soon_is_throttled_unless_it_is_the_last(kafka: FakeKafka, telemetry: Telemetry) -> None:
    subscribe(kafka, "one", metrics="a", interval_ms="1000")
    assert pushed(telemetry) is ErrorCode.NONE
    assert pushed(telemetry, now=NOW + 999) is ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert pushed(telemetry, now=NOW + 999, terminating=True) is ErrorCode.NONE
    assert pushed(telemetry, now=NOW + 9999) is ErrorCode.INVALID_REQUEST


def test_reserved_client_instance_ids_are_refused(telemetry: Telemetry) -> None:
    for client in RESERVED:
        push = Push(subscription_id=0, terminating=False, codec=0, size=0)
        assert telemetry.push(client, {}, NOW, push) is ErrorCode.INVALID_REQUEST
    assert telemetry.new_id() not in RESERVED
