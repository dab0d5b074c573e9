"""The entries in the topics of plug-ins, and in files that people write."""

import json

import pytest
from fakekafka import UsageError
from fakekafka.plugins.entry import PluginEntry, Reading, language_of, read_entry, read_json, topic_of
from hypothesis import given
from hypothesis import strategies as st

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=5)


@given(st.integers(0, 15), st.text(), st.text(), st.text(), st.dictionaries(st.text(min_size=20), JSON))
def test_an_entry_comes_back_as_it_was(id: int, alias: str, name: str, version: str, more: dict[str, object]) -> None:
    entry = PluginEntry(id, alias, name, version, more)
    assert read_entry(entry.value) == entry


@given(st.binary())
def test_other_bytes_are_not_an_entry(data: bytes) -> None:
    assert read_entry(data) is None


@pytest.mark.statement("S3-6")
@pytest.mark.parametrize("field", ["pluginID", "pluginAlias", "pluginClassName", "pluginVersion"])
def test_the_id_is_a_number_the_other_fields_are_texts_and_none_may_be_missing(field: str) -> None:
    entry = {"pluginID": 1, "pluginAlias": "a", "pluginClassName": "b", "pluginVersion": "c"}
    assert read_entry(json.dumps(entry).encode()) == PluginEntry(1, "a", "b", "c")
    for wrong in ("1", True, 1.0, None) if field == "pluginID" else (1, None, ["a"]):
        assert read_entry(json.dumps(entry | {field: wrong}).encode()) is None
    del entry[field]
    assert read_entry(json.dumps(entry).encode()) is None


def test_a_sample_that_is_not_base64_is_ignored() -> None:
    assert PluginEntry(1, "a", "b", "c", {"pluginSample": "?"}).sample is None


def test_a_topic_is_named_by_its_language() -> None:
    assert topic_of("java") == "plugin-java-topic"
    assert [language_of(topic) for topic in ("plugin-c99-topic", "plugin--topic", "orders")] == ["c99", None, None]
    with pytest.raises(UsageError, match="language 'Java'"):
        topic_of("Java")


@pytest.mark.parametrize("end", ["1", '"x"', "true", "null", "{}", "[]"])
def test_a_missing_comma_at_the_end_of_a_line_is_forgiven(end: str) -> None:
    assert read_json(f'{{"a": {end}\n "b": 2}}').commas_added == 1
    assert read_json(f'{{"a": {end},\n "b": 2}}').commas_added == 0


def test_other_faults_are_not_forgiven() -> None:
    with pytest.raises(UsageError, match=r"this is not JSON: .*line 1"):
        read_json('{"a": 1 "b": 2}')


@pytest.mark.statement("S3-11")
def test_the_documents_example_is_read_as_a_page_gives_it() -> None:
    """The page has non-breaking spaces; the first brace may be there or not."""
    lines = [
        '"pluginID":1',
        '"pluginAlias":"snappyPlugin"',
        '"pluginClassName":"Java.classname"',
        '"pluginVersion": "v1.0"',
    ]
    text = "".join(f"\n\xa0  \xa0 {line}\n" for line in lines) + "\n}\n"
    wanted = {
        "pluginID": 1,
        "pluginAlias": "snappyPlugin",
        "pluginClassName": "Java.classname",
        "pluginVersion": "v1.0",
    }
    assert read_json("{" + text) == Reading(wanted, 3)
    assert read_json(text) == Reading(wanted, 3, brace_added=True)
