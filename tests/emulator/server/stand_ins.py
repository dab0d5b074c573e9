"""A handler whose results the test chooses, and frames that lead to it."""

from collections.abc import Callable

from fakekafka import FakeKafka
from fakekafka.handlers.call import Call, Result
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.frames import SIZE, request_frame
from fakekafka.wire.message import Request


class Handler:
    """Returns, or raises, the next of `answers`; an empty answer when there are no more."""

    def __init__(self) -> None:
        self.answers: list[Result | Exception] = []
        self.before: Callable[[], None] = lambda: None

    def __call__(self, request: Request, call: Call) -> Result:
        self.before()
        result = self.answers.pop(0) if self.answers else ApiVersionsResponse()
        if isinstance(result, Exception):
            raise result
        return result


def api_versions(correlation_id: int, version: int = 0) -> bytes:
    return request_frame(ApiVersionsRequest(), version, correlation_id, "test")


API_VERSIONS = api_versions(1)


def client_of(kafka: FakeKafka) -> MemoryClient:
    return kafka.connect()


def correlation_ids(answers: bytes) -> list[int]:
    """The correlation ids of all answers, in order."""
    found = []
    while answers:
        (size,) = SIZE.unpack(answers[: SIZE.size])
        found.append(int.from_bytes(answers[SIZE.size : SIZE.size + 4], "big"))
        answers = answers[SIZE.size + size :]
    return found
