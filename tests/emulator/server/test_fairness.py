"""Greedy clients on real sockets: their requests are handled one at a time, with those of others in between.

Counted in requests, not in time. The stand-in handler stands for work of any length.
"""

import socket
import threading
from collections.abc import Callable, Iterator

import pytest
from fakekafka import FakeKafka
from fakekafka.handlers.call import Call, Result
from fakekafka.server.connection import MAX_UNSENT
from fakekafka.server.journal import JOURNAL_LENGTH
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.emulator.server.stand_ins import api_versions

FLOOD = 3000
GREEDY, OTHER = "greedy", "other"


class Counting:
    """A handler that only notes whose requests came in which order. It calls `before` first."""

    def __init__(self) -> None:
        self.clients: list[str | None] = []
        self.before: Callable[[Call], None] = lambda call: None

    def __call__(self, request: Request, call: Call) -> Result:
        self.before(call)
        self.clients.append(call.client_id)
        return MetadataResponse(brokers=[], topics=[])


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Counting:
    stand_in = Counting()
    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: stand_in)
    return stand_in


@pytest.fixture
def kafka(handler: Counting) -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"t": 2000}) as running:
        yield running
    assert running.failures == ()


def connected(kafka: FakeKafka) -> socket.socket:
    return socket.create_connection((kafka.host, kafka.port), timeout=30)


def asking(client_id: str) -> bytes:
    return request_frame(MetadataRequest(topics=[]), 1, 1, client_id)


def test_a_client_that_comes_during_a_flood_is_answered_after_a_few_of_its_requests(
    kafka: FakeKafka, handler: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here a pass of the loop ends after each request, and then the sockets are polled."""
    monkeypatch.setattr("fakekafka.server.tcp.WORK_PER_PASS_NS", 1)
    at_work, other_is_there = threading.Event(), threading.Event()

    def before(call: Call) -> None:
        at_work.set()
        assert other_is_there.wait(30)

    handler.before = before
    with connected(kafka) as greedy, connected(kafka) as other:
        greedy.sendall(asking(GREEDY) * FLOOD)
        assert at_work.wait(30)
        other.sendall(asking(OTHER))
        with connected(kafka) as newcomer:
            newcomer.sendall(asking("newcomer"))
            other_is_there.set()
            assert newcomer.recv(4)
        assert other.recv(4)
    asked = kafka._on_loop(lambda: list(handler.clients))
    assert {asked.index(OTHER), asked.index("newcomer")} <= set(range(1, 6))


def test_a_client_that_does_not_read_has_few_requests_handled(
    kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent beyond what the sockets and the bound take stays with the client."""
    monkeypatch.undo()
    flood = request_frame(MetadataRequest(topics=None), 1, 1, GREEDY) * 100_000
    with connected(kafka) as greedy, connected(kafka) as other:
        other.sendall(request_frame(MetadataRequest(topics=None), 1, 1, OTHER))
        answer_bytes = 4 + int.from_bytes(received(other, 4), "big")
        received(other, answer_bytes - 4)
        greedy.setblocking(False)
        greedy.send(flood)
        unsent = 0
        while unsent <= MAX_UNSENT:
            other.sendall(api_versions(1))
            assert other.recv(65536)
            unsent = kafka._on_loop(lambda: max(one.outbox.size for one in kafka._running.connections.values()))
        assert unsent <= MAX_UNSENT + answer_bytes
        assert answer_bytes > 40_000
    assert len([entry for entry in kafka.requests if entry.call.client_id == GREEDY]) < JOURNAL_LENGTH


def received(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += client.recv(size - len(data))
    return data


def test_requests_that_a_client_sent_before_it_left_are_handled(kafka: FakeKafka, handler: Counting) -> None:
    with connected(kafka) as client:
        client.sendall(asking(GREEDY) * 100)
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            pass
    assert kafka._on_loop(lambda: handler.clients.count(GREEDY)) == 100


def test_many_clients_are_accepted_in_one_pass(kafka: FakeKafka, handler: Counting) -> None:
    clients: list[socket.socket] = []

    def connect_thirty() -> None:
        clients.extend(connected(kafka) for _ in range(30))

    kafka._on_loop(connect_thirty)  # while the loop does something else
    try:
        clients[-1].sendall(asking(OTHER))
        assert clients[-1].recv(4)
        assert kafka._on_loop(lambda: len(kafka._running.connections)) == 30
    finally:
        for client in clients:
            client.close()
