"""Clients that are not identified yet: their TLS handshake, or their login, is not over. They are few and have little
time.

A real broker lets them wait as long as any idle connection (`connections.max.idle.ms`), however many they are.
Here the oldest is turned away when there are too many, so that strangers cost a bounded amount of memory and
descriptors.
"""

from typing import Final, Protocol

from fakekafka.ids import DurationMs

MOST: Final = 1000
"""How many newcomers there may be at a time."""
PATIENCE_MS: Final[DurationMs] = 60_000
"""How long a newcomer may take, in real time."""
CROWDED: Final = f"more than {MOST} clients were connected that had not logged in, and this one was the first of them"
TOO_SLOW: Final = f"the client has not logged in within {PATIENCE_MS // 1000} seconds"


class Newcomer(Protocol):
    """A connection whose client is not identified yet."""

    def turn_away(self, why: str) -> None:
        """Close the connection."""


class Newcomers:
    """The clients that are not identified yet, in the order in which they connected."""

    def __init__(self) -> None:
        self._ends: dict[Newcomer, DurationMs] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, one: Newcomer, now_ms: DurationMs) -> None:
        """Add a new connection. If there are too many now, turn the oldest away."""
        self._ends[one] = now_ms + PATIENCE_MS
        if len(self._ends) > MOST:
            self._turn_away_first(CROWDED)

    def remove(self, one: Newcomer) -> None:
        """Remove a connection that is now identified, or gone."""
        self._ends.pop(one, None)

    def expire(self, now_ms: DurationMs) -> None:
        """Turn away every client whose time is up."""
        while self._ends and next(iter(self._ends.values())) <= now_ms:
            self._turn_away_first(TOO_SLOW)

    def next_deadline_ms(self) -> DurationMs | None:
        """When the next client's time is up; None if there are none."""
        return next(iter(self._ends.values()), None)

    def _turn_away_first(self, why: str) -> None:
        one = next(iter(self._ends))
        del self._ends[one]
        one.turn_away(why)
