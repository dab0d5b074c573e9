"""What a release does with a frame that it cannot read, or does not serve."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Outcome
from fakekafka.ids import ApiKey
from fakekafka.server.manners import ApiRanges, Fallback, Reading, ReadRequest, read_request
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import SIZE, request_frame
from fakekafka.wire.message import Request


def frame(request: Request, version: int, client_id: str | None = "me") -> bytearray:
    return bytearray(request_frame(request, version, 7, client_id)[SIZE.size :])


def reading(release: str, data: bytes | bytearray) -> ReadRequest | Reading | Fallback | Outcome:
    kafka = FakeKafka(release)
    return read_request(kafka._runtime.blueprint.profile.connection, kafka._runtime.blueprint.accepted, bytearray(data))


def ranges(release: str) -> ApiRanges:
    return FakeKafka(release)._runtime.blueprint.accepted


def test_a_request_is_read_with_its_header() -> None:
    found = reading("2.3", frame(MetadataRequest(topics=None), 1))
    assert isinstance(found, ReadRequest)
    assert (found.key, found.version, found.correlation_id, found.client_id) == (ApiKey.METADATA, 1, 7, "me")
    assert isinstance(found.body, MetadataRequest)


@pytest.mark.parametrize("release", ["0.10.0", "2.3", "2.4", "3.9", "4.3"])
def test_api_versions_of_the_future_are_answered_in_version_0(release: str) -> None:
    low, high = ranges(release)[ApiKey.API_VERSIONS]
    data = frame(ApiVersionsRequest(), min(high, 3))
    data[2:4] = (99).to_bytes(2, "big")
    found = reading(release, data)
    assert isinstance(found, Fallback)
    assert found.correlation_id == 7
    assert isinstance(found.response, ApiVersionsResponse)
    assert found.response.error_code == ErrorCode.UNSUPPORTED_VERSION
    told = [(key.api_key, key.min_version, key.max_version) for key in found.response.api_keys]
    assert told == ([] if release in ("0.10.0", "2.3") else [(ApiKey.API_VERSIONS, low, high)])


@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_a_version_that_is_not_served_ends_the_connection(release: str) -> None:
    _, high = ranges(release)[ApiKey.METADATA]
    data = frame(MetadataRequest(topics=None), high)
    data[2:4] = (high + 1).to_bytes(2, "big")
    assert reading(release, data) is Outcome.CLOSE


def test_releases_without_version_checks_read_a_higher_version_as_their_own() -> None:
    data = frame(MetadataRequest(topics=[]), 0)
    data[2:4] = (5).to_bytes(2, "big")
    found = reading("0.8.2", data)
    assert isinstance(found, ReadRequest)
    assert found.version == 0


@pytest.mark.parametrize(
    ("release", "end"), [("0.8.2", Outcome.CLOSE), ("0.9.0", Outcome.SILENCE), ("2.3", Outcome.CLOSE)]
)
def test_an_unknown_key_is_handled_as_in_its_release(release: str, end: Outcome) -> None:
    data = frame(MetadataRequest(topics=[]), 0)
    data[:2] = (1000).to_bytes(2, "big")
    assert reading(release, data) is end


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0", "0.10.2", "2.3", "4.3"])
@pytest.mark.parametrize("length", range(10))
def test_a_frame_that_is_too_short_is_never_a_request(release: str, length: int) -> None:
    assert isinstance(reading(release, frame(MetadataRequest(topics=[]), 0)[:length]), Outcome)


def test_a_body_that_ends_early_closes_the_connection() -> None:
    assert reading("2.3", frame(MetadataRequest(topics=[]), 4)[:-1]) is Outcome.CLOSE
