"""Operations on the journal of requests, on connections turned away, and on refusals for lack of a right."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.control.desk import Desk
from fakekafka.control.operations import Capture, JsonLines
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, DurationMs, PartitionIndex, TimestampMs
from fakekafka.server.journal import Entry
from fakekafka.server.refused_connection import RefusedConnection
from fakekafka.watching import TIMEOUT_S
from fakekafka.watching.requests import Requests
from fakekafka.wire.plain import to_plain

MOST: Final = 100
FIELDS: Final = (
    "version", "topic", "partition", "group", "transactional_id", "client_id", "software_name", "principal", "broker",
    "connection",
)  # fmt: skip
"""The parameters of `requests` and `wait_for_request` that are fields of a match. They are written out in both,
because an operation's signature is its description.
"""
VersionOrRange: TypeAlias = int | tuple[int, int]
BrokerOrBrokers: TypeAlias = BrokerId | tuple[BrokerId, ...]


class RequestLine(NamedTuple):
    """A request in short."""

    number: int
    """The request's number, counted from the cluster's start."""
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
    """Whether the request has its answer, or will never get one."""
    took_ms: DurationMs | None
    fault: str | None
    """The fault rule that acted on the request."""


class SeenRequest(NamedTuple):
    """A request, decoded."""

    line: RequestLine
    request: dict[str, Any]
    """The request's fields; bytes are {"$hex": "…"}."""
    response: dict[str, Any] | None


def requests(
    desk: Desk,
    api: str | None = None,
    version: VersionOrRange | None = None,
    topic: str | None = None,
    partition: PartitionIndex | None = None,
    group: str | None = None,
    transactional_id: str | None = None,
    client_id: str | None = None,
    software_name: str | None = None,
    principal: str | None = None,
    broker: BrokerOrBrokers | None = None,
    connection: int | None = None,
    error: str | None = None,
    answered: bool | None = None,
    after: int = 0,
    limit: int = MOST,
) -> list[SeenRequest]:
    """The last requests that match, oldest first; `after`: only those with higher numbers. Texts are shell patterns.

    `api`: by name or key, several separated by commas. `version`: one, or the lowest and the highest.
    """
    match = _match(locals())
    wanted = set(desk.kafka.requests.where(_apis(api), error=error, answered=answered, **match))
    matching = [(number, entry) for number, entry in numbered(desk) if number > after and entry in wanted]
    return [_seen(number, entry) for number, entry in matching[-limit:] if limit > 0]


def _match(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an operation that are conditions on a request."""
    return {name: arguments[name] for name in FIELDS if arguments[name] is not None}


def _apis(text: str | None) -> tuple[str | int, ...] | None:
    """APIs by name or key, separated by commas in the text."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    return tuple(int(word) if word.isdecimal() else word for word in words)


def request(desk: Desk, number: int) -> SeenRequest:
    """One request, by its number."""
    for each, entry in numbered(desk):
        if each == number:
            return _seen(number, entry)
    raise UsageError(f"request {number} is not remembered")


def wait_for_request(
    desk: Desk,
    api: str | None = None,
    version: VersionOrRange | None = None,
    topic: str | None = None,
    partition: PartitionIndex | None = None,
    group: str | None = None,
    transactional_id: str | None = None,
    client_id: str | None = None,
    software_name: str | None = None,
    principal: str | None = None,
    broker: BrokerOrBrokers | None = None,
    connection: int | None = None,
    error: str | None = None,
    answered: bool | None = None,
    count: int = 1,
    timeout: float = TIMEOUT_S,
) -> list[SeenRequest]:
    """Wait until `count` matching requests have come; see `requests`, and `FakeKafka.wait_for_request`."""
    match = _match(locals())
    wait = desk.kafka.wait_for_request
    matching = set(wait(_apis(api), count=count, error=error, answered=answered, timeout=timeout, **match))
    return [_seen(number, entry) for number, entry in numbered(desk) if entry in matching]


def requests_as_pcap(desk: Desk, numbers: Sequence[int] | None = None) -> Capture:
    """Remembered requests as a packet capture, for Wireshark. `numbers`: the requests; null: all of them."""
    return Capture(_written(_numbered(desk, numbers).to_pcap))


def requests_as_json_lines(desk: Desk, numbers: Sequence[int] | None = None) -> JsonLines:
    """Remembered requests as JSON lines, as `fakekafka diagnose` reads them. `numbers`: as in `requests_as_pcap`."""
    return JsonLines(_written(_numbered(desk, numbers).to_jsonl))


def _numbered(desk: Desk, numbers: Sequence[int] | None) -> Requests:
    wanted = None if numbers is None else frozenset(numbers)
    return Requests(entry for number, entry in numbered(desk) if wanted is None or number in wanted)


def _written(write: Callable[[Path], None]) -> bytes:
    """The bytes that a function writes into a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "requests"
        write(path)
        return path.read_bytes()


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
        number=number,
        at_ms=entry.at_ms,
        api=entry.api,
        version=entry.version,
        client_id=entry.client_id,
        broker=entry.broker,
        connection=entry.connection,
        about=entry.gist,
        error=entry.error,
        is_over=entry.is_over,
        took_ms=entry.took_ms,
        fault=entry.fault,
    )


def _seen(number: int, entry: Entry) -> SeenRequest:
    response = None if entry.response is None else to_plain(entry.response, entry.version)
    return SeenRequest(line(number, entry), to_plain(entry.request, entry.version), response)


def denials(desk: Desk) -> list[str]:
    """The last refusals, oldest first, each with the rule behind it and the smallest rule that would allow it."""
    return [str(denial) for denial in desk.kafka.why_denied()]


def refused_connections(desk: Desk) -> list[RefusedConnection]:
    """The last connections that were turned away, oldest first, each with the reason."""
    return desk.kafka.refused_connections
