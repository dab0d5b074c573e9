"""The OpenAPI document: valid, made from the operations, and in agreement with the answers."""

import json
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.control.answering import Answering, Asked
from fakekafka.control.desk import Desk
from fakekafka.control.guard import Guard
from fakekafka.control.openapi import document
from fakekafka.control.operations import is_file
from fakekafka.control.table import OPERATIONS
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

DOCUMENT = document(OPERATIONS)


def test_the_document_is_valid() -> None:
    validate(DOCUMENT)
    assert json.loads(json.dumps(DOCUMENT)) == DOCUMENT


def test_every_operation_is_described() -> None:
    described = {
        (method.upper(), path): operation
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }
    assert described.keys() == {(each.method, each.path) for each in OPERATIONS}
    assert all(operation["summary"] for operation in described.values())


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_arguments_are_where_the_document_says(operation: Any) -> None:
    described = DOCUMENT["paths"][operation.path][operation.method.lower()]
    named = {each["name"] for each in described.get("parameters", [])}
    body = described.get("requestBody", {"content": {}})["content"].get("application/json", {"schema": {}})["schema"]
    fields = set() if operation.body else set(body.get("properties", {}))
    rest = {operation.body} if operation.body else set()
    assert named | fields | rest == operation.described.parameters.keys()
    assert set(operation.in_path) <= named


READ = [each for each in OPERATIONS if each.method == "GET" and not each.in_path and "wait" not in each.path]
FILES = [each for each in READ if is_file(each.described.result)]


@pytest.mark.parametrize("operation", FILES, ids=lambda each: each.name)
def test_files_have_the_described_type(operation: Any) -> None:
    with FakeKafka("3.9", clock=ManualClock()) as kafka:
        asked = Asked("GET", operation.path, {"host": "localhost"}, b"")
        answer = Answering(Desk(kafka), Guard("127.0.0.1", None)).answer(asked)
    assert answer.status == 200
    described = DOCUMENT["paths"][operation.path]["get"]["responses"]["200"]["content"]
    assert described == {answer.content_type: {"schema": {"type": "string", "format": "binary"}}}


@pytest.mark.parametrize("operation", [each for each in READ if each not in FILES], ids=lambda each: each.name)
def test_answers_are_as_described(operation: Any) -> None:
    target = operation.path + ("?to=4.0" if operation.name == "upgrade_steps" else "")
    with FakeKafka("3.9", topics={"orders": 1}, telemetry=True, clock=ManualClock()) as kafka:
        kafka.send("orders", b"\xff", key=b"anna")
        answer = Answering(Desk(kafka), Guard("127.0.0.1", None)).answer(
            Asked("GET", target, {"host": "localhost"}, b"")
        )
    assert answer.status == 200
    described = DOCUMENT["paths"][operation.path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    Draft202012Validator({**described, "components": DOCUMENT["components"]}).validate(json.loads(answer.body))
