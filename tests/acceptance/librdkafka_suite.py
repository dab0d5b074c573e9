"""librdkafka's test-runner, against `fakekafka serve`: `tox -e acceptance-librdkafka`; needs npm, gcc and make.

Confluent's client for Node carries the sources of librdkafka, tests included, so npm's registry has them. They are
built in a temporary folder, which takes minutes. The tests that need a broker run in quick mode, except those of share
groups. Tests of static members and of rebalances need a group that takes its time, so they run against a lifelike
broker.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome, Verdict
from tests.acceptance.processes import LaneBroken, Output, run_to_the_end, serving
from tests.acceptance.setups import Setup, setup

PACKAGE: Final = "@confluentinc/kafka-javascript@1.10.1"
TOOLS: Final = ("npm", "gcc", "g++", "make")
PROPERTIES: Final = {
    "num.partitions": "4",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
}
OF_PACE: Final = ("0089", "0102", "0113")
SHARE_GROUPS: Final = ",".join(f"{number:04}" for number in range(170, 191))
STATES: Final[dict[str, Verdict]] = {"PASSED": "passed", "SKIPPED": "skipped"}
PATIENCE: Final = "test.timeout.multiplier=5"
"""The whole runner gives up when one test takes longer than it would on a fast machine."""
BUILD_LIMIT_S: Final = 3600
LIMIT_S: Final = 2400


def ready(folder: Path, checkout: Path | None) -> Path:
    """Get the sources, build the test-runner, and return its folder. Raises `NoSuite`."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise NoSuite(f"needs {', '.join(missing)}; not found on this machine")
    command = ["npm", "pack", "--silent", PACKAGE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    found = list(folder.glob("*.tgz"))
    if done.returncode or not found:
        raise NoSuite(f"npm cannot get {PACKAGE}: {done.stderr.strip() or 'it gave no reason'}")
    with tarfile.open(found[0]) as archive:
        archive.extractall(folder, filter="data")
    sources = folder / "package" / "deps" / "librdkafka"
    jobs = f"-j{os.cpu_count()}"
    for step in (["./configure", "--disable-curl"], ["make", jobs, "libs"], ["make", jobs, "-C", "tests", "build"]):
        _build(step, sources, Output(folder / "build.txt", False))
    return sources / "tests"


def _build(step: list[str], sources: Path, output: Output) -> None:
    if run_to_the_end(step, sources, {}, BUILD_LIMIT_S, output):
        lines = output.file.read_text("utf-8", "replace").strip().splitlines()
        raise NoSuite(f"{' '.join(step)} failed: {lines[-1] if lines else 'it gave no reason'}")


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    """Run the tests: all that need a broker, or, in full mode, those that need a lifelike one."""
    config = output.file.with_suffix(".conf")
    with serving(setup, PROPERTIES) as addresses:
        config.write_text(f"metadata.broker.list={addresses}\n{PATIENCE}\n", "utf-8")
        told = {"RDKAFKA_TEST_CONF": str(config), "TEST_KAFKA_VERSION": str(setup.release)}
        if setup.pace == "instant":
            return _tested(root, output, ["-Q", "-p5"], told | {"TESTS_SKIP": SHARE_GROUPS})
        return [outcome for test in OF_PACE for outcome in _tested(root, output, ["-p1"], told | {"TESTS": test})]


def _tested(root: Path, output: Output, options: list[str], told: dict[str, str]) -> list[Outcome]:
    report = output.file.with_suffix(".json")
    report.unlink(missing_ok=True)
    told |= {"LD_LIBRARY_PATH": "../src:../src-cpp", "TEST_REPORT": str(report)}
    run_to_the_end(["./test-runner", "-E", "-L", *options], root, told, LIMIT_S, output)
    if not report.exists():
        raise LaneBroken("the tests left no report: --log shows why")
    return list(outcomes(json.loads(report.read_text("utf-8"), strict=False)))


def outcomes(report: dict[str, Any]) -> Iterator[Outcome]:
    """The tests that were started. The report also has the runner's own frame, and as skipped the tests that were not
    chosen.
    """
    for name, test in report["tests"].items():
        state = test["state"]
        if name != "<MAIN>" and state != "DNS" and (state != "SKIPPED" or test["duration"]):
            yield Outcome(name, STATES.get(state, "failed"), "" if state == "PASSED" else test["extra"] or state)


SUITE: Final = Suite(
    "librdkafka",
    __doc__.split("\n", 1)[0],
    (setup("4.3", brokers=3), setup("4.3", brokers=3, pace="lifelike")),
    ready,
    run,
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
