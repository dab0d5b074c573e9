"""Kafka's own clients and tools over SASL_SSL: kafka-acls, kafka-configs, kafka-delegation-tokens, a consumer; against
`fakekafka serve`. Run by `tox -e java`: Maven has to get them from its registry first.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from confluent_kafka import Producer

from tests.java.programs import compiled, needs_java, running, told

pytestmark = needs_java

TOOLS: Final = {"3.9.1": "kafka.admin.AclCommand", "4.1.1": "org.apache.kafka.tools.AclCommand"}
"""The name of kafka-acls by version of Kafka."""
CONFIGS, TOKENS = "kafka.admin.ConfigCommand", "org.apache.kafka.tools.DelegationTokenCommand"
PASSWORDS: Final = {"admin": "admin-secret", "alice": "alice-secret"}
PATIENCE_S: Final = 120


class Served(NamedTuple):
    """A broker in a separate process, and the tools of its release."""

    servers: str
    ca_file: str
    class_path: str
    acl_command: str
    folder: Path

    def properties(self, user: str, password: str, mechanism: str = "PLAIN", *, token: bool = False) -> dict[str, str]:
        module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
        more = " tokenauth=true" if token else ""
        secrets = f'username="{user}" password="{password}"{more}'
        return {
            "security.protocol": "SASL_SSL",
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": self.ca_file,
            "sasl.mechanism": mechanism,
            "sasl.jaas.config": f"org.apache.kafka.common.security.{module} required {secrets};",
        }

    def run(self, tool: str, *arguments: str, properties: Mapping[str, str] | None = None) -> str:
        """What a tool prints, run as admin or with other properties. It has to succeed."""
        file = self.folder / "client.properties"
        chosen = properties or self.properties("admin", PASSWORDS["admin"])
        file.write_text("".join(f"{name}={value}\n" for name, value in chosen.items()), "utf-8")
        command = ["java", "-Xmx128m", "-cp", self.class_path, tool, "--bootstrap-server", self.servers]
        done = subprocess.run(
            [*command, "--command-config", str(file), *arguments],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module", params=TOOLS)
def kafka(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    version, folder = request.param, tmp_path_factory.mktemp("java")
    class_path = compiled(folder, version, "GroupMember", pom="tools.xml")
    users = [option for name, password in PASSWORDS.items() for option in ("--user", f"{name}:{password}")]
    sasl = [option for name in ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512") for option in ("--sasl", name)]
    config = {
        "super.users": "User:admin",
        "delegation.token.secret.key": "key-of-tokens",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "group.initial.rebalance.delay.ms": "0",
    }
    said = [option for name, value in config.items() for option in ("--config", f"{name}={value}")]
    options = ["--release", version, "--port", "0", "--topic", "orders", "--tls", *users, *sasl, *said]
    with running(sys.executable, "-m", "fakekafka", "serve", *options) as broker:
        assert broker.stdout is not None
        servers = broker.stdout.readline().split()[0]
        ca_file = broker.stdout.readline().split()[-1]
        yield Served(servers, ca_file, class_path, TOOLS[version], folder)


def test_kafka_acls_gives_a_consumer_the_rights_that_it_needs(kafka: Served) -> None:
    rule = ("--allow-principal", "User:alice", "--operation", "Read", "--operation", "Write")
    kafka.run(kafka.acl_command, "--add", *rule, "--topic", "orders")
    kafka.run(kafka.acl_command, "--add", "--allow-principal", "User:alice", "--operation", "Read", "--group", "g")
    listed = kafka.run(kafka.acl_command, "--list", "--topic", "orders")
    assert listed.count("principal=User:alice") == 2
    config = {"bootstrap.servers": kafka.servers, "security.protocol": "SASL_SSL", "ssl.ca.location": kafka.ca_file}
    login = {"sasl.mechanism": "PLAIN", "sasl.username": "alice", "sasl.password": PASSWORDS["alice"]}
    producer = Producer({**config, **login})
    producer.produce("orders", b"one")
    assert producer.flush(PATIENCE_S) == 0
    settings = kafka.properties("alice", PASSWORDS["alice"], "SCRAM-SHA-512").items()
    command = ("java", "-Xmx128m", "-cp", kafka.class_path, "GroupMember", kafka.servers, "topics:orders")
    with running(*command, *(f"{name}={value}" for name, value in settings)) as member:
        found = next(line for _ in range(1000) if (line := told(member, "poll"))[2:])
        assert found == ["has", "orders-0", "one"]
    kafka.run(kafka.acl_command, "--remove", "--force", *rule, "--topic", "orders")
    assert "alice" not in kafka.run(kafka.acl_command, "--list", "--topic", "orders")


def test_kafka_configs_makes_users_and_quotas(kafka: Served) -> None:
    carol = ("--entity-type", "users", "--entity-name", "carol")
    kafka.run(CONFIGS, "--alter", "--add-config", "SCRAM-SHA-256=[iterations=4096,password=carol-secret]", *carol)
    kafka.run(CONFIGS, "--alter", "--add-config", "producer_byte_rate=1000000", *carol)
    described = kafka.run(CONFIGS, "--describe", *carol)
    assert "SCRAM-SHA-256=iterations=4096" in described
    assert "producer_byte_rate=1000000" in described
    as_carol = kafka.properties("carol", "carol-secret", "SCRAM-SHA-256")
    kafka.run(TOKENS, "--describe", properties=as_carol)  # she can log in
    kafka.run(CONFIGS, "--alter", "--delete-config", "producer_byte_rate", *carol)
    assert "producer_byte_rate" not in kafka.run(CONFIGS, "--describe", *carol)


def test_kafka_delegation_tokens_creates_renews_and_expires_tokens(kafka: Served) -> None:
    created = kafka.run(TOKENS, "--create", "--max-life-time-period", "-1", "--renewer-principal", "User:alice")
    token, hmac = re.findall(r"^(\S+)\s+(\S+={0,2})\s+User:admin", created, re.MULTILINE)[0]
    assert token in kafka.run(TOKENS, "--describe", "--owner-principal", "User:admin")
    by_token = kafka.properties(token, hmac, "SCRAM-SHA-256", token=True)
    kafka.run(kafka.acl_command, "--list", properties=by_token)
    as_alice = kafka.properties("alice", PASSWORDS["alice"])
    kafka.run(TOKENS, "--renew", "--renew-time-period", "-1", "--hmac", hmac, properties=as_alice)
    kafka.run(TOKENS, "--expire", "--expiry-time-period", "-1", "--hmac", hmac)
