"""DescribeConfigs of several resources. Recorded from 1.1.1 to 4.3.1: odd_requests."""

from collections.abc import Mapping

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)

from tests.support.brokers import answer

GENERIC = (
    "This most likely occurs because of a request being malformed by the client library or the message was sent to an"
    " incompatible broker. See the broker logs for more details."
)


@pytest.mark.parametrize(
    ("release", "words", "kind"),
    [
        ("0.11.0", "Unexpected resource type UNKNOWN for resource x", 0),
        ("2.6", "Unexpected resource type UNKNOWN for resource x", 0),
        ("2.7", GENERIC, 127),
        ("4.3", GENERIC, 127),
    ],
)
def test_a_resource_of_an_unknown_type_fails_all_others(release: str, words: str, kind: int) -> None:
    asked = [
        DescribeConfigsResource(resource_type=number, resource_name=name, configuration_keys=None)
        for number, name in ((2, "t"), (127, "x"))
    ]
    version = 1 if release == "4.3" else 0
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    found = answer(kafka, DescribeConfigsRequest(resources=asked), version, DescribeConfigsResponse).results
    assert [(r.resource_type, r.resource_name, r.error_code, r.error_message, list(r.configs)) for r in found] == [
        (2, "t", 42, words, []),
        (kind, "x", 42, words, []),
    ]


@pytest.mark.parametrize(("release", "chapter"), [("2.6.0", "brokerconfigs"), ("2.6.1", "topicconfigs")])
def test_topics_have_the_documentation_of_the_brokers_configs_in_2_6_0(release: str, chapter: str) -> None:
    """KAFKA-10557. Recorded from 2.6.0 and 2.6.1: documentation_questions."""
    found = documentation(release, 2, "t")
    assert found["compression.type"] == f"https://kafka.apache.org/documentation/#{chapter}_compression.type"
    assert (found["retention.ms"] is None) == (release == "2.6.0")


def test_a_config_of_one_listener_has_no_documentation() -> None:
    """Recorded from 2.6.0 to 4.1.2: documentation_questions."""
    name = "listener.name.plaintext.ssl.keystore.type"
    found = documentation("2.6.1", 4, "0", {name: "PKCS12"})
    assert found[name] is None
    assert found["broker.id"] == "https://kafka.apache.org/documentation/#brokerconfigs_broker.id"


def documentation(release: str, kind: int, name: str, config: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """The documentation of each config of a resource."""
    asked = DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=None)
    kafka = FakeKafka(release, topics={"t": 1}, config=config).boot()
    request = DescribeConfigsRequest(resources=[asked], include_documentation=True)
    (found,) = answer(kafka, request, 3, DescribeConfigsResponse).results
    return {config.name: config.documentation for config in found.configs}


@pytest.mark.filterwarnings("ignore:Kafka 2.8.2 ignores")
def test_a_property_that_the_release_does_not_know_is_shown_as_a_secret() -> None:
    """Asked of 2.8.2 and 3.0.2."""
    name = "log.message.timestamp.before.max.ms"
    kafka = FakeKafka("2.8.2", config={name: "7200000"}).boot()
    asked = DescribeConfigsResource(resource_type=4, resource_name="0", configuration_keys=[name])
    request = DescribeConfigsRequest(resources=[asked], include_synonyms=True)
    ((shown,),) = [row.configs for row in answer(kafka, request, 4, DescribeConfigsResponse).results]
    assert (shown.value, shown.is_sensitive, shown.config_source, shown.config_type) == (None, True, 4, 0)
    assert [(synonym.value, synonym.source) for synonym in shown.synonyms] == [(None, 4)]
