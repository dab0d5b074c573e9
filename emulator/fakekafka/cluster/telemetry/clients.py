"""The clients that a broker was asked by what it wants: the last ones, each with the times of its requests."""

from collections import OrderedDict
from typing import Final

from fakekafka.cluster.telemetry.wanted import Client, Wanted
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, TimestampMs, Uuid
from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour
from fakekafka.waiting.timers import BrokerTimers

MOST_CLIENTS: Final = 16_384
SHORTEST_MEMORY_MS: Final = 60_000
INTERVALS_REMEMBERED: Final = 3
ASK_AGAIN: Final = (ErrorCode.UNKNOWN_SUBSCRIPTION_ID, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
"""Errors that another subscription, or another codec, may mend."""


class KnownClient:
    """A client, what is wanted from it, and when it sent requests."""

    def __init__(self, client: Client, wanted: Wanted, version: int) -> None:
        self.client = client
        """The client as its first request showed it."""
        self.wanted = wanted
        self.version = version
        """Which subscriptions it was told about."""
        self.is_terminating = False
        self.connection_id = 0
        """The connection of its last request."""
        self.forgotten_at_ms: DurationMs = 0
        """When it is forgotten, on the broker's timers."""
        self.last_error = ErrorCode.NONE
        """What the last push was answered, if nothing was asked since."""
        self._asked_at: TimestampMs = 0
        self._pushed_at: TimestampMs = 0

    def asks(self, now: TimestampMs, rules: TelemetryBehaviour) -> bool:
        """Note that the client asks for its subscription; whether it may."""
        in_time = now - max(self._asked_at, self._pushed_at) >= self.wanted.push_interval_ms
        if in_time:
            self._asked_at = now
        may = in_time or (rules.asks_after_refusal and self.last_error in ASK_AGAIN)
        if may:
            self.last_error = ErrorCode.NONE
        return may

    def pushes(self, now: TimestampMs) -> bool:
        """Note that the client pushes metrics; whether it may: after it has asked at once, later in intervals."""
        may = self._asked_at > self._pushed_at or now - self._pushed_at >= self.wanted.push_interval_ms
        if may:
            self._pushed_at = now
        return may


class KnownClients:
    """The clients by their own ids; the one that was idle longest is forgotten when there are too many."""

    def __init__(self, rules: TelemetryBehaviour, timers: BrokerTimers) -> None:
        self._rules = rules
        self._timers = timers
        self._known = OrderedDict[Uuid, KnownClient]()
        self._by_connection: dict[int, Uuid] = {}
        """The client that was told last about its subscription, by the connection on which it was told."""

    def __len__(self) -> int:
        return len(self._known)

    def find(self, client: Uuid) -> KnownClient | None:
        """The client of that id, unless it is unknown or has been forgotten."""
        found = self._known.get(client)
        if found is not None and self._rules.forgets_clients and self._timers.elapsed_ms >= found.forgotten_at_ms:
            del self._known[client]
            self._by_connection.pop(found.connection_id, None)
            return None
        return found

    def add(self, known: KnownClient, connection_id: int) -> None:
        """Note that the client is told, on a connection, what is wanted."""
        self._known[known.client.instance_id] = known
        if self._rules.ends_with_connection:
            self._by_connection[connection_id] = known.client.instance_id

    def note(self, known: KnownClient, connection_id: int) -> None:
        """Note that the client has sent a request on a connection."""
        memory_ms = max(SHORTEST_MEMORY_MS, INTERVALS_REMEMBERED * known.wanted.push_interval_ms)
        known.connection_id, known.forgotten_at_ms = connection_id, self._timers.elapsed_ms + memory_ms
        self._known.move_to_end(known.client.instance_id)
        if len(self._known) > MOST_CLIENTS:
            self._known.popitem(last=False)

    def end_connection(self, connection_id: int) -> None:
        """Forget the client that was told last on a connection, which has ended."""
        client = self._by_connection.pop(connection_id, None)
        if client is not None:
            self._known.pop(client, None)
