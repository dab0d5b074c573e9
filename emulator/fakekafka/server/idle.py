"""Connections on which nothing was asked or answered for `connections.max.idle.ms` are closed, in clusters that take
their time (Selector.IdleExpiryManager).
"""

from collections.abc import Callable
from typing import Final

from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import DurationMs
from fakekafka.server.connection import Connection
from fakekafka.waiting.timers import Timer

PROPERTY: Final = "connections.max.idle.ms"


class IdleConnections:
    """When each connection of a cluster was last used. `close` is called with one that is idle for too long."""

    def __init__(self, cluster: Cluster, close: Callable[[Connection], None]) -> None:
        self._cluster = cluster
        self._close = close
        self._last_ms: dict[Connection, DurationMs] = {}
        self._timers: dict[Connection, Timer] = {}

    def came(self, connection: Connection) -> None:
        """Watch a new connection, if its broker closes idle ones."""
        config = self._cluster.brokers[connection.node_id].config
        if PROPERTY in config.table and config.int(PROPERTY) >= 0:
            self._last_ms[connection] = self._cluster.timers.elapsed_ms
            self._look_after(config.int(PROPERTY), connection, config.int(PROPERTY))

    def used(self, connection: Connection) -> None:
        """Note that a client asks something, or is answered."""
        if connection in self._last_ms:
            self._last_ms[connection] = self._cluster.timers.elapsed_ms

    def left(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._last_ms.pop(connection, None)
        if timer := self._timers.pop(connection, None):
            timer.cancel()

    def _look_after(self, delay_ms: DurationMs, connection: Connection, limit_ms: DurationMs) -> None:
        self._timers[connection] = self._cluster.timers.after(
            delay_ms, lambda: self._close_if_idle(connection, limit_ms)
        )

    def _close_if_idle(self, connection: Connection, limit_ms: DurationMs) -> None:
        last_ms = self._last_ms.get(connection)
        if last_ms is None:
            return
        left_ms = last_ms + limit_ms - self._cluster.timers.elapsed_ms
        if left_ms > 0:
            self._look_after(left_ms, connection, limit_ms)
        else:
            self._close(connection)
