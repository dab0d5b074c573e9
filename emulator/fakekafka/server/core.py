"""The only place from which broker state changes: `step` for bytes that came, `tick` for time that passed.

Everything runs on one thread, the caller's. A step handles what a connection has sent, then runs whatever that woke.
The transports (`tcp.py`, `memory.py`) receive into a connection's inbox, call `step`, and send its outbox.
"""

from collections.abc import Callable, Iterable

from fakekafka.clock import Clock, SystemClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import BrokerId, DurationMs
from fakekafka.server.connection import Connection
from fakekafka.server.router import Router
from fakekafka.waiting.timers import Timers


class Core:
    """A running cluster: its state, its connections, its time.

    Two kinds of time: broker timers run on the cluster's clock. A parked request also runs out of patience in real
    time, so that clients of a broker with a `ManualClock` are not kept waiting for ever; `patience` is that real time.
    """

    def __init__(self, cluster: Cluster, patience: Clock | None = None) -> None:
        self.cluster = cluster
        self.connections: dict[int, Connection] = {}
        self._patience = None if patience is None or isinstance(cluster.clock, SystemClock) else patience
        self.patience_timers = Timers(0 if self._patience is None else self._patience.elapsed_ms)
        self.router = Router(cluster, self.patience_timers if self._patience is not None else None)
        self._next_connection_id = 0
        self.flush: Callable[[Connection], None] = lambda connection: None
        """Set by the transport: send the outbox of a connection that was answered outside its own step."""
        self.kill: Callable[[BrokerId], None] = lambda node_id: None
        """Set by the owner: a broker has died of an error of its disk."""

    # ---- connections

    def connect(self, node_id: BrokerId, host: str, port: int) -> Connection:
        """A client connected to the listener of broker `node_id`."""
        self._next_connection_id += 1
        limit = self.cluster.brokers[node_id].config.int("socket.request.max.bytes")
        connection = Connection(self._next_connection_id, node_id, host, port, limit)
        self.connections[connection.id] = connection
        return connection

    def connections_of(self, node_id: BrokerId) -> list[Connection]:
        """The connections to one broker."""
        return [connection for connection in self.connections.values() if connection.node_id == node_id]

    def close_connections_of(self, node_id: BrokerId) -> None:
        """A broker has stopped: what waits for it waits no more."""
        for connection in self.connections_of(node_id):
            connection.close()
            self.router.forget(connection)

    def disconnect(self, connection: Connection) -> None:
        """The client went away, or the transport closed the connection."""
        self.connections.pop(connection.id, None)
        self.router.forget(connection)
        broker = self.cluster.brokers.get(connection.node_id)
        if broker is not None:
            self.run(lambda: broker.coordinators.end_connection(connection.id))

    # ---- time

    def step(self, connection: Connection) -> None:
        """Handle what came on `connection`, then everything that was woken by it."""
        self._set_time()
        self.cluster.timers.wake_up()
        self.router.handle(connection)
        self._run_ready()

    def tick(self) -> None:
        """Run every timer that is due."""
        self._set_time()
        self.cluster.timers.run_due(self.cluster.clock.elapsed_ms)
        if self._patience is not None:
            self.patience_timers.run_due(self._patience.elapsed_ms)
        self._run_ready()

    def next_timeout_ms(self) -> DurationMs | None:
        """How long a transport may sleep in real time before it must `tick`; None: until something comes."""
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
        self.cluster.timers.elapsed_ms = max(self.cluster.timers.elapsed_ms, self.cluster.clock.elapsed_ms)
        if self._patience is not None:
            self.patience_timers.elapsed_ms = self._patience.elapsed_ms

    def _run_ready(self) -> None:
        self.cluster.waiters.run_ready()
        self._halt()
        self._flush(self.router.take_answered())

    def _halt(self) -> None:
        for node_id, sends_answers in self.cluster.take_halting():
            if node_id in self.cluster.brokers:
                for connection in () if sends_answers else self.connections_of(node_id):
                    connection.take_outbox()
                self.kill(node_id)

    def _flush(self, connections: Iterable[Connection]) -> None:
        for connection in connections:
            self.flush(connection)


def _left(timers: Timers, clock: Clock) -> DurationMs | None:
    due = timers.next_deadline_ms()
    return None if due is None else max(0, due - clock.elapsed_ms)
