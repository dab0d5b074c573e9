"""Frames: the sizes and headers around the messages on a connection.

    request    int32 size | api key int16, version int16, correlation id int32 [, client id] [, tags] | body
    response   int32 size | correlation id int32 [, tags]                                             | body

A request header has version 1, or 2 in flexible versions (its client id keeps the two-byte length); ControlledShutdown
v0 has header 0, without a client id. A response header has version 0, or 1 in flexible versions, except that answers to
ApiVersions always have version 0: their reader does not know the version yet (KIP-511).
"""

import struct
from functools import cache
from typing import TypeVar

from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey, Buffer
from fakekafka.pieces import Chunks, Piece, joined
from fakekafka.wire.codec import decode, encode_bytes, writer
from fakekafka.wire.message import Message, Request, Response, field, int16, int32, string
from fakekafka.wire.writers import Writer

R = TypeVar("R", bound=Response)

SIZE = struct.Struct(">i")
_KEY_AND_VERSION = struct.Struct(">hh")
_SIZE_AND_ID = struct.Struct(">ii").pack


class RequestHeader(Message, versions="0-2", flexible="2+"):
    """Version 0 was only ever used by ControlledShutdown v0."""

    request_api_key: int16 = field("0+")
    request_api_version: int16 = field("0+")
    correlation_id: int32 = field("0+")
    client_id: string | None = field("1+", fixed_length="2+")


class ResponseHeader(Message, versions="0-1", flexible="1+"):
    correlation_id: int32 = field("0+")


def request_header_version(request: type[Request], version: int) -> int:
    """The version of the header in front of `request` in `version`."""
    if request.KEY == ApiKey.CONTROLLED_SHUTDOWN and version == 0:
        return 0
    return 2 if version in request.FLEXIBLE else 1


def response_header_version(response: type[Response], version: int) -> int:
    """The version of the header in front of `response` in `version`."""
    return 1 if version in response.FLEXIBLE and response.KEY != ApiKey.API_VERSIONS else 0


def read_key_and_version(frame: Buffer) -> tuple[int, int]:
    """API key and version of a request frame (without its size). Raises `MalformedBytes`."""
    try:
        key, version = _KEY_AND_VERSION.unpack_from(frame)
    except struct.error as e:
        raise MalformedBytes(f"request header: {e}") from None
    return key, version


def read_request_header(frame: Buffer, header_version: int) -> tuple[RequestHeader, int]:
    """The header of a request frame (without its size) and where the body starts. Raises `MalformedBytes`."""
    return decode(RequestHeader, header_version, frame)


def request_frame(request: Request, version: int, correlation_id: int, client_id: str | None) -> bytes:
    """A whole request frame, size included."""
    header = RequestHeader(
        request_api_key=request.KEY, request_api_version=version, correlation_id=correlation_id, client_id=client_id
    )
    body = encode_bytes(header, request_header_version(type(request), version)) + encode_bytes(request, version)
    return SIZE.pack(len(body)) + body


def read_response(response: type[R], version: int, frame: Buffer) -> tuple[int, R]:
    """Correlation id and message of a response frame (without its size): a client's side. Raises `MalformedBytes`."""
    header, at = decode(ResponseHeader, response_header_version(response, version), frame)
    message, end = decode(response, version, frame, at)
    if end != len(frame):
        raise MalformedBytes(f"{response.__name__} v{version} leaves {len(frame) - end} bytes")
    return header.correlation_id, message


def response_frame(response: Response, version: int, correlation_id: int) -> list[Piece]:
    """A whole response frame, size included, as pieces that follow each other."""
    write, header = _shape(type(response), version)  # type: ignore[arg-type]  # mypy: is a class hashable?
    pieces: list[Piece] = [b""]
    write(response, pieces.append)
    sizes = list(map(len, pieces))
    pieces[0] = _SIZE_AND_ID(4 + len(header) + sum(sizes), correlation_id) + header
    if max(sizes) < LARGE and Chunks not in map(type, pieces):
        return [b"".join(pieces)]  # type: ignore[arg-type]  # all are buffers
    return _joined(pieces, sizes)


def framed(pieces: list[Piece], response: type[Response], version: int, correlation_id: int) -> list[Piece]:
    """The frame of a response that has been written already."""
    _, header = _shape(response, version)  # type: ignore[arg-type]  # mypy: is a class hashable?
    beginning = _SIZE_AND_ID(4 + len(header) + sum(map(len, pieces)), correlation_id) + header
    if Chunks not in map(type, pieces) and max(map(len, pieces), default=0) < ALONE:
        return [b"".join([beginning, *pieces])]  # type: ignore[list-item]  # all are buffers
    return joined_where_small([beginning, *pieces])


ALONE = 65536
"""A frame with a piece of this size, which may be in it more than once, is not copied together."""


@cache
def _shape(response: type[Response], version: int) -> tuple[Writer, bytes]:
    """The writer of a response, and what its header has besides the correlation id."""
    return writer(response, version), b"" if response_header_version(response, version) == 0 else b"\0"  # type: ignore[arg-type]  # mypy: is a class hashable?


LARGE = 4096
"""Pieces of at least this many bytes are handed to the socket as they are; smaller ones are copied together."""


def joined_where_small(pieces: list[Piece]) -> list[Piece]:
    """The pieces, of which small ones are copied together."""
    return _joined(pieces, list(map(len, pieces)))


def _joined(pieces: list[Piece], sizes: list[int]) -> list[Piece]:
    """Small pieces joined, large ones left alone."""
    out: list[Piece] = []
    start = 0
    for n in [n for n, size in enumerate(sizes) if size >= LARGE]:
        out += joined(pieces[start:n]), pieces[n]
        start = n + 1
    if start < len(pieces):
        out.append(joined(pieces[start:]))
    return out
