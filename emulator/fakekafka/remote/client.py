"""Calls of operations over HTTP."""

import json
from http.client import HTTPConnection, HTTPException
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from fakekafka.control.operations import IN_QUERY, Archive, Operation, is_file
from fakekafka.control.table import OPERATIONS
from fakekafka.control.values import read, word, written
from fakekafka.errors import BrokerWillNotStart, FakeKafkaError, UsageError

PATIENCE_S: Final = 60.0
"""How long an answer may take, beyond the wait that was asked for."""
ERRORS: Final[dict[str, type[Exception]]] = {
    "UsageError": UsageError,
    "BrokerWillNotStart": BrokerWillNotStart,
    "TimeoutError": TimeoutError,
}
BY_NAME: Final = {operation.name: operation for operation in OPERATIONS}


class Client:
    """The control API at `url`. A token may follow the #, as in the address that `serve` prints.

    Raises `UsageError` for another kind of address.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if parts.scheme != "http" or host is None or port is None:
            raise UsageError(f"{url!r} is not the address of a control API: write http://HOST:PORT")
        self.url = f"http://{parts.netloc}"
        self._host, self._port = host, port
        fragment = parts.fragment.removeprefix("token=") if parts.fragment.startswith("token=") else None
        self._token = token if token is not None else fragment

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call an operation. Returns and raises what the operation does in the other process, and raises
        `FakeKafkaError` if nobody answers.
        """
        operation = BY_NAME[name]
        body = self._exchange(operation, arguments)
        result = operation.described.result
        return result(body) if is_file(result) else read(result, json.loads(body), name)

    def _exchange(self, operation: Operation, arguments: dict[str, Any]) -> bytes:
        timeout_s = PATIENCE_S + float(arguments.get("timeout") or 0)
        connection = HTTPConnection(self._host, self._port, timeout=timeout_s)
        try:
            connection.request(operation.method, _target(operation, arguments), *self._sent(operation, arguments))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException) as e:
            raise FakeKafkaError(f"the control API at {self.url} does not answer: {e!r}") from None
        finally:
            connection.close()
        if response.status != 200:
            raise _error(body)
        return body

    def _sent(self, operation: Operation, arguments: dict[str, Any]) -> tuple[bytes | None, dict[str, str]]:
        """The body and headers of a request."""
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        if operation.method in IN_QUERY:
            return None, headers
        if operation.sends_archive:
            return bytes(arguments[operation.body]), {**headers, "Content-Type": Archive.CONTENT_TYPE}
        fields = {name: written(value) for name, value in arguments.items() if name not in operation.in_path}
        body = fields[operation.body] if operation.body else fields
        return json.dumps(body).encode("utf-8"), {**headers, "Content-Type": "application/json"}


def _target(operation: Operation, arguments: dict[str, Any]) -> str:
    path = operation.path
    for name in operation.in_path:
        path = path.replace(f"{{{name}}}", quote(word(arguments[name]), safe=""))
    if operation.method not in IN_QUERY:
        return path
    others = {name: word(value) for name, value in arguments.items() if name not in operation.in_path}
    return f"{path}?{urlencode(others)}" if others else path


def _error(body: bytes) -> Exception:
    """The error that the other side raised."""
    try:
        answer = json.loads(body)
        return ERRORS.get(answer["error"], FakeKafkaError)(answer["reason"])
    except (ValueError, KeyError, TypeError):
        return FakeKafkaError(f"the control API answers {body[:200]!r}")
