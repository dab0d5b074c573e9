"""@platformatic/kafka's own tests, against `fakekafka serve`: `tox -e acceptance-platformatic -- CHECKOUT`.

They need Node 22. No registry carries them: CHECKOUT is a checkout of github.com/platformatic/kafka at the tag that
`VERSION` names, with the packages of its package.json installed. The ports of its brokers are fixed in its tests: one
alone at 9001, one that wants logins at 9002 and 19002, three of a cluster from 9011 on. Its tests of Kerberos are left
out.
"""

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome, outcomes
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

VERSION: Final = "2.9.0"
FIRST_NODE: Final = 22
LIMIT_S: Final = 1200
COMMON: Final = {
    "group.initial.rebalance.delay.ms": "0",
    "group.consumer.heartbeat.interval.ms": "200",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.coordinator.rebalance.protocols": "classic,consumer",
    "transaction.partition.verification.enable": "false",
}
"""The properties of all its test brokers."""
ALONE: Final = {"node.id": "1"}
CLUSTER: Final = {
    "default.replication.factor": "1",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
MODULES: Final = "org.apache.kafka.common.security"
LOGINS: Final = {
    "listeners": "SASL://localhost:9002,DOCKER://localhost:19002",
    "listener.security.protocol.map": "SASL:SASL_PLAINTEXT,DOCKER:PLAINTEXT",
    "inter.broker.listener.name": "DOCKER",
    "sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER,SCRAM-SHA-256,SCRAM-SHA-512",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "listener.name.sasl.plain.sasl.jaas.config": f"{MODULES}.plain.PlainLoginModule required user_admin=admin;",
    "listener.name.sasl.scram-sha-256.sasl.jaas.config": f"{MODULES}.scram.ScramLoginModule required;",
    "listener.name.sasl.scram-sha-512.sasl.jaas.config": f"{MODULES}.scram.ScramLoginModule required;",
    "listener.name.sasl.oauthbearer.sasl.jaas.config": f"{MODULES}.oauthbearer.OAuthBearerLoginModule required;",
    "sasl.oauthbearer.expected.issuer": "kafka",
    "sasl.oauthbearer.expected.audience": "users",
    "connections.max.reauth.ms": "5000",
    "super.users": "User:admin",
}


def ready(folder: Path, checkout: Path | None) -> Path:
    """Check that the tests can run in the checkout. Raises `NoSuite`."""
    assert checkout is not None
    package = checkout / "package.json"
    named = json.loads(package.read_text("utf-8")) if package.exists() else {}
    if (named.get("name"), named.get("version")) != ("@platformatic/kafka", VERSION) or not (checkout / "src").is_dir():
        raise NoSuite(f"{checkout} is not a checkout of @platformatic/kafka {VERSION}")
    if not (checkout / "node_modules").exists():
        raise NoSuite(f"{checkout} has no node_modules: install the packages that its package.json names")
    if _node() < FIRST_NODE:
        raise NoSuite(f"needs Node {FIRST_NODE} or later, which is not on this machine")
    return checkout.resolve()


def _node() -> int:
    """The version of Node on this machine, or 0."""
    node = shutil.which("node")
    if node is None:
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return int(said.removeprefix("v").split(".")[0])


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    report = output.file.with_suffix(".xml")
    options = ["--disable-warning=ExperimentalWarning", "--experimental-strip-types", "--test", "--test-concurrency=1"]
    options += ["--test-reporter=junit", f"--test-reporter-destination={report}", *files(root)]
    told = {"KAFKA_VERSION": confluents(setup)}
    with ExitStack() as brokers:
        for cluster, properties, port in ((1, ALONE, "9001"), (1, ALONE | LOGINS, "9002"), (3, CLUSTER, "9011")):
            here = setup._replace(brokers=cluster)
            brokers.enter_context(serving(here, COMMON | properties, ("--port", port, "--host", "localhost")))
        run_to_the_end(["node", *options], root, told, LIMIT_S, output)
    try:
        return outcomes(report)
    except (FileNotFoundError, ET.ParseError):
        raise LaneBroken("the tests left no report: --log shows why") from None


def confluents(setup: Setup) -> str:
    """The release as the tests know it: the version of Confluent's distribution that has it."""
    major, minor, *_ = setup.release.line_number
    return f"{major + 4}.{minor}.0"


def files(root: Path) -> Iterator[str]:
    """The files of tests that ask brokers."""
    for path in sorted((root / "test" / "clients").glob("*/*.test.ts")):
        if "gssapi" not in path.name:
            yield path.relative_to(root).as_posix()


SETUPS: Final = setup("3.9"), setup("4.3")
SUITE: Final = Suite("platformatic", __doc__.split("\n", 1)[0], SETUPS, ready, run, wants_checkout=True)

if __name__ == "__main__":
    sys.exit(main(SUITE))
