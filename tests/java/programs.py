"""Java programs run by tests: compiled with a Kafka client that Maven gets from its registry, they take commands as
lines on standard input and answer in lines.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import pytest

HERE: Final = Path(__file__).parent
Program: TypeAlias = subprocess.Popen[str]


def _why_not() -> str | None:
    if "FAKEKAFKA_JAVA" not in os.environ:
        return "gets Kafka's Java client from Maven's registry: only in `tox -e java`, or with FAKEKAFKA_JAVA set"
    missing = [tool for tool in ("javac", "mvn") if shutil.which(tool) is None]
    return f"needs a JDK (17 or newer) and Maven; not found: {', '.join(missing)}" if missing else None


needs_java: Final = pytest.mark.skipif(_why_not() is not None, reason=_why_not() or "")


def class_path(folder: Path, version: str, *, pom: str) -> str:
    """The jars of a version of Kafka, as one of the projects of this directory names them."""
    jars = folder / "jars"
    goal = [f"-Dkafka.version={version}", "dependency:build-classpath", f"-Dmdep.outputFile={jars}"]
    subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / pom), *goal], check=True, timeout=600)
    return jars.read_text("utf-8").strip()


def compiled(folder: Path, version: str, program: str, *, pom: str = "pom.xml") -> str:
    """The class path of a program of this directory, compiled into `folder` with the jars of a version of Kafka."""
    found = class_path(folder, version, pom=pom)
    subprocess.run(["javac", "-cp", found, "-d", str(folder), str(HERE / f"{program}.java")], check=True)
    return os.pathsep.join([str(folder), found])


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A program whose standard input and output are pipes, until the end of the block."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        try:
            yield program
        finally:
            program.kill()


@contextmanager
def served(release: str, topics: Sequence[str], config: Mapping[str, object] = MappingProxyType({})) -> Iterator[str]:
    """The address of a broker in a separate process."""
    options = [option for topic in topics for option in ("--topic", topic)]
    options += [option for name, value in config.items() for option in ("--config", f"{name}={value}")]
    with running(sys.executable, "-m", "fakekafka", "serve", "--release", release, "--port", "0", *options) as broker:
        assert broker.stdout is not None
        yield broker.stdout.readline().split()[0]


def words(program: subprocess.Popen[str]) -> list[str]:
    """The words of the next line that a program prints."""
    assert program.stdout is not None
    line = program.stdout.readline()
    assert line, "the program has ended"
    return line.split()


def tell(program: subprocess.Popen[str], command: str) -> None:
    """Send a line to a program."""
    assert program.stdin is not None
    program.stdin.write(f"{command}\n")


def told(program: subprocess.Popen[str], command: str) -> list[str]:
    """The words of a program's answer to a line."""
    tell(program, command)
    return words(program)
