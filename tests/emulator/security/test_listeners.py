"""Listeners as an operator writes them in server.properties."""

import pytest
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.security.jaas import login_modules
from fakekafka.security.listeners import advertised, listeners, plain_users

SAYS = profile(Release.parse("2.3")).listeners


def read(config: dict[str, str], default: str = "PLAINTEXT") -> list[tuple[str, str, str, int]]:
    return [listener[:4] for listener in listeners(config.get, SAYS, default)]


def test_without_properties_there_is_one_listener() -> None:
    assert read({}) == [("PLAINTEXT", "PLAINTEXT", "", 0)]


def test_several_listeners_have_names_and_protocols() -> None:
    config = {
        "listeners": "PLAINTEXT://127.0.0.1:9092,SASL_PLAINTEXT://:9093, internal://[::1]:0",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,INTERNAL:SSL",
        "sasl.enabled.mechanisms": "PLAIN",
    }
    assert read(config) == [
        ("PLAINTEXT", "PLAINTEXT", "127.0.0.1", 9092),
        ("SASL_PLAINTEXT", "SASL_PLAINTEXT", "", 9093),
        ("INTERNAL", "SSL", "::1", 0),
    ]


def test_listeners_of_controllers_are_not_for_clients() -> None:
    config = {
        "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
    }
    assert [name for name, *_ in read(config)] == ["PLAINTEXT"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PLAINTEXT:9092", "Unable to parse PLAINTEXT:9092 to a broker endpoint"),
        ("OWN://:9092", "No security protocol defined for listener OWN"),
        ("PLAINTEXT://:9092,PLAINTEXT://:9093", "Each listener must have a different name"),
        ("PLAINTEXT://:9092,SSL://:9092", "Each listener must have a different port"),
    ],
)
def test_listeners_that_a_broker_does_not_start_with(text: str, words: str) -> None:
    with pytest.raises(BrokerWillNotStart, match=words):
        read({"listeners": text})


def test_gssapi_is_refused_with_a_plain_message() -> None:
    with pytest.raises(UsageError, match="SASL mechanism GSSAPI is not played"):
        read({}, "SASL_PLAINTEXT")


def test_a_listener_may_have_its_own_mechanisms_and_lifetimes() -> None:
    config = {
        "sasl.enabled.mechanisms": "PLAIN",
        "connections.max.reauth.ms": "5000",
        "listener.name.sasl_plaintext.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
        "listener.name.sasl_plaintext.plain.connections.max.reauth.ms": "60000",
    }
    (listener,) = listeners(config.get, SAYS, "SASL_PLAINTEXT")
    assert listener.sasl is not None
    assert listener.sasl.mechanisms == ("PLAIN", "SCRAM-SHA-256")
    assert listener.sasl.max_reauth_ms == {"PLAIN": 60000, "SCRAM-SHA-256": 5000}


def test_advertised_listeners_are_found_by_name() -> None:
    assert advertised({"advertised.listeners": "SSL://kafka.example:443"}.get, SAYS) == {"SSL": ("kafka.example", 443)}


def test_users_of_plain_stand_in_jaas_configurations() -> None:
    jaas = (
        'org.apache.kafka.common.security.plain.PlainLoginModule required username="x" user_alice="a\\"b;" user_bob=pw;'
    )
    assert plain_users({"listener.name.own.plain.sasl.jaas.config": jaas}.get, "OWN") == {"alice": 'a"b;', "bob": "pw"}


def test_a_login_module_shows_no_secret() -> None:
    assert "secret" not in repr(login_modules('a.Plain required username="x" password="secret";'))


def test_a_jaas_configuration_without_a_module_is_refused() -> None:
    with pytest.raises(BrokerWillNotStart):
        login_modules("nonsense")
