"""Any release of Kafka from Maven's registry, as a class path."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import Release

ASKED_FOR: Final = "FAKEKAFKA_REAL_PATCHES"
SCALA: Final = (("2.4", "2.13"), ("0.10.2", "2.12"), ("0.8.2", "2.11"))
"""The first line from which a Scala version is taken: the newest for which every later release has a build."""
WORKING_ZOOKEEPER: Final = "3.4.10"
"""The client of 3.4.13 and 3.4.14 fails on Java 14 and later (ZOOKEEPER-3779); that of 3.4.6 works too."""
WITH_OLD_ZOOKEEPER: Final = (Release.parse("2.0.0"), Release.parse("2.3.1"))
"""The first and last release with such a client."""
OTHER_LOGS: Final = ("slf4j-log4j12", "slf4j-reload4j", "log4j-slf4j", "slf4j-nop")
POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>fakekafka</groupId><artifactId>real-patch</artifactId><version>1</version>
{management}
<dependencies>
<dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_{scala}</artifactId><version>{release}</version></dependency>
<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
<dependency><groupId>javax.xml.bind</groupId><artifactId>jaxb-api</artifactId><version>2.3.1</version></dependency>
</dependencies></project>
"""
PINNED: Final = """<dependencyManagement><dependencies><dependency><groupId>org.apache.zookeeper</groupId>
<artifactId>zookeeper</artifactId><version>{version}</version></dependency></dependencies></dependencyManagement>"""


def why_not() -> str | None:
    """The reason why no release can be run; None if they can."""
    if ASKED_FOR not in os.environ:
        return (
            f"gets every release of Kafka from Maven's registry: only in `tox -e real-patches`, or with {ASKED_FOR} set"
        )
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    return f"needs a JDK (17 or newer) and Maven; not found: {', '.join(missing)}" if missing else None


@cache
def class_path(release: Release) -> str:
    """The class path of a release's broker."""
    first, last = WITH_OLD_ZOOKEEPER
    management = PINNED.format(version=WORKING_ZOOKEEPER) if first <= release <= last else ""
    scala = next(scala for line, scala in SCALA if release >= Release.parse(f"{line}.0"))
    with TemporaryDirectory() as folder:
        pom, jars = Path(folder) / "pom.xml", Path(folder) / "jars"
        pom.write_text(POM.format(release=release, scala=scala, management=management), "utf-8")
        goal = ["dependency:build-classpath", f"-Dmdep.outputFile={jars}", "-Dmdep.includeScope=runtime"]
        subprocess.run(["mvn", "-q", "-B", "-f", str(pom), *goal], check=True, timeout=600)
        found = jars.read_text("utf-8").strip().split(":")
    return ":".join(jar for jar in found if not Path(jar).name.startswith(OTHER_LOGS))
