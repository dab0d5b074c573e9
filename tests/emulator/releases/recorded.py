"""Answers of real brokers, out of the recordings, decoded."""

from collections.abc import Iterator
from typing import TypeVar

from fakekafka.ids import ApiKey
from fakekafka.releases.release import Mode, Release
from fakekafka.wire.apis import response_class
from fakekafka.wire.frames import read_response
from fakekafka.wire.message import Response

from tests.golden.transcript import Exchange, Recording, load, names

R = TypeVar("R", bound=Response)


def scenario(name: str) -> list[str]:
    """The recordings of a scenario, one for each release that has it: `scenario("handshake")`."""
    return [recording for recording in names() if recording.split("-", 1)[1] == name]


def release_and_mode(recording: Recording) -> tuple[Release, Mode]:
    release = Release.parse(recording.release)
    mode: Mode = "zk" if recording.controller == "zk" else "kraft" if recording.controller else release.default_mode
    return release, mode


def exchanges(name: str) -> tuple[Recording, list[Exchange]]:
    recording = load(name)
    return recording, [line for line in recording.lines if isinstance(line, Exchange)]


def answers(lines: list[Exchange], key: ApiKey, answer: type[R]) -> Iterator[R]:
    """The answers to requests with `key`."""
    assert response_class(key) is answer
    for line in lines:
        if line.api_key == key and line.decodable and isinstance(line.outcome, bytes):
            yield read_response(answer, line.answer_version, line.outcome)[1]
