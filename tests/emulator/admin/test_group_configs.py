"""Configs of groups, as DescribeConfigs shows them."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)

from tests.support.brokers import answer

NAME = "consumer.session.timeout.ms"
GROUP = 32


@pytest.mark.parametrize(
    ("release", "synonyms"),
    [
        ("4.0.1", [(NAME, "46000", 5)]),
        ("4.2.1", [(NAME, "46000", 5)]),
        ("4.3.0", [(f"group.{NAME}", "46000", 4), (f"group.{NAME}", "45000", 5)]),
    ],
)
def test_broker_settings_are_defaults_of_groups_up_to_4_2(release: str, synonyms: list[tuple[str, str, int]]) -> None:
    """Asked of 4.0.1, 4.2.1, 4.3.0 and 4.3.1."""
    asked = DescribeConfigsResource(resource_type=GROUP, resource_name="g", configuration_keys=[NAME])
    request = DescribeConfigsRequest(resources=[asked], include_synonyms=True)
    with FakeKafka(release, config={f"group.{NAME}": "46000"}).boot() as kafka:
        found = answer(kafka, request, 4, DescribeConfigsResponse)
    (shown,) = found.results[0].configs
    assert (shown.value, shown.config_source) == ("46000", synonyms[0][2])
    assert [(s.name, s.value, s.source) for s in shown.synonyms] == synonyms
