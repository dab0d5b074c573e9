"""Events on real sockets: `runtime/event_stage.py`. Brokers, disks and leaders: `faults/test_events.py`."""

import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import request_frame

ASK = request_frame(MetadataRequest(topics=None), 5, 1, "svc-1")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def kafka(clock: ManualClock) -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"orders": 1}, brokers=2, clock=clock) as kafka:
        yield kafka
        assert kafka.failures == ()


def connected(kafka: FakeKafka, broker: int = 0) -> socket.socket:
    host, port = kafka.bootstrap_servers.split(",")[broker].split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def asked(client: socket.socket) -> bytes:
    client.sendall(ASK)
    return client.recv(4096)


def test_a_broker_that_refuses_keeps_its_connections_and_its_port(kafka: FakeKafka, clock: ManualClock) -> None:
    with closing(connected(kafka)) as before:
        assert asked(before)
        rule = kafka.faults.refuse_connections(broker=0, for_ms=2000)
        with pytest.raises(ConnectionRefusedError):
            connected(kafka)
        with closing(connected(kafka, 1)) as other:
            assert asked(other)
        assert asked(before)
        clock.advance(2000)
        with closing(connected(kafka)) as after:
            assert asked(after)
    assert (rule.hits, rule.active) == (1, False)


def test_a_client_that_connects_can_be_closed_after_accepting(kafka: FakeKafka) -> None:
    with kafka.faults.refuse_connections(how="close") as rule:
        for _ in range(2):
            with closing(connected(kafka)) as client:
                assert client.recv(1) == b""
        assert rule.hits == 2
    with closing(connected(kafka)) as client:
        assert asked(client)


def test_a_client_that_connects_can_be_reset_after_accepting(kafka: FakeKafka) -> None:
    with kafka.faults.refuse_connections(how="reset") as rule:
        with pytest.raises(ConnectionResetError), closing(connected(kafka)) as client:
            client.recv(1)
        assert rule.hits == 1


def test_a_listener_can_accept_and_stay_silent_until_the_rule_ends(kafka: FakeKafka) -> None:
    with closing(connected_under(kafka)) as client:
        client.settimeout(20)
        with pytest.raises(ConnectionResetError):  # its request was never read
            client.recv(1)


def connected_under(kafka: FakeKafka) -> socket.socket:
    """A client that has connected while the listener says nothing; it is released at the end."""
    with kafka.faults.refuse_connections(how="silence") as rule:
        client = connected(kafka)
        client.sendall(ASK)
        assert kafka._runtime.wait_until(lambda: rule.hits == 1, 20)
        client.setblocking(False)
        with pytest.raises(BlockingIOError):
            client.recv(1)
    return client


@pytest.mark.parametrize("how", ["close", "reset"])
def test_connections_that_are_open_can_be_closed_or_reset(kafka: FakeKafka, how: Any) -> None:
    with closing(connected(kafka)) as client:
        assert asked(client)
        assert kafka.faults.disconnect(client_id="svc-1", how=how).hits == 1
        if how == "close":
            assert client.recv(1) == b""
        else:
            with pytest.raises(ConnectionResetError):
                client.recv(1)


def test_an_answer_can_be_lost_with_a_reset(kafka: FakeKafka) -> None:
    kafka.faults.lose_answer("Metadata", how="reset", times=1)
    with closing(connected(kafka)) as client, pytest.raises(ConnectionResetError):
        asked(client)


def test_a_half_open_connection_stays_open_and_silent(kafka: FakeKafka) -> None:
    with closing(connected(kafka)) as client:
        assert asked(client)
        kafka.faults.disconnect(how="silence")
        client.sendall(ASK)
        with closing(connected(kafka)) as other:
            assert asked(other)  # the broker has had its chance
        client.setblocking(False)
        with pytest.raises(BlockingIOError):
            client.recv(1)


def test_a_broker_that_refuses_can_be_stopped_and_started(kafka: FakeKafka) -> None:
    rule = kafka.faults.refuse_connections(broker=0)
    kafka.stop_broker(0)
    kafka.start_broker(0)
    with closing(connected(kafka)) as client:
        assert asked(client)
    rule.remove()


def test_a_cluster_that_refuses_can_be_stopped(kafka: FakeKafka) -> None:
    kafka.faults.refuse_connections(how="silence")
    kafka.faults.refuse_connections(broker=1)
    client = connected(kafka)
    kafka.stop()
    assert not kafka.is_running
    assert client.recv(1) == b""
    client.close()


def test_events_happen_again_on_the_sockets_of_a_restarted_cluster(kafka: FakeKafka) -> None:
    kafka.faults.refuse_connections(broker=0)
    kafka.restart()
    with pytest.raises(ConnectionRefusedError):
        connected(kafka)
