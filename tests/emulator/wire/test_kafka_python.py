"""Our bytes against those of kafka-python 3.0.12, which has its own definitions and its own codec.

Its decoder reads what we write and shows the same values; its encoder writes the same bytes again.
"""

import importlib
import inspect
import re
import warnings
from typing import Any

import pytest
from fakekafka.ids import ZERO_UUID
from fakekafka.wire.apis.api_versions import ApiVersionsResponse
from fakekafka.wire.codec import encode_bytes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.emulator.wire.facts import Fact, classes, has, messages, snake, versions
from tests.emulator.wire.values import EXAMPLES, filled, instances, restricted

SETS_OF_BITS = {"authorized_operations", "cluster_authorized_operations", "topic_authorized_operations"}
"""Fields whose numbers kafka-python shows as sets."""


def theirs() -> dict[str, Any]:
    """Name -> class of kafka-python, of all requests and responses."""
    names = ("admin", "consumer", "metadata", "producer", "sasl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about its own use of importlib.resources
        base = importlib.import_module("kafka.protocol.api_message").ApiMessage
        modules = [importlib.import_module(f"kafka.protocol.{name}") for name in names]
    found = [value for module in modules for value in vars(module).values() if inspect.isclass(value)]
    return {value.__name__: value for value in found if issubclass(value, base) and value is not base}


THEIRS = theirs()


def test_kafka_python_has_most_of_the_messages_that_clients_send() -> None:
    common = sum(len(common_versions(name)) for name in THEIRS)
    assert len(THEIRS) == 104
    assert common == 524


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_kafka_python_reads_every_field_and_writes_the_same_bytes(name: str) -> None:
    for version in common_versions(name):
        same_for_both(name, version, filled(classes()[name]))


@pytest.mark.parametrize("name", sorted(THEIRS))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_kafka_python_reads_random_values_and_writes_the_same_bytes(name: str, data: st.DataObject) -> None:
    message = data.draw(instances(classes()[name]))  # type: ignore[arg-type]
    for version in common_versions(name):
        same_for_both(name, version, message)


def common_versions(name: str) -> list[int]:
    return [version for version in versions(classes()[name]) if version <= THEIRS[name].max_version]


def same_for_both(name: str, version: int, message: Any) -> None:
    ours = restricted(message, version)
    if isinstance(ours, ApiVersionsResponse):
        ours.error_code = 0  # kafka-python takes any answer with an error for one in version 0
    encoded = encode_bytes(ours, version)
    read = THEIRS[name].decode(encoded, version=version)
    same_values(messages()[name]["fields"], version, ours, read)
    read._header = None  # otherwise kafka-python does not encode what it has decoded
    assert bytes(read.encode(version=version)) == encoded


def same_values(facts: list[Fact], version: int, ours: Any, read: Any) -> None:
    """Check that every field of `ours` has the same value in what kafka-python has read."""
    for fact in facts:
        if not has(fact, "versions", version) or snake(fact["name"]) in SETS_OF_BITS:
            continue
        names = [re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in (fact["name"], *fact.get("aliases", ()))]
        name = next(name for name in names if name in read.fields)
        own, other = getattr(ours, snake(fact["name"])), getattr(read, name)
        if fact["type"] == "[]{}" and own is not None:
            assert len(own) == len(other)
            for one, two in zip(own, other):
                same_values(fact["fields"], version, one, two)
        elif fact["type"] == "{}" and own is not None and other is not None:
            same_values(fact["fields"], version, own, other)
        elif fact["type"] == "{}" and "tag" in fact:
            assert own == type(own)()  # kafka-python shows a tagged struct that is absent as None
        else:
            # kafka-python shows the zero uuid as None
            assert plain(other) == (plain(own) if own != ZERO_UUID else None), name


def plain(value: Any) -> Any:
    """The value in a comparable form: uuids as bytes, one kind of buffer and of list."""
    if hasattr(value, "bytes"):
        return value.bytes
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    return bytes(value) if isinstance(value, (bytearray, memoryview)) else value
