"""From a frame to a request, or to the release's reaction to a frame that it cannot read or does not serve."""

import struct
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.handlers.call import Outcome
from fakekafka.ids import ApiKey
from fakekafka.pieces import Stepwise
from fakekafka.releases.behaviours.connection import ConnectionBehaviour, End
from fakekafka.wire.apis import request_class
from fakekafka.wire.apis.api_versions import ApiVersion, ApiVersionsResponse
from fakekafka.wire.codec import reader
from fakekafka.wire.frames import (
    RequestHeader,
    read_key_and_version,
    read_request_header,
    request_header_version,
)
from fakekafka.wire.message import Request, Response
from fakekafka.wire.readers import Reader

ENDS: dict[End, Outcome] = {"close": Outcome.CLOSE, "silent": Outcome.SILENCE}
KEYS: Final = {int(key): key for key in ApiKey}
FIRST_FLEXIBLE_API_VERSIONS = 3
LONG: Final = 8192
"""Frames from this size on are read in steps."""
UNREADABLE: Final = (MalformedBytes, IndexError, struct.error)
ApiRanges: TypeAlias = Mapping[ApiKey, tuple[int, int]]


class ReadRequest(NamedTuple):
    """A request that the broker serves."""

    key: ApiKey
    version: int
    """The version whose layout the body has, and the answer will have."""
    correlation_id: int
    client_id: str | None
    body: Request


class Reading(NamedTuple):
    """A long request that is read in steps, maybe in one."""

    steps: Stepwise[ReadRequest | Outcome]


class Fallback(NamedTuple):
    """The answer to ApiVersions in a version that the release does not have."""

    correlation_id: int
    response: Response


def read_request(
    manners: ConnectionBehaviour, accepted: ApiRanges, frame: bytearray
) -> ReadRequest | Reading | Fallback | Outcome:
    """The request in `frame`. `accepted`: the versions that the broker takes, lowest and highest, by key."""
    if len(frame) < 2:
        return ENDS[manners.tiny_frame]
    try:
        number, version = read_key_and_version(frame)
    except MalformedBytes:
        number, version = int.from_bytes(frame[:2], "big", signed=True), None
    key = KEYS.get(number)
    if key is None or key not in accepted:
        return _unknown_key(manners, frame)
    if version is None:
        return _unreadable(manners, key)
    layout = layout_read(manners, accepted, key, version)
    if layout is not None:
        return _read(manners, key, layout, frame)
    if key is ApiKey.API_VERSIONS:
        return _fallback(manners, accepted, version, frame)
    return ENDS[manners.unsupported_version]


def layout_read(manners: ConnectionBehaviour, accepted: ApiRanges, key: ApiKey, version: int) -> int | None:
    """The version in whose layout a request of a known API is read; None if the version is not accepted."""
    if key not in accepted:
        return None
    low, high = accepted[key]
    if version > high and key in manners.unchecked_versions:
        return high
    return version if low <= version <= high else None


def _read(manners: ConnectionBehaviour, key: ApiKey, version: int, frame: bytearray) -> ReadRequest | Reading | Outcome:
    read_header, read_body = _readers(key, version, manners.negative_count == "unreadable")
    try:
        header, at = read_header(frame, 0)
        if header.client_id is None and manners.null_client_id and key not in manners.null_client_id:
            return Outcome.CLOSE
        if len(frame) >= LONG:
            return Reading(_in_steps(manners, key, version, header, frame, at))
        body, _ = read_body(frame, at)
    except UNREADABLE:
        return _unreadable(manners, key)
    return ReadRequest(key, version, header.correlation_id, header.client_id, body)


def _in_steps(
    manners: ConnectionBehaviour, key: ApiKey, version: int, header: RequestHeader, frame: bytearray, at: int
) -> Stepwise[ReadRequest | Outcome]:
    """Read the request behind its header."""
    from fakekafka.wire.reading_in_steps import Steps, reader_in_steps  # few requests are long

    read = reader_in_steps(request_class(key), version, manners.negative_count == "unreadable")  # type: ignore[arg-type]  # mypy: is a class hashable?
    try:
        body, _ = yield from read(frame, at, Steps())
    except UNREADABLE:
        return _unreadable(manners, key)
    return ReadRequest(key, version, header.correlation_id, header.client_id, body)


@cache
def _readers(key: ApiKey, version: int, strict: bool) -> tuple[Reader, Reader]:
    """What reads header and body of a request."""
    request = request_class(key)
    header = request_header_version(request, version)
    return reader(RequestHeader, header), reader(request, version, strict)  # type: ignore[arg-type]  # mypy: is a class hashable?


def _unreadable(manners: ConnectionBehaviour, key: ApiKey) -> Outcome:
    return Outcome.SILENCE if key in manners.swallowed_keys else Outcome.CLOSE


def _unknown_key(manners: ConnectionBehaviour, frame: bytearray) -> Outcome:
    if manners.null_client_id:
        try:
            if read_request_header(frame, 1)[0].client_id is None:
                return Outcome.CLOSE
        except MalformedBytes:
            return Outcome.CLOSE
    return ENDS[manners.unknown_key]


def _fallback(manners: ConnectionBehaviour, accepted: ApiRanges, version: int, frame: bytearray) -> Fallback | Outcome:
    flexible = manners.api_versions_header == "as the version asks" and version >= FIRST_FLEXIBLE_API_VERSIONS
    try:
        header, _ = read_request_header(frame, 2 if flexible else 1)
    except MalformedBytes:
        return Outcome.CLOSE
    keys = _fallback_keys(manners, accepted)
    return Fallback(header.correlation_id, ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=keys))


def _fallback_keys(manners: ConnectionBehaviour, accepted: ApiRanges) -> list[ApiVersion]:
    match manners.api_versions_fallback:
        case "own range":
            low, high = accepted[ApiKey.API_VERSIONS]
            return [ApiVersion(api_key=ApiKey.API_VERSIONS, min_version=low, max_version=high)]
        case "empty":
            return []
        case rule:
            assert_never(rule)
