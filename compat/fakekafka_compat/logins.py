"""Scenarios whose clients log in over TLS: "SASL_SSL with SCRAM-SHA-512"."""

from typing import Any, Final

from fakekafka import FakeKafka

from fakekafka_compat.records import Json
from fakekafka_compat.subject import Subject
from fakekafka_compat.table import SASL_SSL

USER: Final = "alice"
PASSWORD: Final = "wonderland"
RULES: Final = ("Read,Write,Describe topic {topic}", "Read,Describe group *", "IdempotentWrite cluster")
"""The rights that a client needs, and no more; IdempotentWrite is needed up to 2.7 (KIP-679)."""


def mechanism_of(scenario: str) -> str | None:
    """The mechanism by which the scenario's client logs in; None if it does not log in."""
    return scenario.removeprefix(SASL_SSL).strip() if scenario.startswith(SASL_SSL) else None


def secured(scenario: str, topic: str) -> dict[str, Any]:
    """Arguments of `FakeKafka`: with TLS, a user, and rights for the topic."""
    mechanism = mechanism_of(scenario)
    if mechanism is None:
        return {}
    acls = [f"User:{USER} allow {rule.format(topic=topic)}" for rule in RULES]
    return {"tls": True, "users": {USER: PASSWORD}, "sasl": [mechanism], "acls": acls}


def login_of(scenario: str, kafka: Subject) -> Json | None:
    """How a driver logs in."""
    mechanism = mechanism_of(scenario)
    if mechanism is None:
        return None
    assert isinstance(kafka, FakeKafka), "others have no users of ours"
    ca_file = str(kafka.tls.ca_file)
    return {"protocol": "SASL_SSL", "mechanism": mechanism, "user": USER, "password": PASSWORD, "ca_file": ca_file}
