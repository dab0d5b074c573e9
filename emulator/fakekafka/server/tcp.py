"""Sockets: one daemon thread with one `selectors` loop for all listeners and connections of a cluster.

The thread owns all broker state. Others reach in through `call`, which runs a function on the loop and waits for it.
A pass of the loop accepts new connections, reads what came, then gives turns (`turns.py`) for `WORK_PER_PASS_NS`, so
that
no client keeps another from being accepted, read and answered. Ports are bound before `start` returns, so clients may
connect at once.
"""

import contextlib
import errno
import queue
import selectors
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fakekafka.clock import elapsed_ns
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, Buffer
from fakekafka.pieces import BreaksOff
from fakekafka.server.connection import MAX_SENT, Connection
from fakekafka.server.core import Core
from fakekafka.server.turns import Turns

if TYPE_CHECKING:
    from fakekafka.security.tls import Encryption
    from fakekafka.server.tls_socket import TlsSocket

T = TypeVar("T")
READS_PER_TURN: Final = 16
"""How often one connection is read before the others get their turn."""
ACCEPTS_PER_PASS: Final = 64
WORK_PER_PASS_NS: Final = 5_000_000
"""How long requests are handled before the sockets are checked again."""
OUT_OF_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
PAUSE_MS: Final = 100
"""How long no client is accepted after the system ran out of descriptors."""


class Watcher:
    """A caller that waits for a condition."""

    def __init__(self, is_so: Callable[[], bool], tell: Callable[[], None]) -> None:
        self._is_so = is_so
        self._tell = tell
        self._cancelled = False
        self.error: BaseException | None = None
        """The exception of the condition, if it raised one."""

    def ask(self) -> bool:
        """Whether the wait is over: the condition is met, it raised, or the caller has stopped waiting."""
        if self._cancelled:
            return True
        try:
            if not self._is_so():
                return False
        except Exception as e:
            self.error = e
        self._tell()
        return True

    def give_up(self, error: BaseException) -> None:
        """Give up, because of `error`."""
        if not self._cancelled:
            self.error = error
            self._tell()

    def cancel(self) -> None:
        """Stop waiting."""
        self._cancelled = True


class TcpServer:
    """The listeners and connections of one cluster."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.turns = Turns(elapsed_ns)
        self._selector = selectors.DefaultSelector()
        self._wake_up, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._unsent: dict[_Channel, None] = {}
        self._channels: dict[int, _Channel] = {}
        self._listeners: dict[tuple[BrokerId, str], socket.socket] = {}
        self._encryption: dict[tuple[BrokerId, str], Encryption | None] = {}
        self._paused_until_ns = 0  # 0: listening
        self._watchers: list[Watcher] = []
        self._stopping = False
        self._thread = threading.Thread(target=self._loop, name="fakekafka", daemon=True)

    def listen(self, node_id: BrokerId, host: str, port: int, name: str, encryption: "Encryption | None" = None) -> int:
        """Bind a broker's listener of that name; returns the port. Raises `UsageError` when the port is taken."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except (OSError, OverflowError) as e:
            listener.close()
            raise UsageError(f"cannot listen on {host}:{port}: {e}. port=0 takes a free one") from None
        listener.listen(512)
        listener.setblocking(False)
        self._listeners[node_id, name] = listener
        self._encryption[node_id, name] = encryption
        self._watch_listener((node_id, name))
        bound: int = listener.getsockname()[1]
        return bound

    def stop_listening(self, node_id: BrokerId) -> None:
        """Close a broker's listeners, and its connections after what they have to send, on the loop's thread."""
        for place in [place for place in self._listeners if place[0] == node_id]:
            listener = self._listeners.pop(place)
            if not self._paused_until_ns:
                self._selector.unregister(listener)
            listener.close()
        for connection in self.core.connections_of(node_id):
            connection.close()
            self._flush(self._channels[connection.id])

    def start(self) -> None:
        """Start the loop."""
        self._selector.register(self._woken, selectors.EVENT_READ, lambda events: self._run_calls())
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
        for watcher in self._watchers:
            watcher.give_up(UsageError("the broker was stopped while something was waited for"))
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

    def watch_for(self, is_so: Callable[[], bool], tell: Callable[[], None]) -> "Watcher":
        """Have `tell` called once, on the loop's thread, as soon as a condition is met; it is checked there, too. An
        exception of `is_so` ends the wait, and is kept in the `Watcher`.
        """
        watcher = Watcher(is_so, tell)
        self._calls.put(lambda: self._watchers.append(watcher))
        self._wake()
        return watcher

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block the caller until a condition is met, checked on the loop's thread. Returns whether it was met in
        time.
        """
        done = threading.Event()
        watcher = self.watch_for(is_so, done.set)
        done.wait(timeout_s)
        watcher.cancel()
        if watcher.error is not None:
            raise watcher.error
        return done.is_set()

    def _ask_watchers(self) -> None:
        self._watchers = [watcher for watcher in self._watchers if not watcher.ask()]

    # ---- the loop

    def _loop(self) -> None:
        select, turns = self._selector.select, self.turns
        while not self._stopping:
            for key, events in select(self._wait_s()):
                self._guarded(key.data, events)
            if turns:
                self._guarded(turns.run, WORK_PER_PASS_NS)
                self._guarded(self._send_unsent)

    def _wait_s(self) -> float | None:
        """How long to wait for the sockets. Timers that are due run first."""
        wait_ms = self.core.next_timeout_ms()
        if wait_ms == 0:
            self._guarded(self.core.tick)
            self._guarded(self.serve_answered)
            wait_ms = self.core.next_timeout_ms()
        if self._watchers:
            self._ask_watchers()
        wait_s = None if wait_ms is None else wait_ms / 1000
        if self._paused_until_ns:
            wait_s = self._not_beyond_pause(wait_s)
        return 0 if self.turns else wait_s

    def _guarded(self, action: Callable[..., None], *arguments: int) -> None:
        """Run `action`. A defect of the broker's must not end the thread: every client would wait for ever."""
        try:
            action(*arguments)
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
        self.serve_answered()

    # ---- listeners

    def _watch_listener(self, place: tuple[BrokerId, str]) -> None:
        if not self._paused_until_ns:
            listener = self._listeners[place]
            self._selector.register(listener, selectors.EVENT_READ, lambda events: self._accept(*place, listener))

    def _accept(self, node_id: BrokerId, name: str, listener: socket.socket) -> None:
        for _ in range(ACCEPTS_PER_PASS):
            try:
                client, address = listener.accept()
            except OSError as e:
                if e.errno in OUT_OF_FILES:
                    self._pause()
                return  # there is no client, or it gave up in between
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = self.core.connect(node_id, address[0], address[1], name)
            encryption = self._encryption[node_id, name]
            tls = None if encryption is None else _encrypted(client, connection, encryption)
            self._channels[connection.id] = channel = _Channel(self, client, connection, tls)
            channel.ready(selectors.EVENT_READ)  # those that had to wait are asking already

    def _pause(self) -> None:
        """Accept no clients for a while: those that connect stay in the system's queue."""
        if self._paused_until_ns:
            return
        for listener in self._listeners.values():
            self._selector.unregister(listener)
        self._paused_until_ns = elapsed_ns() + PAUSE_MS * 1_000_000

    def _not_beyond_pause(self, wait_s: float | None) -> float | None:
        """How long to wait at most; ends the pause if it is over."""
        left_s = (self._paused_until_ns - elapsed_ns()) / 1e9
        if left_s > 0:
            return left_s if wait_s is None else min(wait_s, left_s)
        self._paused_until_ns = 0
        for place in self._listeners:
            self._watch_listener(place)
        return wait_s

    # ---- for channels

    def serve_answered(self) -> None:
        """Send the answers of connections that had to wait; requests that came meanwhile get their turn."""
        for connection in self.core.take_answered():
            if (channel := self._channels.get(connection.id)) is not None:
                self._flush(channel)

    def flush_later(self, channel: "_Channel") -> None:
        """Send at the end of this pass: the answers of one pass leave in one write."""
        self._unsent[channel] = None

    def _send_unsent(self) -> None:
        channels, self._unsent = self._unsent, {}
        for channel in channels:
            self._flush(channel)

    def _flush(self, channel: "_Channel") -> None:
        if channel.flush():
            self.turns.add(channel)

    def forget(self, connection: Connection) -> None:
        """A channel closed."""
        self._channels.pop(connection.id, None)
        self.core.disconnect(connection)

    def watch(self, client: socket.socket, before: int, events: int, action: Callable[[int], None]) -> None:
        """Change what a socket is watched for from `before` to `events`; 0 is nothing."""
        if not before:
            self._selector.register(client, events, action)
        elif events:
            self._selector.modify(client, events, action)
        else:
            self._selector.unregister(client)


def _encrypted(client: socket.socket, connection: Connection, encryption: "Encryption") -> "TlsSocket":
    from fakekafka.server.tls_socket import TlsSocket  # few brokers speak TLS

    def note(certificate: "dict[str, Any] | None") -> None:
        connection.principal = encryption.principal(certificate)

    return TlsSocket(client, encryption.context, note)


class _Channel:
    """One client's socket: brings bytes to its connection and from it. Takes turns with the others."""

    def __init__(
        self, server: TcpServer, client: socket.socket, connection: Connection, tls: "TlsSocket | None"
    ) -> None:
        self._server = server
        self._socket = client
        self._tls = tls
        self._connection = connection
        self._is_full = False  # the socket takes no more bytes
        self._is_closed = False
        self._watched = 0
        self.used_ns = 0
        self.period = 0
        self.is_due = False
        self._watch()

    def _watch(self) -> None:
        """Have the loop call when the socket is ready for what the connection needs."""
        reads = selectors.EVENT_READ if self._connection.wants_bytes and not self._connection.has_ended else 0
        events = reads | (selectors.EVENT_WRITE if self._is_full else 0)
        if events != self._watched:
            self._server.watch(self._socket, self._watched, events, self.ready)
            self._watched = events

    def ready(self, events: int) -> None:
        """The socket can be read or written."""
        if self._is_closed:
            return  # another event of the same pass has closed it
        if events & selectors.EVENT_READ:
            self._read()
        if events & selectors.EVENT_WRITE:
            self._is_full = False
            self._server.turns.add(self)
        elif self._connection.has_request or self._has_more:
            self._server.turns.add(self)

    def _read(self) -> None:
        connection = self._connection
        for _ in range(READS_PER_TURN):
            if not connection.wants_bytes:
                self._watch()
                return
            space = connection.space()
            try:
                count = (self._tls or self._socket).recv_into(space)
            except BlockingIOError:
                self._watch_full()
                return
            except OSError:
                self.close()
                return
            connection.received(count)
            if not count or (count < len(space) and self._tls is None):
                break
        self._watch_full()
        if connection.has_ended:
            self._end()

    @property
    def _has_more(self) -> bool:
        """Whether bytes have come that no event of the system reports."""
        if self._tls is None or self._is_closed:
            return False
        return self._tls.has_more and self._connection.wants_bytes and not self._connection.has_ended

    def _watch_full(self) -> None:
        """Have the loop call when encrypted bytes that wait can be sent."""
        if self._tls is not None and self._tls.is_full and not self._is_full:
            self._is_full = True
            self._watch()

    def take_turn(self) -> bool:
        """Handle one request, or send a part of what is queued."""
        connection = self._connection
        if self._has_more:
            self._read()
        if self._is_closed or not connection.has_request:
            return self.flush()
        self._server.core.step(connection)
        self._server.serve_answered()
        if connection.has_request:
            self._server.flush_later(self)
            return True
        return connection.unsent > MAX_SENT or self.flush()  # what is large has a turn of its own

    def flush(self) -> bool:
        """Send what is queued, or a part of it if it is large. Returns whether there is more to do without waiting."""
        if self._is_closed:
            return False
        try:
            if self._tls is not None:
                self._tls.push()
                self._is_full = self._tls.is_full
            if self._connection.unsent:
                self._send()
        except Exception as e:
            self.close()
            if not isinstance(e, (OSError, BreaksOff)):
                raise  # a defect
            return False
        self._end()
        if self._is_closed:
            return False
        waiting = self._connection.has_request or self._has_more
        return waiting or (self._connection.unsent > 0 and not self._is_full)

    def _send(self) -> None:
        connection, left = self._connection, MAX_SENT
        while left > 0 and connection.unsent:
            buffers = connection.data_to_send(left)
            try:
                count = _send_some(self._socket, buffers) if self._tls is None else self._tls.send_buffers(buffers)
            except BlockingIOError:
                count = 0
            connection.sent(count)
            left -= count
            self._is_full = count < sum(map(len, buffers)) or (self._tls is not None and self._tls.is_full)
            if self._is_full:
                return

    def _end(self) -> None:
        """Close if it is time to; otherwise keep watching."""
        if self._connection.is_over and not (self._tls is not None and self._tls.is_full):
            self.close()
        elif not self._is_closed:
            self._watch()

    def close(self) -> None:
        """Close the socket and forget the connection."""
        if not self._is_closed:
            self._is_closed = True
            if self._watched:
                self._server.watch(self._socket, self._watched, 0, self.ready)
            self._socket.close()
            self._server.forget(self._connection)


if hasattr(socket.socket, "sendmsg"):

    def _send_some(client: socket.socket, buffers: Sequence[Buffer]) -> int:
        return client.sendmsg(buffers)

else:  # Windows

    def _send_some(client: socket.socket, buffers: Sequence[Buffer]) -> int:
        return client.send(b"".join(buffers))
