"""A link between clients and a broker that loses an answer on demand.

Clients must be given the link's address, not the broker's (`advertised.listeners`). The broker has handled the request
whose answer is lost, so a client that retries it sends a duplicate.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock, Thread
from types import TracebackType
from typing import Final, Self

PRODUCE: Final = 0
HOST: Final = "127.0.0.1"


class LossyLink:
    """A link that loses answers. Used in a `with` block."""

    def __init__(self) -> None:
        self.lost = 0
        """How many answers have been lost."""
        self._to_lose = 0
        self._lock = Lock()
        self._target = ("", 0)
        self._listener = socket.create_server((HOST, 0))
        self._open: list[socket.socket] = []
        self._threads: list[Thread] = []
        self._begin(self._accept)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{HOST}:{self._listener.getsockname()[1]}"

    def lead_to(self, host: str, port: int) -> None:
        """Set the broker's address before any client connects."""
        self._target = (host, port)

    def lose_an_answer(self) -> None:
        """Lose the answer to the next Produce request: the request is forwarded, and the connection closed."""
        with self._lock:
            self._to_lose += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _end(self._listener)
        with self._lock:
            there = list(self._open)
        for each in there:
            _end(each)
        for thread in self._threads:
            thread.join()

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        thread = Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            try:
                broker = socket.create_connection(self._target)
            except OSError:
                _end(client)
                continue
            with self._lock:
                self._open += (client, broker)
            losing: list[bytes] = []
            self._begin(self._requests, client, broker, losing)
            self._begin(self._answers, client, broker, losing)

    def on_request(self, client: socket.socket, frame: bytes) -> None:
        """Look at a request of a client before it is sent on. This class does nothing here."""

    def on_answer(self, client: socket.socket, frame: bytes) -> bytes:
        """The answer that the client gets in place of the broker's. In this class it is the broker's."""
        return frame

    def _requests(self, client: socket.socket, broker: socket.socket, losing: list[bytes]) -> None:
        try:
            for frame in _frames(client):
                if int.from_bytes(frame[4:6], "big") == PRODUCE and self._is_to_be_lost():
                    losing.append(frame[8:12])  # the correlation id
                self.on_request(client, frame)
                if not _sent(broker, frame):
                    break
        finally:
            _end(broker)

    def _answers(self, client: socket.socket, broker: socket.socket, losing: list[bytes]) -> None:
        try:
            for frame in _frames(broker):
                if frame[4:8] in losing:
                    self.lost += 1
                    break
                if not _sent(client, self.on_answer(client, frame)):
                    break
        finally:
            _end(client)
            _end(broker)

    def _is_to_be_lost(self) -> bool:
        with self._lock:
            if self._to_lose:
                self._to_lose -= 1
                return True
            return False


def _frames(source: socket.socket) -> Iterator[bytes]:
    """Complete frames with their sizes, until the stream ends."""
    while True:
        size = _read(source, 4)
        rest = _read(source, int.from_bytes(size, "big")) if size else b""
        if not rest:
            return
        yield size + rest


def _read(source: socket.socket, count: int) -> bytes:
    """Exactly this many bytes; nothing at the end of the stream."""
    parts = bytearray()
    while len(parts) < count:
        try:
            part = source.recv(min(count - len(parts), 1 << 16))
        except OSError:
            return b""
        if not part:
            return b""
        parts += part
    return bytes(parts)


def _sent(target: socket.socket, frame: bytes) -> bool:
    try:
        target.sendall(frame)
    except OSError:
        return False
    return True


def _end(each: socket.socket) -> None:
    """Wake up threads that wait for the socket, and close the socket."""
    with suppress(OSError):  # it may not be connected any more
        each.shutdown(socket.SHUT_RDWR)
    each.close()
