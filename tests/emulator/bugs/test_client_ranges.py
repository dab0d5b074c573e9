"""Versions of clients."""

import pytest
from fakekafka.bugs.client_ranges import ClientRange
from fakekafka.errors import UsageError


@pytest.mark.parametrize(("text", "inside", "outside"), [
    ("kafka-python 1.4.0 - 1.4.4", ["1.4.0", "1.4.4"], ["1.3.5", "1.4.5"]),
    ("sarama <1.16.0", ["1.15.9", "0.1"], ["1.16.0", "1.17"]),
    ("librdkafka >=1.0.0", ["1.0.0", "2.3"], ["0.11.6"]),
    ("kafka-clients =0.11.0", ["0.11.0", "0.11.0.3"], ["0.10.2", "0.11.1", "1.0"]),
    ("pykafka", ["2.8.0"], []),
])  # fmt: skip
def test_a_range_contains_its_versions(text: str, inside: list[str], outside: list[str]) -> None:
    found = ClientRange.parse(text)
    assert all(found.has(found.library, version) for version in inside)
    assert not any(found.has(found.library, version) for version in outside)
    assert found.has(found.library)
    assert not found.has("another")


def test_bindings_count_as_their_library() -> None:
    assert ClientRange.parse("librdkafka <1.5.0").has("confluent-kafka", "1.4.2")


@pytest.mark.parametrize("wrong", ["", "sarama <", "sarama 1 -", "<1"])
def test_an_invalid_range_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="not a range"):
        ClientRange.parse(wrong)


def test_an_invalid_version_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'1\.x' is not a version"):
        ClientRange.parse("sarama").has("sarama", "1.x")
