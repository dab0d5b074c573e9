"""Asks a broker one thing over a separate connection."""

import socket
from typing import Final, NamedTuple, TypeVar

from fakekafka import FakeKafkaError
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

R = TypeVar("R", bound=Response)
PATIENCE_S: Final = 30.0
CLIENT_ID: Final = "fakekafka-compat"


class NoAnswer(FakeKafkaError):
    """The broker cannot be reached, closed the connection, or refused what the tool needs."""


class Address(NamedTuple):
    """Where a broker listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def ask(self, request: Request, version: int, kind: type[R]) -> R:
        """The answer to `request`. Raises `NoAnswer`."""
        try:
            with socket.create_connection(self, PATIENCE_S) as connection:
                connection.sendall(request_frame(request, version, 1, CLIENT_ID))
                (size,) = SIZE.unpack(_received(connection, SIZE.size))
                return read_response(kind, version, _received(connection, size))[1]
        except OSError as e:
            raise NoAnswer(f"{self} does not answer {type(request).__name__} {version}: {e}") from None


def _received(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = connection.recv(min(size - len(data), 1 << 16))
        if not piece:
            raise ConnectionError("the broker closed the connection")
        data += piece
    return bytes(data)
