"""Behaviours of the connection against the recorded handshakes: what real brokers did with the same frames."""

from collections.abc import Iterator

import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.connection import ConnectionBehaviour, End
from fakekafka.releases.history import accepted
from fakekafka.releases.release import Release, all_releases
from fakekafka.wire.apis.api_versions import ApiVersionsResponse

from tests.emulator.releases import recorded
from tests.golden.transcript import End as RecordedEnd
from tests.golden.transcript import Exchange

ENDS: dict[RecordedEnd, End] = {RecordedEnd.CLOSED: "close", RecordedEnd.SILENCE: "silent"}
handshakes = pytest.mark.parametrize("name", recorded.scenario("handshake"))


def handshake(name: str) -> tuple[Release, ConnectionBehaviour, list[Exchange]]:
    recording, lines = recorded.exchanges(name)
    release, mode = recorded.release_and_mode(recording)
    return release, resolve(ConnectionBehaviour, release, mode), lines


def unanswered(lines: list[Exchange]) -> Iterator[tuple[Exchange, End]]:
    for line in lines:
        if isinstance(line.outcome, RecordedEnd) and line.outcome in ENDS:
            yield line, ENDS[line.outcome]


@handshakes
def test_a_frame_without_a_whole_api_key_ends_as_recorded(name: str) -> None:
    _, manners, lines = handshake(name)
    ends = [end for line, end in unanswered(lines) if line.framed and len(line.request) < 2]
    assert ends
    assert set(ends) == {manners.tiny_frame}


@handshakes
def test_an_unknown_key_is_handled_as_recorded(name: str) -> None:
    _, manners, lines = handshake(name)
    ends = [end for line, end in unanswered(lines) if line.framed and is_unknown(line.request)]
    assert ends
    assert set(ends) == {manners.unknown_key}


def is_unknown(frame: bytes) -> bool:
    """A whole header with a key that no release knows."""
    return len(frame) >= 10 and int.from_bytes(frame[:2], "big", signed=True) not in set(ApiKey)


@handshakes
def test_a_version_that_is_too_new_ends_as_recorded(name: str) -> None:
    release, manners, lines = handshake(name)
    taken = accepted(release, release.default_mode)
    for line in lines:
        key = ApiKey(line.api_key) if line.api_key in set(ApiKey) else None
        if key is None or key not in taken or line.api_version <= taken[key].high or key is ApiKey.API_VERSIONS:
            continue
        if isinstance(line.outcome, bytes):
            assert key in manners.unchecked_versions
            assert line.answer_version == taken[key].high
        else:
            assert ENDS[line.outcome] == manners.unsupported_version or key in manners.unchecked_versions


@handshakes
def test_api_versions_of_an_unknown_version_is_answered_as_recorded(name: str) -> None:
    release, manners, lines = handshake(name)
    answers = recorded.answers(lines, ApiKey.API_VERSIONS, ApiVersionsResponse)
    lists = [[api.api_key for api in answer.api_keys] for answer in answers if answer.error_code == 35]
    expected: dict[str, list[list[int]]] = {"empty": [[]], "own range": [[ApiKey.API_VERSIONS]]}
    assert bool(lists) == (ApiKey.API_VERSIONS in accepted(release, release.default_mode))
    assert all(found in expected[manners.api_versions_fallback] for found in lists)


@handshakes
def test_the_software_name_is_checked_as_recorded(name: str) -> None:
    _, manners, lines = handshake(name)
    answers = recorded.answers(lines, ApiKey.API_VERSIONS, ApiVersionsResponse)
    assert any(answer.error_code == 42 for answer in answers) == manners.software_name_checked


def test_keys_without_version_check_are_served() -> None:
    for release in all_releases():
        taken = set(accepted(release, release.default_mode))
        manners = resolve(ConnectionBehaviour, release, release.default_mode)
        assert manners.unchecked_versions <= taken
        assert manners.swallowed_keys <= taken
