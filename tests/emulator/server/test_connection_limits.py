"""Limits on connections: how many, and how fast; by broker, listener and address, on the broker's clock."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import request_frame

ASK = request_frame(MetadataRequest(topics=[]), 1, 1, "test")


def booted(release: str = "3.9", clock: ManualClock | None = None, **config: object) -> FakeKafka:
    properties = {name.replace("_", "."): value for name, value in config.items()}
    return FakeKafka(release, config=properties, clock=clock or ManualClock()).boot()


def is_served(client: MemoryClient) -> bool:
    return bool(client.send(ASK))


def state(client: MemoryClient) -> str:
    """The state of a connection that has sent a request."""
    answered = is_served(client) or bool(client.receive())
    return "served" if answered else "closed" if client.connection.is_closing else "waits"


@pytest.mark.parametrize("release", ["0.9.0", "2.3", "4.3"])
def test_connections_of_one_address_are_limited(release: str) -> None:
    with booted(release, max_connections_per_ip=2, max_connections_per_ip_overrides="10.0.0.9:1") as kafka:
        first, second, third = (kafka.connect() for _ in range(3))
        assert [state(client) for client in (first, second, third)] == ["served", "served", "closed"]
        assert state(kafka.connect(host="10.0.0.1")) == "served"
        assert [state(kafka.connect(host="10.0.0.9")) for _ in range(2)] == ["served", "closed"]
        assert [refused.why for refused in kafka.refused_connections] == [
            "127.0.0.1 already has max.connections.per.ip=2 connections",
            "10.0.0.9 already has max.connections.per.ip=1 connections",
        ]
        first.disconnect()
        assert state(kafka.connect()) == "served"


def test_a_broker_with_enough_connections_serves_the_next_when_one_has_gone() -> None:
    with booted(max_connections=2) as kafka:
        first, second, third, fourth = (kafka.connect() for _ in range(4))
        assert [state(client) for client in (first, second, third, fourth)] == ["served", "served", "waits", "waits"]
        second.disconnect()
        assert third.receive()
        assert state(fourth) == "waits"


def test_a_connection_that_gave_up_waiting_is_not_served() -> None:
    with booted(max_connections=1) as kafka:
        first, second, third = (kafka.connect() for _ in range(3))
        second.disconnect()
        first.disconnect()
        assert is_served(third)


LISTENERS = {
    "listeners": "IN://127.0.0.1:0,OUT://127.0.0.1:0",
    "listener.security.protocol.map": "IN:PLAINTEXT,OUT:PLAINTEXT",
}


def test_a_listener_may_have_its_own_limit() -> None:
    config = {**LISTENERS, "listener.name.out.max.connections": 1, "inter.broker.listener.name": "IN"}
    with FakeKafka("3.9", config=config, clock=ManualClock()).boot() as kafka:
        assert [state(kafka.connect(listener="OUT")) for _ in range(2)] == ["served", "waits"]
        assert [state(kafka.connect(listener="IN")) for _ in range(2)] == ["served", "served"]


def test_other_listeners_make_room_for_the_listener_between_brokers() -> None:
    config = {**LISTENERS, "max.connections": 1, "inter.broker.listener.name": "IN"}
    with FakeKafka("3.9", config=config, clock=ManualClock()).boot() as kafka:
        client = kafka.connect(listener="OUT")
        assert is_served(client)
        assert state(kafka.connect(listener="IN")) == "served"
        assert state(client) == "closed"


def test_connections_that_come_too_fast_wait_on_the_clock() -> None:
    clock = ManualClock()
    with booted(clock=clock, max_connection_creation_rate=1) as kafka:
        clients = [kafka.connect() for _ in range(12)]
        assert [state(client) for client in clients] == ["served"] * 10 + ["waits"] * 2
        clock.advance(1_000)
        assert [state(client) for client in clients[10:]] == ["served", "waits"]
        clock.advance(60_000)
        assert state(clients[11]) == "served"


@pytest.mark.parametrize("entity", [(("ip", "10.0.0.1"),), (("ip", None),)], ids=["the address", "any address"])
def test_connections_that_come_too_fast_from_an_address_are_closed_later(
    entity: tuple[tuple[str, str | None], ...],
) -> None:
    clock = ManualClock()
    with booted(clock=clock) as kafka:
        kafka._running.cluster.settings.quotas[entity] = {"connection_creation_rate": 1.0}
        clients = [kafka.connect(host="10.0.0.1") for _ in range(11)]
        assert [state(client) for client in clients] == ["served"] * 10 + ["waits"]
        clock.advance(1_000)
        assert state(clients[10]) == "closed"
        clock.advance(60_000)
        assert state(kafka.connect(host="10.0.0.1")) == "served"
        assert len(kafka.refused_connections) == 1


def test_an_address_with_its_own_rate_is_not_held_to_the_common_one() -> None:
    with booted() as kafka:
        quotas = kafka._running.cluster.settings.quotas
        quotas[(("ip", None),)] = {"connection_creation_rate": 1.0}
        quotas[(("ip", "localhost"),)] = {"connection_creation_rate": 100.0}
        assert {state(kafka.connect()) for _ in range(20)} == {"served"}


def test_a_limit_may_come_while_the_broker_runs() -> None:
    with booted() as kafka:
        clients = [kafka.connect() for _ in range(3)]
        kafka._running.cluster.settings.all_brokers["max.connections.per.ip"] = "3"
        kafka._running.cluster.brokers[0].reconfigure_all()
        assert state(kafka.connect()) == "closed"
        assert all(map(is_served, clients))


def test_a_client_beyond_the_limit_is_closed_over_sockets_before_it_says_anything() -> None:
    import socket

    with FakeKafka("3.9", config={"max.connections.per.ip": 1}) as kafka:
        place = kafka.host, kafka.port
        with socket.create_connection(place, 20), socket.create_connection(place, 5) as second:
            assert second.recv(1) == b""


def test_clients_that_wait_for_a_full_broker_are_served_over_sockets() -> None:
    import socket

    with FakeKafka("3.9", config={"max.connections": 1}) as kafka:
        place = kafka.host, kafka.port
        with socket.create_connection(place, 20) as waiting_for_none:
            waiting_for_none.sendall(ASK)
            assert waiting_for_none.recv(4)
            waits = socket.create_connection(place, 20)
            waits.sendall(ASK)
        assert waits.recv(4)
        waits.close()
