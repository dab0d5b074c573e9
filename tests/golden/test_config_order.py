"""Brokers list configs in the order of a HashMap of Java or Scala: in recordings, and here."""

import pytest
from fakekafka import FakeKafka
from fakekafka.jvm.chains import texts_through
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)
from fakekafka.wire.frames import read_response

from tests.golden.transcript import Exchange, load, names
from tests.support.brokers import answer

TOPIC, BROKER = 2, 4
RECORDINGS = [name for name in names() if "-describe_configs" in name]


def listed(response: DescribeConfigsResponse) -> list[list[str]]:
    return [[config.name for config in result.configs] for result in response.results]


def recorded(name: str) -> list[list[str]]:
    """The names of configs in each list of a recording."""
    exchanges = [line for line in load(name).lines if isinstance(line, Exchange)]
    answers = [
        read_response(DescribeConfigsResponse, each.answer_version, each.outcome)[1]
        for each in exchanges
        if each.api_key == DescribeConfigsRequest.KEY and isinstance(each.outcome, bytes) and each.decodable
    ]
    return [configs for response in answers for configs in listed(response)]


def ordered(configs: list[str], release: str) -> list[str]:
    """The configs in the order in which the release's map of just these lists them. In a HashMap of Java, those that
    share a bucket keep their order.
    """
    return texts_through(profile(Release.parse(release)).admin_orders.configs[-1:], configs)


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_real_broker_lists_configs_in_the_order_of_a_map(name: str) -> None:
    lists = recorded(name)
    assert max(map(len, lists)) > 20
    rules = profile(Release.parse(name.partition("-")[0])).describe_configs
    all_of_a_topic = 20
    shown = [configs for configs in lists if rules.order == "of their map" or len(configs) > all_of_a_topic]
    assert [configs for configs in shown if ordered(configs, name.partition("-")[0]) != configs] == []


@pytest.mark.parametrize("release", ["0.11.0", "2.4", "2.8", "3.9", "4.3"])
def test_our_broker_lists_configs_in_the_order_of_a_map(release: str) -> None:
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    wanted = [
        DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=None)
        for kind, name in ((TOPIC, "t"), (BROKER, "0"))
    ]
    version = 0 if release == "0.11.0" else 1
    found = answer(kafka, DescribeConfigsRequest(resources=wanted), version, DescribeConfigsResponse)
    topic, broker = listed(found)
    assert ordered(topic, release) == topic
    assert ordered(broker, release) == broker
    assert len(broker) > 100


def test_configs_that_are_asked_for_by_name_come_in_a_fixed_order() -> None:
    """Recorded from 2.4.1: the order of the request does not matter."""
    kafka = FakeKafka("2.4", topics={"t": 1}).boot()
    for asked in (["retention.ms", "compression.type"], ["compression.type", "retention.ms"]):
        one = DescribeConfigsResource(resource_type=TOPIC, resource_name="t", configuration_keys=asked)
        found = answer(kafka, DescribeConfigsRequest(resources=[one]), 1, DescribeConfigsResponse)
        assert listed(found) == [["compression.type", "retention.ms"]]
