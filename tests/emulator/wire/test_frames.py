"""The golden frames were recorded from real brokers of 13 releases, 0.8.2.2 to 4.3.1: one of each (key, version, kind)
that clients meet. Each line of `frames.jsonl.xz` says from which release and recording it comes.
"""

import base64
import json
import lzma
import struct
from functools import cache

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.pieces import joined
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.controlled_shutdown import ControlledShutdownRequest
from fakekafka.wire.apis.fetch import FetchableTopicResponse, FetchResponse, PartitionData
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.produce import ProduceRequest
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import (
    LARGE,
    RequestHeader,
    read_key_and_version,
    read_request_header,
    read_response,
    request_frame,
    request_header_version,
    response_frame,
    response_header_version,
)
from fakekafka.wire.message import Struct

from tests.emulator.wire.facts import GOLDEN, Fact, snake


@cache
def golden_frames() -> list[Fact]:
    return [json.loads(line) for line in lzma.decompress((GOLDEN / "frames.jsonl.xz").read_bytes()).splitlines()]


def label(line: Fact) -> str:
    return f"{ApiKey(line['api_key']).name} v{line['version']} {line['kind']} from {line['release']}"


@pytest.mark.parametrize("line", [x for x in golden_frames() if x["kind"] == "request"], ids=label)
def test_requests_recorded_from_real_brokers_are_read_and_written(line: Fact) -> None:
    cls, version, frame = request_class(ApiKey(line["api_key"])), line["version"], bytes.fromhex(line["frame"])
    assert read_key_and_version(frame) == (line["api_key"], version)
    header, at = read_request_header(frame, request_header_version(cls, version))
    message, end = decode(cls, version, frame, at)
    assert end == len(frame)
    says_the_same(message, line["message"], version)
    assert request_frame(message, version, header.correlation_id, header.client_id)[4:] == frame


@pytest.mark.parametrize("line", [x for x in golden_frames() if x["kind"] == "response"], ids=label)
def test_responses_recorded_from_real_brokers_are_read_and_written(line: Fact) -> None:
    cls, version, frame = response_class(ApiKey(line["api_key"])), line["version"], bytes.fromhex(line["frame"])
    correlation_id, message = read_response(cls, version, frame)
    says_the_same(message, line["message"], version)
    assert joined(response_frame(message, version, correlation_id))[4:] == frame


def test_the_golden_frames_are_many() -> None:
    assert len(golden_frames()) == 607
    assert len({x["release"] for x in golden_frames()}) == 13


def says_the_same(ours: object, recorded: object, version: int) -> None:
    """Check our message against a recorded one, where bytes are {"$hex": …} and absent tagged fields are left out."""
    if isinstance(ours, Struct):
        assert isinstance(recorded, dict)
        by_name = {snake(name): value for name, value in recorded.items()}
        for name, spec in ours.FIELDS.items():
            if version not in spec.versions:
                assert name not in by_name
            elif name in by_name:
                says_the_same(getattr(ours, name), by_name[name], version)
            else:
                assert version in spec.tagged
                assert getattr(ours, name) == spec.default
    elif isinstance(ours, list):
        assert isinstance(recorded, list)
        assert len(ours) == len(recorded)
        for one, other in zip(ours, recorded):
            says_the_same(one, other, version)
    elif isinstance(recorded, dict):
        assert ours == bytes.fromhex(recorded["$hex"])
    elif isinstance(ours, bytes):
        assert isinstance(recorded, str)
        assert ours == base64.urlsafe_b64decode(recorded + "==")
    else:
        assert ours == recorded


def test_a_request_frame_byte_by_byte() -> None:
    request = HeartbeatRequest(group_id="g", generation_id=2, member_id="m")
    assert request_frame(request, 0, 5, "me") == (
        b"\0\0\0\x16" b"\0\x0c\0\0\0\0\0\5\0\2me" b"\0\1g\0\0\0\2\0\1m"
    )  # fmt: skip
    assert request_frame(request, 4, 5, None) == (
        b"\0\0\0\x15" b"\0\x0c\0\4\0\0\0\5\xff\xff\0" b"\2g\0\0\0\2\2m\0\0"
    )  # fmt: skip


def test_a_response_frame_byte_by_byte() -> None:
    response = HeartbeatResponse(throttle_time_ms=1, error_code=27)
    assert joined(response_frame(response, 1, 5)) == b"\0\0\0\x0a\0\0\0\5\0\0\0\1\0\x1b"
    assert joined(response_frame(response, 4, 5)) == b"\0\0\0\x0c\0\0\0\5\0\0\0\0\1\0\x1b\0"


def test_controlled_shutdown_v0_has_no_client_id() -> None:
    assert [request_header_version(ControlledShutdownRequest, v) for v in range(4)] == [0, 1, 1, 2]
    assert request_frame(ControlledShutdownRequest(broker_id=3), 0, 5, "me") == b"\0\0\0\x0c\0\7\0\0\0\0\0\5\0\0\0\3"


def test_answers_to_api_versions_never_have_tags_in_their_header() -> None:
    assert [response_header_version(ApiVersionsResponse, v) for v in range(5)] == [0] * 5
    assert [request_header_version(ApiVersionsRequest, v) for v in range(5)] == [1, 1, 1, 2, 2]
    assert [response_header_version(HeartbeatResponse, v) for v in (3, 4)] == [0, 1]


def test_large_buffers_stay_alone_and_small_ones_are_joined() -> None:
    small, large = b"s" * (LARGE - 1), b"l" * LARGE
    partitions = [PartitionData(records=x) for x in (small, large, large, small)]
    pieces = response_frame(FetchResponse(responses=[FetchableTopicResponse(topic="t", partitions=partitions)]), 4, 1)
    assert [len(piece) >= LARGE for piece in pieces] == [True, True, False, True, True]
    assert pieces[1] is pieces[3] is large
    assert struct.unpack(">i", bytes(joined(pieces))[:4]) == (sum(map(len, pieces)) - 4,)


def test_the_header_of_a_request_can_be_read_before_its_version_is_known() -> None:
    assert read_key_and_version(b"\0\1\0\2rest") == (1, 2)
    with pytest.raises(MalformedBytes, match="request header"):
        read_key_and_version(b"\0\1\0")


@pytest.mark.parametrize(("version", "frame"), [(1, b"\0\1\0\2\0\0\0\3\0\1"), (2, b"\0\1\0\2\0\0\0\3\xff\xff")])
def test_a_header_that_ends_early_is_malformed(version: int, frame: bytes) -> None:
    with pytest.raises(MalformedBytes, match="RequestHeader"):
        read_request_header(frame, version)


def test_unknown_tags_in_a_header_are_skipped() -> None:
    header, at = read_request_header(b"\0\1\0\2\0\0\0\3\0\2me\1\5\1xbody", 2)
    assert header == RequestHeader(request_api_key=1, request_api_version=2, correlation_id=3, client_id="me")
    assert at == 16


def test_a_response_with_bytes_left_over_is_malformed() -> None:
    frame = bytes(joined(response_frame(HeartbeatResponse(), 0, 9)))[4:]
    assert read_response(HeartbeatResponse, 0, frame) == (9, HeartbeatResponse())
    with pytest.raises(MalformedBytes, match="HeartbeatResponse v0 leaves 1 bytes"):
        read_response(HeartbeatResponse, 0, frame + b"x")


def test_a_request_can_be_written_for_every_version_of_produce() -> None:
    for version in range(14):
        frame = request_frame(ProduceRequest(acks=-1), version, version, "me")
        assert read_key_and_version(frame[4:]) == (ApiKey.PRODUCE, version)
        assert read_request_header(frame[4:], request_header_version(ProduceRequest, version))[0].client_id == "me"
