"""Environments of Java clients: jars by Maven, and the driver compiled with them.

A driver's main class is called Driver.
"""

import os
import shutil
from functools import partial
from pathlib import Path
from typing import Final

from fakekafka_compat.environments.making import NoEnvironment, at_least, digest, made_once, place_of, program, run
from fakekafka_compat.table import Client

MAIN: Final = "Driver"
QUICK: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""Options for a short run: a driver runs for seconds, so the JVM's best optimisation is not worth its time."""
PROJECT: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>fakekafka</groupId><artifactId>client</artifactId><version>1</version>
  <dependencies>{}</dependencies>
</project>"""
DEPENDENCY: Final = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


def command(client: Client, cache: Path) -> list[str]:
    """Java, and the client's driver. Raises `NoEnvironment`."""
    javac = _javac(client.runtime)
    place = made_once(place_of(client, "java", cache), partial(_make, client))
    jars = f"{place}{os.sep}*"
    classes = made_once(
        place / f"{client.driver.stem}-{digest(client.driver.read_bytes())}",
        lambda aside: _compile(javac, jars, client.driver, aside),
    )
    java = javac.with_name(javac.name.replace("javac", "java"))
    return [str(java), *QUICK, "-cp", os.pathsep.join([str(classes), jars]), MAIN]


def _make(client: Client, aside: Path) -> None:
    dependencies = [DEPENDENCY.format(*package.split(":")) for package in client.packages]
    project = aside / "pom.xml"
    project.write_text(PROJECT.format("".join(dependencies)), "utf-8")
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={aside}"]
    run([program("mvn"), "-q", "-B", "-f", str(project), *goal])


def _compile(javac: Path, jars: str, driver: Path, aside: Path) -> None:
    run([str(javac), "-cp", jars, "-d", str(aside), str(driver)])


def _javac(wanted: str) -> Path:
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("javac", path=str(Path(home) / "bin") if home else None)
    if path is None or not at_least(run([path, "-version"]), wanted):
        raise NoEnvironment(f"there is no JDK {wanted} or later")
    return Path(path)
