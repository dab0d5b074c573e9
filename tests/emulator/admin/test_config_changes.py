"""IncrementalAlterConfigs of lists, of configs that only requests set, and of secrets. Recorded from 2.3.0 to 4.1.1:
list_questions.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)

from tests.support.brokers import answer

SET, DELETE, APPEND, UNKNOWN = 0, 1, 2, 4
TOPIC, BROKER, LOGGER = 2, 4, 8
THROTTLE = "leader.replication.throttled.rate"
REPLICAS = "leader.replication.throttled.replicas"
NO_SECRET = (
    "Invalid config value for resource ConfigResource(type=BROKER, name='0'): Password encoder secret not configured"
)
EXISTING = "Configs cannot be updated dynamically for existing listener ListenerName(PLAINTEXT)"
NO_LIST = (
    'Cannot invoke "String.split(String)" because the return value of "java.util.Properties.getProperty(String)" is'
    " null"
)


def alter(
    kafka: FakeKafka, name: str, value: str | None, operation: int = SET, *, kind: int = BROKER, of: str = "0"
) -> tuple[int, str]:
    """The error of the only resource, and what is said about it."""
    configs = [AlterableConfig(name=name, config_operation=operation, value=value)]
    resource = AlterConfigsResource(resource_type=kind, resource_name=of, configs=configs)
    request = IncrementalAlterConfigsRequest(resources=[resource])
    (found,) = answer(kafka, request, 0, IncrementalAlterConfigsResponse).responses
    return found.error_code, found.error_message or ""


@pytest.mark.parametrize("release", ["2.8", "4.1"])
def test_ciphers_and_protocols_of_tls_may_change_without_the_name_of_a_listener(release: str) -> None:
    kafka = FakeKafka(release).boot()
    assert alter(kafka, "ssl.cipher.suites", "TLS_X", APPEND) == (0, "")
    assert "broker id must be specified: Set(ssl.cipher.suites)" in alter(kafka, "ssl.cipher.suites", "TLS_X", of="")[1]
    assert "only per-listener using the listener prefix" in alter(kafka, "ssl.keystore.type", "JKS")[1]


@pytest.mark.parametrize(("release", "code"), [("2.8", -1), ("4.1", -1), ("4.3", 40)])
def test_a_throttle_may_be_set_for_all_brokers_and_nothing_appended_to_it(release: str, code: int) -> None:
    kafka = FakeKafka(release).boot()
    assert alter(kafka, THROTTLE, "5", of="") == (0, "")
    assert alter(kafka, THROTTLE, "5", APPEND)[0] == code


@pytest.mark.parametrize(
    ("release", "config", "refusal"),
    [
        ("2.8", {}, (42, NO_SECRET)),
        ("3.9", {"zookeeper.connect": "localhost:2181"}, (40, NO_SECRET)),
        ("2.8", {"password.encoder.secret": "x"}, (0, "")),
        ("4.1", {}, (0, "")),
    ],
)
def test_zookeeper_keeps_only_passwords_that_a_broker_can_encrypt(
    release: str, config: dict[str, str], refusal: tuple[int, str]
) -> None:
    kafka = FakeKafka(release, config=config).boot()
    assert alter(kafka, "listener.name.plaintext.sasl.jaas.config", "x") == refusal


@pytest.mark.parametrize(("release", "code"), [("2.3", 0), ("2.7", 0), ("2.8", 42), ("4.1", 40)])
def test_replicas_may_follow_a_star_up_to_2_7(release: str, code: int) -> None:
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    assert alter(kafka, REPLICAS, "*,0:1", kind=TOPIC, of="t")[0] == code


@pytest.mark.parametrize(
    ("name", "value", "code", "words"),
    [
        ("cleanup.policy", None, -1, NO_LIST),
        ("retention.ms", None, 42, "Config value append is not allowed for config key: retention.ms"),
        ("retention.ms", "1", 42, "Config value append is not allowed for config key: retention.ms"),
    ],
)
def test_up_to_2_5_the_list_is_looked_at_before_what_is_added_to_it(
    name: str, value: str | None, code: int, words: str
) -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}).boot()
    assert alter(kafka, name, value, APPEND, kind=TOPIC, of="t") == (code, words)


@pytest.mark.parametrize(
    ("release", "refusal"),
    [
        ("3.1", (-1, "")),
        ("3.4", (42, "Unknown operation type 4 is not allowed for the BROKER_LOGGER resource")),
        ("3.7", (-1, "")),
    ],
)
def test_an_unknown_operation_on_a_logger_is_named_from_3_2_to_3_6(release: str, refusal: tuple[int, str]) -> None:
    assert alter(FakeKafka(release).boot(), "kafka", "INFO", UNKNOWN, kind=LOGGER) == refusal


@pytest.mark.parametrize(("release", "code"), [("2.6", 0), ("2.7", 42), ("3.2", 42), ("4.1", 42)])
def test_listeners_stay_as_they_are_while_one_waits_for_a_restart(release: str, code: int) -> None:
    """Recorded from 2.6.3 to 4.1.1: listener_questions."""
    kafka = FakeKafka(release).boot()
    assert alter(kafka, "listener.name.plaintext.nope", "5") == (0, "")
    refused, words = alter(kafka, "ssl.cipher.suites", "TLS_X")
    assert (refused, EXISTING in words) == (code, code == 42)
    assert alter(kafka, "listener.name.plaintext.nope", None, DELETE) == (0, "")
    assert alter(kafka, "ssl.cipher.suites", "TLS_X") == (0, "")


@pytest.mark.parametrize(("release", "code"), [("3.1", 0), ("3.2.0", 42), ("3.2.1", 42), ("3.2.2", 0)])
def test_kraft_3_2_1_has_listeners_that_do_not_change(release: str, code: int) -> None:
    kafka = FakeKafka(release, config={"process.roles": "broker,controller"}).boot()
    refused, words = alter(kafka, "ssl.cipher.suites", "TLS_X")
    assert (refused, "not yet supported" in words) == (code, code == 42)


def test_a_config_of_a_listener_is_shown_with_the_type_of_that_of_all_listeners() -> None:
    kafka = FakeKafka("4.1").boot()
    alter(kafka, "listener.name.plaintext.ssl.keystore.location", "/no/such/file")
    alter(kafka, "listener.name.plaintext.nope", "5")
    asked = DescribeConfigsResource(resource_type=BROKER, resource_name="0", configuration_keys=None)
    (found,) = answer(kafka, DescribeConfigsRequest(resources=[asked]), 4, DescribeConfigsResponse).results
    shown = {each.name: (each.value, each.is_sensitive, each.config_type) for each in found.configs}
    assert shown["listener.name.plaintext.ssl.keystore.location"] == ("/no/such/file", False, 2)
    assert shown["listener.name.plaintext.nope"] == (None, True, 0)


@pytest.mark.parametrize(("release", "is_shown"), [("3.1", False), ("3.2.1", False), ("3.2.2", True)])
def test_brokers_of_kraft_up_to_3_2_1_ignore_passwords(release: str, is_shown: bool) -> None:
    kafka = FakeKafka(release, config={"process.roles": "broker,controller"}).boot()
    name = "listener.name.plaintext.plain.sasl.jaas.config"
    assert alter(kafka, name, "x") == (0, "")
    asked = DescribeConfigsResource(resource_type=BROKER, resource_name="0", configuration_keys=None)
    (found,) = answer(kafka, DescribeConfigsRequest(resources=[asked]), 4, DescribeConfigsResponse).results
    assert (name in {each.name for each in found.configs}) is is_shown
