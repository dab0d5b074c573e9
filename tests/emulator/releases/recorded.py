"""Decoded answers of real brokers, from the recordings."""

from collections.abc import Iterator
from functools import cache
from typing import TypeVar

from fakekafka.ids import ApiKey
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Mode, Release
from fakekafka.wire.apis import response_class
from fakekafka.wire.codec import decode
from fakekafka.wire.frames import read_request_header, read_response, request_header_version
from fakekafka.wire.message import Request, Response

from tests.golden.transcript import End, Exchange, Recording, load, names

Q = TypeVar("Q", bound=Request)
R = TypeVar("R", bound=Response)


def scenario(name: str) -> list[str]:
    """The recordings of a scenario, one for each release that has it: `scenario("handshake")`."""
    return [recording for recording in names() if recording.split("-", 1)[1] == name]


def release_and_mode(recording: Recording) -> tuple[Release, Mode]:
    release = Release.parse(recording.release)
    mode: Mode = "zk" if recording.controller == "zk" else "kraft" if recording.controller else release.default_mode
    return release, mode


@cache
def exchanges(name: str) -> tuple[Recording, list[Exchange]]:
    recording = load(name)
    return recording, [line for line in recording.lines if isinstance(line, Exchange)]


def answers(lines: list[Exchange], key: ApiKey, answer: type[R]) -> Iterator[R]:
    """The answers to requests with `key`."""
    assert response_class(key) is answer
    for line in lines:
        if line.api_key == key and line.decodable and isinstance(line.outcome, bytes):
            yield read_response(answer, line.answer_version, line.outcome)[1]


def asked(name: str, request: type[Q], response: type[R], oldest: int = 0) -> Iterator[tuple[Q, R | End]]:
    """The requests of one API in real versions, from `oldest` on, each with its answer or its end."""
    for line in exchanges(name)[1]:
        is_real = line.framed and line.layout == line.api_version >= oldest
        if line.api_key != request.KEY or not is_real:
            continue
        _, at = read_request_header(line.request, request_header_version(request, line.api_version))
        body, _ = decode(request, line.api_version, line.request, at)
        if not isinstance(line.outcome, bytes):
            yield body, line.outcome
        elif line.decodable:
            yield body, read_response(response, line.answer_version, line.outcome)[1]


def recorded_profile(name: str) -> Profile:
    """The profile of the recorded broker."""
    return profile(*release_and_mode(exchanges(name)[0]))
