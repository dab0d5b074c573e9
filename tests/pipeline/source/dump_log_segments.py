"""Kafka's own DumpLogSegments of 3.9.1, which reads all formats. It comes from Maven's registry, so it runs only on
request.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

POM = Path(__file__).parents[2] / "java" / "broker.xml"
VERSION = "3.9.1"


def why_not() -> str | None:
    """The reason why the tool cannot be run; None if it can."""
    if "FAKEKAFKA_JAVA" not in os.environ:
        return "gets Kafka's broker from Maven's registry: only in `tox -e java`, or with FAKEKAFKA_JAVA set"
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    return f"needs a JDK (17 or newer) and Maven; not found: {', '.join(missing)}" if missing else None


@cache
def class_path() -> str:
    """The broker's jars."""
    with TemporaryDirectory() as folder:
        jars = Path(folder) / "jars"
        goal = [f"-Dkafka.version={VERSION}", "dependency:build-classpath", f"-Dmdep.outputFile={jars}"]
        subprocess.run(["mvn", "-q", "-B", "-f", str(POM), *goal], check=True, timeout=600)
        return jars.read_text("utf-8").strip()


def command(files: Iterable[Path], *options: str) -> list[str]:
    every = ",".join(map(str, files))
    return ["java", "-cp", class_path(), "kafka.tools.DumpLogSegments", *options, "--files", every]


def dumped(files: Iterable[Path], *options: str) -> str:
    """What the tool prints."""
    return subprocess.run(
        command(files, *options), check=True, capture_output=True, text=True, encoding="utf-8", timeout=300
    ).stdout
