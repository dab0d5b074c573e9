"""Kafka's own Java client reads, processes and writes exactly once, against `fakekafka serve`.

What becomes of each transaction is decided here, and the broker is looked at before and after. Run by `tox -e java`:
Maven has to get the client from its registry first.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

import pytest
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse

from tests.emulator.brokers import ask
from tests.emulator.committed_readers import ends, fetched

HERE: Final = Path(__file__).parent
COUNT: Final = 20
WITHOUT_MEMBERS: Final = ("0.11.0",)
"""Releases whose brokers know no members in TxnOffsetCommit."""
DECISIONS: Final = ("abort", "commit", "crash", "commit", "replace", "commit")


def _why_not() -> str | None:
    if "FAKEKAFKA_JAVA" not in os.environ:
        return "gets Kafka's Java client from Maven's registry: only in `tox -e java`, or with FAKEKAFKA_JAVA set"
    missing = [tool for tool in ("javac", "mvn") if shutil.which(tool) is None]
    return f"needs a JDK (17 or newer) and Maven; not found: {', '.join(missing)}" if missing else None


pytestmark = pytest.mark.skipif(_why_not() is not None, reason=_why_not() or "")


@pytest.fixture(scope="module")
def class_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By version of the client: its jars, and the program compiled with them."""
    paths = {}
    for version in ("3.9.1", "4.3.1"):
        classes, jars = tmp_path_factory.mktemp("classes"), tmp_path_factory.mktemp("java") / "jars"
        goal = [f"-Dkafka.version={version}", "dependency:build-classpath", f"-Dmdep.outputFile={jars}"]
        subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *goal], check=True, timeout=600)
        found = jars.read_text("utf-8").strip()
        subprocess.run(["javac", "-cp", found, "-d", str(classes), str(HERE / "ExactlyOnce.java")], check=True)
        paths[version] = os.pathsep.join([str(classes), found])
    return paths


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A program whose standard input and output are pipes, until the end of the block."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
    ) as program:
        try:
            yield program
        finally:
            program.kill()


@contextmanager
def served(release: str) -> Iterator[str]:
    """The address of a broker in a process of its own."""
    topics = ("--topic", "in:2", "--topic", "out:2")
    with running(sys.executable, "-m", "fakekafka", "serve", "--release", release, "--port", "0", *topics) as broker:
        assert broker.stdout is not None
        yield broker.stdout.readline().split()[0]


def words(program: subprocess.Popen[str]) -> list[str]:
    """The next line that a program prints."""
    assert program.stdout is not None
    line = program.stdout.readline()
    assert line, "the program has ended"
    return line.split()


def tell(program: subprocess.Popen[str], command: str) -> None:
    assert program.stdin is not None
    program.stdin.write(f"{command}\n")


def visible(servers: str) -> list[str]:
    """What readers of committed data see of "out"."""
    return sorted(value.decode() for index in (0, 1) for value in fetched(servers, ("out", index)))


def offsets(servers: str) -> list[int]:
    """What the group has committed; -1: nothing."""
    asked = OffsetFetchRequestTopic(name="in", partition_indexes=[0, 1])
    got = ask(servers, OffsetFetchRequest(group_id="g", topics=[asked]), 1, OffsetFetchResponse)
    return [part.committed_offset for part in got.topics[0].partitions]


@pytest.mark.parametrize(
    ("client", "release"),
    [("3.9.1", "0.11.0"), ("3.9.1", "2.8"), ("3.9.1", "4.3"), ("4.3.1", "2.8"), ("4.3.1", "4.0"), ("4.3.1", "4.3")],
)
def test_nothing_is_lost_or_doubled_or_shown_too_early(client: str, release: str, class_paths: dict[str, str]) -> None:
    program = ("java", "-Xmx128m", "-cp", class_paths[client], "ExactlyOnce")
    as_member = "false" if release in WITHOUT_MEMBERS else "true"
    with served(release) as servers, running(*program, servers, str(COUNT), as_member) as application:
        done: list[str] = []
        decisions = cycle(DECISIONS)
        while len(done) < COUNT:
            what, *written = words(application)
            assert what == "written"
            before = offsets(servers)
            assert visible(servers) == done, "shown too early"
            decision = next(decisions)
            tell(application, decision)
            assert words(application) == ["done"]
            if decision == "commit":
                done = sorted([*done, *written])
            else:
                assert offsets(servers) == before
            assert visible(servers) == done
        assert done == sorted(f"V{n}" for n in range(COUNT))
        assert offsets(servers) == [ends(servers, ("in", index)) - 1 for index in (0, 1)], "all but the last marker"
