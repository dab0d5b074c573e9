"""From a frame to an answer: is it served, decode, handle or park, encode. Knows no API by name.

How a broker reacts to what it cannot read or does not serve is the release's manner: `profile.connection`.
"""

from collections import deque

from fakekafka.cluster.cluster import Cluster
from fakekafka.handlers import handler
from fakekafka.handlers.call import Answers, Call, Outcome, Result, Wait
from fakekafka.handlers.refusal import guarded, unserved
from fakekafka.ids import ApiKey
from fakekafka.pieces import size_of
from fakekafka.server.connection import Connection
from fakekafka.server.inbox import FrameRefused
from fakekafka.server.manners import Fallback, read_request
from fakekafka.waiting.timers import Timer, Timers
from fakekafka.waiting.waiters import Watch
from fakekafka.wire.frames import response_frame
from fakekafka.wire.message import Request, Response

JOURNAL_LENGTH = 200
JOURNAL_BYTES = 1 << 24
"""Of the frames of remembered requests and their answers: only the last one may be larger."""


class Entry:
    """One request in the journal. `response` is None while it waits, and for requests without an answer."""

    __slots__ = ("call", "outcome", "response", "size")

    def __init__(self, call: Call) -> None:
        self.call = call
        self.size: int | None = 0
        """Bytes of both frames; None: it is forgotten."""
        self.response: Response | None = None
        self.outcome: Outcome | None = None


class _Request:
    """A request until it is answered; the lower fields are those of one that waits."""

    __slots__ = ("body", "call", "connection", "entry", "timers", "wait", "watch")

    def __init__(self, connection: Connection, call: Call, body: Request, entry: Entry) -> None:
        self.connection = connection
        self.call = call
        self.body = body
        self.entry = entry
        self.wait: Wait | None = None  # the last one returned
        self.watch: Watch | None = None
        self.timers: list[Timer] = []

    def unpark(self) -> None:
        if self.watch is not None:
            self.watch.cancel()
            self.watch = None
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()


class Router:
    """Routes the requests of all connections of a cluster. `patience`: timers in real time, if they are others."""

    def __init__(self, cluster: Cluster, patience: Timers | None) -> None:
        self._cluster = cluster
        self._patience = patience
        self._parked: dict[int, _Request] = {}
        self._answered: dict[Connection, None] = {}
        self.journal: deque[Entry] = deque()
        self._journal_bytes = 0
        self.versions_used: set[tuple[ApiKey, int]] = set()
        """Every version in which an API was requested, however long ago."""

    def handle(self, connection: Connection) -> None:
        """Handle every request of the connection that may be handled now."""
        try:
            while (frame := connection.next_frame()) is not None:
                self._handle_frame(connection, frame)
        except FrameRefused:
            connection.close()  # every release
        except Exception as e:  # in reading a request or writing an answer: handlers have a guard of their own
            self._fail(connection, e)

    def forget(self, connection: Connection) -> None:
        """The connection is gone; so is what it waits for."""
        parked = self._parked.pop(connection.id, None)
        if parked is not None:
            parked.unpark()

    def forget_requests(self) -> None:
        """Begin a new journal."""
        for entry in self.journal:
            entry.size = None
        self.journal.clear()
        self._journal_bytes = 0
        self.versions_used.clear()

    def _note(self, entry: Entry, size: int) -> None:
        """A frame of that size belongs to `entry`; what is too much is forgotten, oldest first."""
        if entry.size is None:
            return
        entry.size += size
        self._journal_bytes += size
        journal = self.journal
        while len(journal) > JOURNAL_LENGTH or (self._journal_bytes > JOURNAL_BYTES and len(journal) > 1):
            oldest = journal.popleft()
            self._journal_bytes -= oldest.size or 0
            oldest.size = None

    def take_answered(self) -> list[Connection]:
        """Connections that were answered after waiting, since the last call."""
        answered, self._answered = self._answered, {}
        return list(answered)

    def expire(self, connection: Connection) -> None:
        """Let the parked request of `connection`, if any, run out of patience."""
        parked = self._parked.get(connection.id)
        if parked is not None:
            self._resume(parked, expired=True)

    def _handle_frame(self, connection: Connection, frame: bytearray) -> None:
        broker = self._cluster.brokers[connection.node_id]
        request = read_request(broker.profile.connection, broker.accepted, frame)
        if isinstance(request, Fallback):
            connection.send(response_frame(request.response, 0, request.correlation_id))
            return
        if isinstance(request, Outcome):
            self._end(connection, request)
            return
        call = Call(broker, request, connection.host, connection.id, self._cluster.clock.now_ms)
        entry = Entry(call)
        self.journal.append(entry)
        self._note(entry, len(frame))
        self.versions_used.add(request[:2])
        handle = handler(request.key)
        if handle is None:
            result: Result = unserved(request.body, request.version)
        else:
            result = guarded(call, request.body, lambda: handle(request.body, call))
        self._settle(_Request(connection, call, request.body, entry), result)

    def _fail(self, connection: Connection, failure: BaseException) -> None:
        """Keep an exception for the test to see; no other connection notices."""
        self._cluster.failures.append(failure)
        self.forget(connection)
        connection.in_flight = False
        connection.close()

    def _settle(self, request: _Request, result: Result) -> None:
        """Carry out what a handler returned."""
        if isinstance(result, Wait):
            self._park(request, result)
            return
        self._unpark(request)
        request.connection.in_flight = False
        if isinstance(result, Response):
            self._answer(request, result)
        elif isinstance(result, Answers):
            for response in result.responses:
                self._answer(request, response)
            self._end(request.connection, result.then)
        else:
            request.entry.outcome = result
            self._end(request.connection, result)

    def _answer(self, request: _Request, response: Response) -> None:
        request.entry.response = response
        call = request.call
        pieces = response_frame(response, call.answer_version, call.correlation_id)
        self._note(request.entry, size_of(pieces))
        request.connection.send(pieces)

    def _end(self, connection: Connection, outcome: Outcome | None) -> None:
        if outcome is Outcome.CLOSE:
            connection.close()
        elif outcome is Outcome.HANG:
            connection.in_flight = True

    # ---- waiting

    def _park(self, request: _Request, wait: Wait) -> None:
        if wait is request.wait:
            return  # woken for nothing: it waits on as it did
        connection = request.connection
        connection.in_flight = True
        if request.watch is not None:
            request.watch.cancel()
        request.wait = wait
        request.watch = self._cluster.waiters.watch(wait.keys, lambda: self._resume(request, expired=False))
        if connection.id not in self._parked:
            self._parked[connection.id] = request
            if wait.max_wait_ms is not None:
                for timers in (self._cluster.timers, self._patience):
                    if timers is not None:
                        request.timers.append(
                            timers.after(wait.max_wait_ms, lambda: self._resume(request, expired=True))
                        )

    def _unpark(self, request: _Request) -> None:
        if request.wait is not None:
            self._parked.pop(request.connection.id, None)
            request.unpark()

    def _resume(self, request: _Request, expired: bool) -> None:
        wait, connection = request.wait, request.connection
        assert wait is not None
        self._cluster.timers.wake_up()
        request.call.now = self._cluster.clock.now_ms
        try:
            self._settle(request, guarded(request.call, request.body, lambda: wait.resume(request.call, expired)))
        except Exception as e:
            self._fail(connection, e)
        if not connection.in_flight:
            self.handle(connection)  # what came while it waited
            self._answered[connection] = None
