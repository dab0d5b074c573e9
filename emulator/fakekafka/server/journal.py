"""The last requests with what became of them, for tests to look at."""

from collections import deque
from typing import Final

from fakekafka.handlers.call import Call, Outcome
from fakekafka.ids import ApiKey, TimestampMs
from fakekafka.server.refused_connection import RefusedConnection
from fakekafka.wire.message import Response

JOURNAL_LENGTH: Final = 200
JOURNAL_BYTES: Final = 1 << 24
"""Of the frames of remembered requests and their answers: only the last one may be larger."""


class Entry:
    """One request in the journal. `response` is None while it waits, and for requests without an answer."""

    __slots__ = ("answered_ms", "call", "fault", "outcome", "response", "size")

    def __init__(self, call: Call) -> None:
        self.call = call
        self.size: int | None = 0
        """Bytes of both frames; None: it is forgotten."""
        self.answered_ms: TimestampMs | None = None
        """When it was answered, on the broker's wall clock."""
        self.fault: str | None = None
        """The fault rule that acted on it, as one line."""
        self.response: Response | None = None
        self.outcome: Outcome | None = None


class Journal:
    """What was requested of all brokers of a cluster."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque()
        """Oldest first."""
        self.versions_used: set[tuple[ApiKey, int]] = set()
        """Every version in which an API was requested, however long ago."""
        self.refused: deque[RefusedConnection] = deque(maxlen=JOURNAL_LENGTH)
        """The last clients that were turned away, oldest first."""
        self._bytes = 0

    def open(self, call: Call, size: int) -> Entry:
        """A request came, in a frame of `size` bytes."""
        entry = Entry(call)
        self.entries.append(entry)
        self.note(entry, size)
        self.versions_used.add((call.key, call.version))
        return entry

    def note(self, entry: Entry, size: int) -> None:
        """A frame of that size belongs to `entry`; what is too much is forgotten, oldest first."""
        if entry.size is None:
            return
        entry.size += size
        self._bytes += size
        entries = self.entries
        while len(entries) > JOURNAL_LENGTH or (self._bytes > JOURNAL_BYTES and len(entries) > 1):
            oldest = entries.popleft()
            self._bytes -= oldest.size or 0
            oldest.size = None

    def clear(self) -> None:
        """Begin anew."""
        for entry in self.entries:
            entry.size = None
        self.entries.clear()
        self._bytes = 0
        self.versions_used.clear()
