"""The config tables against those of real releases."""

from itertools import chain

import pytest
from fakekafka.releases.configs import BROKER_MODULES, broker_configs, lines
from fakekafka.releases.configs.definition import Config, parse_value
from fakekafka.releases.configs.values import InvalidConfig, render
from fakekafka.releases.dated import check
from fakekafka.releases.release import Release, starting

from tests.emulator.releases.configs.facts import Case, readings, table, tables

ELSEWHERE = {
    "kafka.metrics.reporters",
    "kafka.metrics.polling.interval.secs",
    "leader.replication.throttled.rate",
    "follower.replication.throttled.rate",
    "replica.alter.log.dirs.io.max.bytes.per.second",
}
"""Read in KafkaMetricsConfig.scala and DynamicConfig.scala: KafkaConfig does not list these configs."""


@pytest.mark.parametrize("case", tables(), ids=" ".join)
def test_a_release_has_the_configs_that_it_really_has(case: Case) -> None:
    assert set(table(*case)) - ELSEWHERE == set(tables()[case]) - ELSEWHERE


@pytest.mark.parametrize("case", tables(), ids=" ".join)
def test_a_config_is_what_it_really_is(case: Case) -> None:
    ours = table(*case)
    for name, fact in tables()[case].items():
        found = ours[name]
        assert (name, found.kind.name, found.default, found.mode) == (name, fact.kind, fact.default, fact.mode)
        assert name in ELSEWHERE or found.hidden == fact.internal


@pytest.mark.parametrize("case", readings(), ids=" ".join)
def test_a_text_is_read_as_the_release_reads_it(case: Case) -> None:
    ours = table(*case)
    for name, rows in readings()[case].items():
        for reading in rows:
            try:
                got = (True, render(parse_value(ours[name], reading.text)))
            except InvalidConfig as refusal:
                got = (False, str(refusal))
            assert (name, reading.text, *got) == (name, reading.text, reading.taken, reading.says)


@pytest.mark.parametrize("case", tables(), ids=" ".join)
def test_a_default_is_a_value_that_is_accepted(case: Case) -> None:
    for found in table(*case).values():
        if found.default is not None:
            assert parse_value(found, found.default) is not None


def every_line() -> list[Config]:
    modules = (*BROKER_MODULES, "topics", "group_resources", "client_metrics")
    return list(chain.from_iterable(lines(module) for module in modules))


@pytest.mark.parametrize("line", every_line(), ids=lambda line: line.name)
def test_a_line_dates_its_changes_correctly(line: Config) -> None:
    since = next(iter(line.defaults))
    for dated in (line.kinds, line.validators, line.modes, line.hidden, line.defaults):
        if dated:
            check(dated)
            assert starting(next(iter(dated))) >= starting(since)


def test_a_broker_config_has_one_line() -> None:
    names = [line.name for module in BROKER_MODULES for line in lines(module)]
    assert len(names) == len(set(names))


def test_the_provisional_release_has_the_table_of_the_one_before() -> None:
    before, ahead = (broker_configs(Release.parse(line)) for line in ("4.3", "4.4"))
    assert dict(before) == dict(ahead)
