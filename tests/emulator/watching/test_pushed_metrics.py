"""The metrics that real clients push."""

import pytest
from confluent_kafka import Consumer, Producer
from fakekafka import FakeKafka, UsageError

RELEASES = ("3.7", "3.9", "4.0", "4.3")


@pytest.mark.parametrize("release", RELEASES)
def test_librdkafka_pushes_what_the_test_asks_for(release: str) -> None:
    with FakeKafka(release, telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(["org.apache.kafka.producer.connection"], interval_ms=100)
        producer = Producer(kafka.client_config("confluent-kafka") | {"client.id": "shop"})
        producer.produce("orders", b"two apples")
        producer.flush(10)
        kafka.wait_for_request("PushTelemetry", answered=True)
        [first, *_] = kafka.pushed_metrics()
        assert (first.client_id, first.software.name, first.is_terminating) == ("shop", "confluent-kafka-python", False)
        assert {point.name for point in first.points()} == {
            "org.apache.kafka.producer.connection.creation.rate",
            "org.apache.kafka.producer.connection.creation.total",
        }


def test_a_client_that_closes_pushes_its_last_metrics() -> None:
    with FakeKafka("3.9", telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(interval_ms=60_000)
        consumer = Consumer(kafka.client_config("confluent-kafka") | {"group.id": "g"})
        consumer.subscribe(["orders"])
        consumer.poll(0.1)
        kafka.wait_for_request("GetTelemetrySubscriptions")
        consumer.close()
        kafka.wait_for_request("PushTelemetry", answered=True)
        assert [each.is_terminating for each in kafka.pushed_metrics()] == [True]


def test_a_client_of_which_nothing_is_wanted_pushes_nothing() -> None:
    with FakeKafka("3.9", telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(interval_ms=100, match={"client_id": "other"})
        producer = Producer(kafka.client_config("confluent-kafka") | {"client.id": "shop"})
        producer.produce("orders", b"two apples")
        producer.flush(10)
        kafka.wait_for_request("GetTelemetrySubscriptions")
        del producer  # which would push its last metrics
        assert kafka.pushed_metrics() == []


def test_clients_see_no_telemetry_where_the_test_has_not_asked_for_it() -> None:
    with FakeKafka("3.9", topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(interval_ms=100)
        producer = Producer(kafka.client_config("confluent-kafka"))
        producer.produce("orders", b"two apples")
        producer.flush(10)
        assert "GetTelemetrySubscriptions" not in kafka.versions_used
        with pytest.raises(UsageError, match=r"FakeKafka\(telemetry=True\)"):
            kafka.pushed_metrics()


@pytest.mark.parametrize(("release", "config"), [("3.6", {}), ("3.9", {"zookeeper.connect": "somewhere"})])
def test_a_release_or_a_mode_without_telemetry_is_refused(release: str, config: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=r"receive metrics from 3\.7 on in KRaft mode"):
        FakeKafka(release, config=config, telemetry=True)


@pytest.mark.parametrize(("release", "config"), [("3.6", {}), ("3.9", {"zookeeper.connect": "somewhere"})])
def test_a_subscription_that_no_client_would_hear_of_is_refused(release: str, config: dict[str, str]) -> None:
    kafka = FakeKafka(release, config=config).boot()
    with pytest.raises(UsageError, match=r"clients push metrics from 3\.7 on in KRaft mode"):
        kafka.subscribe_to_metrics()


def test_a_subscription_that_a_broker_refuses_is_refused_in_its_words() -> None:
    with FakeKafka("3.9", telemetry=True) as kafka:
        with pytest.raises(UsageError, match="interval must be between 100 and 3600000"):
            kafka.subscribe_to_metrics(interval_ms=99)
        with pytest.raises(UsageError, match="Illegal client matching pattern: name=x"):
            kafka.subscribe_to_metrics(match={"name": "x"})
