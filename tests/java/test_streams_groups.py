"""Kafka Streams with its own rebalance protocol (KIP-1071), against `fakekafka serve`.

Two processes share the tasks, one leaves, and nothing is lost or counted twice. Run by `tox -e java`: Maven has to get
Kafka Streams from its registry first.
"""

import subprocess
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

from tests.java.programs import compiled, needs_java, running, served, tell, words
from tests.support.committed_readers import fetched

pytestmark = needs_java

PATIENCE_S: Final = 60.0
TOPICS: Final = ("in:4", "out:1")
QUICK: Final = {
    "group.streams.initial.rebalance.delay.ms": 0,
    "group.streams.min.heartbeat.interval.ms": 200,
    "group.streams.heartbeat.interval.ms": 300,
    "group.streams.num.standby.replicas": 1,
}
EVERY: Final = [f"{part}_{n}" for part in (0, 1) for n in range(4)]


@pytest.fixture(scope="module")
def class_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By version of Kafka Streams: its jars, and the program compiled with them."""
    return {
        version: compiled(tmp_path_factory.mktemp("java"), version, "StreamsApplication", pom="streams.xml")
        for version in ("4.2.1", "4.3.1")
    }


def after(program: subprocess.Popen[str], command: str, answer: str) -> list[str]:
    """What a program answers to a command; changes of its state are skipped."""
    tell(program, command)
    return until(program, answer)


def until(program: subprocess.Popen[str], answer: str) -> list[str]:
    line = words(program)
    while line[0] != answer:
        line = words(program)
    return line[1:]


def tasks(program: subprocess.Popen[str]) -> tuple[list[str], list[str]]:
    """The active and the standby tasks of a process."""
    active, standby = after(program, "tasks", "tasks")[0].split("/")
    return active.split(",") if active else [], standby.split(",") if standby else []


def wait_for_tasks(active: int, standby: int, *programs: subprocess.Popen[str]) -> list[tuple[list[str], list[str]]]:
    """Wait until each process has this many tasks."""
    end = monotonic() + PATIENCE_S
    while (found := [tasks(program) for program in programs]) and monotonic() < end:
        if all((len(one), len(other)) == (active, standby) for one, other in found):
            return found
    raise AssertionError(f"{active} active and {standby} standby tasks never came about, but {found}")


def wait_for_output(servers: str, *expected: str) -> None:
    """Wait until the application has written this, in any order."""
    end = monotonic() + PATIENCE_S
    while sorted(found := [value.decode() for value in fetched(servers, ("out", 0))]) != sorted(expected):
        assert monotonic() < end, found


@pytest.mark.parametrize(("version", "release"), [("4.2.1", "4.2"), ("4.3.1", "4.2"), ("4.3.1", "4.3")])
def test_counts_survive_the_process_that_has_made_them(
    version: str, release: str, class_paths: dict[str, str], tmp_path: Path
) -> None:
    program = ("java", "-Xmx160m", "-cp", class_paths[version], "StreamsApplication")
    with served(release, TOPICS, QUICK) as servers, running(*program, servers, "count", str(tmp_path / "one")) as one:
        wait_for_tasks(8, 0, one)
        after(one, "write x y x", "written")
        wait_for_output(servers, "x=1", "y=1", "x=2")
        with running(*program, servers, "count", str(tmp_path / "two")) as two:
            found = wait_for_tasks(4, 2, one, two)
            assert sorted(found[0][0] + found[1][0]) == EVERY
            assert sorted(found[0][1] + found[1][1]) == EVERY[4:], "only the counting part has state"
            after(one, "close", "closed")
            wait_for_tasks(8, 0, two)
            after(two, "write x z", "written")
            wait_for_output(servers, "x=1", "y=1", "x=2", "x=3", "z=1")
            after(two, "close", "closed")


def test_a_topology_without_state_needs_no_topics_of_its_own(class_paths: dict[str, str], tmp_path: Path) -> None:
    program = ("java", "-Xmx160m", "-cp", class_paths["4.3.1"], "StreamsApplication")
    with served("4.3", TOPICS, QUICK) as servers, running(*program, servers, "plain", str(tmp_path)) as one:
        assert wait_for_tasks(4, 0, one)[0][0] == EVERY[:4]
        after(one, "write a b c d", "written")
        wait_for_output(servers, *"ABCD")
        after(one, "close", "closed")
