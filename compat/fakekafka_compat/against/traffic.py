"""What clients and a real broker said to each other: versions, formats of records, errors."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from fakekafka import Conversion, ErrorCode, FakeKafkaError
from fakekafka.ids import ApiKey, Buffer, Magic
from fakekafka.records.scan import units
from fakekafka.texts.summary import api_name
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.produce import ProduceRequest, ProduceResponse
from fakekafka.wire.message import Request, Response


class Carried(NamedTuple):
    """Records of one format that a request or an answer carried."""

    api: str
    """ "Produce" or "Fetch"."""
    version: int
    client_id: str
    magic: Magic
    units: int
    size: int
    """The size of the units with these records, in bytes."""

    def as_conversion(self, topic: str, log_magic: Magic) -> Conversion | None:
        """The conversion of these records, if they are stored in another format."""
        if self.magic == log_magic:
            return None
        before, after = (self.magic, log_magic) if self.api == "Produce" else (log_magic, self.magic)
        direction: Literal["up", "down"] = "up" if before < after else "down"
        return Conversion(
            topic, self.client_id, self.api, self.version, direction, before, after, 1, self.units, 0, self.size, 0, 0
        )


class Exchange(NamedTuple):
    """A request and its answer."""

    api: str
    version: int
    client_id: str
    response: Response | None
    """The answer, for APIs whose answers are read."""
    error: str | None
    """The names of the errors in it, separated by ", "."""


class Traffic:
    """Everything that went over a link."""

    def __init__(self) -> None:
        self.versions: set[tuple[ApiKey, int]] = set()
        self.carried: list[Carried] = []
        self.exchanges: list[Exchange] = []
        self.malformed: list[FakeKafkaError] = []
        """Errors about bytes that are not a request or an answer. They went over the link all the same."""

    def where(self, api: str) -> list[Exchange]:
        """The exchanges of one API."""
        return [each for each in self.exchanges if each.api == api]

    def on_request(self, key: ApiKey, version: int, client_id: str, request: Request) -> None:
        self.versions.add((key, version))
        if isinstance(request, ProduceRequest):
            sets = (one.records for topic in request.topic_data for one in topic.partition_data)
            self.carried += _carried(key, version, client_id, sets)

    def on_answer(self, key: ApiKey, version: int, client_id: str, response: Response | None) -> None:
        """`response`: None if it was not read."""
        if isinstance(response, FetchResponse):
            sets = (one.records for topic in response.responses for one in topic.partitions)
            self.carried += _carried(key, version, client_id, sets)
        error = ", ".join(dict.fromkeys(_errors(response))) or None
        self.exchanges.append(Exchange(api_name(key), version, client_id, response, error))


def one_buffer(records: "Buffer | list[Any] | None") -> Buffer:
    """The bytes of records in one buffer, whether they came whole, in pieces, or not at all."""
    return b"".join(records) if isinstance(records, list) else records or b""


def _carried(
    key: ApiKey, version: int, client_id: str, sets: "Iterable[Buffer | list[Any] | None]"
) -> Iterator[Carried]:
    for data in sets:
        carried = list(units(one_buffer(data)))
        for magic in sorted({unit.magic for unit in carried}):
            same = [unit.size for unit in carried if unit.magic == magic]
            yield Carried(api_name(key), version, client_id, magic, len(same), sum(same))


def _errors(response: Response | None) -> Iterator[str]:
    codes: Iterable[int] = ()
    if isinstance(response, ProduceResponse):
        codes = (one.error_code for topic in response.responses for one in topic.partition_responses)
    elif isinstance(response, FetchResponse):
        codes = (one.error_code for topic in response.responses for one in topic.partitions)
    return (ErrorCode(code).name for code in codes if code)
