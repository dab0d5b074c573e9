"""Clients that are not known yet: how many there may be, and for how long."""

import socket
from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka
from fakekafka.server import newcomers
from fakekafka.server.newcomers import CROWDED, MOST, PATIENCE_MS, TOO_SLOW, Newcomers

USERS = {"alice": "wonderland"}
PATIENCE_S = 20


class Stranger:
    """A client that has connected; it knows why it was disconnected."""

    def __init__(self) -> None:
        self.turned_away: str | None = None

    def turn_away(self, why: str) -> None:
        self.turned_away = why


def test_the_first_of_too_many_newcomers_has_to_go() -> None:
    found = Newcomers()
    strangers = [Stranger() for _ in range(MOST + 1)]
    for stranger in strangers:
        found.add(stranger, 0)
    assert [stranger.turned_away for stranger in strangers[:2]] == [CROWDED, None]
    assert len(found) == MOST


def test_a_known_client_makes_room_for_another() -> None:
    found = Newcomers()
    strangers = [Stranger() for _ in range(MOST + 1)]
    for stranger in strangers[:-1]:
        found.add(stranger, 0)
    found.remove(strangers[1])
    found.add(strangers[-1], 0)
    assert not any(stranger.turned_away for stranger in strangers)


def test_the_patience_with_each_newcomer_ends_in_turn() -> None:
    found, one, two = Newcomers(), Stranger(), Stranger()
    found.add(one, 0)
    found.add(two, 10)
    assert found.next_deadline_ms() == PATIENCE_MS
    found.expire(PATIENCE_MS)
    assert (one.turned_away, two.turned_away) == (TOO_SLOW, None)
    found.expire(PATIENCE_MS + 10)
    assert two.turned_away == TOO_SLOW
    assert found.next_deadline_ms() is None


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker whose clients have to log in within a tenth of a second."""
    monkeypatch.setattr(newcomers, "PATIENCE_MS", 100)


@pytest.fixture(params=[False, True], ids=["plain", "tls"])
def kafka(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    with FakeKafka("3.9", users=USERS, tls=request.param) as kafka:
        yield kafka
        assert kafka.failures == ()


def closed_by(kafka: FakeKafka, sent: bytes) -> bool:
    """Whether the broker closes a connection that sends no more than `sent`."""
    with socket.create_connection((kafka.host, kafka.port), PATIENCE_S) as stranger:
        stranger.sendall(sent)
        return stranger.recv(100) == b""


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    "sent", [b"", b"\x16\x03\x01", b"\0\0\x10\0"], ids=["nothing", "a part of a ClientHello", "a size"]
)
def test_a_client_that_does_not_log_in_is_turned_away_in_time(kafka: FakeKafka, sent: bytes) -> None:
    assert closed_by(kafka, sent)
    assert [refused.why for refused in kafka.refused_connections] == [TOO_SLOW]


def test_every_client_of_a_listener_without_login_and_tls_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "PATIENCE_MS", 0)
    with FakeKafka("3.9") as kafka, socket.create_connection((kafka.host, kafka.port), PATIENCE_S) as client:
        client.settimeout(0.3)
        with pytest.raises(TimeoutError):
            client.recv(1)


def test_a_client_that_has_logged_in_may_take_its_time(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    from kafka import KafkaProducer

    producer = KafkaProducer(**kafka.client_config("kafka-python", user="alice"))
    producer.send("t", b"one").get(timeout=PATIENCE_S)
    monkeypatch.setattr(newcomers, "PATIENCE_MS", 100)
    assert closed_by(kafka, b"")  # so time has passed
    producer.send("t", b"two").get(timeout=PATIENCE_S)
    producer.close()
    assert len(kafka.refused_connections) == 1
