"""A started broker and other processes: forks of its process, and fresh ones."""

import multiprocessing
import os
import socket
from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse

from tests.emulator.server.test_tcp import Client
from tests.support.brokers import ask

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork"),
    # Python 3.12 and later warn about a fork beside threads, which is what is tested
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def kafka() -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"t": 1}) as running:
        yield running
    assert running.failures == ()


def error_of(kafka: FakeKafka, name: str) -> str:
    try:
        getattr(kafka, name)(*(("t", b"v") if name == "send" else ()))
    except UsageError as e:
        return str(e)
    return "no error"


@pytest.mark.parametrize("name", ["stop", "send", "reset", "restart", "topics"])
def test_a_forked_child_is_refused_and_its_parent_s_clients_live_on(kafka: FakeKafka, name: str) -> None:
    client = Client(kafka)
    client.ask(ApiVersionsRequest(), 2)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, error_of(kafka, name).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert "forked" in told
    assert isinstance(client.ask(ApiVersionsRequest(), 2), ApiVersionsResponse)
    client.close()


def answered(servers: str) -> None:
    """Another process asks the broker at an address."""
    ask(servers, ApiVersionsRequest(), 2, ApiVersionsResponse)


def cycled() -> None:
    """Another process starts its own broker."""
    with FakeKafka("2.3", topics={"t": 1}) as own:
        own.send("t", b"v")
        answered(own.bootstrap_servers)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes_are_clients_and_may_start_their_own_brokers(kafka: FakeKafka, method: str) -> None:
    context = multiprocessing.get_context(method)
    children = [
        context.Process(target=answered, args=(kafka.bootstrap_servers,)),  # type: ignore[attr-defined]
        context.Process(target=cycled),  # type: ignore[attr-defined]
    ]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0]
    with socket.create_connection((kafka.host, kafka.port)):
        assert kafka.topics() == {"t": 1}


def test_a_broker_cannot_be_sent_to_another_process(kafka: FakeKafka) -> None:
    process = multiprocessing.get_context("spawn").Process(target=error_of, args=(kafka, "stop"))
    with pytest.raises(TypeError, match="bootstrap_servers"):
        process.start()
