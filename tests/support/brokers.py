"""Asks a `FakeKafka` as a client does: one request, one answer."""

import socket
from typing import TypeVar

from fakekafka import FakeKafka
from fakekafka.ids import BrokerId
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

R = TypeVar("R", bound=Response)

CLIENT_ID = "test"


def answer(kafka: FakeKafka, request: Request, version: int, kind: type[R], node_id: BrokerId = 0) -> R:
    """The answer to `request`, of class `kind`, by a broker that was booted: without a socket."""
    client = kafka.connect(node_id)
    found = answer_over(client, request, version, kind)
    client.disconnect()
    return found


def answer_over(client: MemoryClient, request: Request, version: int, kind: type[R]) -> R:
    """Send a request over a connection that stays open, and return the answer."""
    data = client.send(request_frame(request, version, 1, CLIENT_ID)) or client.expire()
    return read_response(kind, version, data[SIZE.size :])[1]


def ask(bootstrap_servers: str, request: Request, version: int, kind: type[R]) -> R:
    """Send a request to the first of `bootstrap_servers` through a socket, and return the answer."""
    host, _, port = bootstrap_servers.split(",")[0].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request_frame(request, version, 1, CLIENT_ID))
        (size,) = SIZE.unpack(_receive(connection, SIZE.size))
        return read_response(kind, version, _receive(connection, size))[1]


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise EOFError("the broker closed the connection")
        data += piece
    return data
