"""The config tables against the DescribeConfigs answers of real brokers that run with their defaults."""

from collections.abc import Iterator

import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.configs import broker_configs, group_configs, topic_configs
from fakekafka.releases.configs.definition import ConfigTable
from fakekafka.releases.configs.synonyms import BROKER_NAME, broker_synonyms
from fakekafka.releases.release import Release, starting
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)

from tests.emulator.releases.recorded import answers, exchanges, scenario

TOPIC, BROKER, GROUP = 2, 4, 32
DEFAULT = 5
TABLES = {TOPIC: topic_configs, BROKER: broker_configs, GROUP: group_configs}
recorded = pytest.mark.parametrize("name", scenario("describe_configs--defaults"))


def described(name: str) -> Iterator[tuple[Release, ConfigTable, DescribeConfigsResult]]:
    """The release, its table and what it says about each resource."""
    recording, lines = exchanges(name)
    release = Release.parse(recording.release)
    for answer in answers(lines, ApiKey.DESCRIBE_CONFIGS, DescribeConfigsResponse):
        for result in answer.results:
            if result.error_code == 0 and result.resource_type in TABLES:
                yield release, TABLES[result.resource_type](release), result


def is_default(config: DescribeConfigsResourceResult) -> bool:
    return config.is_default or config.config_source == DEFAULT


@recorded
def test_a_broker_lists_the_configs_of_its_table(name: str) -> None:
    kinds = set()
    for _, table, result in described(name):
        kinds.add(result.resource_type)
        assert {config.name for config in result.configs} == {config.name for config in table.shown()}
    assert kinds >= {TOPIC, BROKER}


@recorded
def test_a_default_is_shown_as_the_table_has_it(name: str) -> None:
    for _, table, result in described(name):
        shown = {config.name: config.value for config in result.configs if is_default(config)}
        assert shown == {name: None if table[name].sensitive else table[name].default for name in shown}
        assert len(shown) > len(table.shown()) * 0.8


@recorded
def test_types_and_flags_are_shown_as_the_table_has_them(name: str) -> None:
    for _, table, result in described(name):
        for config in result.configs:
            ours = table[config.name]
            assert config.config_type in (0, ours.kind)
            assert (config.name, config.is_sensitive) == (ours.name, ours.sensitive)
            if result.resource_type == BROKER:
                assert (config.name, config.read_only) == (ours.name, ours.shown_read_only)
            else:
                assert not config.read_only


@recorded
def test_synonyms_are_the_names_that_have_a_value(name: str) -> None:
    for release, _, result in described(name):
        broker = broker_configs(release)
        for config in result.configs:
            if release < starting("1.1") or result.resource_type == GROUP or not is_default(config):
                continue
            behind = BROKER_NAME.get(config.name) if result.resource_type == TOPIC else config.name
            is_set = behind is not None and broker[behind].default is not None
            chain = [name for name in broker_synonyms(behind or "") if is_set and broker[name].default is not None]
            assert [synonym.name for synonym in config.synonyms] == chain
