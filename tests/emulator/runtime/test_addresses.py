"""Where brokers listen: valid ports, and the same ones after a restart."""

import socket

import pytest
from fakekafka import BrokerSettings, FakeKafka, UsageError
from fakekafka.runtime.addresses import Addresses


@pytest.mark.parametrize(
    ("ports", "problem"),
    [(65536, "65536"), (-1, "-1"), ([1], "1 for 2"), ([1, 2, 3], "3 for 2"), ([0, 70_000], "70000")],
)
def test_impossible_ports_are_refused(ports: int | list[int], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        Addresses("127.0.0.1", ports, 2, None)


def test_one_port_is_the_first_broker_s() -> None:
    assert Addresses("127.0.0.1", 9092, 3, None).ports == [9092, 0, 0]


def test_an_ipv6_literal_stands_in_brackets() -> None:
    assert Addresses("::1", [1, 2], 2, None).servers() == "[::1]:1,[::1]:2"


def test_every_listener_has_its_port_again_after_a_restart() -> None:
    config = {
        "listeners": "PLAINTEXT://:0,OTHER://:0",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,OTHER:PLAINTEXT",
    }
    with FakeKafka("3.9", brokers=2, config=config) as kafka:
        addresses = kafka._runtime.addresses
        before = addresses.servers(), addresses.servers("OTHER")
        assert len(set(",".join(before).split(","))) == 4
        kafka.restart()
        assert (addresses.servers(), addresses.servers("OTHER")) == before


def free_port() -> int:
    """A port that nobody uses at the moment."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@pytest.mark.parametrize("release", ["0.9.0", "2.3", "3.9", "4.3"])
def test_one_listener_is_bound_where_its_properties_say(release: str) -> None:
    port = free_port()
    with FakeKafka(release, config={"listeners": f"PLAINTEXT://127.0.0.2:{port}"}) as kafka:
        assert (kafka.host, kafka.port, kafka.bootstrap_servers) == ("127.0.0.2", port, f"127.0.0.2:{port}")
        assert told(kafka) == [("127.0.0.2", port)]
        kafka.restart()
        assert kafka.bootstrap_servers == f"127.0.0.2:{port}"


def test_a_listener_moves_at_a_restart_to_where_its_properties_say_now() -> None:
    ports = [free_port(), free_port()]
    with FakeKafka("3.9", config={"listeners": f"PLAINTEXT://127.0.0.1:{ports[0]}"}) as kafka:
        kafka.restart(config={"listeners": f"PLAINTEXT://127.0.0.2:{ports[1]}"})
        assert kafka.bootstrap_servers == f"127.0.0.2:{ports[1]}"
        assert told(kafka) == [("127.0.0.2", ports[1])]


def test_the_first_listener_keeps_its_free_port_when_it_gets_another_name() -> None:
    with FakeKafka("3.9") as kafka:
        port = kafka.port
        other = {"listener.security.protocol.map": "OTHER:PLAINTEXT", "inter.broker.listener.name": "OTHER"}
        kafka.restart(config={"listeners": "OTHER://:0", **other})
        assert kafka.port == port


def test_host_name_is_only_told_to_clients_in_0_8_0_which_has_no_other_property_for_that() -> None:
    with FakeKafka("0.8.0", config={"host.name": "kafka.example"}) as kafka:
        assert (kafka.host, told(kafka)) == ("127.0.0.1", [("kafka.example", kafka.port)])


@pytest.mark.parametrize("release", ["0.8.1", "0.8.2", "0.11.0", "2.8"])
def test_host_name_and_port_say_where_the_one_listener_is_bound_up_to_2_8(release: str) -> None:
    port = free_port()
    with FakeKafka(release, config={"host.name": "127.0.0.2", "port": port}) as kafka:
        assert (kafka.bootstrap_servers, told(kafka)) == (f"127.0.0.2:{port}", [("127.0.0.2", port)])


def test_the_port_of_the_options_takes_precedence_over_that_of_the_first_listener() -> None:
    port = free_port()
    with FakeKafka("3.9", port=port, config={"listeners": "PLAINTEXT://:9"}) as kafka:
        assert kafka.bootstrap_servers == f"127.0.0.1:{port}"


def test_each_broker_is_bound_where_its_own_listeners_say() -> None:
    ports = [free_port(), free_port()]
    brokers = [BrokerSettings(config={"listeners": f"PLAINTEXT://127.0.0.1:{port}"}) for port in ports]
    with FakeKafka("3.9", brokers=brokers) as kafka:
        assert kafka.bootstrap_servers == f"127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}"
        assert told(kafka) == [("127.0.0.1", ports[0]), ("127.0.0.1", ports[1])]
        kafka.stop_broker(1)
        kafka.start_broker(1)
        assert told(kafka)[1] == ("127.0.0.1", ports[1])


def test_listeners_that_are_bound_to_every_address_are_reached_at_the_host_of_the_options() -> None:
    config = {"listeners": "PLAINTEXT://0.0.0.0:0", "advertised.listeners": "PLAINTEXT://127.0.0.1:0"}
    with FakeKafka("3.9", config=config) as kafka:
        assert (kafka.host, told(kafka)) == ("127.0.0.1", [("127.0.0.1", kafka.port)])


def test_one_of_several_listeners_is_reached_at_its_own_host() -> None:
    config = {
        "listeners": "PLAINTEXT://127.0.0.2:0,OTHER://127.0.0.3:0",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,OTHER:PLAINTEXT",
    }
    with FakeKafka("3.9", config=config) as kafka:
        assert kafka.bootstrap_servers == f"127.0.0.2:{kafka.port}"
        assert kafka._runtime.addresses.servers("OTHER").startswith("127.0.0.3:")


def test_a_port_that_another_program_has_is_refused_by_name() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        kafka = FakeKafka("3.9", config={"listeners": f"PLAINTEXT://127.0.0.1:{port}"})
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}"):
            kafka.start()


def told(kafka: FakeKafka) -> list[tuple[str, int]]:
    """The addresses that brokers tell their clients."""
    return [(broker.host, broker.port) for _, broker in sorted(kafka._running.cluster.brokers.items())]
