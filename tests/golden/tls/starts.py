"""Properties of listeners with which a broker does not start."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.golden.tls.stores import PASSWORD, Authorities

TLS: Final = {"TLS": "SSL"}
LOGIN: Final = {"LOGIN": "SASL_PLAINTEXT"}
USERS: Final = 'org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="wonderland";'


def _usual(made: Authorities) -> dict[str, str]:
    return {
        "listener.name.tls.ssl.keystore.location": str(made.broker_store("starts.jks")),
        "listener.name.tls.ssl.keystore.password": PASSWORD,
    }


def _with(name: str, value: str) -> Callable[[Authorities], dict[str, str]]:
    return lambda made: _usual(made) | {f"listener.name.tls.ssl.{name}": value}


def _without_password(made: Authorities) -> dict[str, str]:
    return {"listener.name.tls.ssl.keystore.location": str(made.broker_store("starts.jks"))}


REFUSED: Final[Mapping[str, tuple[Mapping[str, str], Callable[[Authorities], dict[str, str]]]]] = {
    "a wrong password": (TLS, _with("keystore.password", "wrong")),
    "no password": (TLS, _without_password),
    "no such file": (TLS, _with("keystore.location", "/nowhere.jks")),
    "an unknown type": (TLS, _with("keystore.type", "FOO")),
    "an unknown suite": (TLS, _with("cipher.suites", "TLS_FOO_WITH_BAR")),
    "an unknown version": (TLS, _with("enabled.protocols", "TLSv9")),
    "an unknown authentication": (TLS, _with("client.auth", "perhaps")),
    "no rule": (TLS, _with("principal.mapping.rules", "RULE:nonsense")),
    "no login configuration": (LOGIN, lambda made: {"sasl.enabled.mechanisms": "PLAIN"}),
    "a login configuration of no mechanism": (
        LOGIN,
        lambda made: {"sasl.enabled.mechanisms": "PLAIN", "listener.name.login.sasl.jaas.config": USERS},
    ),
    "an unknown mechanism": (
        LOGIN,
        lambda made: {
            "sasl.enabled.mechanisms": "FOO",
            "listener.name.login.foo.sasl.jaas.config": "com.example.Login required;",
        },
    ),
}
"""Refused configurations by what is wrong with them: the listeners beside PLAINTEXT, and the broker's properties."""
