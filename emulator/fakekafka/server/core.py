"""The only place from which broker state changes: `step` for bytes that arrived, `tick` for time that passed.

Everything runs on one thread, the caller's. A step handles one request of a connection, then runs whatever that woke.
The transports (`tcp.py`, `memory.py`) receive into a connection, call `step` while it has requests, and send what is
queued; `take_answered` gives them the connections that were answered outside their own step.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from fakekafka.clock import Clock, SystemClock
from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import BrokerId, DurationMs, TimestampMs
from fakekafka.server.admission import admit, limits_connections
from fakekafka.server.connection import Connection
from fakekafka.server.inbox import SpareBuffers
from fakekafka.server.journal import Journal
from fakekafka.server.router import Router
from fakekafka.waiting.timers import Timers

if TYPE_CHECKING:
    from fakekafka.faults.ending import Ending
    from fakekafka.server.connection_limits import ConnectionLimits
    from fakekafka.server.idle import IdleConnections

MOST_ARRIVALS: Final = 1000
"""How many times at which connections came are remembered."""
Kill: TypeAlias = Callable[[BrokerId, OSError], None]


class Core:
    """A running cluster: its state, its connections, its time.

    `kill` ends a broker that halts because of a disk error.

    Two kinds of time: broker timers run on the cluster's clock. A parked request also runs out of patience in real
    time, so that clients of a broker with a `ManualClock` do not wait for ever; `patience` is the clock of that real
    time.
    """

    def __init__(
        self, cluster: Cluster, kill: Kill, patience: Clock | None = None, journal: Journal | None = None
    ) -> None:
        self.cluster = cluster
        self._kill = kill
        self.connections: dict[int, Connection] = {}
        self._patience = None if patience is None or isinstance(cluster.clock, SystemClock) else patience
        self.patience_timers = Timers(0 if self._patience is None else self._patience.elapsed_ms)
        timers = self.patience_timers if self._patience is not None else None
        self.router = Router(cluster, timers, Journal() if journal is None else journal, self._left)
        self.answered = self.router.answered
        """Connections that were answered after waiting; see `take_answered`."""
        self._spare: SpareBuffers = []
        self._limits: ConnectionLimits | None = None
        self._arrivals: dict[tuple[int, str, TimestampMs], int] = {}  # by the broker's epoch
        self._idle: IdleConnections | None = None  # in an instant cluster, nobody is idle for too long
        self._next_connection_id = 0

    # ---- connections

    def connect(self, node_id: BrokerId, host: str, port: int, listener: str | None = None) -> Connection:
        """Connect a client to a listener of broker `node_id`; None: its first one."""
        self._next_connection_id += 1
        broker = self.cluster.brokers[node_id]
        limit = broker.config.int("socket.request.max.bytes")
        listener = broker.listeners[0].name if listener is None else listener
        connection = Connection(self._next_connection_id, node_id, host, port, limit, self._spare, listener)
        admit(broker, connection)
        if self._limits is None:
            if limits_connections(broker):
                self._limits = self._new_limits()
            else:
                self._note_arrival(broker, listener)
        self.connections[connection.id] = connection
        if self._limits is not None:
            self._set_time()
            self._limits.came(broker, connection, self.cluster.clock.now_ms)
        if self.cluster.pace is not None:
            self._watch_idle(connection)
        return connection

    def _note_arrival(self, broker: Broker, listener: str) -> None:
        """Note a connection, which counts if a rate is set later. Only the last times are kept."""
        place = broker.epoch, listener, self.cluster.clock.now_ms
        self._arrivals[place] = self._arrivals.get(place, 0) + 1
        if len(self._arrivals) > MOST_ARRIVALS:
            del self._arrivals[next(iter(self._arrivals))]

    def _watch_idle(self, connection: Connection) -> None:
        if self._idle is None:
            from fakekafka.server.idle import IdleConnections  # most clusters are instant

            self._idle = IdleConnections(self.cluster, lambda idle: self.end(idle, "close"))
        self._set_time()
        self._idle.came(connection)

    def _new_limits(self) -> "ConnectionLimits":
        from fakekafka.server.connection_limits import ConnectionLimits  # few brokers have limits

        served = self.connections.values()
        running = {broker.epoch: broker for broker in self.cluster.brokers.values()}
        arrivals = {(running[e], name, at): n for (e, name, at), n in self._arrivals.items() if e in running}
        self._arrivals.clear()
        return ConnectionLimits(served, arrivals, self.router.timers, self.router.note_change, self.refuse)

    def refuse(self, connection: Connection, why: str) -> None:
        """Remember that a client was turned away, for tests to examine."""
        self.router.refuse(connection, why)

    def connections_of(self, node_id: BrokerId) -> list[Connection]:
        """The connections to one broker."""
        return [connection for connection in self.connections.values() if connection.node_id == node_id]

    def close_connections_of(self, node_id: BrokerId) -> None:
        """Close the connections of a broker that has stopped, and forget its waiting requests."""
        for connection in self.connections_of(node_id):
            connection.close()
            self.router.parked.forget(connection)

    def disconnect(self, connection: Connection) -> None:
        """Forget a connection: the client has left, or the transport has closed it."""
        connection.closed()
        self.connections.pop(connection.id, None)
        self.router.parked.forget(connection)
        if self._idle is not None:
            self._idle.left(connection)
        if connection not in self.router.muted:
            self._left(connection)
        broker = self.cluster.brokers.get(connection.node_id)
        if broker is not None:
            self.run(lambda: broker.end_connection(connection.id))

    def _left(self, connection: Connection) -> None:
        """A client has left, and the broker has noticed."""
        if self._limits is not None:
            self._limits.left(connection, self.cluster.clock.now_ms)

    def end(self, connection: Connection, how: "Ending") -> None:
        """End a connection on purpose: "close" it once everything is sent, "reset" it, or have it fall silent."""
        self.router.parked.forget(connection)
        match how:
            case "silence":
                connection.fall_silent()
            case "reset":
                connection.resets = True
                connection.abort()
            case "close":
                connection.close()
            case _:
                assert_never(how)
        self.router.note_change(connection)

    # ---- time

    def step(self, connection: Connection) -> None:
        """Handle the next request of `connection`, then everything that it woke."""
        self._set_time()
        self.cluster.timers.wake_up()
        if self._idle is not None:
            self._idle.used(connection)
        self.router.handle(connection)
        self._run_ready()

    def tick(self) -> None:
        """Run every timer that is due."""
        self._set_time()
        self.cluster.timers.run_due(self.cluster.clock.elapsed_ms)
        if self._patience is not None:
            self.patience_timers.run_due(self._patience.elapsed_ms)
        self._run_ready()

    def take_answered(self) -> Collection[Connection]:
        """Empty `answered` and return its connections: they have something to send, and may have requests that came
        meanwhile.
        """
        if not self.answered:
            return ()
        answered = tuple(self.answered)
        self.answered.clear()
        if self._idle is not None:
            for connection in answered:
                self._idle.used(connection)
        return answered

    def next_timeout_ms(self) -> DurationMs | None:
        """How long a transport may sleep in real time before it must `tick`; None: until something arrives."""
        if self._patience is None:
            return _left(self.cluster.timers, self.cluster.clock)
        return _left(self.patience_timers, self._patience)

    def next_deadline_ms(self) -> DurationMs | None:
        """The next deadline on the cluster's clock."""
        return self.cluster.timers.next_deadline_ms()

    def run(self, action: Callable[[], None]) -> None:
        """Change broker state from outside a request, then run what that woke."""
        self._set_time()
        action()
        self._run_ready()

    def _set_time(self) -> None:
        elapsed_ms, timers = self.cluster.clock.elapsed_ms, self.cluster.timers
        if elapsed_ms > timers.elapsed_ms:
            timers.elapsed_ms = elapsed_ms
        if self._patience is not None:
            self.patience_timers.elapsed_ms = self._patience.elapsed_ms

    def _run_ready(self) -> None:
        self.cluster.waiters.run_ready()
        while self.cluster.halting:
            node_id, sends_answers, error = self.cluster.halting.pop(0)
            broker = self.cluster.brokers.get(node_id)
            if broker is not None and not broker.is_leaving:
                for connection in () if sends_answers else self.connections_of(node_id):
                    connection.abort()
                self._kill(node_id, error)


def _left(timers: Timers, clock: Clock) -> DurationMs | None:
    due = timers.next_deadline_ms()
    return None if due is None else max(0, due - clock.elapsed_ms)
