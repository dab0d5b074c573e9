"""The requests in a packet capture, as lines of a journal.

Each connection's two directions are put in order and cut into frames; answers belong to requests by their correlation
ids, and where a client uses an id again, by their order. Connections that are older than the capture are read from
their first segment that begins with a frame. After bytes that the capture has missed, a direction is not read any
further. Encrypted connections cannot be read.
"""

import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import ApiKey, TimestampMs
from fakekafka.inspection.journal_lines import ANOTHER_LAYOUT, JournalLine, line_of
from fakekafka.inspection.pcap_segments import ACK, FIN, RST, SYN, End, Segment, segments
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.produce import ProduceRequest
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import (
    read_key_and_version,
    read_request_header,
    read_response,
    request_header_version,
)
from fakekafka.wire.message import Request, Response

SIZE: Final = struct.Struct(">i")
MOST_IN_FRAME: Final = 1 << 30
LEAST_IN_REQUEST: Final = 8
KAFKA_PORT: Final = 9092
SERIAL: Final = 1 << 32


class Frame(NamedTuple):
    """A frame without its size, and when its last byte was seen."""

    at_ms: TimestampMs
    data: bytes


class Asked(NamedTuple):
    """A request of a connection."""

    at_ms: TimestampMs
    correlation_id: int
    client_id: str | None
    version: int
    request: Request


class Connection:
    """What was captured of one TCP connection."""

    def __init__(self, client: End, server: End, first: int | None) -> None:
        self.client = client
        self.server = server
        self.first = first
        """The sequence number with which the client opened it; None if that was not captured."""
        self.sent: dict[End, list[Segment]] = {client: [], server: []}
        self.ended_by: End | None = None

    def add(self, segment: Segment) -> None:
        """Take the next segment of either direction."""
        if segment.data:
            self.sent[segment.source].append(segment)
        if segment.flags & (FIN | RST) and self.ended_by is None:
            self.ended_by = segment.source

    def lines(self, name: str, broker: int) -> Iterator[JournalLine]:
        """Its requests with their answers, oldest first."""
        asked = [one for frame in self._frames(self.client, _is_request) if (one := _asked(frame)) is not None]
        ids = {one.correlation_id for one in asked}
        answers: dict[int, deque[Frame]] = {number: deque() for number in ids}
        for answer in self._frames(self.server, lambda data: _id(data) in ids):
            answers.get(_id(answer.data), deque()).append(answer)
        for one in asked:
            waiting = answers[one.correlation_id]
            frame = waiting.popleft() if waiting and _is_answered(one.request) else None
            response = None if frame is None else _response(one, frame.data)
            took_ms = None if frame is None else max(0, frame.at_ms - one.at_ms)
            error = None if response is not None else ANOTHER_LAYOUT if frame is not None else self._without_answer()
            yield line_of(
                one.at_ms, name, one.client_id, one.request, one.version, response, error, broker, took_ms
            )  # fmt: skip

    def _without_answer(self) -> str:
        if self.ended_by is None:
            return "no answer yet"
        return "closed" if self.ended_by == self.server else "no answer"

    def _frames(self, source: End, is_first: Callable[[bytes], bool]) -> list[Frame]:
        pieces = list(_in_order(self.sent[source]))
        starts = range(len(pieces) if self.first is None else 1)
        for start in starts:
            frames = list(_cut(pieces[start:]))
            if frames and is_first(frames[0].data):
                return frames
        return []


def captured_requests(data: bytes) -> list[JournalLine]:
    """The requests in a pcap file, by time. Raises `UsageError` if there are none."""
    connections = _connections(segments(data))
    servers = sorted({connection.server for connection in connections})
    lines = [
        line
        for n, connection in enumerate(connections)
        for line in connection.lines(str(n), servers.index(connection.server))
    ]
    if not lines:
        raise UsageError("no request of Kafka in this capture; what is encrypted cannot be read")
    return sorted(lines, key=lambda line: line.at_ms)


def _connections(captured: Iterable[Segment]) -> list[Connection]:
    by_ends: dict[frozenset[End], Connection] = {}
    all_of_them = []
    for segment in captured:
        ends = frozenset((segment.source, segment.target))
        first = segment.sequence if segment.flags & (SYN | ACK) == SYN else None
        known = by_ends.get(ends)
        if known is None or first not in (None, known.first):
            client, server = _guessed(segment) if first is None else (segment.source, segment.target)
            by_ends[ends] = Connection(client, server, first)
            all_of_them.append(by_ends[ends])
        by_ends[ends].add(segment)
    return all_of_them


def _guessed(segment: Segment) -> tuple[End, End]:
    """Client and server of a connection whose beginning was not captured: servers have Kafka's or the lower port."""
    ends = sorted((segment.source, segment.target), key=lambda end: (end[1] != KAFKA_PORT, end[1]))
    return ends[1], ends[0]


def _in_order(sent: list[Segment]) -> Iterator[Segment]:
    """Segments by sequence number, without what was sent again, up to the first gap."""
    if not sent:
        return
    base = sent[0].sequence
    at = min((one.sequence - base + SERIAL // 2) % SERIAL - SERIAL // 2 for one in sent)
    for one in sorted(sent, key=lambda one: (one.sequence - base + SERIAL // 2) % SERIAL):
        begins = (one.sequence - base + SERIAL // 2) % SERIAL - SERIAL // 2
        if begins > at:
            return
        if begins + len(one.data) > at:
            yield one._replace(data=one.data[at - begins :])
            at = begins + len(one.data)


def _cut(pieces: list[Segment]) -> Iterator[Frame]:
    """The whole frames in consecutive bytes, up to the first impossible size."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece.data
        while len(buffer) >= SIZE.size:
            (size,) = SIZE.unpack_from(buffer)
            if not 4 <= size <= MOST_IN_FRAME:
                return
            if len(buffer) < SIZE.size + size:
                break
            yield Frame(piece.at_ms, bytes(buffer[SIZE.size : SIZE.size + size]))
            del buffer[: SIZE.size + size]


def _is_request(data: bytes) -> bool:
    return _asked(Frame(0, data)) is not None


def _asked(frame: Frame) -> Asked | None:
    """The request of a frame; None if it cannot be read."""
    if len(frame.data) < LEAST_IN_REQUEST:
        return None
    try:
        number, version = read_key_and_version(frame.data)
        cls: type[Request] = request_class(ApiKey(number))
        header, at = read_request_header(frame.data, request_header_version(cls, version))
        request = decode(cls, version, frame.data, at)[0]
    except (MalformedBytes, ValueError, AssertionError, KeyError):
        return None
    return Asked(frame.at_ms, header.correlation_id, header.client_id, version, request)


def _is_answered(request: Request) -> bool:
    return not (isinstance(request, ProduceRequest) and request.acks == 0)


def _response(asked: Asked, data: bytes) -> Response | None:
    key = ApiKey(asked.request.KEY)
    kind: type[Response] = response_class(key)
    for version in (asked.version, 0) if key == ApiKey.API_VERSIONS else (asked.version,):
        with suppress(MalformedBytes, ValueError, AssertionError, KeyError):
            return read_response(kind, version, data)[1]  # one that is too new is answered in version 0
    return None


def _id(data: bytes) -> int:
    """The correlation id of an answer."""
    number: int = SIZE.unpack_from(data)[0]
    return number
