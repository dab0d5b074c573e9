"""Requests until they are answered, and those that are parked meanwhile."""

from collections.abc import Callable

from fakekafka.handlers.call import WAIT_ON, Call, Wait
from fakekafka.server.connection import Connection
from fakekafka.server.journal import Entry
from fakekafka.waiting.timers import Timer, Timers
from fakekafka.waiting.waiters import Waiters, Watch
from fakekafka.wire.message import Request


class Pending:
    """A request that is not answered yet; the lower fields are those of a request that waits."""

    __slots__ = ("body", "call", "connection", "entry", "is_long", "timers", "wait", "watch")

    def __init__(self, connection: Connection, call: Call, body: Request, entry: Entry) -> None:
        self.connection = connection
        self.call = call
        self.body = body
        self.entry = entry
        self.is_long = False
        """Whether it is answered in steps."""
        self.wait: Wait | None = None  # the last one returned
        self.watch: Watch | None = None
        self.timers: list[Timer] = []

    def stop_waiting(self) -> None:
        """Make sure that nothing wakes the request any more."""
        if self.watch is not None:
            self.watch.cancel()
            self.watch = None
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()


class Parked:
    """The requests that wait, at most one per connection.

    `resume(request, expired)`: called when one is woken or its time is up. `timers`: what measures that time;
    several if broker time and real time differ.
    """

    def __init__(self, waiters: Waiters, timers: tuple[Timers, ...], resume: Callable[[Pending, bool], None]) -> None:
        self._waiters = waiters
        self._timers = timers
        self._resume = resume
        self._by_connection: dict[int, Pending] = {}

    def park(self, request: Pending, wait: Wait) -> None:
        """Have the request wait, or continue to wait for something else; its first deadline stays."""
        if wait is WAIT_ON:
            return
        if wait.has_own_deadline:
            self.unpark(request)
        if request.watch is not None:
            request.watch.cancel()
        request.wait = wait
        request.watch = self._waiters.watch(wait.keys, lambda: self._resume(request, False))
        if request.connection.id not in self._by_connection:
            self._by_connection[request.connection.id] = request
            if wait.max_wait_ms is not None:
                request.timers += [
                    timers.after(wait.max_wait_ms, lambda: self._resume(request, True)) for timers in self._timers
                ]

    def unpark(self, request: Pending) -> None:
        """End the request's wait."""
        if request.wait is not None:
            self._by_connection.pop(request.connection.id, None)
            request.stop_waiting()

    def forget(self, connection: Connection) -> None:
        """Forget the waiting request of a connection that is gone."""
        request = self._by_connection.pop(connection.id, None)
        if request is not None:
            request.stop_waiting()

    def expire(self, connection: Connection) -> None:
        """Let the parked request of `connection`, if any, run out of patience."""
        request = self._by_connection.get(connection.id)
        if request is not None:
            self._resume(request, True)
