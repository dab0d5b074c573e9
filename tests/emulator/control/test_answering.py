"""Requests over HTTP find their operation, and invalid ones are answered in JSON with a reason."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.control.answering import Answer, Answering, Asked
from fakekafka.control.desk import Desk
from fakekafka.control.guard import Guard

JSON = {"host": "127.0.0.1", "content-type": "application/json; charset=utf-8"}


OUT_OF_RANGE = b'{"topic": "orders", "partition": 4294967296, "offset": 1, "expected": null}'


@pytest.fixture
def answering() -> Iterator[Answering]:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        yield Answering(Desk(kafka), Guard("127.0.0.1", None))


def ask(answering: Answering, method: str, target: str, body: bytes = b"", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return answering.answer(Asked(method, target, JSON | named, body))


def told(answer: Answer) -> Any:
    assert answer.content_type == "application/json"
    return json.loads(answer.body)


def test_an_operation_takes_arguments_from_path_query_and_body(answering: Answering) -> None:
    assert ask(answering, "POST", "/topics", b'{"name": "a.b", "partitions": 2}').status == 200
    assert told(ask(answering, "POST", "/topics/a%2Eb/records", b'{"value": "1", "partition": 1}')) == 0
    (record,) = told(ask(answering, "GET", "/topics/a.b/records?partition=1"))
    assert (record["value"], record["key"]) == ("1", None)
    assert told(ask(answering, "GET", "/topics/a.b/records?partition=0")) == []


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "reason"),
    [
        ("GET", "/nothing", b"", 404, "there is nothing at /nothing"),
        ("PUT", "/topics", b"{}", 405, "/topics is for GET, POST"),
        ("POST", "/", b"", 405, "/ is for GET"),
        ("POST", "/topics", b"", 400, "create_topic needs name"),
        ("POST", "/topics", b"[]", 400, "has to be a JSON object"),
        ("POST", "/topics", b"{", 400, "the body is not JSON"),
        ("POST", "/brokers/0/pause-replication", b"null", 400, "has to be a JSON object"),
        (
            "POST",
            "/groups/g/offsets",
            b'{"topic": "orders", "partition": 0, "offset": 9223372036854775808}',
            400,
            "64 bits",
        ),
        (
            "POST",
            "/groups/g/offsets",
            OUT_OF_RANGE,
            400,
            "partition 4294967296, offset 1: Kafka cannot have a record there",
        ),
        ("GET", "/still-open?patience=NaN", b"", 400, "patience: a finite number is wanted"),
        ("GET", "/still-open?patience=1e400", b"", 400, "patience: a finite number is wanted"),
        ("POST", "/topics", b"[" * 100_000, 400, "the body is not JSON"),
        ("POST", "/topics", b'{"name": 3}', 400, "name: a JSON string is wanted, not 3"),
        ("POST", "/topics", b'{"name": "x", "colour": 1}', 400, "create_topic takes no colour"),
        ("POST", "/topics", b'{"name": "a/b"}', 400, "a/b"),
        ("POST", "/topics?self=1", b'{"name": "x"}', 400, "create_topic takes no self"),
        ("GET", "/topics/orders/records?partition=x", b"", 400, "partition: 'x' is not JSON"),
        ("GET", "/topics/orders/records?partition=0&partition=0", b"", 400, "names an argument twice"),
        ("GET", "/topics/orders/records?partition", b"", 400, "the query cannot be read"),
        ("GET", "/topics/orders/records", b"{}", 400, "GET takes no body"),
        ("GET", "/topics/%ff/records", b"", 400, "the path cannot be read"),
        ("GET", "/topics/other/records", b"", 400, "no topic 'other'"),
        ("POST", "/cluster/restart", b'{"config": {"num.partitions": 0}}', 409, "Invalid value 0"),
        ("GET", "/topics/orders/records/wait?count=1&timeout=0.01", b"", 408, "orders has 0 of 1"),
        ("PUT", "/snapshot", b"", 415, "Content-Type has to be application/zip"),
        ("POST", "/clock/advance", b'{"ms": 5}', 400, "the clock is the system's"),
    ],
)
def test_an_error_is_json_with_a_reason(
    answering: Answering, method: str, target: str, body: bytes, status: int, reason: str
) -> None:
    answer = ask(answering, method, target, body)
    assert answer.status == status
    assert told(answer).keys() == {"error", "reason"}
    assert re.search(reason, told(answer)["reason"])


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_requests_that_an_html_form_can_send_are_refused(answering: Answering, content_type: str) -> None:
    assert ask(answering, "POST", "/cluster/reset", b"{}", content_type=content_type).status == 415


def test_another_site_is_refused_before_anything_is_read(answering: Answering) -> None:
    answer = ask(answering, "POST", "/nothing", b"{", origin="http://evil.example")
    assert (answer.status, told(answer)["error"]) == (403, "Refused")


def test_a_defect_of_ours_is_answered_in_json_too(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(answering._guard, "check", broken)
    answer = ask(answering, "GET", "/clock")
    assert (answer.status, told(answer)) == (500, {"error": "Defect", "reason": "RuntimeError: boom"})


def test_the_page_comes_with_a_policy_that_lets_nothing_else_run(answering: Answering) -> None:
    answer = ask(answering, "GET", "/")
    policy = answer.headers["Content-Security-Policy"]
    assert answer.content_type.startswith("text/html")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_the_description_is_served(answering: Answering) -> None:
    assert told(ask(answering, "GET", "/openapi.json"))["openapi"] == "3.1.0"
