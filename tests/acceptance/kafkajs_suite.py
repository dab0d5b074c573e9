"""kafkajs's own tests, against `fakekafka serve`: `tox -e acceptance-kafkajs -- CHECKOUT`; needs Node, and three ports.

No registry carries them: CHECKOUT is a checkout of github.com/tulios/kafkajs at the tag that `VERSION` names, with the
packages of its package.json installed. The ports of its brokers, 9092, 9095 and 9098, are fixed in its tests. Nothing
listens on the ports for TLS and logins here, since `fakekafka serve` gives all brokers the same listeners.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

VERSION: Final = "2.2.4"
PORTS: Final = (9092, 9095, 9098)
PROPERTIES: Final = {
    "num.partitions": "2",
    "default.replication.factor": "2",
    "delete.topic.enable": "true",
    "group.initial.rebalance.delay.ms": "0",
    "authorizer.class.name": "kafka.security.authorizer.AclAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
}
"""The properties of kafkajs's own test brokers."""
LIMIT_S: Final = 1800


def ready(folder: Path, checkout: Path | None) -> Path:
    """Check that the tests can run in the checkout. Raises `NoSuite`."""
    assert checkout is not None
    if shutil.which("node") is None:
        raise NoSuite("needs Node, and there is none on this machine")
    package = checkout / "package.json"
    named = json.loads(package.read_text("utf-8")) if package.exists() else {}
    if (named.get("name"), named.get("version")) != ("kafkajs", VERSION) or not (checkout / "src").is_dir():
        raise NoSuite(f"{checkout} is not a checkout of kafkajs {VERSION}")
    if not _jest(checkout).exists():
        raise NoSuite(f"{checkout} has no jest: install the packages that its package.json names")
    return checkout.resolve()


def _jest(checkout: Path) -> Path:
    return checkout / "node_modules" / "jest" / "bin" / "jest.js"


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    addresses = ",".join(f"localhost:{port}" for port in PORTS[: setup.brokers])
    ports = ",".join(str(port) for port in PORTS[: setup.brokers])
    report = output.file.with_suffix(".json")
    options = ["--ci", "--maxWorkers=2", "--no-watchman", "--forceExit", "--json", f"--outputFile={report}"]
    told = {"KAFKA_VERSION": "{}.{}".format(*setup.release.line_number), "NODE_ENV": "test"}
    with serving(setup, PROPERTIES, ("--port", ports, "--advertised-host", addresses)):
        command = ["node", str(_jest(root)), *options]
        run_to_the_end(command, root, told | {"KAFKAJS_DEBUG_PROTOCOL_BUFFERS": "1"}, LIMIT_S, output)
    if not report.exists():
        raise LaneBroken("the tests left no report: --log shows why")
    return list(outcomes(json.loads(report.read_text("utf-8")), root))


def outcomes(report: dict[str, Any], root: Path) -> Iterator[Outcome]:
    """The tests of jest's JSON report, each named with its file, since names repeat."""
    for file in report["testResults"]:
        path = Path(file["name"]).relative_to(root).as_posix()
        if not file["assertionResults"]:
            yield Outcome(path, "failed", _first_line(file["message"]))
        for test in file["assertionResults"]:
            name = f"{path} > {test['fullName']}"
            match test["status"]:
                case "passed":
                    yield Outcome(name, "passed", "")
                case "failed":
                    yield Outcome(name, "failed", _first_line("\n".join(test["failureMessages"])))
                case _:
                    yield Outcome(name, "skipped", test["status"])


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]


SUITE: Final = Suite("kafkajs", __doc__.split("\n", 1)[0], (setup("2.4", brokers=3),), ready, run, wants_checkout=True)

if __name__ == "__main__":
    sys.exit(main(SUITE))
