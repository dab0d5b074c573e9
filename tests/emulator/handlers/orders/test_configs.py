"""Resources and their configs, in the order of the release's maps."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_configs import AlterConfigsRequest, AlterConfigsResource, AlterConfigsResponse
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)
from fakekafka.wire.apis.list_config_resources import ListConfigResourcesRequest, ListConfigResourcesResponse

from tests.support.brokers import answer

TOPIC, BROKER = 2, 4


@pytest.mark.parametrize(
    ("release", "pair"),
    [
        ("2.3", ["min.insync.replicas", "message.downconversion.enable"]),
        ("2.4", ["message.downconversion.enable", "min.insync.replicas"]),
    ],
)
def test_configs_in_one_bucket_are_listed_by_hash_code_since_scala_2_13(release: str, pair: list[str]) -> None:
    """Recorded from 2.3.1 to 2.4.1: describe_configs."""
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    asked = [DescribeConfigsResource(resource_type=TOPIC, resource_name="t", configuration_keys=None)]
    (found,) = answer(kafka, DescribeConfigsRequest(resources=asked), 1, DescribeConfigsResponse).results
    assert [config.name for config in found.configs if config.name in pair] == pair


def test_altered_resources_are_listed_as_they_were_asked_for() -> None:
    """Recorded from 3.2.3 to 4.3.1: acls."""
    kafka = FakeKafka("3.9", topics={"t": 1}).boot()
    asked = [
        AlterConfigsResource(resource_type=kind, resource_name=name, configs=[])
        for kind, name in ((TOPIC, "t"), (TOPIC, "other"), (TOPIC, "nope"), (BROKER, "0"))
    ]
    done = answer(kafka, AlterConfigsRequest(resources=asked, validate_only=True), 1, AlterConfigsResponse)
    assert [row.resource_name for row in done.responses] == ["t", "other", "nope", "0"]


def test_listed_topics_are_in_the_order_of_their_hash_codes() -> None:
    """Recorded from 4.1.1: acls."""
    names = ["t", "other", "__transaction_state", "__consumer_offsets"]
    kafka = FakeKafka("4.1", topics=dict.fromkeys(names, 1)).boot()
    asked = ListConfigResourcesRequest(resource_types=[TOPIC])
    found = answer(kafka, asked, 1, ListConfigResourcesResponse).config_resources
    assert [row.resource_name for row in found] == ["__consumer_offsets", "__transaction_state", "t", "other"]
