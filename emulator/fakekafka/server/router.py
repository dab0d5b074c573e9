"""From a frame to an answer: check that it is served, decode, handle or park, encode. No API is known by name here.

How a broker reacts to what it cannot read or does not serve depends on the release: `profile.connection`.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from fakekafka.cluster.cluster import Cluster
from fakekafka.handlers import Handler, arrangement, handler, lists_state
from fakekafka.handlers.call import Answers, Call, Outcome, Result, Steps, Wait, in_steps
from fakekafka.handlers.refusal import guarded, unserved
from fakekafka.ids import ApiKey, DurationMs
from fakekafka.pieces import Piece, Stepwise
from fakekafka.server.connection import Connection
from fakekafka.server.inbox import FrameRefused
from fakekafka.server.journal import Entry, Journal
from fakekafka.server.logins import Asked, Logins
from fakekafka.server.manners import Fallback, Reading, ReadRequest, read_request
from fakekafka.server.parking import Parked, Pending
from fakekafka.state.client_software import ClientSoftware
from fakekafka.waiting.timers import Timer, Timers
from fakekafka.wire.frames import response_frame
from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.security.sasl.authentication import Reaction


COUNTED: Final = (ApiKey.PRODUCE, ApiKey.FETCH)
"""Requests of which the bytes count for quotas."""


class Rules(Protocol):
    """Fault rules, of which one may act on a request (see `faults.book`)."""

    def rule_for(self, call: Call, body: Request) -> Any:
        """The rule that acts on a request, or None. Its text goes into the journal."""

    def run(self, rule: Any, call: Call, body: Request, handle: Handler, link: Connection) -> Result:
        """Let a rule act on a request; `handle` carries requests out."""


class Router:
    """Routes the requests of all connections of a cluster. `patience`: timers in real time, if they differ from the
    cluster's.
    """

    def __init__(
        self, cluster: Cluster, patience: Timers | None, journal: Journal, left: Callable[[Connection], None]
    ) -> None:
        """`left`: called with a connection whose client has left while it was muted, once it is not any more."""
        self._cluster, self._left = cluster, left
        self.muted: set[Connection] = set()
        """Connections that are throttled: whether their clients have left is not noticed."""
        self.answered: dict[Connection, None] = {}
        """Connections that were answered after waiting, and that have not been served since."""
        self.rules: Rules | None = None
        """The fault rules, while there are any."""
        self.journal = journal
        self.timers = (cluster.timers,) if patience is None else (cluster.timers, patience)
        """The timers of delays: the first one that is due ends a delay."""
        self.parked = Parked(cluster.waiters, self.timers, self._resume)
        self._logins = Logins(cluster, journal)

    def handle(self, connection: Connection) -> None:
        """Handle the connection's next request, if there is one that may be handled now, or a step of the last one."""
        try:
            if connection.unfinished is not None:
                connection.unfinished()
            elif (frame := connection.next_request()) is not None:
                broker, login = self._cluster.brokers[connection.node_id], connection.authentication
                if login is not None and login.takes_bare_tokens:
                    self._react(connection, None, self._logins.token(connection, login, bytes(frame)))
                    return
                request = read_request(broker.profile.connection, broker.accepted, frame)
                if isinstance(request, Reading):
                    self._read_on(connection, frame, request.steps)
                else:
                    self._handle_request(connection, frame, request)
        except FrameRefused as refused:
            from fakekafka.server.strangers import what_it_is  # few frames are too large

            self.refuse(connection, what_it_is(refused.size, self._protocol(connection)))
            connection.close()  # as every release does
        except Exception as defect:  # in reading a request or writing an answer: handlers have a guard of their own
            self._fail(connection, defect)

    def note_change(self, connection: Connection) -> None:
        """Note that a connection has something to send, may be read, or has to close, outside its own step."""
        self.answered[connection] = None

    def refuse(self, connection: Connection, why: str) -> None:
        """Remember that a client was turned away; the connection is closed, or will be."""
        from fakekafka.server.refused_connection import RefusedConnection  # few clients are refused

        who = connection.node_id, connection.listener, connection.host
        self.journal.refused.append(RefusedConnection(self._cluster.clock.now_ms, *who, why))
        self.note_change(connection)

    def _protocol(self, connection: Connection) -> str:
        """The protocol of the connection's listener: "PLAINTEXT", "SASL_SSL" …"""
        listeners = self._cluster.brokers[connection.node_id].listeners
        return next((each.protocol for each in listeners if each.name == connection.listener), listeners[0].protocol)

    def _note_needless_login(self, connection: Connection, body: Request) -> None:
        from fakekafka.server.strangers import login_without_need  # few clients try

        self.refuse(connection, login_without_need(str(getattr(body, "mechanism", "")), self._protocol(connection)))

    def _note_unanswered(self, connection: Connection, frame: bytearray) -> None:
        from fakekafka.server.strangers import what_was_asked  # few clients ask for what a release lacks

        broker = self._cluster.brokers[connection.node_id]
        self.refuse(connection, what_was_asked(frame, broker.accepted, broker.profile.release))

    def _handle_request(
        self, connection: Connection, frame: bytearray, request: ReadRequest | Fallback | Outcome, is_long: bool = False
    ) -> None:
        broker, login = self._cluster.brokers[connection.node_id], connection.authentication
        if isinstance(request, ReadRequest):
            connection.client_id = request.client_id or ""
            if request.key is ApiKey.API_VERSIONS:
                _note_software(connection, request.body)
            elif request.key is ApiKey.SASL_HANDSHAKE and login is None:
                self._note_needless_login(connection, request.body)
        if login is not None:
            reaction = self._logins.react(connection, login, request)
            if reaction is not None:
                entry = self._journaled(connection, request, frame) if isinstance(request, ReadRequest) else None
                self._react(connection, request, reaction, entry)
                return
        if isinstance(request, Fallback):
            connection.send(response_frame(request.response, 0, request.correlation_id))
            connection.done()
            return
        if isinstance(request, Outcome):
            self._note_unanswered(connection, frame)
            self._end(connection, request)
            return
        entry = self._journaled(connection, request, frame)
        call = entry.call
        pending = Pending(connection, call, request.body, entry)
        pending.is_long = is_long
        handle = handler(request.key)
        if handle is None:
            self._settle(pending, unserved(request.body, request.version))
            return
        if broker.authorizer is not None:
            handle = _with_rights(handle)
        if self.rules is not None and (rule := self.rules.rule_for(call, request.body)) is not None:
            handle = _under(rule, self.rules, pending, handle)
        self._settle(pending, guarded(handle, request.body, call))

    def _read_on(self, connection: Connection, frame: bytearray, steps: Stepwise[ReadRequest | Outcome]) -> None:
        """Take the next step of reading a long request, and handle it when it is read. One that took several steps is
        answered in steps.
        """
        is_long = connection.unfinished is not None
        try:
            next(steps)
        except StopIteration as end:
            connection.unfinished = None
            self._handle_request(connection, frame, end.value, is_long)
        else:
            connection.unfinished = lambda: self._read_on(connection, frame, steps)

    def _journaled(self, connection: Connection, request: ReadRequest, frame: bytearray) -> Entry:
        """The journal's entry of a request that has just come."""
        broker, at, who = self._cluster.brokers[connection.node_id], self._cluster.clock.now_ms, connection.principal
        software, port = connection.software, connection.port
        call = Call(broker, request, connection.host, connection.id, at, who, connection.listener, software, port)
        return self.journal.open(call, frame)

    def _react(self, connection: Connection, request: Asked, reaction: "Reaction", entry: Entry | None = None) -> None:
        """Carry out a login's reaction, now or after the delay of a failed login."""
        if reaction.why:
            self.refuse(connection, reaction.why)
        delay_ms = self._logins.delay_ms(connection) if reaction.delayed else 0
        if not delay_ms:
            self._logins.carry_out(connection, request, reaction, entry)
            return

        def end() -> None:
            if not connection.is_closing:
                self._logins.carry_out(connection, request, reaction, entry)
                self.answered[connection] = None

        for timers in self.timers:
            timers.after(delay_ms, end)

    def _fail(self, connection: Connection, failure: BaseException) -> None:
        """Keep an exception for the test to see; other connections are not affected."""
        self._cluster.failures.append(failure)
        self.parked.forget(connection)
        connection.close()

    def _settle(self, request: Pending, result: Result) -> None:
        """Carry out the outcome that a handler returned."""
        if isinstance(result, Wait):
            self.parked.park(request, result)
            return
        if request.wait is not None:
            self.parked.unpark(request)
        if isinstance(result, Response):
            call = request.call
            if self._cluster.settings.quotas or call.throttle_ms or call.broker.has_default_quotas:
                self._answer_throttled(request, result)
            elif request.is_long and not self._cluster.halting:  # the last answer of a broker that halts has no time
                self._answer_on(request, self._answered_in_steps(request, result))
            else:
                asked = request.entry.size or 0
                size = self._answer(request, result)
                request.connection.done()
                if call.broker.usages or (call.key in COUNTED and call.profile.connection.usage_always_counts):
                    _count(call, asked, size)
        elif isinstance(result, Steps):
            rest, request.is_long = result.rest, True
            request.connection.unfinished = lambda: self._go_on(request, rest)
        elif isinstance(result, Answers):
            for response in result.responses:
                self._answer(request, response)
            self._end(request.connection, result.then)
        else:
            request.entry.outcome = result
            if request.call.key is ApiKey.PRODUCE and _may_count(request.call):
                self._end_unanswered(request, result)
            else:
                self._end(request.connection, result)

    def _go_on(self, request: Pending, rest: Stepwise[Result]) -> None:
        """Take the next step of a request."""
        request.connection.unfinished = None
        request.call.now = self._cluster.clock.now_ms
        self._settle(request, guarded(lambda _, __: in_steps(rest), request.body, request.call))

    def _answer_throttled(self, request: Pending, response: Response) -> None:
        """Answer as the client's quotas allow, or as a rule's throttle demands."""
        from fakekafka.server.throttling import throttled  # few clusters have quotas, or rules that throttle

        connection, asked = request.connection, request.entry.size or 0
        response, delay_ms, answers_first, written = throttled(request.call, asked, response)
        if answers_first or not delay_ms:
            self._answer(request, response, written)
        if not delay_ms:
            connection.done()
            return

        def end() -> None:
            if not answers_first:
                self._answer(request, response)
            connection.done()

        self._later(connection, delay_ms, end)

    def _end_unanswered(self, request: Pending, outcome: Outcome | None) -> None:
        """End a Produce that gets no answer, as the client's quotas allow."""
        from fakekafka.server.throttling import throttle_of_unanswered  # few clusters have quotas

        connection, call = request.connection, request.call
        body: Any = request.body
        delay_ms = 0 if body.acks else throttle_of_unanswered(call, request.entry.size or 0)
        if not delay_ms or (outcome is not None and call.profile.quotas.answers_first):
            self._end(connection, outcome)
        else:
            self._later(connection, delay_ms, lambda: self._end(connection, outcome))

    def _later(self, connection: Connection, delay_ms: DurationMs, action: Callable[[], None]) -> None:
        """Once a throttled client has waited, go on with it, unless it has left."""
        waits: list[Timer] = []

        def end() -> None:
            for wait in waits:
                wait.cancel()
            self.muted.discard(connection)
            if connection.is_closing:
                self._left(connection)
                return
            action()
            self.answered[connection] = None

        self.muted.add(connection)
        waits += [timers.after(delay_ms, end) for timers in self.timers]

    def _answer(self, request: Pending, response: Response, written: list[Piece] | None = None) -> int:
        """Answer a request. `written`: the answer's frame, if it is there already. Returns the size of the frame."""
        call, pieces = request.call, written
        if pieces is None:
            if request.connection.authentication is not None and call.key is ApiKey.API_VERSIONS:
                request.connection.authentication.answer_versions(response)
            arrange = arrangement(call.key)
            if arrange is not None:
                arrange(request.body, response, call)
            pieces = response_frame(response, call.answer_version, call.correlation_id)
        size = self.journal.answered(request.entry, response, pieces, self._cluster.clock)
        request.connection.send(pieces)
        return size

    def _answered_in_steps(self, request: Pending, response: Response) -> Stepwise[None]:
        """`_answer`, for an answer that may be long: not one to ApiVersions, then."""
        from fakekafka.aside import aside  # few requests are long
        from fakekafka.wire.writing_in_steps import response_frame_in_steps

        call = request.call
        arrange = arrangement(call.key)
        if arrange is not None and lists_state(request.body):
            arrange(request.body, response, call)
            yield
        elif arrange is not None:
            yield from aside(partial(arrange, request.body, response, call))
        pieces = yield from response_frame_in_steps(response, call.answer_version, call.correlation_id)
        asked = request.entry.size or 0
        size = self._answer(request, response, pieces)
        if call.broker.usages or (call.key in COUNTED and call.profile.connection.usage_always_counts):
            _count(call, asked, size)

    def _answer_on(self, request: Pending, steps: Stepwise[None]) -> None:
        """Take the next step of an answer."""
        connection = request.connection
        try:
            next(steps)
        except StopIteration:
            connection.unfinished = None
            connection.done()
        else:
            connection.unfinished = lambda: self._answer_on(request, steps)

    def _end(self, connection: Connection, outcome: Outcome | None) -> None:
        """End a request that has all its answers."""
        if outcome is Outcome.CLOSE:
            connection.close()
        elif outcome is Outcome.HANG:
            connection.hang()
        else:
            connection.done()

    def _resume(self, request: Pending, expired: bool) -> None:
        """Resume a parked request that was woken, or whose time is up."""
        wait = request.wait
        assert wait is not None
        self._cluster.timers.wake_up()
        request.call.now = self._cluster.clock.now_ms
        try:
            resumed = guarded(lambda _, call: wait.resume(call, expired), request.body, request.call)
            self._settle(request, resumed)
        except Exception as e:
            self._fail(request.connection, e)
        if request.watch is None:  # answered, or ended
            self.answered[request.connection] = None


def _may_count(call: Call) -> bool:
    """Whether what clients use may count."""
    broker = call.broker
    if broker.cluster.settings.quotas or call.throttle_ms or broker.has_default_quotas or broker.usages:
        return True
    return call.profile.connection.usage_always_counts


def _count(call: Call, asked: int, answered: int) -> None:
    """Count a request and an answer of these sizes for a quota that the client may get later."""
    from fakekafka.server.throttling import count  # few clusters have had quotas, and few releases always count

    count(call, asked, answered)


def _with_rights(handle: Handler) -> Handler:
    """The handler for brokers with an authorizer: it does only what the client has the right to do."""
    from fakekafka.handlers.rights import allowed  # few brokers have an authorizer

    return lambda body, call: allowed(body, call, handle)


def _under(rule: Any, rules: Rules, request: Pending, handle: Handler) -> Handler:
    """The handler, wrapped by a rule."""
    request.entry.fault = str(rule)
    return lambda body, call: rules.run(rule, call, body, handle, request.connection)


def _note_software(connection: Connection, body: Request) -> None:
    """Note what a client says about its software; what no broker accepts is as if it had said nothing."""
    said = ClientSoftware(getattr(body, "client_software_name", ""), getattr(body, "client_software_version", ""))
    if said.is_valid:
        connection.software = said
