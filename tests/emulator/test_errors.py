"""Kafka's error table, and the base classes of our own exceptions."""

import json
from pathlib import Path

import pytest
from fakekafka.errors import BrokerWillNotStart, ErrorCode, FakeKafkaError, MalformedBytes, UsageError

FACTS = Path(__file__).parents[1] / "golden" / "protocol" / "errors.json"


def test_every_code_of_every_release_is_there_under_its_newest_name() -> None:
    known = {code.name: int(code) for code in ErrorCode}
    facts = {fact["name"]: fact["code"] for fact in json.loads(FACTS.read_text("utf-8"))}
    assert known == facts


@pytest.mark.parametrize("kind", [UsageError, BrokerWillNotStart, MalformedBytes])
def test_every_exception_of_ours_has_one_base(kind: type[Exception]) -> None:
    assert issubclass(kind, FakeKafkaError)


def test_a_wrong_call_is_also_a_value_error() -> None:
    assert issubclass(UsageError, ValueError)
