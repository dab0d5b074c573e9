"""Properties of plug-ins: which are accepted, and how they are shown."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.releases.configs.plugins import PLUGIN_PROPERTIES, of_listener, plugin_property
from fakekafka.releases.release import Release
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)

from tests.support.brokers import answer

GIVEN = {
    "super.users": "User:admin",
    "allow.everyone.if.no.acl.found": "true",
    "listener.name.internal.ssl.keystore.location": "/x",
    "listener.name.internal.ssl.keystore.password": "secret",
}


def described(kafka: FakeKafka) -> dict[str, DescribeConfigsResourceResult]:
    """How the given properties are shown."""
    asked = DescribeConfigsResource(resource_type=4, resource_name="0", configuration_keys=None)
    result: DescribeConfigsResult = answer(
        kafka, DescribeConfigsRequest(resources=[asked], include_synonyms=True), 1, DescribeConfigsResponse
    ).results[0]
    return {config.name: config for config in result.configs if config.name in GIVEN}


@pytest.mark.parametrize("release", ["1.1", "2.3", "3.9", "4.1"])
def test_properties_of_plugins_are_accepted_and_shown_as_secrets(release: str) -> None:
    """Asked of 1.1.1, 2.3.1, 3.9.1 and 4.1.1."""
    kafka = FakeKafka(release, config=GIVEN).boot()
    found, read_only = described(kafka), release not in ("1.1", "2.3")
    assert {name: (c.value, c.is_sensitive, c.read_only, c.config_source) for name, c in found.items()} == {
        "super.users": (None, True, True, 4),
        "allow.everyone.if.no.acl.found": (None, True, True, 4),
        "listener.name.internal.ssl.keystore.location": ("/x", False, read_only, 4),
        "listener.name.internal.ssl.keystore.password": (None, True, read_only, 4),
    }
    location = found["listener.name.internal.ssl.keystore.location"].synonyms
    assert [(one.name, one.value, one.source) for one in location] == [
        ("listener.name.internal.ssl.keystore.location", "/x", 4)
    ]
    kafka.stop()


@pytest.mark.parametrize("release", ["0.9.0", "0.11.0", "1.0", "2.3", "3.9", "4.1"])
def test_brokers_of_every_release_with_authorizers_start_with_them(release: str) -> None:
    with FakeKafka(release, config={"super.users": "User:admin"}) as kafka:
        assert kafka.is_running


def test_a_plugin_property_that_nothing_reads_yet_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no config 'super\.users'"):
        FakeKafka("0.8.2", config={"super.users": "User:admin"})
    with pytest.raises(UsageError, match=r"no config 'super\.user'"):
        FakeKafka("2.3", config={"super.user": "User:admin"})


def test_plugin_properties_are_known_by_name_or_prefix() -> None:
    release = Release.parse("3.9")
    for known in PLUGIN_PROPERTIES:
        name = known.name + "x" if known.name.endswith(".") else known.name
        assert plugin_property(name, release) is not None
        assert plugin_property("x" + name, release) is None
    assert plugin_property("authorizer.zookeeper.url", Release.parse("4.0")) is None


def test_a_config_of_one_listener_is_recognised_by_its_prefix() -> None:
    assert of_listener("listener.name.internal.ssl.keystore.type") == "ssl.keystore.type"
    assert of_listener("listener.name.internal") is None
    assert of_listener("ssl.keystore.type") is None
