"""Journals: of a story that is played, and of a recording."""

from collections.abc import Iterator, Mapping

from fakekafka.bugs import Bug, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.stage import Closed, NoAnswer
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.inspection.journal_lines import JournalLine, line_of
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import (
    read_key_and_version,
    read_request_header,
    read_response,
    request_header_version,
)
from fakekafka.wire.message import Request, Response

from tests.golden.transcript import End, Exchange, Recording


class Written(Here):
    """A stage that writes down every exchange."""

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
    """The requests of a recording that can be read, in the versions in which they were answered."""
    ends: Mapping[End, str] = {End.CLOSED: "closed", End.SILENCE: "no answer"}
    for line in (line for lines in recording.transcripts.values() for line in lines):
        if isinstance(line, Exchange) and line.api_key is not None and line.layout == line.api_version:
            outcome = line.outcome
            answered = isinstance(outcome, bytes) and line.decodable and line.answer_version == line.api_version
            if answered or outcome in ends:
                answer = outcome if isinstance(outcome, bytes) else None
                error = None if isinstance(outcome, bytes) else ends[outcome]
                yield from lines_of(line.clock_ms or 0, line.connection, line.request, answer, error)


def lines_of(
    at_ms: int, connection: str, frame: bytes, answer: bytes | None, error: str | None
) -> Iterator[JournalLine]:
    """The line of an exchange; none if its bytes are not a request."""
    try:
        number, version = read_key_and_version(frame)
        key = ApiKey(number)
        cls: type[Request] = request_class(key)
        header, at = read_request_header(frame, request_header_version(cls, version))
        request = decode(cls, version, frame, at)[0]
        kind: type[Response] = response_class(key)
        response = None if answer is None else read_response(kind, version, answer)[1]
    except (MalformedBytes, ValueError, AssertionError, KeyError):
        return
    yield line_of(at_ms, connection, header.client_id, request, version, response, error)
