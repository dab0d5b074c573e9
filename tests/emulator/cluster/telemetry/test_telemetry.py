"""Client telemetry of a broker: what clients are told, and which pushes are refused."""

from typing import Any

import pytest
from fakekafka import ErrorCode, FakeKafka, ManualClock
from fakekafka.cluster.telemetry.pushed import Push
from fakekafka.cluster.telemetry.telemetry import RESERVED, Telemetry
from fakekafka.cluster.telemetry.wanted import Client, Wanted
from fakekafka.pieces import finished
from fakekafka.records.compression import CODEC_NAMES, compress
from fakekafka.state.client_software import UNNAMED

NOW = 1_600_000_000_000
SHOP = Client(bytes(range(16)), "shop", UNNAMED, "127.0.0.1", 40_000, 1)
METRICS = b"metrics" * 30


def booted(release: str = "3.9", **options: Any) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(NOW), **options).boot()


@pytest.fixture
def kafka() -> FakeKafka:
    kafka = booted(telemetry=True)
    kafka.subscribe_to_metrics(["a"], interval_ms=1000)
    return kafka


@pytest.fixture
def telemetry(kafka: FakeKafka) -> Telemetry:
    return telemetry_of(kafka)


def telemetry_of(kafka: FakeKafka) -> Telemetry:
    return kafka._running.cluster.brokers[0].telemetry


def asked(telemetry: Telemetry, now: int = NOW, client: Client = SHOP) -> Wanted:
    found = telemetry.get(client, now)
    assert isinstance(found, Wanted)
    return found


def pushed(telemetry: Telemetry, now: int, subscription_id: int, **changes: Any) -> ErrorCode:
    push = Push(subscription_id, False, 0, METRICS)._replace(**changes)
    return finished(telemetry.push(SHOP, now, push))


def test_asking_again_too_soon_is_throttled_unless_a_subscription_has_changed(
    kafka: FakeKafka, telemetry: Telemetry
) -> None:
    first = asked(telemetry)
    assert telemetry.get(SHOP, NOW + 999) is ErrorCode.THROTTLING_QUOTA_EXCEEDED
    kafka.subscribe_to_metrics(["b"], name="two")
    assert asked(telemetry, NOW + 999).subscription_id != first.subscription_id


def test_setting_a_subscription_to_what_it_is_changes_nothing(kafka: FakeKafka, telemetry: Telemetry) -> None:
    """Recorded at 4.1.2: random_telemetry."""
    asked(telemetry)
    kafka.subscribe_to_metrics(["a"], interval_ms=1000)
    kafka.unsubscribe_from_metrics("unknown")
    assert telemetry.get(SHOP, NOW) is ErrorCode.THROTTLING_QUOTA_EXCEEDED


def test_a_client_is_matched_as_its_first_request_showed_it(kafka: FakeKafka, telemetry: Telemetry) -> None:
    asked(telemetry)
    kafka.subscribe_to_metrics(["late"], name="late", match={"client_id": "renamed"})
    assert asked(telemetry, client=SHOP._replace(client_id="renamed")).metrics == ("a",)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({}, ErrorCode.NONE),
        ({"metrics": b""}, ErrorCode.NONE),
        ({"subscription_id": 1}, ErrorCode.UNKNOWN_SUBSCRIPTION_ID),
        ({"codec": 5}, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        ({"codec": -1}, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        ({"codec": 1}, ErrorCode.INVALID_RECORD),
        ({"metrics": bytes(1 << 20)}, ErrorCode.NONE),
        ({"metrics": bytes((1 << 20) + 1)}, ErrorCode.TELEMETRY_TOO_LARGE),
    ],
)
def test_a_push_of_metrics_is_checked(telemetry: Telemetry, changes: dict[str, Any], error: ErrorCode) -> None:
    assert pushed(telemetry, NOW, **{"subscription_id": asked(telemetry).subscription_id} | changes) is error


@pytest.mark.parametrize(("release", "error"), [("3.7", ErrorCode.NONE), ("3.8", ErrorCode.INVALID_RECORD)])
def test_metrics_that_nobody_receives_are_read_since_3_8(release: str, error: ErrorCode) -> None:
    """Recorded from 3.7.2 to 3.8.0: random_telemetry."""
    telemetry = telemetry_of(booted(release))
    assert pushed(telemetry, NOW, asked(telemetry).subscription_id, codec=1) is error


@pytest.mark.parametrize("codec", range(5), ids=CODEC_NAMES)
def test_metrics_are_kept_as_they_were_before_compression(kafka: FakeKafka, telemetry: Telemetry, codec: int) -> None:
    assert pushed(telemetry, NOW, asked(telemetry).subscription_id, codec=codec, metrics=compress(codec, METRICS)) == 0
    [kept] = kafka.pushed_metrics()
    assert (kept.data, kept.client_id, kept.client_instance_id) == (METRICS, "shop", "AAECAwQFBgcICQoLDA0ODw")


def test_what_several_brokers_were_sent_is_shown_by_time() -> None:
    kafka = booted(telemetry=True, brokers=2)
    for now, node_id in ((NOW + 2, 0), (NOW + 1, 1), (NOW, 0)):
        telemetry = kafka._running.cluster.brokers[node_id].telemetry
        client = SHOP._replace(instance_id=now.to_bytes(16, "big"))
        push = Push(asked(telemetry, now, client).subscription_id, False, 0, METRICS)
        assert finished(telemetry.push(client, now, push)) is ErrorCode.NONE
    assert [(each.at, each.broker) for each in kafka.pushed_metrics()] == [(NOW, 0), (NOW + 1, 1), (NOW + 2, 0)]


def test_a_push_too_soon_is_throttled_unless_it_is_the_last_after_which_there_is_none(telemetry: Telemetry) -> None:
    id = asked(telemetry).subscription_id
    assert pushed(telemetry, NOW, id) is ErrorCode.NONE
    assert pushed(telemetry, NOW + 999, id) is ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert pushed(telemetry, NOW + 999, id, is_terminating=True) is ErrorCode.NONE
    assert pushed(telemetry, NOW + 9999, id) is ErrorCode.INVALID_REQUEST
    assert pushed(telemetry, NOW + 9999, id) is ErrorCode.NONE


def test_reserved_client_instance_ids_are_refused(telemetry: Telemetry) -> None:
    for id in RESERVED:
        push = Push(0, False, 0, b"")
        assert finished(telemetry.push(SHOP._replace(instance_id=id), NOW, push)) is ErrorCode.INVALID_REQUEST
    assert telemetry.new_id() not in RESERVED


def test_metrics_that_grow_when_they_are_decompressed_are_read_in_many_steps(telemetry: Telemetry) -> None:
    bomb = Push(asked(telemetry).subscription_id, False, 4, compress(4, bytes(1 << 26)))
    steps = list(telemetry.push(SHOP, NOW, bomb))
    assert len(steps) >= 8
