"""A link that shows what goes over it, and that clients do not leave: in answers the link's address replaces the
broker's.

What cannot be read is sent on as it came, and kept for the cell's verdict.
"""

import socket
from typing import Any, Final, NamedTuple

from fakekafka import FakeKafkaError
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.describe_cluster import DescribeClusterResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataResponse
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import (
    SIZE,
    read_key_and_version,
    read_request_header,
    read_response,
    request_header_version,
    response_frame,
)
from fakekafka.wire.message import Response

from fakekafka_compat.against.traffic import Traffic
from fakekafka_compat.lossy_link import LossyLink

READ: Final = (
    ApiKey.PRODUCE, ApiKey.FETCH, ApiKey.METADATA, ApiKey.FIND_COORDINATOR, ApiKey.DESCRIBE_CLUSTER,
)  # fmt: skip
"""The APIs whose answers are read."""
KEYS: Final = frozenset(key.value for key in ApiKey)


class _Asked(NamedTuple):
    key: ApiKey
    version: int
    client_id: str


class WatchedLink(LossyLink):
    """A link to a real broker. Used in a `with` block."""

    def __init__(self) -> None:
        self.traffic = Traffic()
        self._asked: dict[tuple[socket.socket, bytes], _Asked] = {}  # by connection and correlation id
        super().__init__()

    def on_request(self, client: socket.socket, frame: bytes) -> None:
        try:
            self._note_request(client, frame)
        except FakeKafkaError as malformed:
            self.traffic.malformed.append(malformed)

    def on_answer(self, client: socket.socket, frame: bytes) -> bytes:
        try:
            return self._note_answer(client, frame)
        except FakeKafkaError as malformed:
            self.traffic.malformed.append(malformed)
            return frame

    def _note_request(self, client: socket.socket, frame: bytes) -> None:
        body = memoryview(frame)[SIZE.size :]
        number, version = read_key_and_version(body)
        if number not in KEYS:
            return  # an API that no release has
        key = ApiKey(number)
        cls = request_class(key)
        header, at = read_request_header(body, request_header_version(cls, version))
        client_id = header.client_id or ""
        self._asked[client, frame[8:12]] = _Asked(key, version, client_id)
        if version in cls.VERSIONS:
            self.traffic.on_request(key, version, client_id, decode(cls, version, body, at)[0])

    def _note_answer(self, client: socket.socket, frame: bytes) -> bytes:
        asked = self._asked.pop((client, frame[4:8]), None)
        if asked is None:
            return frame
        key, version, client_id = asked
        response = None
        if key in READ:
            number, response = read_response(response_class(key), version, frame[SIZE.size :])
            if self._redirect(response):
                frame = b"".join(response_frame(response, version, number))  # type: ignore[arg-type]  # all are buffers
        self.traffic.on_answer(key, version, client_id, response)
        return frame

    def _redirect(self, response: Response) -> bool:
        """Put the link's address in place of the broker's. Returns whether the response has any addresses."""
        host, _, port = self.address.rpartition(":")
        match response:
            case MetadataResponse() | DescribeClusterResponse():
                places: list[Any] = list(response.brokers)
            case FindCoordinatorResponse():
                places = [*response.coordinators, response]
            case _:
                return False
        for place in places:
            if place.port > 0:
                place.host, place.port = host, int(port)
        return bool(places)
