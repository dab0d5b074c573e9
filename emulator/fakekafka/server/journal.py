"""The last requests with their outcomes, for tests. A request is kept as the frame that came, and decoded when it is
examined. Brokers write offsets and times into the records of a Produce in place; these are shown as they came.
"""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fakekafka.clock import Clock
from fakekafka.escaping import escaped
from fakekafka.handlers.call import Call, Outcome
from fakekafka.ids import ApiKey, BrokerId, Buffer, DurationMs, TimestampMs
from fakekafka.pieces import Chunks, Piece
from fakekafka.wire.apis import request_class
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import SIZE, read_request_header, read_response, request_header_version
from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.server.refused_connection import RefusedConnection

JOURNAL_LENGTH: Final = 200
"""How many requests are remembered by default."""
JOURNAL_BYTES: Final = 1 << 24
"""The most bytes of all remembered requests and answers; only the last one may exceed this."""
ASKED_WITH_SECRETS: Final = frozenset(
    {
        ApiKey.SASL_AUTHENTICATE,
        ApiKey.ALTER_USER_SCRAM_CREDENTIALS,
        ApiKey.ALTER_CONFIGS,
        ApiKey.INCREMENTAL_ALTER_CONFIGS,
        ApiKey.RENEW_DELEGATION_TOKEN,
        ApiKey.EXPIRE_DELEGATION_TOKEN,
    }
)
ANSWERED_WITH_SECRETS: Final = frozenset({ApiKey.CREATE_DELEGATION_TOKEN, ApiKey.DESCRIBE_DELEGATION_TOKEN})
"""Requests and answers that may contain passwords and tokens: they are kept without them, see `server.secrets`."""
LARGE: Final = 4096
"""Answers of this size or more are remembered as bytes and decoded when needed: an answer of thousands of partitions
is tens of thousands of objects, which the garbage collector would traverse again and again.
"""


class Entry:
    """One request in the journal."""

    __slots__ = (
        "_answer",
        "_answer_frame",
        "_came_ms",
        "_frame",
        "_request",
        "at_ms",
        "call",
        "fault",
        "outcome",
        "size",
        "took_ms",
    )

    def __init__(self, call: Call, frame: bytearray | bytes) -> None:
        self.call = call
        """The fields of the request's header and of its connection."""
        self.at_ms: TimestampMs = call.now
        """When the request came, on the broker's wall clock."""
        self.size: int | None = 0
        """Bytes of both frames, and of what is kept of produced records; None if the entry is forgotten."""
        self.fault: str | None = None
        """The fault rule that acted on the request, as one line."""
        self.took_ms: DurationMs | None = None
        """How long the answer took, on the broker's elapsed time; None if there is no answer."""
        self._came_ms: DurationMs = call.broker.cluster.timers.elapsed_ms  # delays count from here
        self._answer: Response | type[Response] | None = None
        self._answer_frame: Buffer = b""  # if only the answer's class is kept
        self.outcome: Outcome | None = None
        """How the request ended, if without an answer."""
        self._frame = frame
        self._request: Request | None = None

    @property
    def response(self) -> Any:
        """The answer, a message of `wire.apis`; None while it waits, and for requests without one."""
        if isinstance(self._answer, type):
            return read_response(self._answer, self.call.answer_version, self._answer_frame)[1]
        return self._answer

    @property
    def request(self) -> Any:
        """The body, a message of `wire.apis`, as the client sent it: `.acks`, `.topic_data`, …"""
        if self._request is None:
            self._request = self._decoded(self._as_sent())
        return self._request

    @property
    def frame(self) -> bytes:
        """The bytes that came, preceded by their size."""
        return SIZE.pack(len(self._frame)) + self._as_sent()

    def _decoded(self, frame: Buffer) -> Request:
        shape, version = request_class(self.call.key), self.call.version
        _, at = read_request_header(frame, request_header_version(shape, version))
        return decode(shape, version, frame, at)[0]

    def _as_sent(self) -> Buffer:
        """The frame as it came; a copy if its records may have been written to."""
        kept = self.call.kept
        if not kept:
            return self._frame
        from fakekafka.records.as_sent import restore  # only when needed

        frame = bytearray(self._frame)
        produced: Any = self._decoded(frame)
        sets = {(t.name, t.topic_id, p.index): p.records for t in produced.topic_data for p in t.partition_data}
        for place, beginning in kept.items():
            restore(sets[place], beginning)
        return frame

    @property
    def api(self) -> str:
        """The API in the spelling of Kafka's documentation: "ListOffsets"."""
        return self.call.key.name.title().replace("_", "")

    @property
    def version(self) -> int:
        """The API version of the request."""
        return self.call.version

    @property
    def client_id(self) -> str | None:
        """The client id in the request's header."""
        return self.call.client_id

    @property
    def connection(self) -> int:
        """The number of the connection on which the request came."""
        return self.call.connection_id

    @property
    def broker(self) -> BrokerId:
        """The broker that was asked."""
        return self.call.broker.node_id

    @property
    def answered_ms(self) -> TimestampMs | None:
        """When the request was answered: `at_ms` plus `took_ms`; None if there is no answer."""
        return None if self.took_ms is None else self.at_ms + self.took_ms

    @property
    def is_over(self) -> bool:
        """Whether the request has been answered, or never will be."""
        return self._answer is not None or self.outcome is not None

    @property
    def error(self) -> str | None:
        """The errors in the answer by name, or how the request ended without one: "closed", "no answer". None if there
        is no error, or it still waits.
        """
        if self.response is not None:
            from fakekafka.wire.error_names import error_names  # loaded only when needed

            return ", ".join(error_names(self.response)) or None
        if self.outcome is None:
            return None
        return "closed" if self.outcome is Outcome.CLOSE else "no answer"

    @property
    def ending(self) -> str:
        """The outcome, in a word or two."""
        return self.error or ("waits" if not self.is_over else "ok")

    @property
    def gist(self) -> str:
        """What the request is about: topics, groups, offsets and whatever else matters, in a few words."""
        from fakekafka.server.gist import gist  # only when needed

        return gist(self.call, self.request)

    def __repr__(self) -> str:
        took = "" if self.took_ms is None else f" after {self.took_ms} ms"
        fault = "" if self.fault is None else f" (fault: {self.fault})"
        about = escaped(self.gist)
        by = f"by {self.client_id!r} to broker {self.broker}"
        return f"<{self.api} v{self.version} {by}: {about}{' ' if about else ''}-> {self.ending}{took}{fault}>"


class Journal:
    """What was requested of all brokers of a cluster: the last `length` requests, in `max_bytes` of frames."""

    def __init__(self, length: int = JOURNAL_LENGTH, max_bytes: int = JOURNAL_BYTES) -> None:
        self.length = length
        self.entries: deque[Entry] = deque()
        """The remembered requests, oldest first."""
        self.versions_used: set[tuple[ApiKey, int]] = set()
        """Every version in which an API was requested, however long ago."""
        self.count = 0
        """How many requests have been remembered so far, including those that are forgotten."""
        self._max_bytes = max_bytes
        self.refused: deque[RefusedConnection] = deque(maxlen=JOURNAL_LENGTH)
        """The last clients that were turned away, oldest first."""
        self._bytes = 0

    def open(self, call: Call, frame: bytearray) -> Entry:
        """Note a request that has arrived."""
        self.versions_used.add((call.key, call.version))
        if not self.length:
            entry = Entry(call, b"")
            entry.size = None
            return entry
        entry = Entry(call, _without_secrets(call, frame) if call.key in ASKED_WITH_SECRETS else frame)
        self.entries.append(entry)
        self.count += 1
        entry.size = size = len(frame)
        self._bytes += size
        if len(self.entries) > self.length or self._bytes > self._max_bytes:
            self._forget()
        return entry

    def answered(self, entry: Entry, response: Response, frame: Sequence[Piece], clock: Clock) -> int:
        """Note the answer to a request, whose frame has these pieces. Returns its size."""
        size = answered = sum(map(len, frame))
        entry.took_ms = clock.elapsed_ms - entry._came_ms
        if entry.call.key in ANSWERED_WITH_SECRETS:
            from fakekafka.server.secrets import public_answer  # few clusters have tokens

            entry._answer, entry._answer_frame = public_answer(response), b""
        elif len(frame) == 1 and size >= LARGE and not isinstance(frame[0], Chunks):
            entry._answer, entry._answer_frame = type(response), memoryview(frame[0])[SIZE.size :]
        else:
            entry._answer, entry._answer_frame = response, b""
        if entry.size is None:
            return answered
        if entry.call.kept:
            for beginning in entry.call.kept.values():
                size += len(beginning)
        entry.size += size
        self._bytes += size
        if self._bytes > self._max_bytes:
            self._forget()
        return answered

    def _forget(self) -> None:
        """Forget the oldest entries above the limits."""
        entries = self.entries
        while len(entries) > self.length or (self._bytes > self._max_bytes and len(entries) > 1):
            oldest = entries.popleft()
            self._bytes -= oldest.size or 0
            oldest.size = None

    def clear(self) -> None:
        """Forget everything."""
        for entry in self.entries:
            entry.size = None
        self.entries.clear()
        self._bytes = 0
        self.versions_used.clear()


def _without_secrets(call: Call, frame: bytearray) -> bytes:
    from fakekafka.server.secrets import public_frame  # few requests carry secrets

    return public_frame(call, frame)
