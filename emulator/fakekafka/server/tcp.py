"""Sockets: one daemon thread with one `selectors` loop for all listeners and connections of a cluster.

The thread owns all broker state. Others reach in through `call`, which runs a function on the loop and waits for it.
All answers of one read leave in one write. Ports are bound before `start` returns, so clients may connect at once.
"""

import contextlib
import queue
import selectors
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import BreaksOff, Chunks, Piece
from fakekafka.server.connection import Connection
from fakekafka.server.core import Core

T = TypeVar("T")
MAX_PIECES: Final = 512
"""Buffers in one `sendmsg`: IOV_MAX is 1024 on Linux."""
BYTES_MADE_PER_TURN: Final = 1 << 20
"""How much of an answer that is made while it is sent is made before the others get their turn."""
READS_PER_TURN: Final = 16
"""How often one connection is read before the others get their turn."""


class TcpServer:
    """The listeners and connections of one cluster."""

    def __init__(self, core: Core) -> None:
        self.core = core
        core.flush = self._send_later
        self._selector = selectors.DefaultSelector()
        self._wake_up, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._to_send: list[Connection] = []
        self._channels: dict[int, _Channel] = {}
        self._listeners: dict[BrokerId, socket.socket] = {}
        self._stopping = False
        self._thread = threading.Thread(target=self._loop, name="fakekafka", daemon=True)

    def listen(self, node_id: BrokerId, host: str, port: int) -> int:
        """Bind the listener of a broker; returns the port. Raises `UsageError` when the port is taken."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as e:
            listener.close()
            raise UsageError(f"cannot listen on {host}:{port}: {e}. port=0 takes a free one") from None
        listener.listen(512)
        listener.setblocking(False)
        self._listeners[node_id] = listener
        self._selector.register(listener, selectors.EVENT_READ, lambda: self._accept(node_id, listener))
        bound: int = listener.getsockname()[1]
        return bound

    def stop_listening(self, node_id: BrokerId) -> None:
        """Close a broker's listener, and its connections behind what they have to send, on the loop's thread."""
        listener = self._listeners.pop(node_id)
        self._selector.unregister(listener)
        listener.close()
        for connection in self.core.connections_of(node_id):
            connection.close()
            self._channels[connection.id].flush()

    def start(self) -> None:
        """Start the loop."""
        self._selector.register(self._woken, selectors.EVENT_READ, self._run_calls)
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and listener, and end the thread."""
        if self._thread.is_alive():
            self._stopping = True
            self._wake()
            self._thread.join()
        for listener in self._listeners.values():
            listener.close()
        for channel in tuple(self._channels.values()):
            channel.close()
        self._run_calls()
        self._selector.close()
        self._wake_up.close()
        self._woken.close()

    def call(self, action: Callable[[], T]) -> T:
        """Run `action` on the loop's thread and return what it returns. Its exceptions are raised here."""
        if threading.current_thread() is self._thread or not self._thread.is_alive():
            return self._now(action)
        done = threading.Event()
        result: list[T] = []
        error: list[BaseException] = []

        def run() -> None:
            try:
                result.append(self._now(action))
            except BaseException as e:
                error.append(e)
            finally:
                done.set()

        self._calls.put(run)
        self._wake()
        done.wait()
        if error:
            raise error[0]
        return result[0]

    def _now(self, action: Callable[[], T]) -> T:
        result: list[T] = []
        self.core.run(lambda: result.append(action()))
        return result[0]

    def close_connections(self) -> None:
        """Close every connection, on the loop's thread."""
        for channel in tuple(self._channels.values()):
            channel.close()

    # ---- the loop

    def _loop(self) -> None:
        select, core = self._selector.select, self.core
        while not self._stopping:
            timeout_ms = core.next_timeout_ms()
            for key, _ in select(None if timeout_ms is None else timeout_ms / 1000):
                self._guarded(key.data)
            if core.next_timeout_ms() == 0:
                self._guarded(core.tick)
            self._guarded(self._send_pending)

    def _guarded(self, action: Callable[[], None]) -> None:
        """Run `action`. A defect of the broker's must not end the thread: every client would wait for ever."""
        try:
            action()
        except Exception as e:
            self.core.cluster.failures.append(e)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_up.send(b"\0")

    def _run_calls(self) -> None:
        with contextlib.suppress(OSError):
            self._woken.recv(4096)
        while not self._calls.empty():
            self._calls.get()()

    def _accept(self, node_id: BrokerId, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except OSError:
            return  # the client gave up in between
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = self.core.connect(node_id, address[0], address[1])
        self._channels[connection.id] = _Channel(self, client, connection)

    def _send_later(self, connection: Connection) -> None:
        self._to_send.append(connection)

    def _send_pending(self) -> None:
        while self._to_send:
            pending, self._to_send = self._to_send, []
            for connection in pending:
                if (channel := self._channels.get(connection.id)) is not None:
                    channel.flush()

    def forget(self, connection: Connection) -> None:
        """A channel closed."""
        self._channels.pop(connection.id, None)
        self.core.disconnect(connection)

    def watch(self, client: socket.socket, before: int, events: int, action: Callable[[], None]) -> None:
        """Change what a socket is watched for from `before` to `events`; 0 is nothing."""
        if not before:
            self._selector.register(client, events, action)
        elif events:
            self._selector.modify(client, events, action)
        else:
            self._selector.unregister(client)


class _Channel:
    """One client's socket. Reads while the connection takes requests, writes when something is queued."""

    def __init__(self, server: TcpServer, client: socket.socket, connection: Connection) -> None:
        self._server = server
        self._socket = client
        self._connection = connection
        self._queue: deque[Piece | Iterator[Buffer]] = deque()  # answers; an iterator gives the rest of some chunks
        self._unsent: deque[memoryview] = deque()  # what of them comes next
        self._closed = False
        self._watched = 0
        self._watch(selectors.EVENT_READ)

    def _watch(self, events: int) -> None:
        """Have the loop call when the socket is ready for `events`; 0: for nothing."""
        if events == self._watched:
            return
        action = self._writable if events == selectors.EVENT_WRITE else self._readable
        self._server.watch(self._socket, self._watched, events, action)
        self._watched = events

    def _readable(self) -> None:
        connection = self._connection
        for _ in range(READS_PER_TURN):
            space = connection.inbox.space()
            try:
                count = self._socket.recv_into(space)
            except BlockingIOError:
                break
            except OSError:
                count = 0
            if not count:
                self.close()
                return
            connection.inbox.received(count)
            if connection.silenced:
                connection.inbox.drop()
                continue
            self._server.core.step(connection)
            if count < len(space) or self._unsent or not connection.inbox.has_room():
                break
        self.flush()

    def flush(self) -> None:
        """Send what is queued; what the socket does not take waits until it is writable."""
        if self._closed:
            return
        self._queue.extend(self._connection.take_outbox())
        if (self._queue or self._unsent) and not self._send():
            return
        if self._connection.closing:
            self.close()
        else:
            self._listen()

    def _listen(self) -> None:
        """Read on, unless requests pile up behind one that is in flight (a real broker mutes the channel)."""
        self._watch(selectors.EVENT_READ if self._connection.inbox.has_room() else 0)

    def _send(self) -> bool:
        """False when the socket is full or gone, or when it is the others' turn."""
        unsent, made = self._unsent, 0
        while unsent or self._queue:
            try:
                made += self._make_ready()
                sent = _send_some(self._socket, [unsent[i] for i in range(min(len(unsent), MAX_PIECES))])
            except BlockingIOError:
                self._watch(selectors.EVENT_WRITE)
                return False
            except Exception as e:
                self.close()
                if not isinstance(e, (OSError, BreaksOff)):
                    raise  # a defect
                return False
            while unsent and sent >= len(unsent[0]):
                sent -= len(unsent.popleft())
            if sent:
                unsent[0] = unsent[0][sent:]
            if made >= BYTES_MADE_PER_TURN and self._queue:
                self._watch(selectors.EVENT_WRITE)
                return False
        return True

    def _make_ready(self) -> int:
        """Have what comes next ready to be sent: buffers up to the first chunks, or one chunk; its size."""
        queue, unsent = self._queue, self._unsent
        while queue:
            piece = queue.popleft()
            if isinstance(piece, Chunks):
                queue.appendleft(iter(piece))
            elif isinstance(piece, (bytes, bytearray, memoryview)):
                unsent.append(memoryview(piece))
            elif unsent:
                queue.appendleft(piece)
                break
            elif (chunk := next(piece, None)) is not None:
                queue.appendleft(piece)
                unsent.append(memoryview(chunk))
                return len(chunk)
        return 0

    def _writable(self) -> None:
        if self._send() and not self._closed:
            self._server.core.step(self._connection)  # what came while the answers waited
            self.flush()

    def close(self) -> None:
        """Close the socket and forget the connection."""
        if not self._closed:
            self._closed = True
            self._watch(0)
            self._socket.close()
            self._server.forget(self._connection)


if hasattr(socket.socket, "sendmsg"):

    def _send_some(client: socket.socket, buffers: Sequence[Buffer]) -> int:
        return client.sendmsg(buffers)

else:  # Windows

    def _send_some(client: socket.socket, buffers: Sequence[Buffer]) -> int:
        return client.send(b"".join(buffers))
