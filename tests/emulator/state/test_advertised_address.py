"""What a broker tells its clients to connect to, by release."""

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, Release
from fakekafka.state.advertised_address import advertised_address
from fakekafka.state.configs import BrokerConfig


def advertised(release: str, **config: str) -> tuple[str, int]:
    """What a broker on 127.0.0.1:1234 advertises; a config is written with underscores here."""
    given = {name.replace("_", "."): value for name, value in config.items()}
    return advertised_address(BrokerConfig(profile(Release.parse(release)), given, 1), "127.0.0.1", 1234)


@pytest.mark.parametrize("release", LAST_PATCH)
def test_a_broker_without_configs_advertises_where_it_listens(release: str) -> None:
    assert advertised(release) == ("127.0.0.1", 1234)


@pytest.mark.parametrize(
    ("listeners", "address"),
    [
        ("PLAINTEXT://localhost:9", ("localhost", 9)),
        ("PLAINTEXT://localhost:0", ("localhost", 1234)),  # asked of 0.9.0.1, 2.3.1 and 4.3.1
        ("PLAINTEXT://:9", ("127.0.0.1", 9)),
        ("PLAINTEXT://[::1]:9", ("::1", 9)),
        ("PLAINTEXT://a:1, SSL://b:2", ("a", 1)),
    ],
)
@pytest.mark.parametrize("release", ["0.9.0", "2.3", "4.1", "4.3"])
def test_advertised_listeners_are_reported_from_0_9_on(release: str, listeners: str, address: tuple[str, int]) -> None:
    assert advertised(release, advertised_listeners=listeners) == address


@pytest.mark.parametrize("release", ["0.8.1", "0.8.2", "0.11.0", "2.8"])
def test_advertised_host_and_port_are_reported_up_to_2_8(release: str) -> None:
    assert advertised(release, advertised_host_name="a") == ("a", 1234)
    assert advertised(release, advertised_port="9") == ("127.0.0.1", 9)
    assert advertised(release, advertised_host_name="a", advertised_port="9", host_name="b") == ("a", 9)


def test_advertised_listeners_go_before_host_and_port() -> None:
    config = {"advertised_host_name": "a", "advertised_port": "9"}
    assert advertised("2.3", advertised_listeners="PLAINTEXT://b:8", **config) == ("b", 8)


@pytest.mark.parametrize("release", ["0.8.0", "0.8.2", "2.8"])
def test_host_name_is_reported_when_nothing_else_is_set(release: str) -> None:
    assert advertised(release, host_name="a") == ("a", 1234)


@pytest.mark.parametrize("wrong", ["nonsense", "PLAINTEXT://a", "PLAINTEXT://a:", "a:1", "PLAINTEXT://a:x"])
@pytest.mark.parametrize(("release", "shown"), [("0.9.0", "{}"), ("2.3", "{}"), ("4.3", "[{}]")])
def test_a_listener_that_cannot_be_read_stops_the_broker(release: str, shown: str, wrong: str) -> None:
    with pytest.raises(BrokerWillNotStart) as refusal:
        advertised(release, advertised_listeners=wrong)
    listeners = shown.format(wrong)
    assert str(refusal.value) == (
        f"Error creating broker listeners from '{listeners}': Unable to parse {wrong} to a broker endpoint"
    )
