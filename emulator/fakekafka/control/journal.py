"""Operations on the journal of requests, on connections turned away, and on refusals for lack of a right."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from fakekafka.control.desk import Desk
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, DurationMs, PartitionIndex, TimestampMs
from fakekafka.server.journal import Entry
from fakekafka.server.refused_connection import RefusedConnection
from fakekafka.watching import TIMEOUT_S
from fakekafka.wire.plain import to_plain

MOST: Final = 100


class RequestLine(NamedTuple):
    """A request in short."""

    number: int
    """Counted from the cluster's start."""
    at_ms: TimestampMs
    api: str
    version: int
    client_id: str | None
    broker: BrokerId
    connection: int
    about: str
    """Topics, groups, offsets and what else matters, in a few words."""
    error: str | None
    """The errors in the answer, or how the request ended without one; None: no error, or it still waits."""
    is_over: bool
    """Whether it has got whatever answer it gets."""
    took_ms: DurationMs | None
    fault: str | None
    """The fault rule that acted on it."""


class SeenRequest(NamedTuple):
    """A request, decoded."""

    line: RequestLine
    request: dict[str, Any]
    """Its fields; bytes are {"$hex": "…"}."""
    response: dict[str, Any] | None


def requests(
    desk: Desk,
    api: str | None = None,
    topic: str | None = None,
    partition: PartitionIndex | None = None,
    group: str | None = None,
    transactional_id: str | None = None,
    client_id: str | None = None,
    broker: BrokerId | None = None,
    error: str | None = None,
    after: int = 0,
    limit: int = MOST,
) -> list[SeenRequest]:
    """The last requests that match, oldest first; `after`: with higher numbers. Texts are shell patterns."""
    match = {
        "topic": topic,
        "partition": partition,
        "group": group,
        "transactional_id": transactional_id,
        "client_id": client_id,
        "broker": broker,
    }
    given: dict[str, Any] = {name: value for name, value in match.items() if value is not None}
    wanted = set(desk.kafka.requests.where(api, error=error, **given))
    found = [(number, entry) for number, entry in numbered(desk) if number > after and entry in wanted]
    return [_seen(number, entry) for number, entry in found[-limit:] if limit > 0]


def request(desk: Desk, number: int) -> SeenRequest:
    """One request, by its number."""
    for each, entry in numbered(desk):
        if each == number:
            return _seen(number, entry)
    raise UsageError(f"request {number} is not remembered")


def wait_for_request(
    desk: Desk,
    api: str | None = None,
    topic: str | None = None,
    partition: PartitionIndex | None = None,
    group: str | None = None,
    transactional_id: str | None = None,
    client_id: str | None = None,
    error: str | None = None,
    answered: bool | None = None,
    count: int = 1,
    timeout: float = TIMEOUT_S,
) -> list[RequestLine]:
    """Wait until `count` matching requests have come; see `FakeKafka.wait_for_request`."""
    match = {
        "topic": topic,
        "partition": partition,
        "group": group,
        "transactional_id": transactional_id,
        "client_id": client_id,
    }
    given: dict[str, Any] = {name: value for name, value in match.items() if value is not None}
    found = desk.kafka.wait_for_request(api, count=count, error=error, answered=answered, timeout=timeout, **given)
    return lines(desk, lambda entry: entry in found)


def lines(desk: Desk, wanted: Callable[[Entry], bool], most: int = MOST) -> list[RequestLine]:
    """The last requests that match, in short."""
    return [line(number, entry) for number, entry in numbered(desk) if wanted(entry)][-most:]


def numbered(desk: Desk) -> list[tuple[int, Entry]]:
    """The remembered requests with their numbers."""
    count, entries = desk.kafka.counted_requests()
    return list(enumerate(entries, count - len(entries) + 1))


def line(number: int, entry: Entry) -> RequestLine:
    """A request in short."""
    return RequestLine(
        number,
        entry.at_ms,
        entry.api,
        entry.version,
        entry.client_id,
        entry.broker,
        entry.connection,
        entry.gist,
        entry.error,
        entry.is_over,
        entry.took_ms,
        entry.fault,
    )


def _seen(number: int, entry: Entry) -> SeenRequest:
    response = None if entry.response is None else to_plain(entry.response, entry.version)
    return SeenRequest(line(number, entry), to_plain(entry.request, entry.version), response)


def denials(desk: Desk) -> list[str]:
    """The last refusals, oldest first, each with the rule behind it and the smallest rule that would allow it."""
    return [str(denial) for denial in desk.kafka.why_denied()]


def refused_connections(desk: Desk) -> list[RefusedConnection]:
    """The last connections that were turned away, oldest first, each with the reason in words."""
    return desk.kafka.refused_connections
