"""What clients are given: enough to talk to the release, and nothing that they can find out themselves."""

import logging
import warnings

import pytest
from fakekafka import Release
from fakekafka.client_configs import CLIENTS, Client, client_config
from fakekafka.errors import UsageError

SERVERS = "127.0.0.1:9092"


@pytest.mark.parametrize("client", CLIENTS)
def test_releases_that_negotiate_need_the_address_only(client: Client) -> None:
    for release in ("0.10.0", "4.3"):
        assert list(client_config(client, SERVERS, Release.parse(release)).values()) == [SERVERS]


@pytest.mark.parametrize("release", ["0.8.0", "0.8.1", "0.8.2", "0.9.0"])
def test_kafka_python_is_given_old_releases_by_the_names_it_knows(
    release: str, caplog: pytest.LogCaptureFixture
) -> None:
    version = client_config("kafka-python", SERVERS, Release.parse(release))["api_version"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # kafka-python reads its resources in a deprecated way
        from kafka.protocol.broker_version_data import BrokerVersionData

    with caplog.at_level(logging.WARNING):
        assert BrokerVersionData(version).broker_version == version
    assert not caplog.records


def test_librdkafka_is_given_an_old_release_and_a_session_that_it_grants() -> None:
    assert client_config("confluent-kafka", SERVERS, Release.parse("0.9.0")) == {
        "bootstrap.servers": SERVERS,
        "api.version.request": False,
        "broker.version.fallback": "0.9.0.1",
        "session.timeout.ms": 30_000,
    }


def test_an_unknown_client_is_a_usage_error_that_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="one of kafka-python, confluent-kafka"):
        client_config("sarama", SERVERS, Release.parse("2.3"))  # type: ignore[arg-type]
