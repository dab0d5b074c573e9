"""Sockets: one daemon thread with one `selectors` loop for all listeners and connections of a cluster.

The thread owns all broker state. Other threads use `call`, which runs a function on the loop and waits for it. A
pass of the loop accepts new connections, reads what came, then gives turns (`turns.py`) for `WORK_PER_PASS_NS`, so that
no client keeps another from being accepted, read and answered. Ports are bound before `start` returns, so clients may
connect at once.

This file is longer than others because it alone handles sockets: the loop, listeners and connections.
"""

import contextlib
import errno
import queue
import selectors
import socket
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, assert_never

from fakekafka.clock import elapsed_ns
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, DurationMs
from fakekafka.server.channel import READ, Channel, Socket
from fakekafka.server.connection import Connection
from fakekafka.server.core import Core
from fakekafka.server.newcomers import Newcomers
from fakekafka.server.turns import Turns

if TYPE_CHECKING:
    from fakekafka.faults.ending import Refusing
    from fakekafka.security.tls import Encryption

T = TypeVar("T")
ListenerKey: TypeAlias = tuple[BrokerId, str]
"""A broker and one of its listeners."""
ACCEPTS_PER_PASS: Final = 64
WORK_PER_PASS_NS: Final = 5_000_000
"""How long requests are handled before the sockets are checked again."""
LATE_NS: Final = 10_000_000
"""A process that is later than this for a deadline had no processor time: the deadline comes before what clients have
sent meanwhile. Within this time, as in real brokers, either may be first.
"""
OUT_OF_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
PAUSE_MS: Final = 100
"""How long no client is accepted after the system has run out of descriptors."""


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
        self.newcomers = Newcomers()
        self._selector = selectors.DefaultSelector()
        self._wake_up, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._unsent: dict[Channel, None] = {}
        self._channels: dict[int, Channel] = {}
        self._listeners: dict[ListenerKey, socket.socket] = {}
        self._encryption: dict[ListenerKey, Encryption | None] = {}
        self._paused_until_ns = 0  # 0: listening
        self._reserved: dict[ListenerKey, socket.socket] = {}  # ports that are closed for a while
        self._of_stopped: dict[ListenerKey, socket.socket] = {}  # ports of brokers that may be started again
        self._refusals: dict[BrokerId, Refusal] = {}
        self._watchers: list[Watcher] = []
        self._stopping = False
        self._thread = threading.Thread(target=self._loop, name="fakekafka", daemon=True)

    def listen(self, node_id: BrokerId, host: str, port: int, name: str, encryption: "Encryption | None" = None) -> int:
        """Bind a broker's listener of this name. Returns the port. Raises `UsageError` when the port is taken."""
        listener = self._bound_again((node_id, name), host, port)
        self._encryption[node_id, name] = encryption
        self._listen((node_id, name), listener)
        bound: int = listener.getsockname()[1]
        return bound

    def _bound_again(self, place: ListenerKey, host: str, port: int) -> socket.socket:
        kept = self._of_stopped.pop(place, None)
        if kept is not None:
            if kept.getsockname()[:2] == (host, port):
                return kept
            kept.close()
        return _bound(host, port)

    def _listen(self, place: ListenerKey, listener: socket.socket) -> None:
        """Begin to listen. Raises `UsageError` if another program does, which may have bound the same port."""
        try:
            listener.listen(512)
        except OSError as e:
            host, port = listener.getsockname()[:2]
            listener.close()
            raise _taken(host, port, e) from None
        listener.setblocking(False)
        self._listeners[place] = listener
        self._watch_listener(place)

    def _stop_listening_at(self, place: ListenerKey) -> None:
        listener = self._listeners.pop(place)
        if not self._paused_until_ns:
            self._selector.unregister(listener)
        listener.close()

    def stop_listening(self, node_id: BrokerId) -> None:
        """Close a broker's listeners, and its connections after what they have to send, on the loop's thread. The ports
        stay taken: otherwise another program could get one, or a client that keeps trying to connect to it.
        """
        for place in [place for place in self._listeners if place[0] == node_id]:
            with contextlib.suppress(UsageError):
                self._of_stopped[place] = self._close_port(place)
        for place in [place for place in self._reserved if place[0] == node_id]:
            self._of_stopped[place] = self._reserved.pop(place)
        for connection in self.core.connections_of(node_id):
            connection.close()
            self._flush(self._channels[connection.id])

    # ---- refusing clients that connect

    def refuse(self, node_id: BrokerId, how: "Refusing", on_refused: Callable[[], None]) -> Callable[[], None]:
        """Refuse clients that connect to a broker from now on. Returns what ends that. `on_refused` is called for each
        client that is seen: on a closed port, the system itself refuses clients.
        """
        if how != "refused":
            self._refusals[node_id] = refusal = Refusal(how, on_refused)
            return lambda: self._accept_again(node_id, refusal)
        places = [place for place in self._listeners if place[0] == node_id]
        for place in places:
            self._reserved[place] = self._close_port(place)
        return lambda: self._listen_again(places)

    def _close_port(self, place: ListenerKey) -> socket.socket:
        """Close a listener. Returns a socket that keeps the port from other programs."""
        host, port = self._listeners[place].getsockname()[:2]
        self._stop_listening_at(place)
        return _bound(host, port)

    def _listen_again(self, places: Sequence[ListenerKey]) -> None:
        for place in places:
            if (reserved := self._reserved.pop(place, None)) is not None:
                self._listen(place, reserved)

    def _accept_again(self, node_id: BrokerId, refusal: "Refusal") -> None:
        refusal.end()
        if self._refusals.get(node_id) is refusal:
            del self._refusals[node_id]

    def start(self) -> None:
        """Start the loop. Timers that are due run before: starting a thread lasts until it first waits."""
        self._selector.register(self._woken, selectors.EVENT_READ, lambda events: self._run_calls())
        self._tick()
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and listener, and end the thread."""
        if self._thread.is_alive():
            self._stopping = True
            self._wake()
            self._thread.join()
        for listener in (*self._listeners.values(), *self._reserved.values(), *self._of_stopped.values()):
            listener.close()
        for refusal in self._refusals.values():
            refusal.end()
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
        done.wait(min(timeout_s, threading.TIMEOUT_MAX))
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
            wait_s, began_ns = self._wait_s(), elapsed_ns()
            ready = select(wait_s)
            if ready and wait_s and elapsed_ns() - began_ns > wait_s * 1e9 + LATE_NS:
                self._tick()
            for key, events in ready:
                try:  # like `_guarded`, which would be one more function for each request
                    key.data(events)
                except Exception as e:
                    self.core.cluster.failures.append(e)
            if turns:
                self._guarded(turns.run, WORK_PER_PASS_NS)
                if self._unsent:
                    self._guarded(self._send_unsent)

    def _wait_s(self) -> float | None:
        """How long to wait for the sockets. Timers that are due run first."""
        wait_ms = self.core.next_timeout_ms()
        if wait_ms == 0:
            self._tick()
            wait_ms = self.core.next_timeout_ms()
        if self._watchers:
            self._ask_watchers()
        if len(self.newcomers):
            wait_ms = self._not_beyond_patience(wait_ms)
        wait_s = None if wait_ms is None else wait_ms / 1000
        if self._paused_until_ns:
            wait_s = self._not_beyond_pause(wait_s)
        return 0 if self.turns else wait_s

    def _tick(self) -> None:
        """Run the timers that are due, and send what they answer."""
        self._guarded(self.core.tick)
        self._guarded(self.serve_answered)

    def _not_beyond_patience(self, wait_ms: DurationMs | None) -> DurationMs | None:
        """Turn away clients that have not logged in in time. Returns how long to wait at most for the next one."""
        now_ms = elapsed_ns() // 1_000_000
        self.newcomers.expire(now_ms)
        ends_ms = self.newcomers.next_deadline_ms()
        if ends_ms is None:
            return wait_ms
        return ends_ms - now_ms if wait_ms is None else min(wait_ms, ends_ms - now_ms)

    def _guarded(self, action: Callable[..., None], *arguments: int) -> None:
        """Run `action`. A defect of the broker must not end the thread: every client would wait for ever."""
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

    def _watch_listener(self, place: ListenerKey) -> None:
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
            if (refusal := self._refusals.get(node_id)) is not None:
                refusal.take(client)
                continue
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = self.core.connect(node_id, address[0], address[1], name)
            self._channels[connection.id] = channel = self._channel(client, connection, self._encryption[node_id, name])
            if channel.is_new:
                self.newcomers.add(channel, elapsed_ns() // 1_000_000)
            channel.ready(READ)  # a client that had to wait has already sent requests
            if connection.is_closing:  # the connection exceeds a limit
                self._flush(channel)

    def _channel(self, client: socket.socket, connection: Connection, encryption: "Encryption | None") -> Channel:
        if encryption is None:
            return Channel(self, client, connection)
        from fakekafka.server.encrypted_channel import EncryptedChannel  # few brokers speak TLS

        return EncryptedChannel(self, client, connection, encryption)

    def _pause(self) -> None:
        """Accept no clients for a while: those that connect stay in the system's queue."""
        if self._paused_until_ns:
            return
        for listener in self._listeners.values():
            self._selector.unregister(listener)
        self._paused_until_ns = elapsed_ns() + PAUSE_MS * 1_000_000

    def _not_beyond_pause(self, wait_s: float | None) -> float | None:
        """End the pause if it is over. Returns how long to wait at most."""
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

    def resume_later(self, channel: Channel, ms: DurationMs) -> None:
        """Let a channel continue sending when this much time has passed on the broker's clock."""
        self.core.cluster.timers.after(ms, channel.resume)

    @property
    def elapsed_ms(self) -> DurationMs:
        """The time on the broker's clock."""
        return self.core.cluster.clock.elapsed_ms

    def reset(self, client: Socket) -> None:
        """Have closing a client's socket send a RST."""
        if isinstance(client, socket.socket):
            _reset(client)

    def flush_later(self, channel: Channel) -> None:
        """Send at the end of this pass: the answers of one pass leave in one write."""
        self._unsent[channel] = None

    def _send_unsent(self) -> None:
        channels, self._unsent = self._unsent, {}
        for channel in channels:
            self._flush(channel)

    def _flush(self, channel: Channel) -> None:
        if channel.flush():
            self.turns.add(channel)

    def forget(self, connection: Connection) -> None:
        """Forget a channel that has closed."""
        self._channels.pop(connection.id, None)
        self.core.disconnect(connection)

    def watch(self, client: Socket, before: int, events: int, action: Callable[[int], None]) -> None:
        """Change what a socket is watched for from `before` to `events`; 0 is nothing."""
        if not before:
            self._selector.register(client, events, action)
        elif events:
            self._selector.modify(client, events, action)
        else:
            self._selector.unregister(client)


class Refusal:
    """What happens to clients that connect to one broker."""

    def __init__(self, how: "Refusing", on_refused: Callable[[], None]) -> None:
        self._how = how
        self._on_refused = on_refused
        self._silent: list[socket.socket] = []

    def take(self, client: socket.socket) -> None:
        """Take a client that has connected."""
        self._on_refused()
        match self._how:
            case "silence":
                self._silent.append(client)
            case "reset":
                _reset(client)
                client.close()
            case "close" | "refused":
                client.close()
            case other:
                assert_never(other)

    def end(self) -> None:
        """Refuse nobody any more; the connections of clients that were kept waiting are closed."""
        for client in self._silent:
            client.close()
        self._silent.clear()


def _bound(host: str, port: int) -> socket.socket:
    """A socket that is bound but does not listen yet. Raises `UsageError` when the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as e:
        listener.close()
        raise _taken(host, port, e) from None
    return listener


def _taken(host: str, port: int, error: Exception) -> UsageError:
    return UsageError(f"cannot listen on {host}:{port}: {error}. port=0 takes a free one")


def _reset(client: socket.socket) -> None:
    """Have closing send a RST."""
    with contextlib.suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
