"""From a frame to a request, or to the release's reaction to a frame that it cannot read or does not serve."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.handlers.call import Outcome
from fakekafka.ids import ApiKey
from fakekafka.releases.behaviours.connection import ConnectionBehaviour, End
from fakekafka.wire.apis import request_class
from fakekafka.wire.apis.api_versions import ApiVersion, ApiVersionsResponse
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import read_key_and_version, read_request_header, request_header_version
from fakekafka.wire.message import Request, Response

ENDS: dict[End, Outcome] = {"close": Outcome.CLOSE, "silent": Outcome.SILENCE}
FIRST_FLEXIBLE_API_VERSIONS = 3
ApiRanges: TypeAlias = Mapping[ApiKey, tuple[int, int]]


class ReadRequest(NamedTuple):
    """A request that the broker serves."""

    key: ApiKey
    version: int
    """The version whose layout the body has, and the answer will have."""
    correlation_id: int
    client_id: str | None
    body: Request


class Fallback(NamedTuple):
    """The answer to ApiVersions in a version that the release does not have."""

    correlation_id: int
    response: Response


def read_request(
    manners: ConnectionBehaviour, accepted: ApiRanges, frame: bytearray
) -> ReadRequest | Fallback | Outcome:
    """The request in `frame`. `accepted`: the versions that the broker takes, lowest and highest, by key."""
    if len(frame) < 2:
        return ENDS[manners.tiny_frame]
    key = _known(int.from_bytes(frame[:2], "big", signed=True))
    if key is None or key not in accepted:
        return _unknown_key(manners, frame)
    try:
        _, version = read_key_and_version(frame)
    except MalformedBytes:
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


def _read(manners: ConnectionBehaviour, key: ApiKey, version: int, frame: bytearray) -> ReadRequest | Outcome:
    request = request_class(key)
    try:
        header, at = read_request_header(frame, request_header_version(request, version))
        if header.client_id is None and manners.null_client_id and key not in manners.null_client_id:
            return Outcome.CLOSE
        body, _ = decode(request, version, frame, at)
    except MalformedBytes:
        return _unreadable(manners, key)
    return ReadRequest(key, version, header.correlation_id, header.client_id, body)


def _unreadable(manners: ConnectionBehaviour, key: ApiKey) -> Outcome:
    return Outcome.SILENCE if key in manners.swallowed_keys else Outcome.CLOSE


def _known(number: int) -> ApiKey | None:
    try:
        return ApiKey(number)
    except ValueError:
        return None


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
    response = ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=[])
    if manners.api_versions_fallback == "own range":
        low, high = accepted[ApiKey.API_VERSIONS]
        response.api_keys = [ApiVersion(api_key=ApiKey.API_VERSIONS, min_version=low, max_version=high)]
    return Fallback(header.correlation_id, response)
