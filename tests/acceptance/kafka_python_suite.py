"""kafka-python's own integration tests, run against `fakekafka serve`: `tox -e acceptance`.

    python -m tests.acceptance.kafka_python_suite                 # the releases that are tested by default
    python -m tests.acceptance.kafka_python_suite 2.3 --verbose   # one, with the reason of every skipped test

The tests come from the package index, with kafka-python's source distribution; without an index it prints the reason
and ends with exit status 2. It is 1 if a test fails that `known.toml` does not explain, if one passes that should fail
according to it, or if a broker does not start or tests do not end in time. The broker has the properties that
kafka-python gives its own brokers. Tests of SASL and TLS start brokers of their own, with key stores that `keytool`
makes: without a JDK they are left out.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from tests.acceptance.outcomes import Judgement, judge, known, outcomes
from tests.acceptance.suite_source import NoSuite, unpacked

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
"""What stands in their server.properties."""
OPEN: Final = {"allow.everyone.if.no.acl.found": "true"}
"""A property of authorizers; no release lists it among its broker's own."""
LIMIT_S: Final = 600
"""How long the tests of one release may take, those of logins apart."""
START_LIMIT_S: Final = 60
"""How long a broker may take to say where it listens."""


class LaneBroken(Exception):
    """The tests could not be run to their end; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests and return the exit status."""
    options = _parser().parse_args(arguments)
    table, clean = known(), True
    with tempfile.TemporaryDirectory(prefix="kafka-python-") as folder:
        try:
            root = unpacked(Path(folder))
        except NoSuite as error:
            print(f"acceptance: {error}", file=sys.stderr)
            return 2
        print(f"{'release':8}{'passed':>7}{'skipped':>8}{'known':>6}{'failed':>7}", flush=True)
        for name in options.release or RELEASES:
            release = Release.parse(name)
            try:
                found = [outcome for report in run(release, root, options.log) for outcome in outcomes(report)]
            except LaneBroken as error:
                print(f"{name:8} {error}", flush=True)
                clean = False
                continue
            result = judge(release, found, table)
            show(release, result, options.verbose)
            clean = clean and bool(result.passed) and not result.unexplained and not result.surprising
    return 0 if clean else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("kafka_python_suite", description=__doc__.split("\n", 1)[0])
    parser.add_argument("release", nargs="*", help=f"Kafka releases ({' '.join(RELEASES)})")
    parser.add_argument("--verbose", action="store_true", help="say why each skipped test was skipped")
    parser.add_argument("--log", action="store_true", help="show the tests' own output")
    return parser


def run(release: Release, root: Path, log: bool = False) -> Iterator[Path]:
    """Run the tests in `root` against brokers of `release` and return the JUnit reports."""
    told = {"KAFKA_ROOT": str(root), "KAFKA_VERSION": str(release), "PROPERTIES": json.dumps(properties(release))}
    with serving(release) as address:
        yield _tested(MODULES, root, root / f"{release}.xml", told | {"KAFKA_URI": f"kafka://{address}"}, log)
    if shutil.which("keytool"):
        yield _tested(LOGINS, root, root / f"{release}-logins.xml", told, log)


def _tested(modules: Sequence[str], root: Path, report: Path, told: Mapping[str, str], log: bool) -> Path:
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly", f"--junitxml={report}"]
    quiet = None if log else subprocess.DEVNULL
    command = [sys.executable, "-m", "pytest", *options, *modules]
    environment = {**os.environ, **told}
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=quiet, stderr=quiet, start_new_session=True
    ) as tests:
        try:
            tests.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, signal.SIGKILL)  # the brokers that they started as well
            raise LaneBroken(f"{' '.join(modules)} did not end within {LIMIT_S} s: --log shows where") from None
    if not report.exists():
        raise LaneBroken(f"{' '.join(modules)} left no report: --log shows why")
    return report


@contextmanager
def serving(release: Release) -> Iterator[str]:
    """`fakekafka serve` in a process of its own; its address."""
    command = [sys.executable, "-m", "fakekafka", "serve", "--release", str(release), "--port", "0"]
    command += ["--topic", "made-beforehand:4"]  # brokers below 0.10 list no broker before there is a topic
    for name, value in properties(release).items():
        command += ["--config", f"{name}={value}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            yield address_of(process)
        finally:
            process.terminate()


def address_of(process: "subprocess.Popen[str]", limit_s: float = START_LIMIT_S) -> str:
    """Where a broker that was just started listens, as its first line says. Raises `LaneBroken`."""
    assert process.stdout is not None
    limit = threading.Timer(limit_s, process.kill)
    limit.start()
    line = process.stdout.readline()
    limit.cancel()
    if not line:
        raise LaneBroken(f"a broker did not start within {limit_s:g} s, or ended: status {process.wait()}")
    return line.split(" ", 1)[0]


def properties(release: Release) -> dict[str, str]:
    """What kafka-python's own brokers have, as far as the release knows it."""
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


def show(release: Release, result: Judgement, verbose: bool) -> None:
    """A line of the table, and any remarks on it."""
    counts = len(result.passed), len(result.skipped), len(result.explained), len(result.unexplained)
    print(f"{release!s:8}{counts[0]:7}{counts[1]:8}{counts[2]:6}{counts[3]:7}")
    for outcome in result.unexplained:
        print(f"    FAILED {outcome.test}: {outcome.words}")
    for outcome, row in result.explained:
        print(f"    known  {outcome.test}: {row.why}")
    for row in result.surprising:
        print(f"    passed {row.test}, although known.toml says that it fails")
    for outcome in result.skipped if verbose else ():
        print(f"    skipped {outcome.test}: {outcome.words}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
