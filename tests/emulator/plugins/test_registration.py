"""The rules for registering plug-ins, without a cluster."""

import pytest
from fakekafka import UsageError
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.registration import Registered, Wanted, plan, wanted_of
from fakekafka.plugins.shipped import SHIPPED

PLUGIN = SHIPPED["lzmaPlugin"]


def registered(*entries: PluginEntry) -> Registered:
    return {language: {entry.alias: entry for entry in entries} for language in ("java", "python")}


def test_the_first_id_is_1_and_a_free_one_is_used_again() -> None:
    assert plan(Wanted("a"), {}, None)["java"].plugin_id == 1
    had = registered(PluginEntry(1, "a", "a", "v1"), PluginEntry(3, "c", "c", "v1"))
    assert plan(Wanted("b"), had, None)["python"].plugin_id == 2


def test_an_id_that_is_asked_for_is_given_if_it_is_free() -> None:
    had = registered(PluginEntry(1, "a", "a", "v1"))
    assert plan(Wanted("b", plugin_id=7), had, None)["java"].plugin_id == 7
    with pytest.raises(UsageError, match="b: pluginID 1 is that of a"):
        plan(Wanted("b", plugin_id=1), had, None)


def test_a_second_registration_keeps_its_id() -> None:
    had = registered(plan(Wanted("a"), {}, PLUGIN)["java"])
    assert plan(Wanted("a", version="v2"), had, PLUGIN)["java"].plugin_id == 1
    with pytest.raises(UsageError, match="a has pluginID 1, not 2"):
        plan(Wanted("a", plugin_id=2), had, PLUGIN)


def test_a_plugin_that_reads_the_stored_sample_is_compatible() -> None:
    entry = plan(Wanted("a"), {}, PLUGIN)["java"]
    assert PLUGIN.decompress(entry.sample or b"")[:20] == b"What was compressed "
    had = registered(entry)
    with pytest.raises(UsageError, match="this one cannot read what that one wrote"):
        plan(Wanted("a", version="v2"), had, SHIPPED["snappyPlugin"])


@pytest.mark.statement("S3-6")
def test_further_fields_in_a_file_are_kept_in_either_form() -> None:
    value = {"pluginID": 3, "pluginAlias": "a", "pluginClassName": "x", "pluginVersion": "v1", "licence": "MIT"}
    by_topic = {"plugin-java-topic": value, "plugin-go-topic": {**value, "pluginClassName": "y", "level": 9}}
    (one,), (both,) = wanted_of(value), wanted_of(by_topic)
    assert one == Wanted("a", {"java": "x"}, "v1", {"licence": "MIT"}, 3)
    assert both == Wanted("a", {"java": "x", "go": "y"}, "v1", {"licence": "MIT", "level": 9}, 3)
