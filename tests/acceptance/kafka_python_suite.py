"""kafka-python's own integration tests, run against `fakekafka serve`: `tox -e acceptance`.

    python -m tests.acceptance.kafka_python_suite                 # the releases that are tested by default
    python -m tests.acceptance.kafka_python_suite 2.3 --verbose   # one, with the reason of every skipped test

The tests come from the package index, with kafka-python's source distribution. The broker has the properties that
kafka-python gives its own brokers. Tests of SASL and TLS start brokers of their own, with key stores that `keytool`
makes: without a JDK they are left out.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from tests.acceptance.kafka_python_source import unpacked
from tests.acceptance.lane import Suite, main
from tests.acceptance.outcomes import Outcome, outcomes
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

RELEASES: Final = ("0.8.2", "0.9.0", "0.10.0", "0.10.2", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.2", "4.3")
MODULES: Final = tuple(f"test/integration/test_{name}_integration.py" for name in ("admin", "consumer", "producer"))
LOGINS: Final = tuple(f"test/integration/test_{name}_integration.py" for name in ("sasl", "ssl"))
"""Modules whose tests start their own brokers."""
PROPERTIES: Final = {
    "num.partitions": "4",
    "group.min.session.timeout.ms": "1000",
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.num.partitions": "2",
    "delete.topic.enable": "true",
}
"""What their server.properties says."""
OPEN: Final = {"allow.everyone.if.no.acl.found": "true"}
"""A property of authorizers; no release lists it among the broker's properties."""
LIMIT_S: Final = 600
"""How long the tests of one release may take, apart from those of logins."""


def run(setup: Setup, root: Path, output: Output) -> Iterator[Outcome]:
    """Run the tests in `root`; those of logins start their own brokers."""
    release = setup.release
    told = {"KAFKA_ROOT": str(root), "KAFKA_VERSION": str(release), "PROPERTIES": json.dumps(properties(release))}
    options = ("--port", "0", "--topic", "made-beforehand:4")  # before 0.10 no broker is listed until there is a topic
    with serving(setup, properties(release), options) as address:
        yield from _tested(MODULES, root, root / f"{release}.xml", told | {"KAFKA_URI": f"kafka://{address}"}, output)
    if shutil.which("keytool"):
        yield from _tested(LOGINS, root, root / f"{release}-logins.xml", told, output)


def _tested(modules: Sequence[str], root: Path, report: Path, told: Mapping[str, str], output: Output) -> list[Outcome]:
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly", f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", *options, *modules]
    run_to_the_end(command, root, told, LIMIT_S, output)
    if not report.exists():
        raise LaneBroken(f"{' '.join(modules)} left no report: --log shows why")
    return outcomes(report)


def properties(release: Release) -> dict[str, str]:
    """The properties of kafka-python's own brokers that the release knows."""
    served = profile(release).broker_configs
    lines = {name: value for name, value in PROPERTIES.items() if name in served}
    authorizer = authorizer_class(release)
    return lines | ({"authorizer.class.name": authorizer, **OPEN} if authorizer else {})


def authorizer_class(release: Release) -> str | None:
    """Kafka's own authorizer in that release."""
    if release.line_number < (0, 9):
        return None
    if release.line_number < (2, 4):
        return "kafka.security.auth.SimpleAclAuthorizer"
    if release.default_mode == "zk":
        return "kafka.security.authorizer.AclAuthorizer"
    return "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


SUITE: Final = Suite(
    "kafka-python", __doc__.split("\n", 1)[0], tuple(map(setup, RELEASES)), lambda folder, _: unpacked(folder), run
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
