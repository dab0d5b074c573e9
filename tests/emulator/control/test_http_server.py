"""The sockets of the control API: bounded, always answering in JSON, and reachable from curl, Node and Java alike."""

import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.control.http_server import MAX_BODY, MAX_CONNECTIONS, MAX_LINE, ControlServer


@pytest.fixture
def server() -> Iterator[ControlServer]:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka, ControlServer(kafka) as server:
        yield server


@pytest.fixture
def connection(server: ControlServer) -> Iterator[HTTPConnection]:
    connection = HTTPConnection(server.host, server.port, timeout=30)
    yield connection
    connection.close()


def told(connection: HTTPConnection) -> tuple[int, Any]:
    response = connection.getresponse()
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    return response.status, json.loads(response.read())


def test_a_connection_is_used_again(connection: HTTPConnection) -> None:
    for _ in range(3):
        connection.request("GET", "/brokers")
        assert told(connection) == (200, {"0": "2.3.1"})


def test_a_large_body_is_refused_unread(connection: HTTPConnection) -> None:
    connection.putrequest("POST", "/topics")
    connection.putheader("Content-Length", str(MAX_BODY + 1))
    connection.endheaders()
    assert told(connection)[0] == 413


def test_a_line_that_is_too_long_is_refused_with_a_reason(connection: HTTPConnection) -> None:
    connection.request("GET", f"/brokers?{'x' * MAX_LINE}")
    status, answer = told(connection)
    assert (status, answer["error"]) == (414, "Refused")
    assert "65536 bytes at most" in answer["reason"]


@pytest.mark.parametrize(
    "headers", [{"Transfer-Encoding": "chunked"}, {"Content-Length": "x"}, {"Content-Length": "-1"}]
)
def test_a_body_without_its_length_is_refused(connection: HTTPConnection, headers: dict[str, str]) -> None:
    connection.putrequest("POST", "/topics")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    assert told(connection)[0] == 411


@pytest.mark.parametrize("sent", [b"\x00\x00\x00\x10\x00\x12\x00\x00\r\n\r\n", b"GET /\r\n\r\n", b"NONSENSE\r\n\r\n"])
def test_bytes_that_are_not_http_do_no_harm(server: ControlServer, sent: bytes) -> None:
    with socket.create_connection((server.host, server.port), timeout=30) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        while client.recv(4096):
            pass
    connection = HTTPConnection(server.host, server.port, timeout=30)
    connection.request("GET", "/brokers")
    assert told(connection)[0] == 200
    connection.close()


def test_connections_above_the_limit_are_closed(server: ControlServer) -> None:
    clients = [socket.create_connection((server.host, server.port), timeout=30) for _ in range(MAX_CONNECTIONS + 1)]
    assert clients[-1].recv(1) == b""
    for client in clients:
        client.close()


def test_an_impossible_address_is_a_usage_error(server: ControlServer) -> None:
    with FakeKafka() as kafka:
        with pytest.raises(UsageError, match="cannot listen on"):
            ControlServer(kafka, server.host, server.port)
        with pytest.raises(UsageError, match="control port 99999"):
            ControlServer(kafka, port=99999)


def test_the_page_s_address_has_the_token_after_the_hash() -> None:
    with FakeKafka() as kafka, ControlServer(kafka, token="secret") as server:
        assert server.page_url == f"http://127.0.0.1:{server.port}/#token=secret"
        connection = HTTPConnection(server.host, server.port, timeout=30)
        connection.request("GET", "/brokers")
        assert told(connection)[0] == 401
        connection.request("GET", "/brokers", headers={"Authorization": "Bearer secret"})
        assert told(connection)[0] == 200
        connection.request("GET", "/openapi.json")
        assert told(connection)[0] == 200
        connection.close()
