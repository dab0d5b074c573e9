"""Journals: of a story that is played, and of a recording."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from fakekafka.bugs import Bug, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW
from fakekafka.bugs.stage import Closed, NoAnswer
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.inspection.journal_lines import ANOTHER_LAYOUT, JournalLine, line_of
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import (
    read_key_and_version,
    read_request_header,
    read_response,
    request_header_version,
)
from fakekafka.wire.message import Request, Response

from tests.golden.transcript import End, Exchange, Recording, Restart

ENDS: Final[Mapping[End, str]] = {End.CLOSED: "closed", End.SILENCE: "no answer"}


class Written(Here):
    """A stage that records every exchange."""

    def __init__(self, side: Side) -> None:
        super().__init__(side)
        self.lines: list[JournalLine] = []

    def exchange(self, frame: bytes, connection: str) -> bytes:
        try:
            answer = super().exchange(frame, connection)
        except (Closed, NoAnswer) as e:
            self.lines += lines_of(
                self.now_ms, connection, frame[4:], None, "closed" if isinstance(e, Closed) else "no answer"
            )
            raise
        self.lines += lines_of(self.now_ms, connection, frame[4:], answer, None)
        return answer


def journal_of(bug: Bug, side: Side) -> list[JournalLine]:
    """The exchanges of a story on one side."""
    stage = Written(side)
    assert bug.story is not None
    bug.story(Play(stage, side))
    return stage.lines


def journal_of_recording(recording: Recording) -> Iterator[JournalLine]:
    """The requests of a recording that can be read. Connections get new names at each start of the broker."""
    for number, (part, lines) in enumerate(recording.transcripts.items()):
        starts = 0
        for line in lines:
            starts += isinstance(line, Restart)
            if isinstance(line, Exchange) and line.api_key is not None and line.layout == line.api_version:
                answer, error = _outcome(line)
                if answer is not None or error is not None:
                    connection = f"{part}{line.connection}-{starts}"
                    yield from lines_of(line.clock_ms or NOW, connection, line.request, answer, error, number)


def _outcome(exchange: Exchange) -> tuple[bytes | None, str | None]:
    """The answer, or how the request ended; neither if nobody waited for it."""
    outcome = exchange.outcome
    if not isinstance(outcome, bytes):
        return None, ENDS.get(outcome)
    readable = exchange.decodable and exchange.answer_version == exchange.api_version
    return (outcome, None) if readable or exchange.api_key == ApiKey.API_VERSIONS else (None, ANOTHER_LAYOUT)


def lines_of(
    at_ms: int, connection: str, frame: bytes, answer: bytes | None, error: str | None, broker: int = 0
) -> Iterator[JournalLine]:
    """The line of an exchange; nothing if its bytes are not a request."""
    try:
        number, version = read_key_and_version(frame)
        key = ApiKey(number)
        cls: type[Request] = request_class(key)
        header, at = read_request_header(frame, request_header_version(cls, version))
        request = decode(cls, version, frame, at)[0]
        kind: type[Response] = response_class(key)
        response = None if answer is None else _answer(kind, version, answer)
    except (MalformedBytes, ValueError, AssertionError, KeyError):
        return
    if answer is not None and response is None:
        error = ANOTHER_LAYOUT
    yield line_of(at_ms, connection, header.client_id, request, version, response, error, broker)


def _answer(kind: type[Response], version: int, answer: bytes) -> Response | None:
    """The answer, or None if it has another layout; an ApiVersions that is too new is answered in version 0."""
    for layout in (version, 0) if kind.KEY == ApiKey.API_VERSIONS else (version,):
        with suppress(MalformedBytes):
            return read_response(kind, layout, answer)[1]
    return None
