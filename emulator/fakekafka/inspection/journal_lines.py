"""A journal of requests as JSON lines: what a broker was asked and what it answered, one request per line.

    {"at_ms": 1600000000000, "broker": 0, "connection": "3", "client_id": "orders", "api": "Fetch", "version": 3,
     "request": {…}, "response": {…}, "error": null, "took_ms": 1, "fault": null}

`api` is as Kafka's documentation writes it; `request` and `response` are the fields of the messages with the names of
`wire.apis`, bytes as `{"$hex": "…"}` (`wire.plain`). `response` is null if there was no answer; `error` then says how
the request ended: "closed", "no answer", or `ANOTHER_LAYOUT`. All code that reads or writes journals uses this module.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey, BrokerId, DurationMs, TimestampMs
from fakekafka.wire.message import Request, Response
from fakekafka.wire.plain import Plain, to_plain

ANOTHER_LAYOUT: Final = "answered in another layout"
"""The error of a request whose answer cannot be read in the version that was asked for."""


class JournalLine(NamedTuple):
    """One request. If `response` is None, `error` says how it ended."""

    at_ms: TimestampMs
    broker: BrokerId
    connection: str
    client_id: str | None
    api: str
    version: int
    request: Plain
    response: Plain | None
    error: str | None = None
    took_ms: DurationMs | None = None
    fault: str | None = None
    """The fault rule that acted on it."""


def line_of(
    at_ms: TimestampMs,
    connection: str,
    client_id: str | None,
    request: Request,
    version: int,
    response: Response | None,
    error: str | None = None,
    broker: BrokerId = 0,
    took_ms: DurationMs | None = None,
    fault: str | None = None,
) -> JournalLine:
    """The line of an exchange."""
    api = ApiKey(request.KEY).name.title().replace("_", "")
    answer = None if response is None else to_plain(response, version)
    asked = to_plain(request, version)
    return JournalLine(
        at_ms=at_ms,
        broker=broker,
        connection=connection,
        client_id=client_id,
        api=api,
        version=version,
        request=asked,
        response=answer,
        error=error,
        took_ms=took_ms,
        fault=fault,
    )


def written(lines: Iterable[JournalLine]) -> Iterator[str]:
    """The lines as JSON, without line ends."""
    return (json.dumps(line._asdict(), separators=(",", ":")) for line in lines)


def read_journal(lines: Iterable[str]) -> Iterator[JournalLine]:
    """The lines of a journal. Raises `MalformedBytes` with the number of an invalid line."""
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            fields: dict[str, Any] = json.loads(text)
            yield JournalLine(**fields)
        except (ValueError, TypeError) as e:
            raise MalformedBytes(f"line {number} is not a line of a journal: {e}") from None
