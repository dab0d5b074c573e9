"""Settings that make clients react sooner: each is known to its library, differs from the default, and has a reason."""

from inspect import signature
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from confluent_kafka import Consumer, KafkaException, Producer
from fakekafka import FakeKafka
from fakekafka.client_configs import CLIENTS
from fakekafka.errors import UsageError
from fakekafka.impatience.quick_settings import ROLES, quick_settings
from kafka import KafkaConsumer, KafkaProducer


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("client", CLIENTS)
def test_every_setting_is_shorter_than_usual_and_says_why(client: str, role: Any) -> None:
    for each in quick_settings(client, role):
        assert each.value < each.usual
        assert each.why.endswith(".")


def defaults(client: Any) -> dict[str, Any]:
    return {name: each.default for name, each in signature(client.__init__).parameters.items()}


@pytest.mark.parametrize(
    ("client", "role", "known"),
    [
        ("kafka-python", "consumer", KafkaConsumer.DEFAULT_CONFIG),
        ("kafka-python", "producer", KafkaProducer.DEFAULT_CONFIG),
        ("aiokafka", "consumer", defaults(AIOKafkaConsumer)),
        ("aiokafka", "producer", defaults(AIOKafkaProducer)),
    ],
)
def test_the_usual_values_are_the_defaults_of_the_libraries(client: str, role: Any, known: dict[str, Any]) -> None:
    assert {each.name: each.usual for each in quick_settings(client, role)}.items() <= known.items()


def test_librdkafka_knows_its_settings() -> None:
    with FakeKafka() as kafka:
        Consumer({**kafka.client_config("confluent-kafka", quick=True), "group.id": "g"}).close()
        quick = kafka.client_config("confluent-kafka", quick="producer")
        Producer(quick).flush(0)
        with pytest.raises(KafkaException, match="No such configuration property"):
            Producer({**quick, "no.such.setting": 1})


def test_without_quick_no_setting_is_added() -> None:
    with FakeKafka() as kafka:
        assert kafka.client_config("java").keys() == {"bootstrap.servers"}
        assert kafka.client_config("java", quick="producer")["retry.backoff.ms"] == 20
        assert "heartbeat.interval.ms" not in kafka.client_config("java", quick="producer")
        assert kafka.client_config("spark", quick=True)["kafka.metadata.max.age.ms"] == 1_000


def test_another_role_is_a_usage_error() -> None:
    with FakeKafka() as kafka, pytest.raises(UsageError, match="quick='streams': True, which is for consumers"):
        kafka.client_config("java", quick="streams")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no client called 'sarama'"):
        quick_settings("sarama")
