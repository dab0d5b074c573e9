"""Where brokers listen: valid ports, and the same ones after a restart."""

import pytest
from fakekafka import FakeKafka, UsageError
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
