"""kafka-go's own tests, against `fakekafka serve`: `tox -e acceptance-kafka-go`; needs Go, and ports 9092 and 9093.

The ports are fixed in its tests. Three of them need a topic that is not ready at once, and run against a lifelike
broker.
"""

import sys
from pathlib import Path
from typing import Final

from tests.acceptance.go_tests import downloaded, go_tests
from tests.acceptance.lane import Suite, main
from tests.acceptance.outcomes import Outcome
from tests.acceptance.processes import Output, serving
from tests.acceptance.setups import Setup, setup

MODULE: Final = "github.com/segmentio/kafka-go"
VERSION: Final = "v0.4.51"
PROPERTIES: Final = {
    "broker.id": "1",
    "delete.topic.enable": "true",
    "auto.create.topics.enable": "true",
    "message.max.bytes": "200000000",
    "listeners": "PLAINTEXT://localhost:9092,SASL_PLAINTEXT://localhost:9093",
    "authorizer.class.name": "kafka.security.authorizer.AclAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
}
"""The properties of kafka-go's own test brokers."""
LOGINS: Final = ("--user", "adminplain:admin-secret", "--user", "adminscram:admin-secret-256")
MECHANISMS: Final = ("--sasl", "PLAIN", "--sasl", "SCRAM-SHA-256", "--sasl", "SCRAM-SHA-512")
PACKAGES: Final = (".", "./topics", "./sasl/...")
"""The packages whose tests need a broker."""
OF_PACE: Final = (
    "TestConsumerGroupWithTopic",
    "TestConsumerGroupWithGroupTopicsSingle",
    "TestRebalanceTooManyConsumers",
)
"""Tests that begin before their topic is ready, and expect to."""
BREAKING_OFF: Final = (
    "verify offset committed",
    "verify offset committed when using interval committer",
    "consumer group commits on close",
)
"""Subtests of TestReaderConsumerGroup that end the whole run on any broker: their helper calls a function that is
nil.
"""
LIMIT_S: Final = 900


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    """Run the tests, one package after the other: they share topics and ports."""
    parts = "|".join(BREAKING_OFF).replace(" ", "_")
    only = ["-run", f"^({'|'.join(OF_PACE)})$"] if setup.pace == "lifelike" else []
    only += ["-skip", f"^TestReaderConsumerGroup$/^({parts})$"]
    with serving(setup, PROPERTIES, ("--port", "9092", *LOGINS, *MECHANISMS)):
        told = {"KAFKA_VERSION": str(setup.release), "KAFKA_SKIP_NETTEST": "1"}
        return go_tests(root, ["-p=1", *only, *PACKAGES], told, LIMIT_S, output)


SUITE: Final = Suite(
    "kafka-go",
    __doc__.split("\n", 1)[0],
    (setup("2.8"), setup("2.8", pace="lifelike")),
    lambda folder, _: downloaded(MODULE, VERSION),
    run,
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
