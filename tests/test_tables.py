"""Tables of the package, compared with what is recorded from Kafka: message classes with the protocol definitions."""

import base64
from typing import Any

import pytest
from fakekafka.ids import ApiKey
from fakekafka.wire import apis
from fakekafka.wire.frames import request_header_version, response_header_version
from fakekafka.wire.internal import (
    cluster_metadata,
    consumer_offsets,
    control_records,
    remote_log_metadata,
    share_group_state,
    transaction_state,
)
from fakekafka.wire.message import ZERO, FieldSpec, Message, Request, Response, Struct, Versions

from tests.emulator.wire.facts import Fact, classes, has, messages, schemas, snake, versions

CARRIED = {"name", "type", "versions", "nullable", "default", "tag", "tagged", "strict", "struct", "fields"}
"""What a field of a class says."""
NOT_CARRIED = {
    "entity",  # what a string or number names: a topic, a group
    "key",  # part of the element's key in Kafka's keyed collections
    "ignorable",  # whether Kafka silently drops the value in versions without the field; our writers always do
    "since",  # when a tagged field appeared without a new version: comments
    "aliases",  # older names of the field: comments
    "provisional",  # only on an unreleased branch: comments
}
CARRIED_BY_MESSAGE = {"kind", "key", "versions", "flexible", "header", "fields"}
NOT_CARRIED_BY_MESSAGE = {
    "listeners",  # which clients and brokers may send the message: `releases/`
    "prefix",  # what comes before a record: docstrings in `wire/internal/`
    "record_key",  # the tables `RECORDS` in `wire/internal/`
    "record_type",  # likewise
    "aliases",
    "unstable",
    "provisional",
    "layout_changed_in",
}
KINDS = {"bool": "boolean", "bytes": "binary", "{}": "struct"}
"""Our names for types, where they differ."""


def test_all_keys_messages_and_versions_exist() -> None:
    assert {str(int(key)) for key in ApiKey} == set(schemas()["apis"])
    assert set(classes()) == set(messages())
    assert sum(len(versions(cls)) for cls in classes().values()) == 866
    assert sum(len(versions(cls)) for cls in classes().values() if issubclass(cls, (Request, Response))) == 736


@pytest.mark.parametrize("key", ApiKey, ids=lambda key: key.name)
def test_a_key_leads_to_its_request_and_response(key: ApiKey) -> None:
    fact = schemas()["apis"][str(int(key))]
    assert apis.request_class(key) is classes()[fact["request"]]
    assert apis.response_class(key) is classes()[fact["response"]]
    assert apis.request_class(key).KEY == apis.response_class(key).KEY == key


@pytest.mark.parametrize("name", sorted(messages()))
def test_a_class_says_what_the_definition_says(name: str) -> None:
    fact, cls = messages()[name], classes()[name]
    assert set(fact) <= CARRIED_BY_MESSAGE | NOT_CARRIED_BY_MESSAGE
    assert Versions.parse(fact["versions"]) == cls.VERSIONS
    assert Versions.parse(fact["flexible"]) == cls.FLEXIBLE
    if issubclass(cls, (Request, Response)):
        assert fact["key"] == cls.KEY
    same_fields(name, cls, fact["fields"])


def same_fields(message: str, cls: type[Struct], facts: list[Fact]) -> None:
    assert list(cls.FIELDS) == [snake(fact["name"]) for fact in facts]
    for fact, spec in zip(facts, cls.FIELDS.values()):
        where = f"{message}.{fact['name']}"
        assert set(fact) <= CARRIED | NOT_CARRIED, where
        assert spec.is_array == fact["type"].startswith("[]"), where
        type_ = fact["type"].removeprefix("[]")
        assert spec.kind == KINDS.get(type_, type_), where
        assert spec.versions == Versions.parse(fact["versions"]), where
        assert spec.nullable == Versions.parse(fact.get("nullable", "none")), where
        assert spec.tag == fact.get("tag"), where
        assert spec.tagged == Versions.parse(fact.get("tagged", "none")), where
        assert spec.fixed_length == Versions.parse(fact.get("strict", "none")), where
        assert plain(spec.default) == expected_default(fact, spec), where
        if "fields" in fact:
            assert spec.struct is not None
            assert spec.struct.__name__.endswith(fact["struct"]), where
            same_fields(message, spec.struct, fact["fields"])


def expected_default(fact: Fact, spec: FieldSpec) -> Any:
    """The default that the fact states, or the zero value of its type."""
    if "default" in fact:
        stated = fact["default"]
        return base64.urlsafe_b64decode(stated + "==") if spec.kind == "uuid" and stated is not None else stated
    if spec.is_array:
        return []
    if spec.struct is None:
        return ZERO[spec.kind]
    if "nullable" in fact:
        return None
    return {
        snake(inner["name"]): expected_default(inner, spec.struct.FIELDS[snake(inner["name"])])
        for inner in fact["fields"]
    }


def plain(value: Any) -> Any:
    """Structs as dictionaries, the empty tuple of our defaults as a list."""
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.FIELDS}
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", sorted(n for n, fact in messages().items() if "header" in fact))
def test_each_version_has_the_header_of_the_definition(name: str) -> None:
    cls = classes()[name]
    for version in versions(cls):
        wanted = {header for header in messages()[name]["header"] if has(messages()[name]["header"], header, version)}
        assert wanted == {str(header_version(cls, version))}


def header_version(cls: type[Message], version: int) -> int:
    if issubclass(cls, Request):
        return request_header_version(cls, version)
    assert issubclass(cls, Response)
    return response_header_version(cls, version)


@pytest.mark.parametrize(
    ("topic", "records"),
    [
        ("__consumer_offsets", consumer_offsets.RECORDS),
        ("__transaction_state", transaction_state.RECORDS),
        ("__share_group_state", share_group_state.RECORDS),
    ],
)
def test_coordinator_records_have_the_types_of_the_definition(
    topic: str, records: dict[int, tuple[type[Message], type[Message]]]
) -> None:
    facts = schemas()["coordinator_records"][topic]
    assert {n: (key.__name__, value.__name__) for n, (key, value) in records.items()} == {
        fact["type"]: (fact["key"], fact["value"]) for fact in facts
    }


def test_metadata_records_have_the_keys_of_the_definition() -> None:
    tables = (cluster_metadata.RECORDS, remote_log_metadata.RECORDS)
    ours = {cls.__name__: key for table in tables for key, cls in table.items()}
    assert ours == {name: fact["record_key"] for name, fact in messages().items() if "record_key" in fact}


def test_control_records_have_the_types_of_the_definition() -> None:
    facts = schemas()["control_records"]["types"]
    wanted = {fact["type"]: fact["value"] for fact in facts if fact["value"] is not None}
    assert {n: cls.__name__ for n, cls in control_records.RECORDS.items()} == wanted
