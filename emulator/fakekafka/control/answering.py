"""From an HTTP request to its answer, without sockets: find the operation, read its arguments, call it, write JSON."""

import json
import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from fakekafka.control.desk import Desk
from fakekafka.control.guard import Guard, Refused
from fakekafka.control.openapi import document
from fakekafka.control.operations import IN_QUERY, Archive, File, Operation
from fakekafka.control.page import page, page_headers
from fakekafka.control.table import OPERATIONS
from fakekafka.control.values import written
from fakekafka.errors import BrokerWillNotStart, FakeKafkaError, UsageError
from fakekafka.escaping import escaped_json

JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
EVERY_ANSWER: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
OPEN: Final = ("/", "/openapi.json")
"""Paths that are served without a token: neither reveals anything about the cluster."""


class Asked(NamedTuple):
    """An HTTP request. Names of headers are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = {}


class Answering:
    """Answers requests about one cluster."""

    def __init__(self, desk: Desk, guard: Guard) -> None:
        self._desk = desk
        self._guard = guard
        self._lock = threading.Lock()
        """One operation runs at a time, so that no operation meets a cluster that is being restarted."""

    def answer(self, asked: Asked) -> Answer:
        """The answer to any request; an error is JSON with a reason."""
        try:
            return self._answer(asked)
        except Refused as e:
            return refusal(e.status, type(e).__name__, str(e), e.headers)
        except UsageError as e:
            return refusal(400, "UsageError", str(e))
        except BrokerWillNotStart as e:
            return refusal(409, "BrokerWillNotStart", str(e))
        except TimeoutError as e:
            return refusal(408, "TimeoutError", str(e))
        except FakeKafkaError as e:
            return refusal(400, "FakeKafkaError", str(e))
        except OSError as e:
            return refusal(500, "OSError", str(e))
        except Exception as e:  # a defect of ours must not leave the client without an answer
            return refusal(500, "Defect", f"{type(e).__name__}: {e}")

    def _answer(self, asked: Asked) -> Answer:
        target = urlsplit(asked.target)
        self._guard.check(asked.method, asked.headers, needs_token=target.path not in OPEN)
        if target.path in OPEN:
            return self._opening(asked.method, target.path)
        operation, words = _operation_for(asked.method, target.path)
        words |= _query(target.query)
        arguments = operation.arguments(words, _body(operation, asked))
        return _written(self._called(operation, arguments))

    def _opening(self, method: str, path: str) -> Answer:
        if method != "GET":
            raise Refused(405, f"{path} is for GET", {"Allow": "GET"})
        if path == "/":
            return Answer(200, page(), HTML, page_headers())
        return Answer(200, json.dumps(document(OPERATIONS), indent=1).encode("utf-8"))

    def _called(self, operation: Operation, arguments: dict[str, Any]) -> Any:
        subject = self._desk if operation.needs_desk else self._desk.kafka
        if operation.waits:
            return operation.function(subject, **arguments)
        with self._lock:
            return operation.function(subject, **arguments)


def refusal(status: int, error: str, reason: str, headers: Mapping[str, str] = {}) -> Answer:
    """An error as JSON."""
    body = json.dumps({"error": error, "reason": reason}).encode("utf-8")
    return Answer(status, body, headers=headers)


def _operation_for(method: str, path: str) -> tuple[Operation, dict[str, str]]:
    """The operation, and the words of its path. Raises `Refused` with 404 or 405."""
    fitting = [(each, words) for each in OPERATIONS if (words := each.matched(path)) is not None]
    if not fitting:
        raise Refused(404, f"there is nothing at {path}: /openapi.json describes what there is")
    plain = [(each, words) for each, words in fitting if not words] or fitting
    for each, words in plain if any(each.method == method for each, _ in plain) else fitting:
        if each.method == method:
            return each, _unquoted(words)
    allowed = ", ".join(sorted({each.method for each, _ in fitting}))
    raise Refused(405, f"{path} is for {allowed}", {"Allow": allowed})


def _unquoted(words: Mapping[str, str]) -> dict[str, str]:
    try:
        return {name: unquote(word, errors="strict") for name, word in words.items()}
    except UnicodeDecodeError as e:
        raise UsageError(f"the path cannot be read: {e}") from None


def _query(text: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict")
    except ValueError as e:
        raise UsageError(f"the query cannot be read: {e}") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise UsageError("the query names an argument twice")
    return fields


def _body(operation: Operation, asked: Asked) -> Any:
    """What the body holds. Raises `Refused` for another type than the operation's, `UsageError` for invalid JSON."""
    if operation.method in IN_QUERY:
        if asked.body:
            raise UsageError(f"{asked.method} takes no body: arguments stand in the query")
        return {}
    wanted = Archive.CONTENT_TYPE if operation.sends_archive else JSON
    given = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != wanted:
        raise Refused(415, f"Content-Type has to be {wanted}, also where there is no body")
    if operation.sends_archive:
        return Archive(asked.body)
    if not asked.body:
        return None if operation.body else {}
    try:
        return json.loads(asked.body)
    except (ValueError, RecursionError) as e:
        raise UsageError(f"the body is not JSON: {e}") from None


def _written(result: Any) -> Answer:
    if isinstance(result, File):
        return Answer(200, bytes(result), result.CONTENT_TYPE)
    return Answer(200, escaped_json(json.dumps(written(result), ensure_ascii=False)).encode())
