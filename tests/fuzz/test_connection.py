"""Damaged frames of every API: the broker answers as documented or closes that connection, and nobody else notices."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.frames import SIZE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.shots import shots
from tests.fuzz.under_fire import RELEASES, TOPICS, check_acknowledged, check_calm, fire, produce_frame

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "25"))
"""Conversations with each release. `python -m tests.fuzz.connection` has as many as there is time for."""


@pytest.mark.parametrize("release", RELEASES)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_frames_disturb_nobody_else(release: str, data: st.DataObject) -> None:
    fire(release, data.draw(shots(release)))


@pytest.fixture(scope="module", params=RELEASES)
def started(request: pytest.FixtureRequest) -> Iterator[tuple[str, FakeKafka, list[int]]]:
    """A release, its broker, and how many records the healthy client has sent to it."""
    with FakeKafka(request.param, topics=TOPICS) as kafka:
        yield request.param, kafka, [0]


@settings(max_examples=max(5, EXAMPLES // 5), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_frames_on_a_socket_disturb_nobody_else(
    started: tuple[str, FakeKafka, list[int]], data: st.DataObject
) -> None:
    release, kafka, acknowledged = started
    with socket.create_connection((kafka.host, kafka.port), timeout=30) as other:
        for frame in data.draw(shots(release)):
            _shoot(kafka, frame)
            version, request = produce_frame(release, acknowledged[0])
            other.sendall(request)
            (size,) = SIZE.unpack(_receive(other, SIZE.size))
            check_acknowledged(_receive(other, size), version, acknowledged[0])
            acknowledged[0] += 1
    check_calm(kafka, acknowledged[0])


def _shoot(kafka: FakeKafka, frame: bytes) -> None:
    """Send the frames on a separate connection, and read until the broker has closed it too."""
    with socket.create_connection((kafka.host, kafka.port), timeout=30) as bad, suppress(ConnectionError):
        bad.sendall(frame)
        bad.shutdown(socket.SHUT_WR)
        while bad.recv(65536):
            pass


def _receive(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = client.recv(size - len(data))
        assert piece, "the broker closed the connection"
        data += piece
    return data
