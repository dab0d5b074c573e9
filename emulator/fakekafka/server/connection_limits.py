"""How many connections a broker takes, and how fast: ConnectionQuotas of SocketServer.

`max.connections.per.ip` and its overrides (KAFKA-1512), `max.connections` (KIP-402), `max.connection.creation.rate` and
`connection_creation_rate` of addresses (KIP-612). A connection that is one too many for its address is closed at
once. One that comes too fast for its address is closed when it would have been in time. If the broker or the listener
has too many connections, or they come too fast, the acceptor sleeps: new clients are connected but not served yet.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from fakekafka.cluster.address_limits import PER_ADDRESS, UNLIMITED, resolved
from fakekafka.cluster.broker import Broker
from fakekafka.ids import BrokerId, DurationMs, TimestampMs
from fakekafka.jvm.numbers import whole
from fakekafka.security.quotas import Rate
from fakekafka.server.connection import Connection
from fakekafka.waiting.timers import Timers

RATE_OF_ADDRESS: Final = "connection_creation_rate"
MOST, RATE = "max.connections", "max.connection.creation.rate"
"""Properties that a listener may also set for itself."""


class _Acceptor:
    """The acceptor of one listener: it takes connections in the order of their arrival, and may sleep meanwhile."""

    def __init__(self, broker: Broker, listener: str) -> None:
        self.broker = broker
        self.listener = listener
        self.queue: deque[Connection] = deque()
        """The connections that are not served yet."""
        self.first_is_in_time = False
        """Whether the first of them has waited as the rates demand."""
        self.sleeps = False


Arrivals: TypeAlias = "Mapping[tuple[Broker, str, TimestampMs], int]"
"""How many connections came to a listener of a broker at a time."""


class ConnectionLimits:
    """The limits of all brokers of a cluster.

    `arrivals`: the connections that came before there was any limit, which count for one that is set later.
    `connections`: those that are already served. `opened` is called with a connection that is served from now on,
    `refused` with one that has to close, and the reason.
    """

    def __init__(
        self,
        connections: Iterable[Connection],
        arrivals: Arrivals,
        timers: tuple[Timers, ...],
        opened: Callable[[Connection], None],
        refused: Callable[[Connection, str], None],
    ) -> None:
        self._timers, self._opened, self._refused = timers, opened, refused
        self._acceptors: dict[tuple[BrokerId, str], _Acceptor] = {}
        self._rates: dict[tuple[int, str], Rate] = {}  # by the broker's epoch, which another start changes
        self._served = {connection.id: connection for connection in connections}
        self._counts: Counter[tuple[BrokerId, str]] = Counter()  # by listener, and by address
        for connection in self._served.values():
            self._count(connection, 1)
        for (broker, listener, now), count in arrivals.items():
            for whose in _rates_of(broker, listener):
                self._rate(broker, whose).record(count, now)

    def came(self, broker: Broker, connection: Connection, now: TimestampMs) -> None:
        """Queue the connection of a new client."""
        connection.hold()
        place = broker.node_id, connection.listener
        acceptor = self._acceptors.get(place)
        if acceptor is None or acceptor.broker is not broker:
            acceptor = self._acceptors[place] = _Acceptor(broker, connection.listener)
        acceptor.queue.append(connection)
        self._go_on(acceptor, now)

    def left(self, connection: Connection, now: TimestampMs) -> None:
        """Give the place of a closed connection to another one."""
        if self._served.pop(connection.id, None) is None:
            return
        self._count(connection, -1)
        for (node_id, _), acceptor in self._acceptors.items():
            if node_id == connection.node_id:
                self._go_on(acceptor, now)

    # ---- of a broker or a listener

    def _go_on(self, acceptor: _Acceptor, now: TimestampMs) -> None:
        """Take queued connections, as far as the broker and the listener have room, in vain those of clients that have
        left.
        """
        while acceptor.queue and not acceptor.sleeps:
            connection = acceptor.queue[0]
            if not acceptor.first_is_in_time:
                acceptor.first_is_in_time = True
                if wait_ms := self._wait_ms(acceptor, now):
                    self._sleep(acceptor, wait_ms)
                    return
            if not self._has_room(acceptor):
                return
            acceptor.queue.popleft()
            acceptor.first_is_in_time = False
            self._take(acceptor, connection, now)

    def _sleep(self, acceptor: _Acceptor, wait_ms: DurationMs) -> None:
        def wake_up() -> None:
            if acceptor.sleeps:
                acceptor.sleeps = False
                self._go_on(acceptor, acceptor.broker.cluster.clock.now_ms)

        acceptor.sleeps = True
        self._later(acceptor.broker, wait_ms, wake_up)

    def _later(self, broker: Broker, wait_ms: DurationMs, action: Callable[[], None]) -> None:
        """Run `action` when `wait_ms` have passed on the wall clock, as Kafka does, or in real time.

        It may run twice.
        """
        clock, (timers, *patience) = broker.cluster.clock, self._timers
        ends = clock.now_ms + wait_ms

        def see() -> None:
            left_ms = ends - clock.now_ms
            if left_ms > 0:
                timers.after(left_ms, see)
            else:
                action()

        timers.after(wait_ms, see)
        for others in patience:
            others.after(wait_ms, action)

    def _wait_ms(self, acceptor: _Acceptor, now: TimestampMs) -> DurationMs:
        """How long until the next connection is no longer too early."""
        broker, listener = acceptor.broker, acceptor.listener
        quotas = {"": _of_broker(broker, RATE), listener: _of_listener(broker, listener, RATE)}
        return max(self._too_fast_ms(broker, whose, quotas[whose], now) for whose in _rates_of(broker, listener))

    def _has_room(self, acceptor: _Acceptor) -> bool:
        broker, listener = acceptor.broker, acceptor.listener
        if self._counts[broker.node_id, listener] >= _of_listener(broker, listener, MOST):
            return False
        return _is_protected(broker, listener) or self._total(broker) < _of_broker(broker, MOST)

    def _total(self, broker: Broker) -> int:
        return sum(self._counts[broker.node_id, listener.name] for listener in broker.listeners)

    # ---- of an address

    def _take(self, acceptor: _Acceptor, connection: Connection, now: TimestampMs) -> None:
        """Serve a connection, unless its address has too many of them, or they arrive too fast."""
        broker, host = acceptor.broker, connection.host
        if wait_ms := self._too_fast_ms(broker, f"ip {host}", _rate_of_address(broker, host), now, forgiving=True):
            words = f"connections of {host} come faster than its {RATE_OF_ADDRESS} allows"
            self._later(broker, wait_ms, lambda: self._refuse(connection, words))
            return
        if connection.is_closing:
            return
        most = broker.address_limits.most_of(host)
        if self._counts[broker.node_id, host] >= most:
            self._refuse(connection, f"{host} already has {PER_ADDRESS}={most} connections")
            return
        self._served[connection.id] = connection
        self._count(connection, 1)
        connection.admit()
        self._opened(connection)
        if self._total(broker) > _of_broker(broker, MOST):
            self._make_room(acceptor)

    def _make_room(self, acceptor: _Acceptor) -> None:
        """Close a connection of another listener for one between brokers. Kafka takes the one that was idle longest."""
        node_id = acceptor.broker.node_id
        others = (one for one in self._served.values() if one.node_id == node_id)
        other = next((one for one in others if one.listener != acceptor.listener and not one.is_closing), None)
        if other is not None:
            self._refuse(other, f"{MOST} is reached, and {acceptor.listener} is the listener between brokers")

    def _refuse(self, connection: Connection, why: str) -> None:
        if not connection.is_closing:
            connection.close()
            self._refused(connection, why)

    # ---- counting

    def _count(self, connection: Connection, step: int) -> None:
        for place in (connection.listener, connection.host):
            self._counts[connection.node_id, place] += step

    def _too_fast_ms(
        self, broker: Broker, whose: str, quota: float, now: TimestampMs, *, forgiving: bool = False
    ) -> DurationMs:
        """Count one more connection. Returns how much too early it came, a window at most. `forgiving`: a connection
        that came too early does not count.
        """
        if quota == UNLIMITED and forgiving:
            return 0
        window_ms, rate = _window_ms(broker), self._rate(broker, whose)
        rate.record(1, now)
        if quota == UNLIMITED:
            return 0
        wait_ms = min(rate.throttle_ms(quota, now), window_ms) if quota else window_ms
        if wait_ms and forgiving:
            rate.record(-1, now)
        return wait_ms

    def _rate(self, broker: Broker, whose: str) -> Rate:
        """The rate of connections of the broker, one of its listeners, or an address."""
        place = broker.epoch, whose
        if place not in self._rates:
            most, rules = broker.config.int("quota.window.num", 11), broker.profile.quotas
            self._rates[place] = Rate(most, _window_ms(broker), rules)
        return self._rates[place]


def _window_ms(broker: Broker) -> DurationMs:
    return 1000 * broker.config.int("quota.window.size.seconds", 1)


def _rates_of(broker: Broker, listener: str) -> tuple[str, ...]:
    """The rates for which a connection counts: that of the broker ("") only if other listeners do not make room."""
    return (listener,) if _is_protected(broker, listener) else ("", listener)


def _of_broker(broker: Broker, name: str) -> int:
    return broker.config.int(name, UNLIMITED)


def _of_listener(broker: Broker, listener: str, name: str) -> int:
    """The limit of a listener, in releases that have one (KIP-402, KIP-612): its own, or that of the broker."""
    if broker.profile.broker_configs.get(name) is None:
        return UNLIMITED
    sources = broker.config.sources(f"listener.name.{listener.lower()}.{name}")
    return int(sources[0][1]) if sources else _of_broker(broker, name)


def _is_protected(broker: Broker, listener: str) -> bool:
    """Whether brokers talk to each other on the listener: other listeners must make room for it (KIP-402)."""
    config = broker.config
    between = config.text("inter.broker.listener.name") or config.text("security.inter.broker.protocol")
    return len(broker.listeners) > 1 and listener == between.upper()


def _rate_of_address(broker: Broker, host: str) -> float:
    """The rate of the address itself, or the default rate."""
    quotas = broker.cluster.settings.quotas
    own = {resolved(entity[0][1]): values for entity, values in quotas.items() if entity[0][0] == "ip" and entity[0][1]}
    for values in (own.get(host, {}), quotas.get((("ip", None),), {})):
        if RATE_OF_ADDRESS in values:
            return whole(values[RATE_OF_ADDRESS])
    return UNLIMITED
