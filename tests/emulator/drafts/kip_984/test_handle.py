"""Plug-ins are registered with a cluster, and stay there."""

import json
from pathlib import Path

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka, UsageError
from fakekafka.plugins.entry import read_entry

from tests.support.group_clients import clock_of
from tests.support.plugins import LZMA, SNAPPY, with_plugins

JAVA_TOPIC = "plugin-java-topic"
PYTHON_TOPIC = "plugin-python-topic"
SHOUTING = (bytes.upper, bytes.lower)
MONTH_MS = 30 * 86_400_000


def values(kafka: FakeKafka, topic: str) -> list[dict[str, object]]:
    return [json.loads(record.value or b"") for record in kafka.records(topic)]


@pytest.mark.statement("S3-4", "S3-5", "S3-6")
def test_each_language_has_a_topic_of_aliases_and_json() -> None:
    kafka = with_plugins()
    (java,), (python,) = kafka.records(JAVA_TOPIC), kafka.records(PYTHON_TOPIC)
    assert (java.key, python.key) == (b"snappyPlugin", b"snappyPlugin")
    assert values(kafka, JAVA_TOPIC)[0] | {"pluginSample": ""} == {
        "pluginID": 1,
        "pluginAlias": "snappyPlugin",
        "pluginClassName": "java.snappyPlugin",
        "pluginVersion": "v1.0",
        "pluginSample": "",
    }
    assert values(kafka, PYTHON_TOPIC)[0]["pluginClassName"] == "python.snappyPlugin"
    kafka.create_topic("plugin-go-topic", config={"cleanup.policy": "compact"})
    assert sorted(kafka.plugins.registered()) == ["go", "java", "python"]


@pytest.mark.statement("S3-4")
def test_a_topic_of_plugins_is_made_when_it_is_first_needed_and_is_compacted() -> None:
    kafka = FakeKafka("3.9", drafts=["KIP-984"]).boot()
    assert kafka.topics() == {}
    kafka.plugins.register(SNAPPY, {"java": "a.B", "go": "a"})
    assert sorted(kafka.topics()) == ["plugin-go-topic", JAVA_TOPIC]
    kafka.plugins.register(LZMA, {"java": "a.B", "go": "a", "python": "a.b"})
    assert sorted(kafka.topics()) == ["plugin-go-topic", JAVA_TOPIC, PYTHON_TOPIC]
    topics = kafka.connect().core.cluster.topics
    assert {topics[name].overrides["cleanup.policy"] for name in kafka.topics()} == {"compact"}
    assert {len(topics[name].partitions) for name in kafka.topics()} == {1}


@pytest.mark.statement("S3-6")
def test_further_fields_of_an_entry_are_kept() -> None:
    kafka = with_plugins()
    kafka.plugins.register(LZMA, {"java": "a.B", "python": "c.d"}, "v2", licence="MIT", level=9)
    stored = read_entry(kafka.records(PYTHON_TOPIC)[-1].value or b"")
    assert stored is not None
    assert stored[:4] == (2, LZMA, "c.d", "v2")
    assert {name: stored.extensions[name] for name in ("licence", "level")} == {"licence": "MIT", "level": 9}


@pytest.mark.statement("S3-7")
def test_ids_are_made_automatically_and_are_the_same_in_all_languages() -> None:
    kafka = with_plugins("3.9", SNAPPY, LZMA, "runLengthPlugin")
    for topic in (JAVA_TOPIC, PYTHON_TOPIC):
        assert [value["pluginID"] for value in values(kafka, topic)] == [1, 2, 3]


@pytest.mark.statement("S3-17")
def test_sixteen_plugins_fit_and_no_seventeenth() -> None:
    kafka = with_plugins("3.9", *(f"plugin-{n}" for n in range(16)))
    assert {value["pluginID"] for value in values(kafka, JAVA_TOPIC)} == set(range(16))
    with pytest.raises(UsageError, match="four bits name 16 plug-ins"):
        kafka.plugins.register("plugin-16")


@pytest.mark.statement("S3-14")
def test_a_plugin_without_a_java_class_is_refused() -> None:
    kafka = with_plugins()
    with pytest.raises(UsageError, match="lzmaPlugin: name its Java class, too"):
        kafka.plugins.register(LZMA, {"python": "a.b"})
    assert len(kafka.records(PYTHON_TOPIC)) == 1


@pytest.mark.statement("S3-13")
def test_all_languages_are_registered_at_once() -> None:
    kafka = with_plugins()
    with pytest.raises(UsageError, match="name its class for python, too"):
        kafka.plugins.register(LZMA, {"java": "a.B"})
    with pytest.raises(UsageError, match="snappyPlugin is registered for java, python, all at once"):
        kafka.plugins.register(SNAPPY, {"java": "a.B", "python": "a.b", "go": "a"})
    assert "plugin-go-topic" not in kafka.topics()


@pytest.mark.statement("S3-13")
def test_no_language_is_registered_while_the_topic_of_one_has_no_leader() -> None:
    kafka = FakeKafka("3.9", drafts=["KIP-984"]).boot()
    kafka.plugins.register("snappyPlugin")
    state = kafka.connect().core.cluster.topics["plugin-python-topic"].partitions[0]
    leader, state.leader = state.leader, -1
    with pytest.raises(UsageError, match="nobody leads plugin-python-topic now"):
        kafka.plugins.register("lzmaPlugin")
    assert list(kafka.plugins.registered()["java"]) == ["snappyPlugin"]
    state.leader = leader
    assert kafka.plugins.register("lzmaPlugin").plugin_id == 2


@pytest.mark.statement("S3-15", "S3-16")
def test_another_version_under_an_alias_must_read_data_of_the_first_one() -> None:
    kafka = with_plugins()
    assert kafka.plugins.register(SNAPPY, version="v1.1").plugin_id == 1
    kafka.plugins.install(SNAPPY, SHOUTING)
    with pytest.raises(UsageError, match="this one cannot read what that one wrote; register it under another alias"):
        kafka.plugins.register(SNAPPY, version="v2.0")
    assert [value["pluginVersion"] for value in values(kafka, JAVA_TOPIC)] == ["v1.0", "v1.1"]
    kafka.plugins.install("shouting", SHOUTING)
    assert kafka.plugins.register("shouting").plugin_id == 2


@pytest.mark.statement("S3-16")
def test_nothing_shows_that_a_plugin_without_code_is_compatible() -> None:
    kafka = with_plugins("3.9", "elsewhere")
    assert kafka.plugins.register("elsewhere").plugin_id == 1  # a repeated registration changes nothing
    with pytest.raises(UsageError, match="nothing shows that this one reads what that one wrote"):
        kafka.plugins.register("elsewhere", version="v2.0")


@pytest.mark.parametrize("alias", ["", "gzip", "producer", " x"])
def test_an_alias_that_means_something_else_is_refused(alias: str) -> None:
    with pytest.raises(UsageError, match="cannot be a plug-in's alias"):
        with_plugins().plugins.register(alias)


@pytest.mark.statement("S3-29")
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "3.9", "4.3"])
def test_an_alias_is_not_a_value_of_the_config_without_the_draft(release: str) -> None:
    wanted = {"compression.type": SNAPPY}
    with pytest.raises(BrokerWillNotStart, match=f"{SNAPPY}.* compression.type|compression.type.*{SNAPPY}"):
        FakeKafka(release, config=wanted).boot()
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    with pytest.raises(UsageError, match=f"Invalid value {SNAPPY} for configuration compression.type"):
        kafka.configure_topic("t", wanted)
    with pytest.raises(UsageError, match=f"Invalid value {SNAPPY} for configuration compression.type"):
        kafka.create_topic("u", config=wanted)


def test_the_name_of_a_language_must_fit_into_the_name_of_a_topic() -> None:
    with pytest.raises(UsageError, match="language 'C #'"):
        with_plugins().plugins.register(LZMA, {"java": "a", "python": "b", "C #": "c"})


@pytest.mark.statement("S3-12")
def test_the_list_survives_compaction_and_restarts() -> None:
    kafka = with_plugins()
    kafka.plugins.register(SNAPPY, version="v1.1")
    kafka.compact(JAVA_TOPIC, roll=True)
    assert [value["pluginVersion"] for value in values(kafka, JAVA_TOPIC)] == ["v1.1"]
    for crash in (False, True):
        kafka.restart(crash=crash)
        assert kafka.plugins.registered()["java"][SNAPPY].version == "v1.1"
        assert kafka.plugins.register(SNAPPY, version="v1.1").plugin_id == 1


@pytest.mark.statement("S3-12")
def test_entries_of_the_registry_never_expire() -> None:
    kafka = with_plugins(config={"log.retention.check.interval.ms": MONTH_MS})
    for topic in (JAVA_TOPIC, PYTHON_TOPIC):
        kafka.compact(topic, roll=True)
    clock_of(kafka).advance(12 * MONTH_MS)
    found = kafka.plugins.registered()
    assert {language: list(entries) for language, entries in found.items()} == {"java": [SNAPPY], "python": [SNAPPY]}


@pytest.mark.statement("S3-12")
def test_the_list_survives_being_saved_and_loaded(tmp_path: Path) -> None:
    kafka = with_plugins()
    kafka.stop()
    kafka.save(tmp_path / "saved")
    loaded = FakeKafka.load(tmp_path / "saved").boot()
    assert loaded.plugins.registered()["python"][SNAPPY].plugin_id == 1
    assert loaded.plugins.register(LZMA).plugin_id == 2
    with pytest.raises(UsageError, match=r'drafts=\["KIP-984"\]'):
        FakeKafka.load(tmp_path / "saved", drafts=[]).boot().plugins  # noqa: B018


def test_the_registry_has_three_replicas_if_there_are_three_brokers() -> None:
    kafka = with_plugins(brokers=4)
    for broker in range(4):
        kafka.kill_broker(broker)
        assert kafka.plugins.registered()["java"][SNAPPY].plugin_id == 1
        kafka.start_broker(broker)


def test_foreign_records_in_a_topic_of_plugins_are_left_out() -> None:
    kafka = with_plugins()
    for value in (b"{", b"[]", b"{}", b'{"pluginID": "1", "pluginAlias": 1, "pluginClassName": 1, "pluginVersion": 1}'):
        kafka.send(JAVA_TOPIC, value, key=b"other")
    assert sorted(kafka.plugins.registered()["java"]) == [SNAPPY]
    kafka.send(JAVA_TOPIC, None, key=b"snappyPlugin")
    assert kafka.plugins.registered()["java"] == {}


def test_an_object_that_is_not_a_plugin_cannot_be_installed() -> None:
    with pytest.raises(UsageError, match="it needs compress and decompress"):
        with_plugins().plugins.install("x", object())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="x is not installed: lzmaPlugin, runLengthPlugin, snappyPlugin"):
        with_plugins().plugins.remove("x")
