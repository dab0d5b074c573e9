"""Kafka from Maven's registry, 3.9.1 by default: its jars, its DumpLogSegments, and why they may not be there."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ASKED_FOR: Final = "FAKEKAFKA_REAL_KAFKA"
RELEASE: Final = "3.9.1"


def why_not() -> str | None:
    """The reason why Kafka cannot be run; None if it can."""
    if ASKED_FOR not in os.environ:
        return f"gets Kafka from Maven's registry: only in `tox -e real-kafka`, or with {ASKED_FOR} set"
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    return f"needs a JDK (11 or newer) and Maven; not found: {', '.join(missing)}" if missing else None


@cache
def class_path(release: str = RELEASE) -> str:
    """The class path of the jars in `pom.xml`. `release`: 2.4.1 or later."""
    with TemporaryDirectory() as folder:
        jars = Path(folder) / "jars"
        goal = ["dependency:build-classpath", f"-Dmdep.outputFile={jars}", f"-Dkafka.version={release}"]
        subprocess.run(
            ["mvn", "-q", "-B", "-f", str(Path(__file__).parent / "pom.xml"), *goal], check=True, timeout=600
        )
        return jars.read_text("utf-8").strip()


def java(*arguments: str, release: str = RELEASE) -> list[str]:
    """The command that runs a class of Kafka, or a source file of ours that uses Kafka's classes."""
    return ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", class_path(release), *arguments]


def dumped(files: Iterable[Path], *options: str) -> str:
    """What DumpLogSegments prints about `files`, mismatches last. Raises `CalledProcessError` if it fails."""
    command = java("kafka.tools.DumpLogSegments", *options, "--files", ",".join(map(str, files)))
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", timeout=300)
    return done.stdout + done.stderr
