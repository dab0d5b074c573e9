import pytest
from fakekafka.releases.configs import (
    broker_configs,
    client_metrics_configs,
    group_configs,
    topic_configs,
    unknown_config,
)
from fakekafka.releases.configs.definition import ConfigDef, ConfigTable, parse_value
from fakekafka.releases.configs.synonyms import BROKER_NAME, FALLBACKS, broker_synonyms, topic_default
from fakekafka.releases.configs.values import ConfigValue, InvalidConfig
from fakekafka.releases.release import Release, all_releases


def broker(line: str) -> ConfigTable:
    return broker_configs(Release.parse(line))


def topic(line: str) -> ConfigTable:
    return topic_configs(Release.parse(line))


@pytest.mark.parametrize(
    ("name", "line", "table", "says"),
    [
        ("zookeeper.connect", "4.0", broker, "it came in 0.8.0, went in 4.0"),
        ("process.roles", "2.7", broker, "it came in 2.8"),
        ("log.retention.msec", "2.3", broker, "did you mean log.retention.ms"),
        ("retention.ms", "2.3", broker, "it is a topic's config; the broker's is log.retention.ms"),
        ("remote.storage.enable", "3.6", broker, "it is a topic's config, not a broker's"),
        ("log.retention.ms", "2.3", topic, "it is a broker's config"),
        ("retention.msec", "2.3", topic, "did you mean retention.ms"),
        ("entirely different", "2.3", broker, "no name is similar"),
    ],
)
def test_the_error_of_an_unknown_config_says_what_may_be_meant(name: str, line: str, table: object, says: str) -> None:
    found = broker(line) if table is broker else topic(line)
    assert name not in found
    with pytest.raises(KeyError):
        found[name]
    text = str(unknown_config(name, found, Release.parse(line)))
    assert repr(name) in text
    assert f"Kafka {Release.parse(line)}" in text
    assert says in text


def test_a_table_is_made_once_and_has_what_it_lists() -> None:
    table = broker("2.3")
    assert table is broker("2.3.1")
    assert len(table) == len(list(table)) > 180
    assert all(table[name].name == name for name in table)


def test_a_default_changes_with_the_releases() -> None:
    defaults = {line: broker(line)["offsets.retention.minutes"].default for line in ("0.9.0", "1.1", "2.0", "4.3")}
    assert defaults == {"0.9.0": "1440", "1.1": "1440", "2.0": "10080", "4.3": "10080"}


def test_a_patch_release_can_change_a_default() -> None:
    enabled = [broker(patch)["delete.topic.enable"].default for patch in ("0.8.1.1", "0.11.0", "1.0.0")]
    assert enabled == ["false", "false", "true"]
    assert "delete.topic.enable" not in broker("0.8.1.0")
    assert "sasl.server.max.receive.size" not in broker("3.0.1")
    assert "sasl.server.max.receive.size" in broker("3.0.2")


@pytest.mark.parametrize(
    ("name", "modes"),
    [
        ("log.retention.ms", ("read-only", "cluster-wide")),
        ("ssl.keystore.location", ("read-only", "per-broker")),
        ("broker.id", ("read-only", "read-only")),
    ],
)
def test_configs_became_dynamic_in_1_1(name: str, modes: tuple[str, str]) -> None:
    assert (broker("1.0")[name].mode, broker("1.1")[name].mode) == modes


def test_passwords_are_sensitive() -> None:
    assert broker("2.3")["ssl.key.password"].sensitive
    assert not broker("2.3")["ssl.keystore.location"].sensitive


def test_internal_configs_are_accepted_but_not_shown() -> None:
    table = broker("4.3")
    hidden = {definition.name for definition in table.values() if definition.hidden}
    assert "unstable.api.versions.enable" in hidden
    assert hidden.isdisjoint(definition.name for definition in table.shown())
    assert len(table.shown()) + len(hidden) == len(table)


@pytest.mark.parametrize(
    ("line", "name", "text", "says"),
    [
        ("2.3", "compression.type", "zip", "String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer"),
        ("2.0", "compression.type", "zstd", "String must be one of: uncompressed, snappy, lz4, gzip, producer"),
        ("2.3", "num.partitions", "0", "Value must be at least 1"),
        ("2.3", "num.partitions", "many", "Not a number of type INT"),
    ],
)
def test_a_wrong_value_is_refused_in_the_release_s_words(line: str, name: str, text: str, says: str) -> None:
    table = topic(line) if name in topic(line) else broker(line)
    with pytest.raises(InvalidConfig) as refused:
        parse_value(table[name], text)
    assert str(refused.value) == f"Invalid value {text} for configuration {name}: {says}"


def test_resources_have_configs_from_their_first_release_on() -> None:
    counts = {
        line: [len(table(Release.parse(line))) for table in (topic_configs, group_configs, client_metrics_configs)]
        for line in ("0.8.0", "3.6", "3.7", "4.0")
    }
    assert counts["0.8.0"] == [0, 0, 0]
    assert [bool(count) for count in counts["3.6"]] == [True, False, False]
    assert [bool(count) for count in counts["3.7"]] == [True, False, True]
    assert [bool(count) for count in counts["4.0"]] == [True, True, True]


def test_a_topic_default_is_the_broker_s_default() -> None:
    """This holds in every release, even if the broker's default is derived from coarser units. 3.0 to 3.5 know how
    long tiered topics stay on the broker, but have no broker config for it.
    """
    alone = set()
    for release in all_releases():
        broker_defaults = {name: _default(definition) for name, definition in broker_configs(release).items()}
        for name, definition in topic_configs(release).items():
            own = topic_default(name, broker_defaults.get)
            if own is None and name in BROKER_NAME:
                alone.add(name)
            assert own in (None, _default(definition)), (release, name)
    assert alone == {"local.retention.ms", "local.retention.bytes"}


def _default(definition: ConfigDef) -> ConfigValue:
    return None if definition.default is None else parse_value(definition, definition.default)


@pytest.mark.parametrize(
    ("given", "retention_ms"),
    [
        ({"log.retention.hours": 2}, 7_200_000),
        ({"log.retention.hours": 2, "log.retention.minutes": 3}, 180_000),
        ({"log.retention.hours": 2, "log.retention.minutes": 3, "log.retention.ms": 4}, 4),
        ({"log.retention.minutes": -1}, -1),
        ({}, None),
    ],
)
def test_the_finest_unit_of_time_counts(given: dict[str, ConfigValue], retention_ms: int | None) -> None:
    assert topic_default("retention.ms", given.get) == retention_ms


def test_a_config_that_only_topics_have_has_no_default_from_the_broker() -> None:
    assert topic_default("leader.replication.throttled.replicas", {"x": 1}.get) is None


def test_synonyms_are_found_from_each_name_of_the_chain() -> None:
    assert broker_synonyms("log.roll.hours") == broker_synonyms("log.roll.ms") == ("log.roll.ms", "log.roll.hours")
    assert broker_synonyms("num.partitions") == ("num.partitions",)
    assert all(first in BROKER_NAME.values() for first in FALLBACKS)
