"""The last requests with what became of them, for tests to look at."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from fakekafka.handlers.call import Call, Outcome
from fakekafka.ids import ApiKey, Buffer, TimestampMs
from fakekafka.pieces import Chunks, Piece
from fakekafka.wire.frames import SIZE, read_response
from fakekafka.wire.message import Response

JOURNAL_LENGTH: Final = 200
JOURNAL_BYTES: Final = 1 << 24
"""Of the frames of remembered requests and their answers: only the last one may be larger."""
LARGE: Final = 4096
"""Answers from so many bytes on are remembered as bytes, and read again when somebody looks: an answer of thousands of
partitions is tens of thousands of objects, which the garbage collector would look at again and again.
"""


class Entry:
    """One request in the journal."""

    __slots__ = ("_answer", "_frame", "answered_ms", "call", "fault", "outcome", "size")

    def __init__(self, call: Call, size: int) -> None:
        self.call = call
        self.size: int | None = size
        """Bytes of both frames; None: it is forgotten."""
        self.answered_ms: TimestampMs | None = None
        """When it was answered, on the broker's wall clock."""
        self.fault: str | None = None
        """The fault rule that acted on it, as one line."""
        self._answer: Response | type[Response] | None = None
        self._frame: Buffer = b""  # of the answer, if only its class is kept
        self.outcome: Outcome | None = None

    @property
    def response(self) -> Response | None:
        """The answer; None while it waits, and for requests without one."""
        if isinstance(self._answer, type):
            return read_response(self._answer, self.call.answer_version, self._frame)[1]
        return self._answer

    def answered(self, response: Response, frame: Sequence[Piece], now_ms: TimestampMs) -> None:
        """The request has got an answer, whose frame has these pieces."""
        self.answered_ms = now_ms
        if len(frame) == 1 and len(frame[0]) >= LARGE and not isinstance(frame[0], Chunks):
            self._answer, self._frame = type(response), memoryview(frame[0])[SIZE.size :]
        else:
            self._answer, self._frame = response, b""


class Journal:
    """What was requested of all brokers of a cluster."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque()
        """Oldest first."""
        self.versions_used: set[tuple[ApiKey, int]] = set()
        """Every version in which an API was requested, however long ago."""
        self._bytes = 0

    def open(self, call: Call, size: int) -> Entry:
        """A request came, in a frame of `size` bytes."""
        entry = Entry(call, size)
        self.entries.append(entry)
        self.versions_used.add((call.key, call.version))
        self._bytes += size
        if len(self.entries) > JOURNAL_LENGTH or self._bytes > JOURNAL_BYTES:
            self._forget()
        return entry

    def note(self, entry: Entry, size: int) -> None:
        """A frame of that size belongs to `entry`."""
        if entry.size is None:
            return
        entry.size += size
        self._bytes += size
        if self._bytes > JOURNAL_BYTES:
            self._forget()

    def _forget(self) -> None:
        """Forget what is too much, oldest first."""
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
