"""One connection of a replay: sends requests, and pairs the frames that come with the requests that wait."""

from collections import deque
from typing import Protocol

from tests.golden.transcript import End


class Client(Protocol):
    """A connection to a broker in this process, as `fakekafka.server.memory.MemoryClient`."""

    @property
    def closed(self) -> bool:
        """Whether the connection has ended, from either side."""

    def send(self, data: bytes) -> bytes:
        """Send bytes; returns what the broker sends back at once."""

    def receive(self) -> bytes:
        """What the broker has sent since the last call."""

    def disconnect(self) -> None:
        """Close the connection."""


class Channel:
    """A connection, oldest unanswered request first. A frame that nobody waits for is the next request's answer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._buffer = bytearray()
        self._waiting: deque[int] = deque()
        self._answers: dict[int, bytes] = {}
        self.ended: End | None = None
        """How the connection ended, if it did: the outcome of every request still unanswered."""

    def send(self, n: int, data: bytes, *, asks: bool) -> None:
        """Send the bytes of exchange `n`. `asks`: whether an answer is expected."""
        if asks:
            self._waiting.append(n)
        self._buffer += self._client.send(data)

    def outcome(self, n: int) -> bytes | End | None:
        """The answer to exchange `n`, or how the connection ended, or None for nothing yet."""
        self._buffer += self._client.receive()
        while self._waiting and (frame := self._next_frame()) is not None:
            self._answers[self._waiting.popleft()] = frame
        if n in self._answers:
            return self._answers.pop(n)
        if self._client.closed and self.ended is None:
            self.ended = End.CLOSED
        return self.ended

    def has_come(self) -> bool:
        """Whether a frame, or the connection's end, is there to be read."""
        self._buffer += self._client.receive()
        whole = len(self._buffer) >= 4 and len(self._buffer) >= 4 + int.from_bytes(self._buffer[:4], "big")
        return whole or self._client.closed or self.ended is not None

    def closed_by_broker(self) -> bool:
        """Whether the broker closed the connection."""
        self._buffer += self._client.receive()
        return self._client.closed

    def drop(self, reason: End = End.CLOSED) -> None:
        """Close the connection from our side."""
        self.ended = self.ended or reason
        if not self._client.closed:
            self._client.disconnect()

    def _next_frame(self) -> bytes | None:
        size = int.from_bytes(self._buffer[:4], "big")
        if len(self._buffer) < 4 or len(self._buffer) < 4 + size:
            return None
        frame = bytes(self._buffer[4 : 4 + size])
        del self._buffer[: 4 + size]
        return frame
